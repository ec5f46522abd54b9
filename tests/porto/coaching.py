"""A coach to test with, who looks no further than the score after a move."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from porto_cli.games import game_of
from porto_cli.games.porto.engine import HIDDEN
from porto_cli.players import Judgment, Merits, Prospect
from porto_cli.seam import OVER, Move, View

LISTED = 40
"""Moves that are tried, more or less; of longer lists every so many of them."""


class ShortSighted:
    """Takes what scores most at once; keeps the first private contracts of the deal."""

    near = 1.0
    misjudged = 0.25
    samples = 500

    def __init__(self) -> None:
        self.seen: list[View] = []

    def judge(
        self,
        view: View,
        rng: Random,
        *,
        moves: Sequence[Move] = (),
        width: int = 8,
        samples: int | None = None,
        seconds: float | None = None,
    ) -> list[Judgment]:
        self.seen.append(view)
        assert view.seat is not None
        legal = game_of("porto").legal_moves(view.table, view.seat)
        tried = legal[:: 1 + len(legal) // LISTED]
        found = sorted(tried, key=lambda move: -self._worth(view, move))
        shown = [*found[:width], *(move for move in moves if move not in found[:width])]
        best = self._worth(view, found[0])
        noise = rng.random() / 1000
        return [
            Judgment(move, Prospect(worth, 0.5), best - worth, 0.1 + noise, self.misjudged)
            for move, worth in ((move, self._worth(view, move)) for move in shown)
        ]

    def _worth(self, view: View, move: Move) -> float:
        assert view.seat is not None
        after, _ = game_of("porto").apply(view.table, move, None, view.seat)
        return self.prospect(View(view.seat, after)).margin

    def prospect(self, view: View) -> Prospect:
        self.seen.append(view)
        scores = list(view.table.scores)
        own = scores.pop(view.seat or 0)
        # A card of value 3 that lies open is worth something to who is next.
        threes = sum(card % 3 == 2 for card in view.table.cards if card != HIDDEN)
        is_next = view.table.phase != OVER and view.table.seat == view.seat
        margin = own - max(scores, default=60) + (threes if is_next else -threes)
        return Prospect(margin, min(1.0, max(0.0, 0.5 + margin / 100)))

    def expected(self, view: View, move: Move, rng: Random, *, samples: int = 50) -> Prospect:
        table = view.table
        total = 0.0
        for _ in range(samples):

            def chance(stream: str, index: int, pile: bytes, /) -> int:
                return int(rng.random() * len(pile))

            after, _ = game_of("porto").apply(table, move, chance, table.seat)
            total += self.prospect(View(view.seat, after)).margin
        return Prospect(total / samples, 0.5)

    def merits(self, view: View, move: Move) -> Merits:
        return Merits([f"It scores {self._worth(view, move)} VP at once."])
