"""An edition: the numbers printed on the components, as one box has them.

The rulebooks do not print all of them, so they are data (``editions/*.yaml``) that the owner
of a box can correct. This module holds the numbers and judges whether they make a game.
"""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.components import (
    CARDS,
    COLORS,
    HOUSES,
    LEFT_SIDE,
    MOST_FLOORS_A_TURN,
    RIGHT_SIDE,
    VALUES,
)

CARDS_IN_THE_BOX = 50
TALLEST = 12


class Edition(NamedTuple):
    """The component data of one box.

    ``heights`` has a number of floor spaces for each of the 14 houses, the ground floor
    included; ``cards_per_value`` says how many cards of the values 1, 2, 3 each color has;
    ``tokens`` holds the values of the VP tokens, sorted; ``public`` gives the VP of each
    family of public contracts; ``private`` the VP of each kind of private contract for one,
    two … of what it asks for. A family or kind that is missing is not in the box.
    """

    name: str
    heights: bytes
    cards_per_value: tuple[int, int, int]
    ground_floors: int
    upper_floors: int
    tokens: bytes
    public: dict[str, int]
    private: dict[str, tuple[int, ...]]
    artificial: bool = False
    """Made to try the rules: the checks of plausibility do not apply."""

    def construction_deck(self) -> bytes:
        """Return all construction cards of the box, sorted."""
        return b"".join(
            bytes([card]) * self.cards_per_value[card % len(VALUES)] for card in range(len(CARDS))
        )

    def faults(self) -> list[Sentence]:
        """Say in whole sentences what keeps these numbers from being a game; none if nothing.

        An ``artificial`` edition needs only to be playable; any other must also be one that
        a box could hold.
        """
        faults = [
            say(
                "The house {house} has {height} floor spaces; it needs at least 1 and can have "
                "at most {tallest}.",
                house=house,
                height=height,
                tallest=TALLEST,
            )
            for house, height in zip(HOUSES, self.heights, strict=True)
            if not 1 <= height <= TALLEST
        ]
        if len(self.tokens) < len(HOUSES):
            faults.append(
                say(
                    "There are {tokens} VP tokens, but the {houses} houses need one each.",
                    tokens=len(self.tokens),
                    houses=len(HOUSES),
                )
            )
        if self.ground_floors < 1:
            faults.append(say("There are no ground floors, so that no house could be started."))
        if not self.artificial:
            faults += self._implausible()
        return faults

    def _implausible(self) -> list[Sentence]:
        faults = []
        of_a_color = sum(self.cards_per_value)
        if of_a_color * len(COLORS) != CARDS_IN_THE_BOX:
            faults.append(
                say(
                    "There are {cards} construction cards ({of_a_color} of each color), but the "
                    "rulebook counts {right}.",
                    cards=of_a_color * len(COLORS),
                    of_a_color=of_a_color,
                    right=CARDS_IN_THE_BOX,
                )
            )
        lowest = min(self.heights)
        if lowest < MOST_FLOORS_A_TURN:
            faults.append(
                say(
                    "The house {house} has {lowest} floor spaces, so that {most} floors could "
                    "never be built in it.",
                    house=HOUSES[self.heights.index(lowest)],
                    lowest=lowest,
                    most=MOST_FLOORS_A_TURN,
                )
            )
        tallest = sorted(self.heights, reverse=True)[: self.ground_floors]
        needed = sum(tallest) - len(tallest)
        if needed > self.upper_floors:
            faults.append(
                say(
                    "A color could need {needed} upper floors (in its {houses} tallest houses), "
                    "but there are {upper_floors} of each color.",
                    needed=needed,
                    houses=len(tallest),
                    upper_floors=self.upper_floors,
                )
            )
        for absent in range(3):
            left = set(self.heights[LEFT_SIDE.start + absent : LEFT_SIDE.stop])
            right = set(self.heights[RIGHT_SIDE.start : RIGHT_SIDE.stop - absent])
            faults += [
                say(
                    "With {players} players only one side has houses of {height} floor spaces, "
                    "so that no mirror contract could be met with them.",
                    players=4 - absent,
                    height=height,
                )
                for height in sorted(left ^ right)
            ]
        return faults
