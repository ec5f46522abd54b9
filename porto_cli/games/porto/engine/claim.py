"""Fulfilling public contracts (P-PUBLIC-1 to P-PUBLIC-3): the move, its words, when it is legal,
what it leads to.

>>> Claim((0, 2)), Claim(())
(<Claim 1 3>, <Claim none>)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core.message import InvalidMoveError, Refusals, plural
from porto_cli.games.porto.engine.components import (
    CARDS,
    COLOR_OF,
    COLORS,
    CONTRACT_SPACES,
    EMPTY,
    HOUSES,
    PUBLIC,
    put_in,
)
from porto_cli.games.porto.engine.events import (
    PUBLIC_CONTRACT,
    Event,
    PublicContracts,
    Seat,
    event,
    scored,
)
from porto_cli.games.porto.engine.moves import Places, move, spaces_in_order
from porto_cli.games.porto.engine.names import (
    NONE,
    NOTHING,
    PUBLIC_NAMES,
    PUBLIC_OF,
    parse_public,
)
from porto_cli.games.porto.engine.state import CONTRACTS
from porto_cli.games.porto.engine.turn import end_turn

if TYPE_CHECKING:
    from porto_cli.core.chance import Chance
    from porto_cli.games.porto.engine.state import Config, State

_PLACES = Places(
    "P-PUBLIC-1", CONTRACT_SPACES, PUBLIC_NAMES, "space", "the public contracts are in spaces"
)
_HOW = "Name the public contracts to fulfill, or none: contract blue+red, contract none."


@event
class Claimed(NamedTuple):
    """A player fulfilled these public contracts, or none of them."""

    seat: Seat
    contracts: PublicContracts

    def told(self, config: Config) -> str:
        """Return it as a sentence."""
        names = ", ".join(PUBLIC_NAMES[contract] for contract in self.contracts)
        return f"{config.players[self.seat]} fulfills {names or 'no public contract'}."


@move("contract", CONTRACTS)
class Claim(NamedTuple):
    """Fulfill public contracts after a build, or none (P-PUBLIC-2).

    ``spaces``  where they lie: 0 to 3, in ascending order; empty for none
    ``named``   contracts that were asked for and do not lie there; with one it is not legal

    The repr counts spaces from 1, as the notation does: ``<Claim 1 3>``, ``<Claim none>``.
    """

    spaces: tuple[int, ...]
    named: tuple[int, ...] = ()

    # -- Words

    def shown(self) -> list[str]:
        """Return its words without a table."""
        return _PLACES.shown(*self) or [NONE]

    def text(self, state: State) -> str:
        """Name its contracts; an empty space by its number."""
        row = state.contracts
        names = [
            PUBLIC_NAMES[row[space]] if row[space] != EMPTY else str(space + 1)
            for space in self.spaces
        ]
        names += [PUBLIC_NAMES[contract] for contract in self.named]
        return " ".join(["contract", *(names or [NONE])])

    @staticmethod
    def read(words: list[str], state: State, seat: int) -> Claim:
        """Return the claim of these words. Raises InvalidMoveError."""
        if len(words) == 1:
            raise InvalidMoveError(_HOW)
        if len(words) == 2 and words[1].lower() == NONE:
            return CLAIM_NONE
        spaces: list[int] = []
        named: list[int] = []
        for word in words[1:]:
            if word.isascii() and word.isdigit():
                spaces.append(_PLACES.numbered(word, word))
                continue
            contract = parse_public(word)
            space = state.contracts.find(contract)
            if space < 0:
                named.append(contract)
            else:
                spaces.append(space)
        return Claim(tuple(sorted(spaces)), tuple(sorted(named)))

    @staticmethod
    def plain(text: str, state: State) -> Claim | None:
        """Return a choice in canonical words, see ``notation.plain_move``."""
        if text == "contract none":
            return CLAIM_NONE
        contracts = [PUBLIC_OF.get(name, NOTHING) for name in text.split(" ")[1:]]
        spaces = spaces_in_order(contracts, state.contracts)
        return Claim(spaces) if spaces else None

    @staticmethod
    def in_full(words: list[str]) -> str:
        """Return these words with full names, in their order. Raises InvalidMoveError."""
        names = [word.lower() for word in words[1:]]
        if not names:
            raise InvalidMoveError(_HOW)
        if names != [NONE]:
            names = [PUBLIC_NAMES[parse_public(name)] for name in names]
        return " ".join(["contract", *names])

    # -- Rules

    def is_legal(self, state: State) -> bool:
        """Return whether the player to move may fulfill these."""
        return self in _claims_among(state.claimable)

    def form(self) -> Refusals:
        """Return what is wrong with it whatever the position."""
        return _PLACES.form(self)

    def refusals(self, state: State, seat: int) -> Refusals:
        """Return why it is not legal."""
        built = state.built
        if built is None:
            raise ValueError("A state in phase 'contracts' has a build.")
        color, house = COLORS[COLOR_OF[built.color]], HOUSES[built.house]
        this_turn = {
            "cards": f"played {CARDS[built.number]} and {CARDS[built.color]}",
            "house": f"completed {house} in {color}" if built.completed else "completed no house",
            "floors": f"built {plural(built.floors, f'{color} floor')}",
        }
        if any(len(set(some)) < len(some) for some in self):
            yield "P-PUBLIC-1", "A public contract can be fulfilled only once."
        for space in sorted(set(self.spaces)):
            if state.contracts[space] == EMPTY:
                yield "P-PUBLIC-1", f"There is no public contract in space {space + 1}."
            elif space not in state.claimable:
                contract = PUBLIC[state.contracts[space]]
                done = this_turn[contract.kind]
                yield "P-PUBLIC-1", f"{contract.name} is not met exactly: this turn {done}."
        for number in sorted(set(self.named)):
            yield "P-PUBLIC-1", f"{PUBLIC[number].name} is not one of the face-up public contracts."

    def play(self, state: State, seat: int, chance: Chance | None, events: list[Event]) -> None:
        """P-PUBLIC-2: score the contracts; their spaces are refilled when the turn ends."""
        mover = state.seat
        row = bytearray(state.contracts)
        claimed = bytes(row[space] for space in self.spaces)
        events.append(Claimed(mover, claimed))
        if claimed:
            vp = 0
            for space in self.spaces:
                contract = row[space]
                row[space] = EMPTY
                worth = state.config.public[contract]
                vp += worth
                events.append(scored(mover, PUBLIC_CONTRACT, worth, PUBLIC_NAMES[contract]))
            state.contracts = bytes(row)
            fulfilled = state.fulfilled[mover] + len(claimed)
            state.scores = put_in(state.scores, mover, state.scores[mover] + vp)
            state.fulfilled = put_in(state.fulfilled, mover, fulfilled)
        state.built = None
        state.claimable = ()
        end_turn(state, chance, events)


CLAIM_NONE = Claim(())


def legal_claims(state: State) -> Sequence[Claim]:
    """Return the choices among public contracts that are met: any of them (P-PUBLIC-2)."""
    return _claims_among(state.claimable)


@cache
def _claims_among(claimable: tuple[int, ...]) -> tuple[Claim, ...]:
    sizes = range(len(claimable) + 1)
    return tuple(Claim(spaces) for size in sizes for spaces in combinations(claimable, size))
