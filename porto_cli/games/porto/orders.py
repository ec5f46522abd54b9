"""What can be ordered ahead in Porto, see :class:`porto_cli.abilities.Orders`.

Neither the choice of private contracts, which is secret, nor a build for the timer can be ordered.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from porto_cli.abilities import Kind, with_verb
from porto_cli.core.message import InvalidMoveError, shown
from porto_cli.games.porto.engine.components import VALUE_OF
from porto_cli.games.porto.engine.legal_moves import MOST_CARDS_A_DRAW, MOST_VALUE_A_DRAW
from porto_cli.games.porto.engine.moves import Claim, Move
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, Config, State
from porto_cli.games.porto.notation import (
    NONE,
    PUBLIC_NAMES,
    TOKEN,
    VERBS,
    in_full,
    parse_card,
    parse_house,
)
from porto_cli.games.porto.options import moves

_KIND_OF = {ACT: "act", CONTRACTS: "contract"}


class Listed(NamedTuple):
    """A legal move and what it would score."""

    move: str
    vp: int


class PortoOrders:
    """What can be ordered ahead."""

    kinds: Mapping[str, Kind] = {
        "act": Kind(("draw", "build", "pass"), "When you draw or build:"),
        "contract": Kind(
            ("contract",),
            "When you choose which public contracts your build fulfills:",
            sensible="Fulfill all public contracts that the build meets.",
        ),
    }

    def kind(self, state: State) -> str:
        """Return the kind of the decision that the game waits for."""
        return _KIND_OF.get(state.phase, "")

    def occasion(self, state: State) -> Hashable:
        """Return the turn: a build and its contracts are one occasion."""
        return state.turn

    def listed(self, state: State, seat: int) -> Sequence[Listed]:
        """Return the legal moves, those that score most first."""
        return [Listed(move["move"], move["vp"]) for move in moves(state, seat)]

    def sensible(self, state: State, seat: int) -> Move | None:
        """Return the choice of all public contracts that a build meets."""
        return Claim(state.claimable) if state.phase == CONTRACTS and seat == state.seat else None

    def move(self, config: Config, kind: str, text: str) -> str:
        """Return a move of a decision of a kind, as an order has it. Raises InvalidMoveError."""
        full = in_full(with_verb(self.kinds, kind, text, VERBS))
        if not _can_be_legal(config, full):
            raise InvalidMoveError(f"{shown(full)} is never legal in this game.")
        return full


ORDERS = PortoOrders()


def _can_be_legal(config: Config, move: str) -> bool:
    """Return whether a move in canonical words can be legal at some table of a game."""
    verb, *words = move.split()
    if verb == "draw":
        values = [VALUE_OF[parse_card(word.partition("@")[0])] for word in words]
        return 1 <= len(values) <= MOST_CARDS_A_DRAW and sum(values) <= MOST_VALUE_A_DRAW
    if verb == "build":
        houses = (word for word in words[2:] if word != TOKEN)
        return all(parse_house(house) in config.houses for house in houses)
    deck = config.public_deck()
    return all(word == NONE or PUBLIC_NAMES.index(word) in deck for word in words)
