"""Which plantations came up on a real table, asked at the moment when it is needed."""

from __future__ import annotations

from porto_cli.core.chance import TypedChance
from porto_cli.core.message import say
from porto_cli.games.puerto_rico.engine.components import TILES
from porto_cli.games.puerto_rico.ui import palette
from porto_cli.term.prompt import Asker, Choice

RULES = ("PR-SETTLER-4", "PR-SETTLER-6", "PR-B-HACIENDA")


class AskedChance(TypedChance):
    """Asks for what nobody has typed. Raises what an Asker raises, NotInPileError."""

    def __init__(self, asker: Asker, typed: TypedChance | None = None) -> None:
        super().__init__(typed.unordered if typed else ())
        self.left = typed.left if typed else {}
        self._asker = asker
        self._asked = 0

    def __call__(self, stream: str, index: int, pile: bytes, /) -> int:
        """Return the position in the pile of what was typed, or is now said."""
        self._asked += 1
        if self.left.get(stream):
            return super().__call__(stream, index, pile)
        question = say(
            "Which plantation came up? Number {number} with this move; the order does not matter.",
            number=self._asked,
        )
        choices = [
            Choice([(TILES[tile], palette.of_place(tile))], tile) for tile in dict.fromkeys(pile)
        ]
        return pile.index(self._asker.choose(question, choices, rules=RULES))
