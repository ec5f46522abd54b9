"""The questions about options of a new game."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.message import say
from porto_cli.games.porto.engine.state import TIMERS
from porto_cli.term.prompt import Asker, Choice
from porto_cli.term.spans import PLAIN


def ask_timer(asker: Asker, players: Sequence[str]) -> int | None:
    """Ask how long the solo game lasts (P-SOLO-1)."""
    if len(players) > 1:
        return None
    names = (
        say("28 timer cards, 14 turns"),
        say("26 timer cards, 13 turns: harder"),
        say("24 timer cards, 12 turns: hardest"),
    )
    choices = [
        Choice([(str(name), PLAIN)], timer) for name, timer in zip(names, TIMERS, strict=True)
    ]
    return asker.choose(
        say("How long does the game last?"), choices, rules=("P-SOLO-1", "P-SOLO-6")
    )


def ask_private_contracts(asker: Asker, players: Sequence[str]) -> bool:
    """Ask whether to play with private contracts (P-SETUP-6)."""
    choices = [
        Choice([(str(say("With private contracts")), PLAIN)], True),
        Choice([(str(say("Without them: the first game variant")), PLAIN)], False),
    ]
    question = say("With private contracts?")
    return asker.choose(question, choices, rules=("P-SETUP-5", "P-SETUP-6"))
