"""The keys of a position: how each is read, written and found in a state.

A scenario gives some of them, asks for others, and both go through the table :data:`KEYS`, so
that what can be written down can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from porto_cli.core.chance import less
from porto_cli.core.errors import InvalidMoveError
from porto_cli.core.message import say
from porto_cli.core.schema import Reader
from porto_cli.core.words import whole_number
from porto_cli.core.yaml import Node
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
from porto_cli.games.porto.engine.moves import Build
from porto_cli.games.porto.engine.ranking import level, ranking
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
from porto_cli.scenario.fields import read_by, read_seat
from porto_cli.scenario.positions import Text

COMPLETE = "complete"
"""Stands for the number of floors of a house with its roof, whatever its height."""
_PHASES = (KEEP, ACT, CONTRACTS, TIMER, OVER)

Read = Callable[[Node, str, Config, Reader], Any]
"""From a node, which an error calls by the text, to a value."""
Write = Callable[[Any, Config], Text]
"""From a value to its canonical text."""


class Key(NamedTuple):
    """A key of a position. ``find`` is ``None`` where a state does not tell."""

    read: Read
    write: Write
    find: Callable[[State], Any] | None


def _parsed(parse: Callable[[str], int], node: Node, what: str, reader: Reader) -> int:
    try:
        return parse(reader.text(node, what))
    except InvalidMoveError as error:
        reader.fail(node, error.sentence)


def _list_of(parse: Callable[[str], int]) -> Read:
    def read(node: Node, what: str, config: Config, reader: Reader) -> bytes:
        return bytes(
            _parsed(parse, item, what, reader) for item in reader.sequence(node, what).items
        )

    return read


def _row_of(parse: Callable[[str], int], spaces: int) -> Read:
    """Read the things of a row, ``none`` for an empty space."""

    def parse_space(word: str) -> int:
        return EMPTY if word == NONE else parse(word)

    def read(node: Node, what: str, config: Config, reader: Reader) -> bytes:
        row: bytes = _list_of(parse_space)(node, what, config, reader)
        if len(row) != spaces:
            reader.fail(
                node,
                say(
                    "Under {what!r} there should be {spaces} names ('none' for an empty space), "
                    "not {count}.",
                    what=what,
                    spaces=spaces,
                    count=len(row),
                ),
            )
        return row

    return read


def _house(name: str, node: Node, config: Config, reader: Reader) -> int:
    house = _parsed(parse_house, node, name, reader)
    if not config.heights[house]:
        reader.fail(
            node,
            say(
                "The house {house} is left out with {players} players.",
                house=HOUSES[house],
                players=max(2, config.seats),
            ),
        )
    return house


def _color(name: str, node: Node, config: Config, reader: Reader) -> int:
    return _parsed(parse_color, node, name, reader)


def _number(node: Node, what: str, config: Config, reader: Reader) -> int:
    return reader.number(node, what)


def _floors(node: Node, what: str, config: Config, reader: Reader) -> tuple[int, int]:
    """Read what stands in a house: ``blue 2``, ``blue complete`` or ``none``."""
    words = reader.text(node, what).split()
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
    reader.fail(
        node,
        say(
            "What stands in {house} should be a color and a number of floors, like 'blue 2', or "
            "'blue complete', or 'none'; {text!r} is not.",
            house=what,
            text=" ".join(words),
        ),
    )


def _token(node: Node, what: str, config: Config, reader: Reader) -> int:
    if reader.text(node, what) == NONE:
        return 0
    return reader.number(node, what, least=1, most=9)


def _round_or_none(node: Node, what: str, config: Config, reader: Reader) -> int:
    return 0 if reader.text(node, what) == NONE else reader.number(node, what, least=1)


def _cards(node: Node, what: str, config: Config, reader: Reader) -> bytes:
    return bytes(sorted(_list_of(parse_card)(node, what, config, reader)))


def _public(node: Node, what: str, config: Config, reader: Reader) -> bytes:
    return bytes(sorted(_list_of(parse_public)(node, what, config, reader)))


def listed(names: Iterable[str]) -> str:
    """Return names as a list in one line: ``[red-1, red-2]``."""
    return f"[{', '.join(names)}]"


def public_names(contracts: Iterable[int]) -> tuple[str, ...]:
    """Return the names of public contracts; ``none`` for an empty space."""
    return tuple(NONE if one == EMPTY else PUBLIC_NAMES[one] for one in contracts)


def _private_names(contracts: Iterable[int]) -> tuple[str, ...]:
    return tuple(SEALED if one == HIDDEN else PRIVATE_NAMES[one] for one in contracts)


def _write_house(value: tuple[int, int], house: int, config: Config) -> str:
    color, floors = value
    if not floors:
        return NONE
    return f"{COLORS[color]} {COMPLETE if floors == config.heights[house] else floors}"


def _write_names(names: Callable[[Any], Iterable[str]]) -> Write:
    return lambda things, _: tuple(names(things))


def _write_by(labels: Callable[[Config], Sequence[str]], write: Callable[[Any], str]) -> Write:
    return lambda found, config: {labels(config)[one]: write(value) for one, value in found.items()}


def _players(config: Config) -> Sequence[str]:
    return config.players


def _houses(config: Config) -> Sequence[str]:
    return HOUSES


def _colors(config: Config) -> Sequence[str]:
    return COLORS


def _or_none(number: int) -> str:
    return str(number) if number else NONE


def _write_number(number: int, config: Config) -> str:
    return str(number)


def _number_key(find: Callable[[State], int]) -> Key:
    return Key(_number, _write_number, find)


def _numbers_of_players(find: Callable[[State], Iterable[int]]) -> Key:
    return Key(
        read_by(read_seat, _number),
        _write_by(_players, str),
        lambda state: dict(enumerate(find(state))),
    )


def _things_of_players(
    read: Read,
    names: Callable[[Iterable[int]], Iterable[str]],
    find: Callable[[State], Iterable[bytes]],
) -> Key:
    return Key(
        read_by(read_seat, read),
        _write_by(_players, lambda things: listed(names(things))),
        lambda state: dict(enumerate(find(state))),
    )


def _tokens_key(find: Callable[[State], bytes]) -> Key:
    return Key(
        read_by(_house, _token),
        _write_by(_houses, _or_none),
        lambda state: {house: find(state)[house] for house in state.config.houses},
    )


def _tiles_key(find: Callable[[State], bytes]) -> Key:
    return Key(
        read_by(_color, _number),
        _write_by(_colors, str),
        lambda state: dict(enumerate(find(state))),
    )


def _cards_key(read: Read, find: Callable[[State], bytes] | None) -> Key:
    return Key(read, _write_names(card_names), find)


def _contracts_key(read: Read, find: Callable[[State], bytes] | None) -> Key:
    return Key(read, _write_names(public_names), find)


def _gone(state: State) -> bytes:
    seen = state.contract_deck + bytes(one for one in state.contracts if one != EMPTY)
    return less(state.config.public_deck(), seen)


def _private(node: Node, what: str, config: Config, reader: Reader) -> bytes:
    return bytes(sorted(_list_of(parse_private)(node, what, config, reader)))


def _read_built(node: Node, what: str, config: Config, reader: Reader) -> Built:
    """Whether the build has completed the house follows from the house."""
    try:
        move = parse_move(reader.text(node, what), begin(config, Deal(bytes(14), b"", b"")))
    except InvalidMoveError as error:
        reader.fail(node, error.sentence)
    if not isinstance(move, Build):
        reader.fail(node, say("Under 'built' there should be the build that was just made."))
    return Built(move.number, move.color, move.house, VALUE_OF[move.number], False)


def _write_built(built: Built | None, config: Config) -> str:
    if built is None:
        return NONE
    return f"build {CARDS[built.number]} {CARDS[built.color]} {HOUSES[built.house]}"


def _word(*choices: str) -> Read:
    return lambda node, what, config, reader: reader.one_of(node, what, choices)


def _places(state: State) -> dict[int, int]:
    return {seat: place for place, seat in enumerate(ranking(state), start=1)}


KEYS: dict[str, Key] = {
    "phase": Key(_word(*_PHASES), lambda phase, _: str(phase), lambda state: state.phase),
    "round": Key(
        lambda node, what, config, reader: reader.number(node, what, least=1),
        _write_number,
        lambda state: state.round,
    ),
    "to-move": Key(
        lambda node, what, config, reader: read_seat(reader.text(node, what), node, config, reader),
        lambda seat, config: config.players[seat],
        lambda state: state.seat,
    ),
    "end-triggered": Key(
        _round_or_none, lambda number, _: _or_none(number), lambda state: state.end_round
    ),
    "scores": _numbers_of_players(lambda state: state.scores),
    "houses": Key(
        read_by(_house, _floors),
        lambda found, config: {
            HOUSES[house]: _write_house(value, house, config) for house, value in found.items()
        },
        lambda state: {
            house: (state.colors[house], state.floors[house]) for house in state.config.houses
        },
    ),
    "ground-tokens": _tokens_key(lambda state: state.ground_tokens),
    "roof-tokens": _tokens_key(lambda state: state.roof_tokens),
    "hands": _things_of_players(_cards, card_names, lambda state: state.hands),
    "cards": _cards_key(_row_of(parse_card, CARD_SPACES), lambda state: state.cards),
    "contracts": _contracts_key(
        _row_of(parse_public, CONTRACT_SPACES), lambda state: state.contracts
    ),
    "comes-up": _cards_key(_list_of(parse_card), None),
    "contracts-come-up": _contracts_key(_list_of(parse_public), None),
    "discards": _cards_key(_cards, lambda state: bytes(sorted(state.discards))),
    "deck": _number_key(lambda state: state.deck_left),
    "fulfilled": _numbers_of_players(lambda state: state.fulfilled),
    "contracts-gone": _contracts_key(_public, _gone),
    "contract-deck": _number_key(lambda state: len(state.contract_deck)),
    "private": _things_of_players(_private, _private_names, lambda state: state.kept),
    "dealt": _things_of_players(_list_of(parse_private), _private_names, lambda state: state.dealt),
    "built": Key(_read_built, _write_built, lambda state: state.built),
    "timer": _cards_key(_list_of(parse_card), None),
    "turned": _cards_key(_list_of(parse_card), lambda state: state.turned),
    "roofs": _number_key(lambda state: state.roofs),
    "ground-floors": _tiles_key(lambda state: state.ground_left),
    "upper-floors": _tiles_key(lambda state: state.upper_left),
    "timer-left": _number_key(lambda state: state.timer_left),
    "places": Key(read_by(read_seat, _number), _write_by(_players, str), _places),
    "level": Key(
        _word("lost", "apprentice", "builder", "master-builder"),
        lambda name, _: str(name),
        level,
    ),
}
"""All keys, in the order in which they are written."""

FOLLOWS = ("roofs", "ground-floors", "upper-floors", "timer-left", "places", "level")
"""Keys that follow from the others: they can be asked for, not given."""
GIVEN = tuple(key for key in KEYS if key not in FOLLOWS)
"""Keys of a position."""
ASKED = tuple(key for key, entry in KEYS.items() if entry.find)
"""Keys that can be compared with what should be there."""


def value_of(state: State, key: str) -> Text:
    """Return what a state holds under a key of :data:`ASKED`."""
    find = KEYS[key].find
    assert find is not None
    return KEYS[key].write(find(state), state.config)


def read_value(key: str, node: Node, config: Config, reader: Reader) -> Text:
    """Return what a file holds under a key, in canonical words. Raises InvalidFileError."""
    return KEYS[key].write(KEYS[key].read(node, key, config, reader), config)
