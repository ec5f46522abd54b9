"""Puerto Rico behind the seam, see :class:`porto_cli.games.Game`: what a seat may know, what only
its records have, how people set it up, and its moves as they type them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from porto_cli.abilities import NewGame
from porto_cli.core import InvalidMoveError, Violation, enumerated, usage
from porto_cli.core.chance import NothingTypedError, NotInPileError, TypedChance
from porto_cli.core.yaml import Node, flow, scalar
from porto_cli.games import PackagedGame
from porto_cli.games.puerto_rico import META, phrases
from porto_cli.games.puerto_rico.engine import (
    BASE_KINDS,
    BIT,
    COST,
    DRAFT,
    GUEST_HOUSE,
    HOUSE_RULES,
    PLACES,
    RANDOM,
    ROLES,
    TILES,
    HouseRule,
    buildings_in,
    pile_of,
    set_of,
)
from porto_cli.games.puerto_rico.engine.boards import nearest_placement
from porto_cli.games.puerto_rico.engine.effects import STREAM, final_scores
from porto_cli.games.puerto_rico.engine.moves import Event, Move, Place, come_up
from porto_cli.games.puerto_rico.engine.play import (
    Deal,
    apply,
    begin,
    count_moves,
    kinds_allowed,
    legal_moves,
    violations,
)
from porto_cli.games.puerto_rico.engine.play import deal as deal
from porto_cli.games.puerto_rico.engine.state import (
    BOXES,
    MAYOR_PHASE,
    ROLE_PHASE,
    Config,
    State,
    to_move,
)
from porto_cli.games.puerto_rico.events import describe, event_json, remark, summary, turn
from porto_cli.games.puerto_rico.notation import (
    ADD,
    FIRST,
    FROM,
    LEAVE,
    NAMES,
    PLANTATION_NAMES,
    expand_move,
    find,
    find_building,
    format_bundle,
    format_kinds,
    format_move,
    is_a_word,
    means,
    parse_bundle,
    parse_move,
)
from porto_cli.kinds import Kind, parsed, read_all, word
from porto_cli.match.record import OPEN
from porto_cli.seam import OVER, MoveGroup, Outcome, Step, Typed, View, later
from porto_cli.term import PLAIN
from porto_cli.words import Completion, Language, nearest, split_words

if TYPE_CHECKING:
    from random import Random

    from porto_cli.abilities import SoFar
    from porto_cli.term.prompt import Asker

# -- What a seat may know


def view(state: State, seat: int | None) -> View:
    """Return what a seat, or (``None``) a bystander, may know.

    The VP chips of the others are spread evenly over them, until the game is over.
    """
    if state.phase == OVER:
        return View(seat, state)
    others = _others(state, seat)
    each, left = divmod(_hidden(state, others), len(others))
    return View(
        seat, _with_chips(state, others, [each + (nth < left) for nth in range(len(others))])
    )


def resample(view: View, rng: Random) -> State:
    """Return a random state consistent with the view: others have other VP chips."""
    table: State = view.table
    if table.phase == OVER:
        return table
    others = _others(table, view.seat)
    chips = [0] * len(others)
    for _ in range(_hidden(table, others)):
        chips[int(rng.random() * len(others))] += 1
    return _with_chips(table, others, chips)


def _others(state: State, seat: int | None) -> list[int]:
    return [other for other in range(state.config.seats) if other != seat]


def _hidden(state: State, others: list[int]) -> int:
    return sum(state.players[other].vp for other in others)


def _with_chips(state: State, seats: list[int], chips: list[int]) -> State:
    new = state.copy()
    for seat, vp in zip(seats, chips, strict=True):
        new.players[seat].vp = vp
    return new


# -- Keys of a record that only Puerto Rico has: options, setup, what came up, and the result

KINDS_IN_A_GAME = BASE_KINDS.bit_count()
"""Violet kinds in a game (PR-SETUP-7)."""


# The options are keywords of Config, each of a type of its own.
def new_config(players: Sequence[str], **options: Any) -> Config:
    """Return a configuration; the options are those of the ``HOUSE_RULES``.

    Raises ValueError.
    """
    return Config(tuple(players), **options)


_OPTIONS = {rule.name: word(*rule.choices) for rule in HOUSE_RULES}


def read_config(root: Node, players: tuple[str, ...]) -> Config:
    """Return the configuration of the key ``options``. Raises InvalidFileError."""
    options = read_all(_OPTIONS, root["options"]) if "options" in root else {}
    return Config(players, **options)


def config_lines(config: Config) -> list[str]:
    """Return the canonical line of ``options``."""
    written = {
        rule.name: value
        for rule in HOUSE_RULES
        if (value := config.options[rule.name]) != rule.usual or rule.always
    }
    return [f"options: {flow(written)}"]


def deal_kinds(config: Config) -> dict[str, Kind]:
    """Return what is under ``setup``: kinds that were drawn (PR-RANDOM-1), and the first row."""
    row = parsed(
        lambda words: read_row(words, config),
        lambda tiles: format_bundle(tiles, PLANTATION_NAMES),
    )
    drawn = {"buildings": parsed(read_kinds, format_kinds)} if config.buildings == RANDOM else {}
    return {**drawn, "tiles": row}


def deal_of(config: Config, values: Mapping[str, Any]) -> Deal:
    """Return the deal that has these values under ``setup``."""
    return Deal(values.get("buildings", config.kinds), values["tiles"])


def read_row(text: str, config: Config) -> bytes:
    """Return the row of a new game: how many plantations of each kind. Raises InvalidMoveError."""
    row = parse_bundle(text.split(), PLANTATION_NAMES)
    if sum(row) != config.row:
        these = f"With {config.seats} players {config.row} plantations lie face up at the start"
        raise InvalidMoveError(f"{these}, not {sum(row)}.")
    for tile, number in enumerate(row):
        here = config.plantations[tile] - config.box.starting_tiles.count(tile)
        if number > here:
            raise InvalidMoveError(
                f"There are only {here} plantations of {PLACES[tile]} that can come up."
            )
    return row


def read_kinds(text: str) -> int:
    """Return the 17 violet kinds of a game, named in any order. Raises InvalidMoveError."""
    chosen = 0
    for building in text.split():
        place = find_building(building)
        kind = set_of([place])
        if not kinds_allowed(chosen) & kind:
            raise InvalidMoveError(
                f"{PLACES[place]} cannot be in the game as well: it is named twice, is "
                "not violet, all kinds of its cost are there, or it excludes one that is."
            )
        chosen |= kind
    if chosen.bit_count() != KINDS_IN_A_GAME:
        raise InvalidMoveError(
            f"{KINDS_IN_A_GAME} kinds of violet buildings are in a game, not {chosen.bit_count()}."
        )
    return chosen


def deal_values(config: Config, deal: Deal) -> dict[str, Any]:
    """Return what a deal has under the keys of ``setup``."""
    drawn = {"buildings": deal.kinds} if config.buildings == RANDOM else {}
    return {**drawn, "tiles": deal.tiles}


def result_entries(state: State) -> list[tuple[str, str]]:
    """Return the entries of a result: the totals, first place first, and all VP chips."""
    counted = sorted(final_scores(state), key=lambda one: one.place)
    players = state.config.players
    return [
        ("result", flow({scalar(players[one.seat]): str(one.total) for one in counted})),
        ("vp", " ".join(str(player.vp) for player in state.players)),
    ]


def chance_entries(before: State, events: Iterable[Event]) -> list[tuple[str, str]]:
    """Return what came up after a decision: the tile of the Hacienda, and the new row."""
    return [(key, format_bundle(tiles, PLANTATION_NAMES)) for key, tiles in come_up(events)]


def read_chance(key: str, text: str) -> tuple[str, bytes] | None:
    """Return the tiles of an entry, in no order; ``None`` for the key of anything else.

    Raises InvalidMoveError.
    """
    if key == "tile":
        return STREAM, bytes([find(text, PLANTATION_NAMES)])
    if key != "tiles":
        return None
    row = parse_bundle(text.split(), PLANTATION_NAMES)
    return STREAM, bytes(tile for tile, number in enumerate(row) for _ in range(number))


def chance_fault(error: NothingTypedError | NotInPileError) -> str:
    """Return which tiles an item lacks, or which of its tiles cannot come up."""
    if isinstance(error, NotInPileError):
        tile = TILES[error.thing]
        return f"{tile} cannot come up: all of it is face up, on an island, or discarded."
    return (
        "The turn has to say which plantations came up ('tile: …' for the Hacienda, 'tiles: "
        "…' for the new row)."
    )


# -- A new game: by options of the command line or by questions, and the report of it


class SettingUp(NewGame):
    """See :class:`porto_cli.abilities.NewGame` for what each member means."""

    def option_questions(self) -> dict[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return the prompts for the house rules."""
        return {rule.name: partial(self._ask_rule, rule) for rule in HOUSE_RULES}

    def _ask_rule(self, rule: HouseRule, asker: Asker, players: Sequence[str]) -> str:
        from porto_cli.term.prompt import Choice

        choices = [Choice([(label, PLAIN)], value) for value, label in rule.choices.items()]
        return asker.choose(rule.question, choices, rules=(rule.says, *rule.rules))

    def player_count(self, count: int) -> str:
        """Return the cargo ships and the roles to take in a round for a number of players."""
        box = BOXES[count]
        return (
            f"{count} players: cargo ships of {', '.join(map(str, box.cargo))}; {box.turns} "
            "roles taken in a round"
        )

    def setup_questions(self) -> dict[str, Callable[[Asker, Config], str]]:
        """Return the prompts for what is on a real table: which plantations lie face up, and which
        violet buildings were drawn (PR-SETUP-4, PR-RANDOM-1).
        """
        from porto_cli.asking import write

        def ask_tiles(asker: Asker, config: Config) -> str:
            question = f"The {config.row} face-up plantations, like corn sugar {config.row - 1}:"
            return write(asker, question, lambda text: _row(text, config), ("PR-SETUP-4",))

        def ask_violet(asker: Asker, config: Config) -> str:
            question = (
                f"The {KINDS_IN_A_GAME} violet buildings that you have drawn, like small-market "
                "hacienda …:"
            )
            return write(asker, question, _kinds, ("PR-RANDOM-1", "PR-DRAFT-2", "PR-DRAFT-3"))

        return {"tiles": ask_tiles, "violet": ask_violet}

    def setup_missing(self, flags: Sequence[str], players: Sequence[str]) -> str:
        """Return what has to be typed about a real table."""
        count = len(players) + 1
        row = f"--tiles 'corn sugar {count - 1}'"
        drawn = "--violet 'small-market hacienda …'"
        if "--violet" not in flags:
            return f"A game with the real box needs the {count} face-up plantations, like: {row}"
        needs = "A game with random buildings and the real box needs"
        violet = f"the {KINDS_IN_A_GAME} violet buildings that you have drawn"
        if "--tiles" not in flags:
            return f"{needs} {violet}, like: {drawn}"
        return f"{needs} the {count} face-up plantations and {violet}, like: {row} {drawn}"

    def read_setup(self, config: Config, texts: Mapping[str, str]) -> Deal:
        """Return the setup of a real table. Raises InvalidMoveError, WrongUsageError."""
        violet = texts.get("violet", "")
        if violet and config.buildings != RANDOM:
            usage("The option --violet is only for games with --buildings random; leave it out.")
        kinds = _kinds(violet) if config.buildings == RANDOM else config.kinds
        return Deal(kinds, _row(texts["tiles"], config))

    def what_was_set_up(self, match: SoFar, title: str, file: str) -> list[str]:
        """Return which game was set up, and what a game with a seed does not hide."""
        players = match.config.players
        found = [
            f"A game of Puerto Rico with {len(players)} players is set up in {file}; "
            f"{players[0]} is the first governor."
        ]
        if match.config.buildings == RANDOM:
            kinds = format_kinds(match.state.violet).replace(" ", ", ")
            found.append(f"The violet buildings of the game: {kinds}.")
        if match.record.secrecy == OPEN:
            found.append(
                "Anyone who studies the file can predict which plantation tiles will be drawn."
            )
        return found

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return a chance that asks which plantations came up."""
        from porto_cli.asking import AskedChance, CameUp
        from porto_cli.term.prompt import Choice

        question = "Which plantation was drawn? Number {number} with this move; the order does not "
        rules = ("PR-SETTLER-4", "PR-SETTLER-6", "PR-B-HACIENDA")

        def answer(tile: int) -> Choice[int]:
            return Choice([(TILES[tile], phrases.style_of(tile))], tile)

        return AskedChance(asker, typed, {STREAM: CameUp(f"{question}matter.", rules, answer)})


def _row(text: str, config: Config) -> bytes:
    return read_row(text.replace(",", " "), config)


def _kinds(text: str) -> int:
    return read_kinds(text.replace(",", " "))


SETTING_UP = SettingUp()
"""How people set it up."""


# -- Moves as people type them: the part ``words``
#
# The legal moves themselves are in :mod:`porto_cli.games.puerto_rico.options`, which is imported
# only where they are needed, as most commands say a whole move.

_MOST_COMPARED = 500
"""Moves among which the nearest are found, where there are more."""


def _places(state: State, words: Sequence[str]) -> Iterator[Completion]:
    """Offer the places with circles, with who is there; ``add``, ``leave`` and ``from`` as well."""
    player = state.players[state.seat]
    first = words[0] if words else ""
    if not words:
        yield (ADD, "all colonists stay, and the new ones go to these places")
        yield (LEAVE, "all circles are filled but these")
        yield (FIRST, "these circles are filled first, in this order, then all others")
    if first == ADD and len(words) > 1 and FROM not in words:
        yield (FROM, "and those of these places move as well")
    leaving = FROM in words
    for place, circles in enumerate(player.circles):
        there = player.colonists[place]
        wanted = there if leaving else circles - there if first == ADD else circles
        if wanted and PLACES[place] not in words:
            yield (PLACES[place], f"{there} of {circles} occupied")


def _violet(typed: Typed) -> Iterator[Completion]:
    """Offer the violet buildings that can be in the game with those already typed."""
    chosen = 0
    for building in split_words(typed.options.get("violet") or ""):
        chosen |= 1 << find_building(building)
    for place in buildings_in(kinds_allowed(chosen)):
        yield (PLACES[place], phrases.doubloons(COST[place]))


class Words(Language):
    """See :class:`porto_cli.words.Language` for what each member means."""

    names = NAMES
    is_a_word = staticmethod(is_a_word)
    means = staticmethod(means)

    def to_know(self, state: State, typed: Callable[[str], str]) -> Iterator[str]:
        """Name the doubloons on the role cards that can be taken; say how to place in few words."""
        if state.phase == MAYOR_PHASE and any(state.players[state.seat].colonists):
            yield from self.only_the_new(state, typed)
        lying = [
            f"{ROLES[role]} {state.role_doubloons[role]}"
            for role in state.config.box.roles
            if state.role_doubloons[role]
        ]
        if lying and state.phase == ROLE_PHASE:
            yield f"Doubloons lie on {enumerated(lying)}."

    def verbs(self, state: State) -> Sequence[str]:
        """Leave out what only a draft, or a game with guests, has."""
        drafted = state.config.buildings == DRAFT
        there = {"choose": drafted, "guest": drafted or bool(state.violet & BIT[GUEST_HOUSE])}
        return [verb for verb in super().verbs(state) if there.get(verb, True)]

    options = later(".options:options")
    only_the_new = later(".options:only_the_new")
    shorthands = later(".options:shorthands")
    moves_json = later(".view:moves_json")
    placements = later(".options:placements")

    def move_groups(self, state: State, seat: int, *, private: bool) -> Sequence[MoveGroup]:
        """Return what there is to choose in a phase; of placements some."""
        if state.phase != MAYOR_PHASE:
            return super().move_groups(state, seat, private=private)
        return [self.placements(state, self.rules.view(state, seat if private else None).table)]

    def not_now(self, state: State, verb: str, seat: int) -> Sequence[Violation]:
        """Return why it is not the time for a verb, or that there is no guest to move."""
        broken = super().not_now(state, verb, seat)
        return [one for one in broken if one.rule == "PR-TURN-1" or verb == "guest"][:1]

    def nearest(self, state: State, text: str, seat: int) -> list[str]:
        """Return up to five legal moves of a seat, those most like a text first; passing only where
        there is nothing else.
        """
        if state.phase == MAYOR_PHASE and seat == state.seat:
            try:
                move = parse_move(text)
            except InvalidMoveError:
                move = None
            wanted = move.colonists if isinstance(move, Place) else None
            return [format_move(nearest_placement(state, wanted))]
        legal = [format_move(move) for move in legal_moves(state, seat, _MOST_COMPARED)]
        return nearest([move for move in legal if move != "pass"] or legal, text)

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return the next word of a verb's move, or the values of a kind of option."""
        if what == "violet-buildings":
            return _violet(typed)
        if typed.state is None:
            return ()
        state: State = typed.state
        if what == "face-down-tiles":
            # What is discarded can come up when the stack is used up (PR-SETTLER-6).
            return (TILES[tile] for tile in dict.fromkeys(state.stack + pile_of(state.discards)))
        if what == "place":
            is_now = state.phase == MAYOR_PHASE and typed.seat == state.seat
            return _places(state, typed.words) if is_now else ()
        return super().complete(what, typed)

    def thing_name(self, stream: str, thing: int) -> str:
        """Return the name of a plantation."""
        return TILES[thing]


# -- The game


class PuertoRico(PackagedGame[Config, State, Move, Event]):
    """The game. See :class:`porto_cli.games.Game` for what each member means."""

    meta = META
    new_config = staticmethod(new_config)
    read_config = staticmethod(read_config)
    config_lines = staticmethod(config_lines)
    initial_state = staticmethod(begin)

    to_move = staticmethod(to_move)
    legal_moves = staticmethod(legal_moves)
    count_moves = staticmethod(count_moves)
    violations = staticmethod(violations)

    apply = staticmethod(apply)

    parse_move = staticmethod(expand_move)

    format_move = staticmethod(format_move)
    words = later(".game:Words", made=True)

    def in_short(self, step: Step) -> str:
        """Return a step as a move; a placement by the number of colonists."""
        move: Move | None = step.moves[0] if step.moves else None
        if isinstance(move, Place) and any(move.colonists):
            return f"place {phrases.colonists(sum(move.colonists))}"
        return super().in_short(step)

    remark = staticmethod(remark)
    chance_entries = staticmethod(chance_entries)
    read_chance = staticmethod(read_chance)
    chance_fault = staticmethod(chance_fault)
    result_entries = staticmethod(result_entries)

    def outcome(self, state: State) -> Outcome | None:
        """Return places and VP of a game that is over."""
        from porto_cli.games.puerto_rico.view import standing

        return standing(state) if state.phase == OVER else None

    view = staticmethod(view)
    resample = staticmethod(resample)

    def is_hidden(self, event: Event) -> bool:
        """What comes up from the stack."""
        return any(come_up([event]))

    describe = staticmethod(describe)
    events_text = staticmethod(summary)
    event_json = staticmethod(event_json)
    turn = staticmethod(turn)

    observe = later(".view:observe")
    glance = later(".view:glance")
    how_it_ended = later(".shown:how_it_ended")

    def facts(self, config: Config) -> tuple[dict[str, Any], str | None]:
        """Return the options, and a sentence where they are not the usual ones."""
        options = config.options
        unusual = [
            rule.unusual.format(options[rule.name])
            for rule in HOUSE_RULES
            if options[rule.name] != rule.usual
        ]
        return dict(options), ", ".join(unusual) or None

    def terms(self, config: Config) -> tuple[list[str], list[str]]:
        """Return the options; there is nothing to warn of."""
        said = (f"{name.capitalize()}: {value}." for name, value in config.options.items())
        return [" ".join(said)], []

    setting_up = SETTING_UP


PUERTO_RICO = PuertoRico()
