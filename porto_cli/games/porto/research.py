"""Porto for those who research games: what :mod:`porto_cli.research` wants to know of it.

A move is one action, but for a build that moves a token: the two cards and the house are one
action, and the roof for the token is another one.

>>> from porto_cli.games.porto import Build, Draw
>>> tree.encode(Draw((0, 3))), tree.encode(Build(11, 0, 3, token=5))
((17,), (2379, 57))
>>> [tree.name(action) for action in (17, 2379, 57)]
['draw @1 @4', 'build red-3 blue-1 L4', 'token L6']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product

from porto_cli.games.porto.engine.claim import Claim
from porto_cli.games.porto.engine.components import (
    CARD_SPACES,
    CARDS,
    COLORS,
    CONTRACT_SPACES,
    DEALT,
    HOUSES,
    PRIVATE,
    PUBLIC,
)
from porto_cli.games.porto.engine.draw import Draw
from porto_cli.games.porto.engine.keep import KEEPS
from porto_cli.games.porto.engine.names import PRIVATE_NAMES, PUBLIC_NAMES
from porto_cli.games.porto.engine.passing import PASS
from porto_cli.games.porto.engine.play import Move
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, OVER, State
from porto_cli.research import Field, Look, Tree, TreeNode, counts, one_of

_TOKEN = "token"
_DRAWS = [some for size in (1, 2, 3) for some in combinations(range(CARD_SPACES), size)]
_CLAIMS = [
    some
    for size in range(CONTRACT_SPACES + 1)
    for some in combinations(range(CONTRACT_SPACES), size)
]
TEXTS = {
    "keep": ([*map(str, KEEPS)], "which three of the five private contracts dealt are kept"),
    "draw": (
        [*map(str, map(Draw, _DRAWS))],
        "one, two or three spaces of the row of cards",
    ),
    "contract": (
        [*map(str, map(Claim, _CLAIMS))],
        "which public contracts are fulfilled, by their spaces; or none",
    ),
    "pass": ([str(PASS)], "nothing else is legal"),
    "token": (
        [f"{_TOKEN} {house}" for house in HOUSES],
        "the second half of a build: the roof for the token",
    ),
    "build": (
        [f"build {' '.join(words)}" for words in product(CARDS, CARDS, HOUSES)],
        "the card for the number of floors, the card for the color, the house",
    ),
}


def parts(move: Move) -> Iterator[str]:
    """Yield the texts of the actions of a move."""
    build, token, roof = str(move).partition(f" {_TOKEN} ")
    yield build
    if token:
        yield f"{_TOKEN} {roof}"


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


def notes(table: State) -> Iterator[str]:
    """Yield what lies in the piles, as everybody can know who has seen all the rest."""
    piles = {"deck": table.deck, "discards": table.discards, "contract deck": table.contract_deck}
    for name, pile in piles.items():
        names = PUBLIC_NAMES if name == "contract deck" else CARDS
        yield f"{name}: {' '.join(names[thing] for thing in sorted(pile)) or 'none'}"


def _each(things: Iterable[int], kinds: int) -> bytes:
    """Return for each thing, one after the other, which one it is; nothing for what is unknown."""
    return b"".join([one_of(thing, kinds) for thing in things])


def _build(look: Look) -> bytes:
    """Return the cards and the house of a build that waits for its token or its contracts."""
    words = tree.names[look.begun[0]].split()[1:] if look.begun else ()
    number, color, house = [_NUMBERS[word] for word in words] or (look.table.built or _NO_BUILD)[:3]
    return one_of(number, _CARDS) + one_of(color, _CARDS) + one_of(house, _HOUSES)


_CARDS, _HOUSES, _PUBLIC, _PRIVATE = map(len, (CARDS, HOUSES, PUBLIC, PRIVATE))
_NUMBERS = {name: number for names in (CARDS, HOUSES) for number, name in enumerate(names)}
_NO_BUILD = (-1, -1, -1)


def fields(look: Look) -> Iterator[Field]:
    """Yield what a seat may see: hands and face-down piles are open to all, as multisets."""
    table, own, order = look.table, look.seat, look.order
    seats = len(order)
    end = seats * (table.end_round + 1) if table.end_round else table.turn
    dealt = table.dealt[own] if own is not None and table.dealt else b""
    held = [counts(table.hands[seat], _CARDS) for seat in order]
    kept = [table.kept[seat] for seat in order]
    tiles = table.ground_left + table.upper_left
    fulfilled = [table.fulfilled[seat] for seat in order]
    yield "turns", 255, [table.turn], "turns that are over"
    left = [max(0, end - table.turn)]
    yield "turns_left", 2 * seats, left, "turns left once the end is triggered"
    yield "roofs", _HOUSES, [table.roofs], "roofs placed"
    heights = table.config.heights[:_HOUSES]
    yield "heights", 6, heights, "floors that each house can have, 0 if not in play"
    yield "floors", 6, table.floors[:_HOUSES], "floors in each house"
    colors = _each(table.colors[:_HOUSES], len(COLORS))
    yield "colors", 1, colors, "for each house one of the colors, or none"
    yield "ground_tokens", 4, table.ground_tokens, "the token on the ground floor of each house"
    yield "roof_tokens", 4, table.roof_tokens, "the token on the roof space of each house"
    yield "tiles", 15, tiles, "ground floors left of each color, upper floors"
    yield "cards", 1, _each(table.cards, _CARDS), "for each space of the row one of the cards"
    contracts = _each(table.contracts, _PUBLIC)
    yield "contracts", 1, contracts, "for each space one of the public contracts"
    yield "deck", 4, counts(table.deck, _CARDS), "how many of each card are face down"
    yield "discards", 4, counts(table.discards, _CARDS), "how many of each card are discarded"
    face_down = counts(table.contract_deck, _PUBLIC)
    yield "contract_deck", 1, face_down, "which public contracts are face down"
    yield "hands", 4, b"".join(held), "for each seat how many of each card it holds"
    yield "scores", 255, [table.scores[seat] for seat in order], "VP of each seat"
    yield "fulfilled", _PUBLIC, fulfilled, "public contracts that each seat has fulfilled"
    own_deal = _each(dealt, _PRIVATE).ljust(DEALT * _PRIVATE, b"\0")
    yield "dealt", 1, own_deal, "for each of the five dealt one of the private contracts"
    known = b"".join([counts(some, _PRIVATE) for some in kept])
    yield "kept", 2, known, "for each seat the private contracts it keeps; of others at the end"
    yield "has_kept", 1, [*map(bool, kept)], "whether each seat has chosen its private contracts"
    met = [space in table.claimable for space in range(CONTRACT_SPACES)]
    yield "met", 1, met, "which public contracts the build meets"
    yield "build", 1, _build(look), "the build that waits for its token or contracts: cards, house"


tree = Tree(
    "porto",
    players=range(2, 5),
    usual=2,
    options={"private_contracts": True, "seat_first": False},
    is_open=False,
    texts=TEXTS,
    parts=parts,
    phases=(KEEP, ACT, CONTRACTS, OVER),
    about=fields,
    things={
        "tokens": [f"{_TOKEN} {value}" for value in range(5)],
        "cards": CARDS,
        "contracts": PUBLIC_NAMES,
        "private": PRIVATE_NAMES,
    },
    # No game is as long but one in which, with all cards in hands that cannot build, all pass.
    most_turns=500,
    longest=(700, 300),
    owner=owner,
    secrets=secrets,
    notes=notes,
)
"""Porto, for research."""
