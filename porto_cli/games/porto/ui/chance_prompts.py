"""What came up on a real table, asked at the moment when it is needed."""

from __future__ import annotations

from porto_cli.core.chance import TypedChance
from porto_cli.core.message import say
from porto_cli.games.porto.engine.components import CARDS
from porto_cli.games.porto.notation import PUBLIC_NAMES
from porto_cli.games.porto.ui import labels, phrases
from porto_cli.term.prompt import Asker, Choice
from porto_cli.term.spans import PLAIN, Line

_QUESTIONS = {
    "cards": say("Which card came up? Lowest empty space first, card {number}."),
    "contracts": say("Which public contract came up? Lowest empty space first, contract {number}."),
    "timer": say("Which timer card was turned up? Card {number} of 2."),
}


class AskedChance(TypedChance):
    """Asks for what nobody has typed. Raises what an Asker raises, NotInPileError."""

    def __init__(self, asker: Asker, typed: TypedChance | None = None) -> None:
        super().__init__()
        self.left = typed.left if typed else {}
        self._asker = asker
        self._asked: dict[str, int] = {}

    def __call__(self, stream: str, index: int, pile: bytes, /) -> int:
        """Return the position in the pile of what was typed, or is now said."""
        number = self._asked[stream] = self._asked.get(stream, 0) + 1
        if self.left.get(stream):
            return super().__call__(stream, index, pile)
        question = say(_QUESTIONS[stream].template, number=number)
        kinds = list(dict.fromkeys(pile))
        choices = [Choice(_label(stream, thing), thing, _also(stream, thing)) for thing in kinds]
        return pile.index(self._asker.choose(question, choices, rules=_RULES[stream], search=True))


_RULES = {"cards": ("P-DRAW-2",), "contracts": ("P-PUBLIC-3",), "timer": ("P-SOLO-2", "P-SOLO-3")}


def _also(stream: str, thing: int) -> str:
    return "" if stream == "contracts" else labels.abbreviations([CARDS[thing]])


def _label(stream: str, thing: int) -> Line:
    if stream != "contracts":
        return [labels.chip(CARDS[thing])]
    name = PUBLIC_NAMES[thing]
    return [(f"{name:14} {phrases.public_contract(name)}", PLAIN)]
