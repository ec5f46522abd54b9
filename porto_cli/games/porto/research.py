"""Porto for those who research games: what :mod:`porto_cli.research` wants to know of it.

>>> from porto_cli.games.porto import Build, Draw
>>> tree.encode(Draw((0, 3)))
(10, 16, 19, 54)
>>> [tree.actions[action] for action in tree.encode(Build(11, 0, 3, token=5))]
['build', 'red-3', 'blue-1', 'L4', 'token', 'L6', 'done']
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from porto_cli.core.documents import Count
from porto_cli.games.porto.engine.components import (
    CARD_SPACES,
    CARDS,
    CONTRACT_SPACES,
    DEALT,
    HOUSES,
    PUBLIC,
)
from porto_cli.games.porto.engine.keep import KEEPS
from porto_cli.games.porto.engine.names import PRIVATE_NAMES, PUBLIC_NAMES
from porto_cli.games.porto.engine.state import KEEP, State
from porto_cli.games.porto.view import Card, Public, Table, view
from porto_cli.research import Tree, TreeNode

_WORDS = (
    *map(str, KEEPS),
    *("draw", "build", "token", "contract", "none", "pass"),
    *(f"@{space + 1}" for space in range(CARD_SPACES)),
    *(str(space + 1) for space in range(CONTRACT_SPACES)),
    *CARDS,
    *HOUSES,
)


class Seen(Table):
    """What a seat may see, and what lies in the piles, as everybody can know who has seen all the
    rest.
    """

    in_deck: dict[Card, Count]
    in_discards: dict[Card, Count]
    in_contract_deck: list[Public]


def seen(table: State, seat: int | None) -> dict[str, Any]:
    """Return what a seat may see and know: :class:`Seen`."""
    return {
        **view(table, seat, foresight=False),
        "in_deck": dict(zip(CARDS, map(table.deck.count, range(len(CARDS))), strict=True)),
        "in_discards": dict(zip(CARDS, map(table.discards.count, range(len(CARDS))), strict=True)),
        "in_contract_deck": [PUBLIC_NAMES[contract] for contract in table.contract_deck],
    }


def owner(node: TreeNode) -> int | None:
    """Return who alone knows what was dealt, or is kept, at a node (P-SETUP-5)."""
    if node.pile is not None:
        return node.pile.number // DEALT if node.pile.stream == "private" else None
    return node.table.seat if node.table.phase == KEEP else None


def secrets(table: State) -> Iterator[str | int]:
    """Yield the private contracts that were dealt, seat by seat, and then which ones are kept."""
    yield from b"".join(table.dealt)
    for dealt, kept in zip(table.dealt, table.kept, strict=False):
        if kept:
            keeps = (keep for keep in KEEPS if sorted(dealt[one] for one in keep.places) == [*kept])
            yield str(next(keeps))


tree = Tree(
    "porto",
    players=range(2, 5),
    usual=2,
    options={"private_contracts": True, "seat_first": False},
    is_open=False,
    words=_WORDS,
    longest_move=len(["build", "red-3", "blue-1", "L4", "token", "L6", "done"]),
    table=Seen,
    seen=seen,
    names={
        "card": CARDS,
        "house_name": HOUSES,
        "public_contract": PUBLIC_NAMES,
        "private_contract": PRIVATE_NAMES,
    },
    bounds={
        "card": 4,
        "in_deck": 4,
        "in_discards": 4,
        "private_contract": 2,
        "dealt": DEALT,
        "height": 6,
        "floors": 6,
        "ground_token": 4,
        "roof_token": 4,
        "ground": 15,
        "floor": 15,
        "roofs": len(HOUSES),
        "roofs_to_end": len(HOUSES),
        "contract_deck": len(PUBLIC),
        "fulfilled": len(PUBLIC),
    },
    # The timer is that of the solo game, and here nobody is given up.
    without={
        *("name", "private_progress", "private_contracts", "result"),
        *("timer", "turned", "given_up"),
    },
    things={
        "tokens": [f"token {value}" for value in range(5)],
        "cards": CARDS,
        "contracts": PUBLIC_NAMES,
        "private": PRIVATE_NAMES,
    },
    # No game is as long but one in which, with all cards in hands that cannot build, all pass.
    most_turns=500,
    longest=(3_000, 300),
    owner=owner,
    secrets=secrets,
    untold=Seen.__annotations__,
)
"""Porto, for research."""
