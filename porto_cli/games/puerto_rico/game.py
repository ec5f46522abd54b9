"""Puerto Rico behind the seam, see :class:`porto_cli.games.Game`: what a seat may know, and what
only its records have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from porto_cli.core import InvalidMoveError
from porto_cli.core.values import event_json
from porto_cli.core.yaml import Node, flow
from porto_cli.games import PackagedGame
from porto_cli.games.puerto_rico import META, phrases
from porto_cli.games.puerto_rico.engine import HOUSE_RULES, PLACES, RANDOM, VIOLET_KINDS, set_of
from porto_cli.games.puerto_rico.engine.effects import final_scores
from porto_cli.games.puerto_rico.engine.moves import Event, Move, Place, come_up
from porto_cli.games.puerto_rico.engine.play import (
    DECISIONS,
    Deal,
    apply,
    begin,
    count_moves,
    deal,
    kinds_allowed,
    legal_moves,
    violations,
)
from porto_cli.games.puerto_rico.engine.state import Config, State, to_move
from porto_cli.games.puerto_rico.events import describe, remark, summary, turn
from porto_cli.games.puerto_rico.notation import (
    PLANTATION_NAMES,
    STREAMS,
    expand_move,
    find_building,
    format_bundle,
    format_kinds,
    format_move,
    parse_bundle,
)
from porto_cli.kinds import Kind, parsed, read_all, word
from porto_cli.seam import OVER, Outcome, Step, View, later

if TYPE_CHECKING:
    from random import Random


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


def _others(state: State, seat: int | None) -> list[int]:
    return [other for other in range(state.config.seats) if other != seat]


def _hidden(state: State, others: list[int]) -> int:
    return sum(state.players[other].vp for other in others)


def _with_chips(state: State, seats: list[int], chips: list[int]) -> State:
    new = state.copy()
    for seat, vp in zip(seats, chips, strict=True):
        new.players[seat].vp = vp
    return new


# -- Keys of a record that only Puerto Rico has: options, setup, and what came up


_OPTIONS = {rule.name: word(*rule.choices) for rule in HOUSE_RULES}


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
    if chosen.bit_count() != VIOLET_KINDS:
        raise InvalidMoveError(
            f"{VIOLET_KINDS} kinds of violet buildings are in a game, not {chosen.bit_count()}."
        )
    return chosen


class Dealing:
    """What is turned up before the first move, see :class:`porto_cli.abilities.Setup`."""

    deal = staticmethod(deal)

    def deal_kinds(self, config: Config) -> dict[str, Kind]:
        """Return what is under ``setup``: kinds if drawn (PR-RANDOM-1), and the first row."""
        row = parsed(
            lambda words: read_row(words, config),
            lambda tiles: format_bundle(tiles, PLANTATION_NAMES),
        )
        drawn = (
            {"buildings": parsed(read_kinds, format_kinds)} if config.buildings == RANDOM else {}
        )
        return {**drawn, "tiles": row}

    def deal_of(self, config: Config, values: Mapping[str, Any]) -> Deal:
        """Return the deal that has these values under ``setup``."""
        return Deal(values.get("buildings", config.kinds), values["tiles"])

    def deal_values(self, config: Config, deal: Deal) -> dict[str, Any]:
        """Return what a deal has under the keys of ``setup``."""
        drawn = {"buildings": deal.kinds} if config.buildings == RANDOM else {}
        return {**drawn, "tiles": deal.tiles}


def standing(state: State) -> Outcome:
    """Return places and VP as they are now (PR-RANK-1); players can share a place."""
    counted = final_scores(state)
    places = tuple(one.place for one in counted)
    return Outcome(
        places, tuple(one.total for one in counted), tuple(place == 1 for place in places)
    )


# -- The game


class PuertoRico(PackagedGame[Config, State, Move, Event]):
    """The game. See :class:`porto_cli.games.Game` for what each member means."""

    meta = META

    # The options are keywords of Config, each of a type of its own.
    def new_config(self, players: Sequence[str], **options: Any) -> Config:
        """Return a configuration; the options are those of the ``HOUSE_RULES``.

        Raises ValueError.
        """
        return Config(tuple(players), **options)

    def read_config(self, root: Node, players: tuple[str, ...]) -> Config:
        """Return the configuration of the key ``options``. Raises InvalidFileError."""
        options = read_all(_OPTIONS, root["options"]) if "options" in root else {}
        return Config(players, **options)

    def config_lines(self, config: Config) -> list[str]:
        """Return the canonical line of ``options``."""
        written = {
            rule.name: value
            for rule in HOUSE_RULES
            if (value := config.options[rule.name]) != rule.usual or rule.always
        }
        return [f"options: {flow(written)}"]

    initial_state = staticmethod(begin)
    to_move = staticmethod(to_move)
    legal_moves = staticmethod(legal_moves)
    count_moves = staticmethod(count_moves)
    violations = staticmethod(violations)
    apply = staticmethod(apply)
    parse_move = staticmethod(expand_move)
    format_move = staticmethod(format_move)

    def in_short(self, step: Step) -> str:
        """Return a step as a move; a placement by the number of colonists."""
        move: Move | None = step.moves[0] if step.moves else None
        if isinstance(move, Place) and any(move.colonists):
            return f"place {phrases.colonists(sum(move.colonists))}"
        return super().in_short(step)

    remark = staticmethod(remark)

    streams = STREAMS

    def chance_entries(self, before: State, events: Iterable[Event]) -> list[tuple[str, str]]:
        """Return what came up after a decision: the tile of the Hacienda, and the new row."""
        return [(key, format_bundle(tiles, PLANTATION_NAMES)) for key, tiles in come_up(events)]

    def result_entries(self, state: State) -> list[tuple[str, str]]:
        """Return the entries of a result: the totals, first place first, and all VP chips."""
        chips = " ".join(str(player.vp) for player in state.players)
        return [*super().result_entries(state), ("vp", chips)]

    def outcome(self, state: State) -> Outcome | None:
        """Return places and VP of a game that is over."""
        return standing(state) if state.phase == OVER else None

    setup = Dealing()
    view = staticmethod(view)

    def resample(self, view: View, rng: Random) -> State:
        """Return a random state consistent with the view: others have other VP chips."""
        table: State = view.table
        if table.phase == OVER:
            return table
        others = _others(table, view.seat)
        chips = [0] * len(others)
        for _ in range(_hidden(table, others)):
            chips[int(rng.random() * len(others))] += 1
        return _with_chips(table, others, chips)

    def is_hidden(self, event: Event) -> bool:
        """What comes up from the stack."""
        return any(come_up([event]))

    def does(self, state: State, verb: str) -> str:
        """Return what moves with a verb do now, with their object."""
        task = DECISIONS[state.phase].task
        return task if task.split()[0] == verb else super().does(state, verb)

    describe = staticmethod(describe)
    events_text = staticmethod(summary)
    event_json = staticmethod(event_json)
    turn = staticmethod(turn)

    observe = later(".view:observe")
    example = later(".view:example")
    glance = later(".view:glance")

    def facts(self, config: Config) -> tuple[dict[str, Any], str | None]:
        """Return the options, and a sentence where they are not the usual ones."""
        options = config.options
        unusual = [
            rule.unusual.format(options[rule.name])
            for rule in HOUSE_RULES
            if options[rule.name] != rule.usual
        ]
        return dict(options), ", ".join(unusual) or None


PUERTO_RICO = PuertoRico()
