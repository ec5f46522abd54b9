"""The options of a game: everything that is said of a house rule, but for the rule itself.

The configuration, the keys of records and positions, the options of ``porto new``, the questions of
``porto play``, what is said of a game that was set up, and the schema of the JSON are made of these
rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

BASE, DRAFT, RANDOM = "base", "draft", "random"
"""Which violet buildings are in the game (PR-SETUP-7)."""
PRINTED, GUIDE = "printed", "guide"
"""Whose rules are played where two rulebooks differ (PR-GUIDE-1 to PR-GUIDE-3)."""


class HouseRule(NamedTuple):
    """An option of a game.

    ``name``      a single word, so that it is the same as an option, in records and in programs
    ``help``      what it decides
    ``choices``   its values, the usual one first, each with what a menu calls it
    ``question``  how a menu asks for it, and what it says of that (``says``)
    ``rules``     its rulings
    ``unusual``   what is said of a game with another value than the usual one, ``{}`` being that
    ``always``    records have it even where it is the usual one. One that is added later is left
                  out there, so that the games that are played already keep their digests
    """

    name: str
    help: str
    choices: Mapping[str, str]
    question: str
    says: str
    rules: tuple[str, ...]
    unusual: str
    always: bool = False

    @property
    def usual(self) -> str:
        """The value that holds where none is named."""
        return next(iter(self.choices))


HOUSE_RULES = (
    HouseRule(
        "buildings",
        "Which violet buildings are in the game: those of the base game, those that the "
        "players draft, or random ones.",
        {
            BASE: "Those of the base game",
            DRAFT: "The players draft them, with those of the expansion",
            RANDOM: "At random, with those of the expansion",
        },
        "Which violet buildings?",
        "Violet buildings give their owners advantages. For a first game take those of the base "
        "game; drafting or drawing them makes each game different.",
        ("PR-SETUP-7", "PR-DRAFT-1", "PR-DRAFT-2", "PR-DRAFT-3", "PR-RANDOM-1"),
        "with {} buildings",
        always=True,
    ),
    HouseRule(
        "rulebook",
        "Whose rules are played where the online guide and the printed rulebook differ.",
        {PRINTED: "The printed rulebook", GUIDE: "The online guide"},
        "Whose rules, where they differ in three details?",
        "The two rulebooks differ in three details. Without a reason, take the printed one.",
        ("PR-GUIDE-1", "PR-GUIDE-2", "PR-GUIDE-3"),
        "by the rules of the {}",
        always=True,
    ),
)
USUAL = {rule.name: rule.usual for rule in HOUSE_RULES}
"""The options of a game for which none is named."""
