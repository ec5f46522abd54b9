"""What a seat may know as numbers: one byte each, field by field.

The seats come in the order in which they play, who looks first. Nothing is scaled:
:func:`most` returns the largest value of each number, to divide by. The sizes are those of the box
that comes with porto.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from porto_cli.games.porto.engine.components import (
    CARD_SPACES,
    CARDS,
    COLORS,
    CONTRACT_SPACES,
    DEALT,
    EMPTY,
    HOUSES,
    PRIVATE,
    PUBLIC,
)
from porto_cli.games.porto.engine.moves import Build
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, OVER, State
from porto_cli.games.porto.research import actions
from porto_cli.games.porto.research.tree import Node
from porto_cli.games.porto.view import view

SETUP, CHANCE, TOKEN = "setup", "chance", "token"
PHASES = (SETUP, CHANCE, KEEP, ACT, TOKEN, CONTRACTS, OVER)
"""What the game waits for: while the table is set up and when something comes up, for nobody."""
_MOST = 255


class Field(NamedTuple):
    """Some numbers of an observation. Where one of several is named, 1 stands for it, 0 else."""

    name: str
    size: int
    most: int
    """The largest that each can be; what would be more is this."""
    meaning: str


@cache
def fields(players: int) -> tuple[Field, ...]:
    """Return the fields of an observation in a game of so many players, in order."""
    houses, cards, public, private = len(HOUSES), len(CARDS), len(PUBLIC), len(PRIVATE)
    return (
        Field("seat", players, 1, "the own seat, one of all in turn order"),
        Field("to-move", players, 1, "who is to move, if somebody is"),
        Field("phase", len(PHASES), 1, f"one of {', '.join(PHASES)}"),
        Field("turns", 1, _MOST, "turns that are over"),
        Field("turns-left", 1, 2 * players, "turns left once the end is triggered, 0 before"),
        Field("roofs", 1, houses, "roofs placed"),
        Field("heights", houses, 6, "floors that each house can have, 0 if not in play"),
        Field("floors", houses, 6, "floors in each house"),
        Field("colors", houses * len(COLORS), 1, "for each house one of the colors, or none"),
        Field("ground-tokens", houses, 4, "the token on the ground floor of each house"),
        Field("roof-tokens", houses, 4, "the token on the roof space of each house"),
        Field("tiles", 2 * len(COLORS), 15, "ground floors left of each color, upper floors"),
        Field("cards", CARD_SPACES * cards, 1, "for each space of the row one of the cards"),
        Field(
            "contracts", CONTRACT_SPACES * public, 1, "for each space one of the public contracts"
        ),
        Field("deck", cards, 4, "how many of each card are face down"),
        Field("discards", cards, 4, "how many of each card are discarded"),
        Field("contract-deck", public, 1, "which public contracts are face down"),
        Field("hands", players * cards, 4, "for each seat how many of each card it holds"),
        Field("scores", players, _MOST, "VP of each seat"),
        Field("fulfilled", players, public, "public contracts that each seat has fulfilled"),
        Field(
            "dealt", DEALT * private, 1, "for each of the five dealt one of the private contracts"
        ),
        Field(
            "kept",
            players * private,
            2,
            "for each seat how many of each private contract it keeps; of others at the end",
        ),
        Field("has-kept", players, 1, "whether each seat has chosen its private contracts"),
        Field("met", CONTRACT_SPACES, 1, "which public contracts the build meets"),
        Field(
            "build",
            2 * cards + houses,
            1,
            "the build that waits for its token or contracts: number, color, house",
        ),
    )


@cache
def size(players: int) -> int:
    """Return how many numbers an observation has."""
    return sum(field.size for field in fields(players))


@cache
def most(players: int) -> bytes:
    """Return the largest value of each number of an observation."""
    return b"".join(bytes([field.most]) * field.size for field in fields(players))


@cache
def places(players: int) -> dict[str, slice]:
    """Return where each field stands in an observation."""
    found, first = {}, 0
    for field in fields(players):
        found[field.name] = slice(first, first + field.size)
        first += field.size
    return found


def observation(node: Node, seat: int | None) -> bytes:
    """Return what a seat may know; ``None`` is a bystander, who looks from the first seat."""
    seats = node.config.seats
    first = seat or 0
    if node.state is None:
        numbers = _ONE_OF[seats][first] + bytes(seats) + _PHASE[SETUP]
        return numbers.ljust(size(seats), b"\0")
    table: State = view(node.state, seat).table
    order = [(first + place) % seats for place in range(seats)]
    phase = table.phase
    if node.pile is not None:
        phase = CHANCE
    elif node.build is not None:
        phase = TOKEN
    waits = node.pile is None and phase != OVER
    left = max(0, seats * (table.end_round + 1) - table.turn) if table.end_round else 0
    own = table.dealt[seat] if table.dealt and seat is not None else b""
    built = bytes(2 * len(CARDS) + len(HOUSES))
    if node.build is not None:
        build = actions.decode(node.build)
        assert isinstance(build, Build)
        built = _CARD[build.number] + _CARD[build.color] + _HOUSE[build.house]
    elif table.built is not None:
        built = _CARD[table.built.number] + _CARD[table.built.color] + _HOUSE[table.built.house]
    return b"".join(
        [
            _ONE_OF[seats][first],
            _ONE_OF[seats][(table.seat - first) % seats] if waits else bytes(seats),
            _PHASE[phase],
            bytes([min(table.turn, _MOST), left, table.roofs]),
            bytes(table.config.heights[: len(HOUSES)]),
            table.floors[: len(HOUSES)],
            _colors(table.colors[: len(HOUSES)]),
            table.ground_tokens,
            table.roof_tokens,
            table.ground_left,
            table.upper_left,
            *[_CARD[card] for card in table.cards],
            *[_CONTRACT[contract] for contract in table.contracts],
            _counts(table.deck, len(CARDS)),
            _counts(bytes(sorted(table.discards)), len(CARDS)),
            _counts(table.contract_deck, len(PUBLIC)),
            *[_counts(table.hands[each], len(CARDS)) for each in order],
            bytes([min(table.scores[each], _MOST) for each in order]),
            bytes([table.fulfilled[each] for each in order]),
            b"".join([_PRIVATE[contract] for contract in own]).ljust(DEALT * len(PRIVATE), b"\0"),
            *[_counts(table.kept[each], len(PRIVATE)) for each in order],
            bytes([bool(table.kept[each]) for each in order]),
            bytes([space in table.claimable for space in range(CONTRACT_SPACES)]),
            built,
        ]
    )


def _one_of(count: int) -> dict[int, bytes]:
    """Return for each of so many things the numbers that stand for it; for an empty space too."""
    ones = {this: bytes([this == each for each in range(count)]) for this in range(count)}
    return {**ones, EMPTY: bytes(count)}


_ONE_OF = {players: _one_of(players) for players in range(2, 5)}
_PHASE = dict(zip(PHASES, _one_of(len(PHASES)).values(), strict=False))
_CARD, _HOUSE = _one_of(len(CARDS)), _one_of(len(HOUSES))
_CONTRACT, _PRIVATE = _one_of(len(PUBLIC)), _one_of(len(PRIVATE))
_COLOR = [*(_one_of(len(COLORS))[color] for color in range(len(COLORS))), bytes(len(COLORS))]


@lru_cache(maxsize=4_000)
def _counts(pile: bytes, kinds: int) -> bytes:
    return bytes([pile.count(kind) for kind in range(kinds)])


@lru_cache(maxsize=4_000)
def _colors(colors: bytes) -> bytes:
    return b"".join([_COLOR[color] for color in colors])
