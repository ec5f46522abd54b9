"""What can be ordered ahead in Porto, see :class:`porto_cli.abilities.Orders`.

Neither the choice of private contracts, which is secret, nor a build for the timer can be ordered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from porto_cli.abilities import Kind, Policy, with_verb
from porto_cli.core.message import InvalidMoveError, Sentence, say
from porto_cli.games.porto.engine.components import CARDS, COLORS, HOUSES, VALUE_OF
from porto_cli.games.porto.engine.legal_moves import (
    MOST_CARDS_A_DRAW,
    MOST_VALUE_A_DRAW,
    legal_moves,
)
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
from porto_cli.games.porto.observation import Option, option_of, options

_KIND_OF = {ACT: "act", CONTRACTS: "contract"}
_HOUSE_NAMES = [name.lower() for name in HOUSES]


class PortoOrders:
    """What can be ordered ahead."""

    kinds: Mapping[str, Kind] = {
        "act": Kind(
            ("draw", "build", "pass"), say("When you draw or build:"), condition="red-2 is there"
        ),
        "contract": Kind(
            ("contract",),
            say("When you choose which public contracts your build fulfills:"),
            condition="contracts at least 2",
        ),
    }

    policies: Mapping[str, Policy] = {
        "only": Policy(
            dict.fromkeys(("act", "contract"), say("The only legal move, if there is only one."))
        ),
        "sensible": Policy({"contract": say("Fulfill all public contracts that the build meets.")}),
    }

    facts: Mapping[str, Sentence] = {
        "round": say("the round"),
        **{name: say("face-up cards of this kind") for name in CARDS},
        **{name: say("1 while this public contract lies face up") for name in PUBLIC_NAMES},
        **{f"floors-{name}": say("floors of the house") for name in _HOUSE_NAMES},
        **{f"room-{name}": say("free floor spaces of the house") for name in _HOUSE_NAMES},
        **{f"ground-{name}": say("ground floors of the color left") for name in COLORS},
        **{f"upper-{name}": say("upper floors of the color left") for name in COLORS},
        "roofs": say("roofs placed"),
        "hand": say("cards in your hand"),
        **{f"own-{name}": say("cards of this kind in your hand") for name in CARDS},
        "score": say("your VP up to now"),
        "vp": say("VP that the move scores, with all public contracts that it meets"),
        "contracts": say("public contracts that the move meets or fulfills"),
    }

    def kind(self, state: State) -> str:
        """Return the kind of the decision that the game waits for.

        There is none in a sealed game until the player to move sees what comes up.
        """
        return "" if state.is_waiting else _KIND_OF.get(state.phase, "")

    def occasion(self, state: State) -> Hashable:
        """Return the turn: a build and its contracts are one occasion."""
        return state.turn

    def round(self, state: State) -> int:
        """Return the round, counted from 1."""
        return state.round

    def counted(self, state: State, seat: int, move: Move) -> Mapping[str, int]:
        """Return the facts before a player makes a legal move."""
        option = option_of(state, move)
        return {
            **_on_the_table(state),
            "hand": len(state.hands[seat]),
            **{f"own-{name}": state.hands[seat].count(card) for card, name in enumerate(CARDS)},
            "score": state.scores[seat],
            "vp": option.vp,
            "contracts": len(option.contracts),
        }

    def listed(self, state: State, seat: int) -> Sequence[Option]:
        """Return the legal moves, those that score most first."""
        return options(state, seat)

    def choose(self, policy: str, state: State, seat: int) -> Move | None:
        """Return the legal move that a policy chooses."""
        if seat != state.seat or self.kind(state) not in self.policies[policy].kinds:
            return None
        if policy == "sensible":
            return Claim(state.claimable)
        moves = legal_moves(state)
        return moves[0] if len(moves) == 1 else None

    def move(self, config: Config, kind: str, text: str) -> str:
        """Return a move of a decision of a kind, as an order has it. Raises InvalidMoveError."""
        full = in_full(with_verb(self.kinds, kind, text, VERBS))
        verb, *words = full.split()
        fault = _NEVER[verb](config, words)
        if fault is not None:
            raise InvalidMoveError(fault)
        return full


ORDERS = PortoOrders()


# -- What can never be


def _never_drawn(config: Config, words: list[str]) -> Sentence | None:
    cards = [parse_card(word.partition("@")[0]) for word in words]
    value = sum(VALUE_OF[card] for card in cards)
    if not 1 <= len(cards) <= MOST_CARDS_A_DRAW or value > MOST_VALUE_A_DRAW:
        return say(
            "A draw takes one to {most} cards of a total value of at most {value}.",
            most=MOST_CARDS_A_DRAW,
            value=MOST_VALUE_A_DRAW,
        )
    return _missing_card(config, cards)


def _never_built(config: Config, words: list[str]) -> Sentence | None:
    number, color, *houses = (word for word in words if word != TOKEN)
    for house in houses:
        if parse_house(house) not in config.houses:
            return say("The house {house} is not in this game.", house=house)
    return _missing_card(config, [parse_card(number), parse_card(color)])


def _missing_card(config: Config, cards: list[int]) -> Sentence | None:
    deck = config.construction_deck()
    for card in cards:
        if deck.count(card) < cards.count(card):
            return say(
                "There are not that many {card} in this box: {count}.",
                card=CARDS[card],
                count=deck.count(card),
            )
    return None


def _never_fulfilled(config: Config, words: list[str]) -> Sentence | None:
    for word in words:
        if word != NONE and PUBLIC_NAMES.index(word) not in config.public_deck():
            return say("There is no {contract} in this box.", contract=word)
    return None


_NEVER: dict[str, Callable[[Config, list[str]], Sentence | None]] = {
    "draw": _never_drawn,
    "build": _never_built,
    "contract": _never_fulfilled,
    "pass": lambda config, words: None,
}
"""Why a move of each verb, in canonical words, is possible in no decision of a game."""


# -- Facts


def _on_the_table(state: State) -> dict[str, int]:
    config = state.config
    return {
        "round": state.round,
        **{name: state.cards.count(card) for card, name in enumerate(CARDS)},
        **{name: state.contracts.count(one) for one, name in enumerate(PUBLIC_NAMES)},
        **{f"floors-{_HOUSE_NAMES[house]}": state.floors[house] for house in config.houses},
        **{
            f"room-{_HOUSE_NAMES[house]}": config.heights[house] - state.floors[house]
            for house in config.houses
        },
        **{f"ground-{name}": state.ground_left[color] for color, name in enumerate(COLORS)},
        **{f"upper-{name}": state.upper_left[color] for color, name in enumerate(COLORS)},
        "roofs": state.roofs,
    }
