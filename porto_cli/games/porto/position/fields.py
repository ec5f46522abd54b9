"""The keys of a position of Porto, and what else a scenario can expect.

A scenario gives some of the keys and asks for others; both go through the table :data:`FIELDS`, so
that whatever can be written can be compared. Besides keys a case can expect the VP of moves
(``scores``), and what the end of the game would give (``reckon``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from porto_cli.core.chance import less
from porto_cli.core.message import InvalidMoveError, say, shown, whole_number
from porto_cli.core.yaml import InvalidFileError, Node, Place, scalar
from porto_cli.games.porto.engine.components import (
    CARD_SPACES,
    CARDS,
    COLORS,
    CONTRACT_SPACES,
    EMPTY,
    HIDDEN,
    HOUSES,
    NO_COLOR,
    VALUE_OF,
)
from porto_cli.games.porto.engine.moves import (
    FLOORS,
    GROUND_TOKEN,
    NEIGHBORS,
    PRIVATE_CONTRACT,
    PUBLIC_CONTRACT,
    ROOF_TOKEN,
    Build,
    Scored,
)
from porto_cli.games.porto.engine.play import finish
from porto_cli.games.porto.engine.scoring import LEVELS, LOST, level, ranking
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    KEEP,
    OVER,
    TIMER,
    Built,
    Config,
    Deal,
    State,
    begin,
)
from porto_cli.games.porto.notation import (
    NONE,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    SEALED,
    card_names,
    parse_card,
    parse_color,
    parse_house,
    parse_move,
    parse_private,
    parse_public,
)
from porto_cli.scenario.cases import (
    Answer,
    Field,
    Fields,
    Played,
    Read,
    compare,
    number_field,
    parsed,
    players_field,
    read_by,
    read_number,
    read_seat,
    word_field,
    write_by,
    write_number,
)

COMPLETE = "complete"
"""Stands for the number of floors of a house with its roof, whatever its height."""


def _list_of(parse: Callable[[str], int], *, in_order: bool = True) -> Read:
    """Read a list of things; sorted, unless their order matters."""

    def read(node: Node, what: str, config: Config) -> bytes:
        things = (
            parsed(parse, text, item)
            for text, item in [(item.text(), item) for item in node.items()]
        )
        return bytes(things if in_order else sorted(things))

    return read


def _row_of(parse: Callable[[str], int], spaces: int) -> Read:
    """Read the things of a row, ``none`` for an empty space."""

    def parse_space(word: str) -> int:
        return EMPTY if word == NONE else parse(word)

    def read(node: Node, what: str, config: Config) -> bytes:
        row: bytes = _list_of(parse_space)(node, what, config)
        if len(row) != spaces:
            node.fail(
                f"Under {shown(what)} there should be {spaces} names ('none' for an empty "
                f"space), not {len(row)}."
            )
        return row

    return read


def _house(name: str, node: Node, config: Config) -> int:
    house: int = parsed(parse_house, name, node)
    if not config.heights[house]:
        node.fail(f"The house {HOUSES[house]} is left out with {max(2, config.seats)} players.")
    return house


def _color(name: str, node: Node, config: Config) -> int:
    color: int = parsed(parse_color, name, node)
    return color


def _floors(node: Node, what: str, config: Config) -> tuple[int, int]:
    """Read what a house has: ``blue 2``, ``blue complete`` or ``none``."""
    words = node.text().split()
    if words == [NONE]:
        return NO_COLOR, 0
    if len(words) == 2:
        floors = words[1]
        if floors == COMPLETE:
            floors = str(config.heights[HOUSES.index(what.upper())])
        try:
            if 0 < whole_number(floors) < 100:
                return parse_color(words[0]), int(floors)
        except InvalidMoveError:
            pass
    node.fail(
        f"{what} should have a color and a number of floors, like 'blue 2', or "
        f"'blue complete', or 'none'; {shown(' '.join(words))} is not."
    )


def _token(node: Node, what: str, config: Config) -> int:
    if node.text() == NONE:
        return 0
    return node.number(least=1, most=9)


def _read_seats(node: Node, what: str, config: Config) -> tuple[int, ...]:
    names = [(item.text(), item) for item in node.items()]
    return tuple(sorted({read_seat(name, item, config) for name, item in names}))


def _round_or_none(node: Node, what: str, config: Config) -> int:
    return 0 if node.text() == NONE else node.number(least=1)


def listed(names: Iterable[str]) -> str:
    """Return names as a list in one line: ``[red-1, red-2]``."""
    return f"[{', '.join(names)}]"


def _write_houses(found: dict[int, tuple[int, int]], config: Config) -> dict[str, str]:
    return {
        HOUSES[house]: f"{COLORS[color]} {COMPLETE if floors == config.heights[house] else floors}"
        if floors
        else NONE
        for house, (color, floors) in found.items()
    }


def _or_none(number: int) -> str:
    return str(number) if number else NONE


def _field_of_houses(find: Callable[[State], bytes]) -> Field:
    return Field(
        read_by(_house, _token),
        write_by(_house_name, lambda token, _: _or_none(token)),
        lambda state: {house: find(state)[house] for house in state.config.houses},
    )


def _field_of_colors(find: Callable[[State], bytes]) -> Field:
    return Field(
        read_by(_color, read_number),
        write_by(lambda color, _: COLORS[color], write_number),
        lambda state: dict(enumerate(find(state))),
    )


def _house_name(house: int, config: Config) -> str:
    return HOUSES[house]


def _write_cards(cards: bytes, config: Config) -> tuple[str, ...]:
    return tuple(card_names(cards))


def _write_contracts(contracts: bytes, config: Config) -> tuple[str, ...]:
    return tuple(NONE if one == EMPTY else PUBLIC_NAMES[one] for one in contracts)


def _write_hand(cards: bytes, config: Config) -> str:
    return listed(card_names(cards))


def _write_private(contracts: bytes, config: Config) -> str:
    return listed(SEALED if one == HIDDEN else PRIVATE_NAMES[one] for one in contracts)


def _contracts_gone(state: State) -> bytes:
    seen = state.contract_deck + bytes(one for one in state.contracts if one != EMPTY)
    return less(state.config.public_deck(), seen)


def _read_built(node: Node, what: str, config: Config) -> Built:
    """Whether the build has completed the house follows from the house."""
    empty = begin(config, Deal(bytes(len(HOUSES)), b"", b""))
    move = parsed(lambda text: parse_move(text, empty), node.text(), node)
    if not isinstance(move, Build):
        node.fail("Under 'built' there should be the build that was just made.")
    return Built(move.number, move.color, move.house, VALUE_OF[move.number], False)


def _write_built(built: Built | None, config: Config) -> str:
    if built is None:
        return NONE
    return f"build {CARDS[built.number]} {CARDS[built.color]} {HOUSES[built.house]}"


def _places(state: State) -> list[int]:
    order = ranking(state)
    return [order.index(seat) + 1 for seat in range(state.config.seats)]


_SOME_CARDS = _list_of(parse_card, in_order=False)
_CARDS_IN_ORDER = _list_of(parse_card)


FIELDS = Fields(
    {
        "phase": word_field((KEEP, ACT, CONTRACTS, TIMER, OVER), lambda state: state.phase),
        "round": Field(
            lambda node, what, config: node.number(least=1),
            write_number,
            lambda state: state.round,
        ),
        "to-move": Field(
            lambda node, what, config: read_seat(node.text(), node, config),
            lambda seat, config: config.players[seat],
            lambda state: state.seat,
        ),
        "out": Field(
            _read_seats,
            lambda seats, config: tuple(scalar(config.players[seat]) for seat in seats),
            lambda state: tuple(filter(state.is_out, range(state.config.seats))),
        ),
        "end-triggered": Field(
            _round_or_none, lambda number, _: _or_none(number), lambda state: state.end_round
        ),
        "scores": players_field(read_number, write_number, lambda state: state.scores),
        "houses": Field(
            read_by(_house, _floors),
            _write_houses,
            lambda state: {
                house: (state.colors[house], state.floors[house]) for house in state.config.houses
            },
        ),
        "ground-tokens": _field_of_houses(lambda state: state.ground_tokens),
        "roof-tokens": _field_of_houses(lambda state: state.roof_tokens),
        "hands": players_field(_SOME_CARDS, _write_hand, lambda state: state.hands),
        "cards": Field(_row_of(parse_card, CARD_SPACES), _write_cards, lambda state: state.cards),
        "contracts": Field(
            _row_of(parse_public, CONTRACT_SPACES), _write_contracts, lambda state: state.contracts
        ),
        "comes-up": Field(_CARDS_IN_ORDER, _write_cards, None),
        "contracts-come-up": Field(_list_of(parse_public), _write_contracts, None),
        "discards": Field(_SOME_CARDS, _write_cards, lambda state: bytes(sorted(state.discards))),
        "deck": number_field(lambda state: state.deck_left),
        "fulfilled": players_field(read_number, write_number, lambda state: state.fulfilled),
        "contracts-gone": Field(
            _list_of(parse_public, in_order=False), _write_contracts, _contracts_gone
        ),
        "contract-deck": number_field(lambda state: len(state.contract_deck)),
        "private": players_field(
            _list_of(parse_private, in_order=False), _write_private, lambda state: state.kept
        ),
        "dealt": players_field(_list_of(parse_private), _write_private, lambda state: state.dealt),
        "built": Field(_read_built, _write_built, lambda state: state.built),
        "timer": Field(_CARDS_IN_ORDER, _write_cards, None),
        "turned": Field(_CARDS_IN_ORDER, _write_cards, lambda state: state.turned),
        "roofs": number_field(lambda state: state.roofs),
        "ground-floors": _field_of_colors(lambda state: state.ground_left),
        "upper-floors": _field_of_colors(lambda state: state.upper_left),
        "timer-left": number_field(lambda state: state.timer_left),
        "places": players_field(read_number, write_number, _places),
        "level": word_field((LOST, *(name for _, name in reversed(LEVELS))), level),
    },
    follows=("roofs", "ground-floors", "upper-floors", "timer-left", "places", "level"),
)


_BUILD_REASONS = (FLOORS, NEIGHBORS, GROUND_TOKEN, ROOF_TOKEN)
_TOTAL, _PLACE, _LEVEL = "total", "place", "level"


class Scores(NamedTuple):
    """The VP of the moves by their reasons, exactly; and their total, if that is asked."""

    vps: dict[str, int]

    def evaluate(self, played: Played) -> Answer:
        """Compare what was scored; what is not named is 0, unless only the total is."""
        actual: dict[str, int] = {}
        for event in played.events:
            if isinstance(event, Scored):
                actual[event.reason] = actual.get(event.reason, 0) + event.vp
        expected = dict(self.vps)
        if set(expected) == {_TOTAL}:
            expected |= actual
        actual[_TOTAL] = sum(actual.values())
        expected.setdefault(_TOTAL, sum(expected.values()))
        return compare(
            (f"scores {reason}", str(expected.get(reason, 0)), str(actual.get(reason, 0)))
            for reason in dict.fromkeys((*expected, *actual))
        )


def read_scores(node: Node, config: Config) -> Scores:
    """Return the expected VP of ``scores``. Raises InvalidFileError."""
    scores = node
    return Scores(
        {_reason(name, scores.keys[name]): vp.number() for name, vp in scores.mapping().items()}
    )


def _reason(name: str, node: Node) -> str:
    if name in (*_BUILD_REASONS, _TOTAL):
        return name
    kind, _, contract = name.rpartition(":")
    try:
        if kind == PRIVATE_CONTRACT:
            return f"{kind}:{PRIVATE_NAMES[parse_private(contract)]}"
        if kind in ("", PUBLIC_CONTRACT):
            return f"{PUBLIC_CONTRACT}:{PUBLIC_NAMES[parse_public(contract)]}"
    except InvalidMoveError:
        pass
    node.fail(
        f"{shown(name)} is not a reason to score; the reasons are "
        f"{', '.join(_BUILD_REASONS)}, the name of a public contract, private: and "
        "the name of a private one, and total."
    )


class Reckoned(NamedTuple):
    """What the end of the game gives each player, in the present position (P-END-2)."""

    players: dict[int, dict[str, str]]
    place: Place

    def evaluate(self, played: Played) -> Answer:
        """Compare what is named. Raises InvalidFileError if the game is over."""
        if played.state.phase == OVER:
            raise InvalidFileError(
                self.place,
                say(
                    "The game is over and scored already: ask for the scores under 'then', or "
                    "give a position before the end."
                ),
            )
        state, events = finish(played.state)
        places = ranking(state)
        rows: list[tuple[str, str, str]] = []
        for seat, expected in self.players.items():
            actual = {PRIVATE_NAMES[contract]: "0" for contract in state.kept[seat]}
            actual |= {
                event.contract: str(event.vp)
                for event in events
                if isinstance(event, Scored) and event.seat == seat
            }
            actual[_TOTAL] = str(state.scores[seat])
            actual[_PLACE] = str(places.index(seat) + 1)
            actual[_LEVEL] = level(state)
            rows += (
                (f"reckon {state.config.players[seat]} {name}", value, actual.get(name, "not kept"))
                for name, value in expected.items()
            )
        return compare(rows)


def read_reckoned(node: Node, config: Config) -> Reckoned:
    """Return what ``reckon`` expects of the end. Raises InvalidFileError."""
    mapping = node
    mapping.mapping((), config.players)
    players: dict[int, dict[str, str]] = {}
    for player, entry in mapping.mapping().items():
        expected = entry
        found = players[config.players.index(player)] = {}
        for name, value in expected.mapping().items():
            if name == _LEVEL:
                found[name] = value.text()
                continue
            if name not in (_TOTAL, _PLACE):
                name = _contract_name(name, expected.keys[name])
            found[name] = str(value.number())
    return Reckoned(players, node.place)


def _contract_name(name: str, node: Node) -> str:
    contract: int = parsed(parse_private, name, node)
    return PRIVATE_NAMES[contract]
