"""What players of Porto can order ahead, for :class:`porto_cli.abilities.Orders`.

The choice of private contracts, which is secret, and builds for the timer cannot be.
"""

from __future__ import annotations

from porto_cli.abilities import OrderKind, Orders
from porto_cli.games.porto import META
from porto_cli.games.porto.engine import NONE, PUBLIC_NAMES, VALUE_OF, parse_card, parse_house
from porto_cli.games.porto.engine.cards import MOST_CARDS_A_DRAW, MOST_VALUE_A_DRAW, Claim
from porto_cli.games.porto.engine.play import VERBS
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, Config
from porto_cli.games.porto.notation import in_full
from porto_cli.games.porto.options import moves


def _can_be_legal(config: Config, kind: str, move: str) -> bool:
    """Return whether a move in canonical words can ever be legal in a game."""
    verb, *words = move.split()
    if verb == "draw":
        values = [VALUE_OF[parse_card(word.partition("@")[0])] for word in words]
        return 1 <= len(values) <= MOST_CARDS_A_DRAW and sum(values) <= MOST_VALUE_A_DRAW
    if verb == "build":
        _, _, *of_houses = words  # The word "token" is between two houses.
        return all(parse_house(house) in config.houses for house in of_houses[::2])
    if verb != "contract":
        return True
    deck = config.public_deck
    return all(word == NONE or PUBLIC_NAMES.index(word) in deck for word in words)


ORDERS = Orders(
    kinds={
        "act": OrderKind(
            ACT,
            tuple(verb for verb, kind in VERBS.items() if ACT in kind.phases),
            "When you draw or build:",
        ),
        "contract": OrderKind(
            CONTRACTS,
            ("contract",),
            "When you choose which public contracts your build fulfills:",
            sensible="Fulfill all public contracts that the build meets.",
            choose=lambda state: Claim(state.claimable),
        ),
    },
    occasion=lambda state: state.turn,  # A build and its contracts count as one.
    listed=moves,
    verbs=META.verbs,
    in_full=in_full,
    can_be=_can_be_legal,
)
