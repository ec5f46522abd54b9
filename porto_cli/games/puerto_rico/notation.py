"""Moves, bundles and names as text, and back: exact inverses.

Canonical text is what :func:`format_move` and :func:`format_bundle` give. On input, case does
not matter, and every part of a name may be cut short while it stays unambiguous among the names
that are possible there (``coff``, ``s-i-p``). A text means the same at any table, so
:func:`parse_move` needs none; :func:`expand_move` also reads the shorthands that do.

Reading never judges by the rules: a barrel that is not there becomes a move that the rules
refuse. Only what is not a move at all is an :class:`InvalidMoveError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from math import inf
from typing import NamedTuple

from porto_cli.core import (
    InvalidMoveError,
    Violation,
    by_verb,
    cited,
    enumerated,
    the_only,
    whole_number,
)
from porto_cli.core.chance import Stream
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import (
    BIT,
    COST,
    DRAFT,
    FIRST_BUILDING,
    GOODS,
    GUEST_HOUSE,
    NO_COLONISTS,
    NO_GOOD,
    NO_PLACE,
    ONE,
    PLACES,
    QUARRY,
    ROLES,
    TILES,
    VIOLET,
    buildings_in,
    bundle_text,
    pile_of,
)
from porto_cli.games.puerto_rico.engine import MAYOR as MAYOR_ROLE
from porto_cli.games.puerto_rico.engine import NONE as NONE
from porto_cli.games.puerto_rico.engine.boards import filled, nearest_placement
from porto_cli.games.puerto_rico.engine.effects import STREAM
from porto_cli.games.puerto_rico.engine.goods import cargo_loads
from porto_cli.games.puerto_rico.engine.moves import (
    BY_WHARF,
    PASS,
    Build,
    Choose,
    Load,
    LoadSmallWharf,
    Move,
    MoveGuest,
    Place,
    Sell,
    Store,
    Take,
    TakeRole,
)
from porto_cli.games.puerto_rico.engine.moves import format_move as format_move
from porto_cli.games.puerto_rico.engine.play import kinds_allowed, legal_moves, violations
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    DRAFT_PHASE,
    MAYOR_PHASE,
    ROLE_PHASE,
    STORE_PHASE,
    State,
)
from porto_cli.seam import UNDO, Advice, MoveGroup, Typed, later
from porto_cli.words import Completion, Language, nearest, split_words

LEAVE, ADD, FROM, FIRST = "leave", "add", "from", "first"
"""The words of placements that depend on the table."""
MOST_OF_ONE = 200
"""The largest number in a bundle; no box holds that many of anything."""

_FOREST, _NO_COLONIST = "forest", "no-colonist"
_RETURN, _VP, _COLONIST = "return", "vp", "colonist"
_POST, _WHARF, _SMALL_WHARF = "trading-post", "wharf", "small-wharf"


class Names(NamedTuple):
    """The names that are possible in a place of a move, what is wrong with any other word, what to
    write there, if that is not one of a few names, and whether nothing can stand there as well.
    """

    names: tuple[str, ...]
    wrong: str = "cannot be read here"
    like: str = ""
    optional: bool = False

    def error(self, word: str) -> InvalidMoveError:
        """Return the error for a word that is none of these."""
        like = self.like or enumerated(self.names, "or")
        instead = f"write {like}{', or leave it out' if self.optional else ''}"
        return InvalidMoveError(f"{cited(word)} {self.wrong}; {instead}.", self.names, word)


GOOD_NAMES, PLANTATION_NAMES = Names(GOODS, "is not a good"), Names(GOODS, "is not a plantation")
TILE_NAMES = Names(TILES, "is not a tile")
ROLE_NAMES = Names(ROLES, "is not a role", "the name of one in this game, like settler")
BUILDING_NAMES = Names(
    PLACES[FIRST_BUILDING:], "is not a building", "a name like small-market or indigo-plant"
)
PLACE_NAMES = Names(
    PLACES, "is not a tile or a building", "a name like corn, quarry or small-market"
)
_COLONIST_NAMES = Names(
    (*PLACES, "san-juan"),
    "is not a place for a colonist",
    "a name like corn, small-market or san-juan",
)
_TAKE_NAMES = Names((*GOODS, "quarry", "face-down"), "cannot be taken")
_AFTER_TAKE = Names((*GOODS, _FOREST, _NO_COLONIST), optional=True)
_AFTER_QUARRY = _AFTER_TAKE._replace(like=_NO_COLONIST)
_AFTER_BUILD = Names((_RETURN, _NO_COLONIST), optional=True)
_RETURN_NAMES = Names((*GOODS, _VP, _COLONIST, _NO_COLONIST), "cannot be returned")
_AFTER_MAYOR = Names((_NO_COLONIST,), optional=True)
_AFTER_SELL = Names((_POST,), optional=True)
_ONTO_NAMES = Names(
    (_WHARF, _SMALL_WHARF), "is not a ship", "the number of its spaces, wharf or small-wharf"
)


# -- Names


@cache
def find(word: str, among: Names) -> int:
    """Return which of the names a word is, or abbreviates.

    Raises AmbiguousMoveError if it could be several, InvalidMoveError if it is none.
    """
    word, names = word.lower(), among.names
    found = [word] if word in names else [name for name in names if means(word, name)]
    return names.index(the_only(found, word, among.error(word)))


def is_a_word(word: str) -> bool:
    """Return whether a word is the whole name of something that a move can be about."""
    return word.lower() in _WORDS


def means(word: str, name: str) -> bool:
    """Return whether a word is this name, or abbreviates it."""
    cuts, parts = word.lower().split("-"), name.split("-")
    return len(cuts) == len(parts) and all(
        cut and part.startswith(cut) for cut, part in zip(cuts, parts, strict=True)
    )


def find_building(word: str) -> int:
    """Return the building of a name or abbreviation, as a place. Raises InvalidMoveError."""
    return FIRST_BUILDING + find(word, BUILDING_NAMES)


def format_kinds(buildings: int) -> str:
    """Return a set of buildings as names in the order of the rules."""
    return " ".join(PLACES[place] for place in buildings_in(buildings))


NAMES = frozenset((*PLACES, *ROLES, "san-juan", "face-down", _NO_COLONIST))
"""What moves can be about, as nothing else is called."""
_WORDS = NAMES | {NONE, _FOREST, LEAVE, ADD, FROM, FIRST}


# -- Bundles


def parse_bundle(words: Sequence[str], among: Names) -> bytes:
    """Return how many of each name a bundle has. Raises InvalidMoveError.

    A bundle is names, each followed by its number unless that is 1, in any order, or ``none``.
    """
    return _counts(_bundle_items(words, among), among)


Items = list[tuple[int, int | None]]
"""The names of a bundle, each with the number behind it, if there is one."""


def _counts(items: Items, among: Names) -> bytes:
    counts = bytearray(len(among.names))
    for index, number in items:
        counts[index] += 1 if number is None else number
        if counts[index] > MOST_OF_ONE:
            raise _too_many(among.names[index])
    return bytes(counts)


def _bundle_items(words: Sequence[str], among: Names) -> Items:
    if len(words) == 1 and words[0].lower() == NONE:
        return []
    if not words:
        raise InvalidMoveError(
            f"A name is missing, like {among.names[0]}; for nothing at all write none."
        )
    items: Items = []
    for word in words:
        if not (word.isascii() and word.isdigit()):
            items.append((find(word, among), None))
            continue
        if not items or items[-1][1] is not None:
            raise InvalidMoveError(
                f"{cited(word)} follows no name; write a number after what it counts."
            )
        name = among.names[items[-1][0]]
        number = whole_number(word)
        if not number:
            raise InvalidMoveError(f"Leave out {name}, if there is none of it.")
        if not 0 < number <= MOST_OF_ONE:
            raise _too_many(name)
        items[-1] = (items[-1][0], number)
    return items


def _too_many(name: str) -> InvalidMoveError:
    return InvalidMoveError(f"There are not that many of {name}.")


def format_bundle(counts: bytes, among: Names) -> str:
    """Return the canonical text of a bundle; ``none`` if it is empty."""
    return bundle_text(counts, among.names)


def _each_of(counts: bytes) -> bytes:
    return b"".join(ONE[tile] * number for tile, number in enumerate(counts))


STREAMS = {
    STREAM: Stream(
        TILES,
        {
            "tile": lambda text: bytes([find(text, PLANTATION_NAMES)]),
            "tiles": lambda text: _each_of(parse_bundle(text.split(), PLANTATION_NAMES)),
        },
        "which plantations came up ('tile: …' for the Hacienda, 'tiles: …' for the new row)",
        "all of it is face up, on an island, or discarded",
    )
}
"""The streams of chance that a record shows."""


# -- Moves


def parse_move(text: str) -> Move:
    """Read a move. Whether it is legal is for the rules.

    Raises InvalidMoveError, and AmbiguousMoveError for a name that could be several.
    """
    verb, *words = text.split() or [""]
    fewest, most, read = by_verb([verb] if verb else [], _READERS, NAMES)
    if not fewest <= len(words) <= most:
        raise _needs(verb.lower())
    return read(words)


def _needs(verb: str) -> InvalidMoveError:
    """Return the error for a verb with fewer words, or more, than a move of it has."""
    # A right move does without.
    from porto_cli.games.puerto_rico.commands import COMMANDS

    if not (about := COMMANDS.verbs[verb].about):
        return InvalidMoveError(f"Nothing can follow {cited(verb)}.")
    return InvalidMoveError(f"After {cited(verb)} write {about[0].lower()}{about[1:]}")


def _read_role(words: list[str]) -> Move:
    role, more = find(words[0], ROLE_NAMES), words[1:]
    if more and role != MAYOR_ROLE:
        raise InvalidMoveError(
            f"Nothing can follow role {ROLES[role]}; no-colonist goes with role mayor only."
        )
    for word in more:
        find(word, _AFTER_MAYOR)
    return TakeRole(role, no_colonist=bool(more))


def _read_take(words: list[str]) -> Move:
    what = find(words[0], _TAKE_NAMES)
    more = [_name(word, _AFTER_QUARRY if what >= QUARRY else _AFTER_TAKE) for word in words[1:]]
    seconds = [GOODS.index(name) for name in more if name in GOODS]
    for name in more:
        if more.count(name) > 1:
            raise InvalidMoveError(f"Write {name} once.")
    if seconds and (len(more) > 1 or what >= QUARRY):
        raise InvalidMoveError(
            "Take one tile, like: take quarry; or barrels of two goods, like: take corn sugar."
        )
    second = seconds[0] if seconds else NO_GOOD
    return Take(what, second, _FOREST in more, _NO_COLONIST in more)


def _read_place(words: list[str]) -> Move:
    if _is_shorthand(words):
        text = f"place {words[0]}"
        raise InvalidMoveError(
            f"{cited(text)} is a shorthand that depends on the table; write all places "
            "with their colonists."
        )
    return Place(parse_bundle(words, PLACE_NAMES))


def _is_shorthand(words: list[str]) -> bool:
    return bool(words) and words[0].lower() in (LEAVE, ADD, FIRST)


def _read_build(words: list[str]) -> Move:
    building, rest = find_building(words[0]), words[1:]
    good, vp, colonist = NO_GOOD, False, NO_PLACE
    if no_colonist := bool(rest) and means(rest[-1], _NO_COLONIST):
        rest.pop()
    if any(means(word, _NO_COLONIST) for word in rest):
        raise InvalidMoveError("Nothing can follow no-colonist; it comes last.")
    if rest:
        find(rest.pop(0), _AFTER_BUILD)
        if not rest:
            raise InvalidMoveError(
                "Name what is returned, like: build factory return corn vp colonist quarry."
            )
    while rest:
        name = _name(rest.pop(0), _RETURN_NAMES)
        if name == _VP and not vp:
            vp = True
        elif name == _COLONIST and colonist == NO_PLACE:
            if not rest:
                raise InvalidMoveError("Name where the colonist comes from, like: colonist quarry.")
            colonist = find(rest.pop(0), _COLONIST_NAMES)
        elif name in GOODS and good == NO_GOOD:
            good = GOODS.index(name)
        else:
            raise InvalidMoveError(
                "At most one barrel, one VP chip and one colonist can be returned."
            )
    return Build(building, good, vp, colonist, no_colonist)


def _name(word: str, among: Names) -> str:
    return among.names[find(word, among)]


def _read_sell(words: list[str]) -> Move:
    good = find(words[0], GOOD_NAMES)
    if len(words) == 2:
        find(words[1], _AFTER_SELL)
    return Sell(good, post=len(words) == 2)


def _read_load(words: list[str]) -> Move:
    *what, ship = words
    onto = BY_WHARF
    if ship.isascii() and ship.isdigit():
        onto = whole_number(ship)
        if onto < 0:
            raise _ONTO_NAMES.error(ship)
    elif _name(ship, _ONTO_NAMES) == _SMALL_WHARF:
        return LoadSmallWharf(parse_bundle(what, GOOD_NAMES))
    if len(what) != 1:
        raise _needs("load")
    return Load(find(what[0], GOOD_NAMES), onto)


def _read_undo(words: list[str]) -> Move:
    raise InvalidMoveError("Undo is not a move of the rules: it takes back the last move.")


_READERS: dict[str, tuple[int, float, Callable[[list[str]], Move]]] = {
    "role": (1, 2, _read_role),
    "take": (1, inf, _read_take),
    "place": (1, inf, _read_place),
    "build": (1, inf, _read_build),
    "sell": (1, 2, _read_sell),
    "load": (2, inf, _read_load),
    "store": (1, inf, lambda words: Store(parse_bundle(words, GOOD_NAMES))),
    "guest": (1, 1, lambda words: MoveGuest(find(words[0], PLACE_NAMES))),
    "choose": (1, 1, lambda words: Choose(find_building(words[0]))),
    "pass": (0, 0, lambda words: PASS),
    UNDO: (0, inf, _read_undo),
}
"""How many words each verb has at least and at most, and what reads them."""
VERBS = tuple(_READERS)


# -- Shorthands


def expand_move(text: str, state: State, seat: int | None = None) -> Move:
    """Read a move of a player (who is to move, if not said), shorthands included.

    Text that is already a legal move is not expanded. Raises InvalidMoveError, which proposes only
    what is in the game, and AmbiguousMoveError where a shorthand matches several moves.
    """
    try:
        return _expanded(text, state, seat)
    except InvalidMoveError as error:
        raise type(error)(error.sentence, _possible(error, state, seat), error.word) from None


def _possible(error: InvalidMoveError, state: State, seat: int | None) -> list[str]:
    """Return the names that can be meant by a word that is none: those in this game. Of several
    buildings that begin so, those that the player can build, if there are any.
    """
    names = [name for name in error.names if name not in _absent(state)]
    if state.phase != BUILDER_PHASE or seat not in (None, state.seat):
        return names
    start = error.word.lower()
    begun = [name for name in names if name in BUILDING_NAMES.names and name.startswith(start)]
    can = [name for name in begun if not violations(state, Build(PLACES.index(name)), state.seat)]
    return can or names


def _absent(state: State) -> set[str]:
    """Return the names of the buildings and roles that the game does not have."""
    # In the draft what has not been chosen so far still can be.
    absent = 0 if state.phase == DRAFT_PHASE else VIOLET & ~state.violet
    roles = {ROLES[role] for role in range(len(ROLES)) if role not in state.config.box.roles}
    return roles.union(PLACES[place] for place in buildings_in(absent))


def _expanded(text: str, state: State, seat: int | None) -> Move:
    verb, rest = _shorthand(text)
    is_turn = seat is None or seat == state.seat
    if verb == "place":
        items = _placing(rest)
        # Else there is nothing to add to or to leave: the rules say why.
        is_placing = is_turn and state.phase == MAYOR_PHASE
        return _expand_place(items, state) if is_placing else Place(NO_COLONISTS)
    if verb == "load":
        return _expand_load(rest[0], state, is_turn=is_turn)
    if verb == "store":
        return _expand_store(rest, state, is_turn=is_turn)
    return parse_move(text)


def _shorthand(text: str) -> tuple[str, list[str]]:
    """Return verb and words of a move that can be one; no verb of any other."""
    verb, *words = text.split() or [""]
    verb = verb.lower()
    can_be = {"place": _is_shorthand(words), "load": len(words) == 1, "store": bool(words)}
    return verb if can_be.get(verb) else "", words


def _placing(words: list[str]) -> dict[str, Items]:
    """Return what follows each of the words of a placement: ``add`` and ``from``, ``leave``, or
    ``first``.
    """
    word = words[0].lower()
    lower = [one.lower() for one in words]
    end = lower.index(FROM) if word == ADD and FROM in lower else len(words)
    behind = {word: words[1:end], **({FROM: words[end + 1 :]} if end < len(words) else {})}
    for name, places in behind.items():
        if not places:
            raise InvalidMoveError(
                f"After {cited(name)} a tile or a building is missing, like quarry."
            )
    return {name: _bundle_items(places, PLACE_NAMES) for name, places in behind.items()}


def _expand_place(placing: dict[str, Items], state: State) -> Move:
    player = state.players[state.seat]
    if FIRST in placing:
        return Place(filled(player, NO_COLONISTS, player.people, placing[FIRST]))
    counts = {word: _counts(items, PLACE_NAMES) for word, items in placing.items()}
    if LEAVE in counts:
        return Place(_less(player.circles, counts[LEAVE], "circles that can stay empty"))
    moved = counts.get(FROM, NO_COLONISTS)
    staying = _less(player.colonists, moved, "colonists that can move")
    return Place(bytes(map(int.__add__, staying, counts[ADD])))


def _less(counts: bytes, fewer: bytes, what: str) -> bytes:
    for place, number in enumerate(fewer):
        if number > counts[place]:
            raise InvalidMoveError(f"{PLACES[place]} has {counts[place]} {what}.")
    return bytes(map(int.__sub__, counts, fewer))


def _expand_load(word: str, state: State, *, is_turn: bool) -> Move:
    good = find(word, GOOD_NAMES)
    spaces = state.config.box.cargo
    loads = cargo_loads(state) if is_turn and state.phase == CAPTAIN_PHASE else []
    fitting = [load for load in loads if isinstance(load, Load) and load.good == good]
    if fitting:
        return _only(f"load {word}", fitting)
    # No ship takes it: name the likeliest one, so that the rules can say why not.
    carrying = state.cargo_goods.find(good)
    return Load(good, spaces[carrying] if carrying >= 0 else spaces[-1])


def _expand_store(words: list[str], state: State, *, is_turn: bool) -> Move:
    wanted = _bundle_items(words, GOOD_NAMES)
    move = Store(_counts(wanted, GOOD_NAMES))
    if state.phase != STORE_PHASE or not is_turn or not violations(state, move):
        return move
    agreeing = [
        store
        for store in legal_moves(state)
        if isinstance(store, Store)
        and all(
            store.goods[good] > 0 if number is None else store.goods[good] == number
            for good, number in wanted
        )
    ]
    return _only(f"store {' '.join(words)}", agreeing) if agreeing else move


def in_full(text: str) -> str:
    """Return a move in canonical words; a shorthand stays one, with its names in full.

    So what depends on the table can be written before it is known. Raises InvalidMoveError.
    """
    verb, rest = _shorthand(text)
    if verb == "place":
        placing = _placing(rest).items()
        return " ".join(
            ["place", *(f"{word} {_items_in_full(items, PLACE_NAMES)}" for word, items in placing)]
        )
    if verb == "load":
        return f"load {_name(rest[0], GOOD_NAMES)}"
    if verb == "store":
        return f"store {_items_in_full(_bundle_items(rest, GOOD_NAMES), GOOD_NAMES)}"
    return format_move(parse_move(text))


def _items_in_full(items: Items, among: Names) -> str:
    words = (
        among.names[index] if number is None else f"{among.names[index]} {number}"
        for index, number in items
    )
    return " ".join(words) or NONE


def _only(text: str, moves: Sequence[Move]) -> Move:
    by_text = {format_move(move): move for move in moves}
    impossible = InvalidMoveError(f"{cited(text)} is not possible now.")
    return by_text[the_only([*by_text], text, impossible)]


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

    def to_know(self, state: State, typed: Callable[[str], str]) -> Iterator[Advice]:
        """Name the doubloons on the role cards that can be taken; say how to place in few words."""
        if state.phase == MAYOR_PHASE and any(state.players[state.seat].colonists):
            yield from self.only_the_new(state, typed)
        lying = [
            f"{ROLES[role]} {state.role_doubloons[role]}"
            for role in state.config.box.roles
            if state.role_doubloons[role]
        ]
        if lying and state.phase == ROLE_PHASE:
            yield Advice(f"Doubloons lie on {enumerated(lying)}.")

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
