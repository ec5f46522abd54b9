"""Porto for the laboratory: what is counted in many games, and what :mod:`porto_cli.research`
wants to know of it.

As a tree:

>>> from porto_cli.games.porto import Build, Draw
>>> tree.encode(Draw((0, 3)))
(10, 16, 19, 54)
>>> [tree.actions[action] for action in tree.encode(Build(11, 0, 3, token=5))]
['build', 'red-3', 'blue-1', 'L4', 'token', 'L6', 'done']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from porto_cli.abilities import Counted, Group, Simulation
from porto_cli.core.chance import Chance
from porto_cli.core.documents import Count as Amount
from porto_cli.games.porto.engine import (
    CARD_SPACES,
    CARDS,
    CONTRACT_SPACES,
    DEALT,
    HOUSES,
    NOWHERE,
    PRIVATE_KINDS,
    PRIVATE_NAMES,
    PUBLIC,
    PUBLIC_NAMES,
    VALUE_OF,
    private_ruling,
)
from porto_cli.games.porto.engine.cards import KEEPS, Keep
from porto_cli.games.porto.engine.play import (
    VERBS,
    Move,
    Placed,
    TokenMoved,
    legal_moves,
)
from porto_cli.games.porto.engine.scoring import places
from porto_cli.games.porto.engine.state import KEEP, OVER, TIMER, State
from porto_cli.games.porto.engine.turn import (
    EVENTS,
    PRIVATE_CONTRACT,
    SOURCES,
    TOLD,
    Event,
    Refilled,
    Scored,
    TimerTurned,
    turn_up,
)
from porto_cli.games.porto.sealing import dealt_anew, view
from porto_cli.games.porto.view import Card, Public, Table
from porto_cli.games.porto.view import view as seen_by
from porto_cli.installed import ruling
from porto_cli.research import Tree, TreeNode
from porto_cli.seam import Outcome

# -- Porto as a simulation: where VP come from, which rulings come up, what is hidden
#
# Rulings are counted where a player moves; what a solo timer does, and what the end brings, count
# for the player whose move leads to it or who comes first.

RULES = (
    *("P-DRAW-1", "P-DRAW-2", "P-DRAW-3", "P-PASS-1", "P-BUILD-1", "P-BUILD-3", "P-BUILD-4"),
    *("P-TOKEN-1", "P-TOKEN-2", "P-ROOF-1", "P-SCORE-1", "P-SCORE-2", "P-PUBLIC-2", "P-PUBLIC-3"),
    *("P-END-1", "P-END-2", "P-RANK-1", "P-RANK-2"),
    *map(private_ruling, PRIVATE_KINDS),
    *("P-SOLO-2", "P-SOLO-3", "P-SOLO-4", "P-SOLO-5", "P-SOLO-6"),
)
"""The rulings that are counted, in the order of the rules: those that cause something."""
_FROM, _RULED, _FULFILLED = "sources", "rules", "fulfilled"


class PortoSimulation(Simulation):
    """What simulations count in games of Porto."""

    extras = (_FULFILLED,)
    groups = (
        Group(
            _FROM,
            SOURCES,
            "Where the VP came from, on average (ground and roof: tokens)",
            heads=tuple(TOLD[source].head for source in SOURCES),
            title_of_running=(
                "Where the VP of the simulated turns came from, on average (ground and roof: "
                "tokens)"
            ),
        ),
        Group(
            _RULED,
            RULES,
            "How often the rulings came up",
            explain=lambda rule: ruling(rule).title,
        ),
    )

    def is_played_out(self, state: State) -> bool:
        """Return whether the last turn is over, even if contracts still have to be revealed."""
        return state.phase == OVER or state.is_revealing

    def choices(self, state: State, rng: Random) -> list[Move]:
        """Return the legal moves."""
        return legal_moves(state)

    def count(self, before: State, after: State, events: Sequence[Event]) -> Iterator[Counted]:
        """Count VP by their sources, and the rulings that a move applied."""
        for event in events:
            if isinstance(event, Scored):
                yield event.seat, (_FROM, event.kind), event.vp
        for rule in _rules_of(events, before.phase == TIMER):
            yield before.seat, (_RULED, rule), 1

    def count_end(self, state: State, outcome: Outcome) -> Iterator[Counted]:
        """Count the public contracts of all players, and the rulings that the end applied."""
        for seat, fulfilled in enumerate(state.fulfilled):
            yield seat, ("", _FULFILLED), fulfilled
        first = outcome.places.index(1)
        for rule in _rules_of_the_end(state, outcome.places):
            yield first, (_RULED, rule), 1

    def standing(self, state: State) -> Outcome:
        """Return the standing of a game that was broken off."""
        return Outcome(places(state), state.scores, (False,) * state.config.seats)

    def redeal(self, state: State, known: int | None, chance: Chance) -> State:
        """Return a state with new private contracts for all seats whose own are unknown."""
        if state.is_waiting:
            state, _ = turn_up(state, chance)
        return dealt_anew(view(state, known), chance)


SIMULATION = PortoSimulation()
"""The simulation of Porto."""


def _rules_of(events: Sequence[Event], by_timer: bool) -> Iterator[str]:
    """Yield the ids of the rulings that a move applied."""
    for event in events:
        if rule := EVENTS[type(event)]:
            yield rule
        match event:
            case Scored():
                if event.kind == PRIVATE_CONTRACT:
                    yield from [private_ruling(event.contract)] * bool(event.vp)
                elif rule := TOLD[event.kind].rule:
                    yield rule
            case Placed():
                yield "P-SOLO-4" if event.by_timer else "P-BUILD-1"
                yield "P-BUILD-3" if event.started else "P-BUILD-4"
            case TokenMoved():
                yield "P-TOKEN-2" if event.roof == NOWHERE else "P-TOKEN-1"
            case Refilled(row):
                if not by_timer:
                    yield "P-DRAW-2" if row == "cards" else "P-PUBLIC-3"
                elif row == "cards":
                    yield "P-SOLO-5"
            case TimerTurned(turned):
                by_timer = True
                if sum(VALUE_OF[card] for card in turned) <= CARD_SPACES:
                    yield "P-SOLO-3"


def _rules_of_the_end(state: State, places: tuple[int, ...]) -> Iterator[str]:
    """Return the rulings that the end applied: the solo level, or what broke a tie."""
    if state.config.timer:
        yield "P-SOLO-6"
        return
    if state.config.private_contracts:
        yield "P-END-2"
    if state.config.seats > 1:
        first, second = (state.scores[places.index(place)] for place in (1, 2))
        if first == second:
            yield "P-RANK-2" if state.config.seat_first else "P-RANK-1"


# -- What ``porto_cli.research`` wants to know

_WORDS = (
    *map(str, KEEPS),
    # What is kept is a secret, which is one word.
    *(word for one in VERBS.values() if one is not Keep for word in (one.verb, *one.words)),
    *(f"@{space + 1}" for space in range(CARD_SPACES)),
    *(str(space + 1) for space in range(CONTRACT_SPACES)),
    *CARDS,
    *HOUSES,
)


class Seen(Table):
    """What a seat may see, and what is in the piles, which follows from everything else."""

    in_deck: dict[Card, Amount]
    in_discards: dict[Card, Amount]
    in_contract_deck: list[Public]


def seen(table: State, seat: int | None) -> dict[str, Any]:
    """Return what a seat may see and know."""
    return {
        **seen_by(table, seat, foresight=False),
        "in_deck": dict(zip(CARDS, map(table.deck.count, range(len(CARDS))), strict=True)),
        "in_discards": dict(zip(CARDS, map(table.discards.count, range(len(CARDS))), strict=True)),
        "in_contract_deck": [PUBLIC_NAMES[contract] for contract in table.contract_deck],
    }


def owner(node: TreeNode) -> int | None:
    """Return the only seat that knows what was dealt or kept at a node (P-SETUP-5)."""
    if node.pile is not None:
        return node.pile.number // DEALT if node.pile.stream == "private" else None
    return node.table.seat if node.table.phase == KEEP else None


def secrets(table: State) -> Iterator[str | int]:
    """Yield the private contracts dealt, seat by seat, and then those kept."""
    yield from b"".join(table.dealt)
    for dealt, kept in zip(table.dealt, table.kept, strict=False):
        if kept:
            keeps = (keep for keep in KEEPS if sorted(dealt[one] for one in keep.places) == [*kept])
            yield str(next(keeps))


tree = Tree(
    "porto",
    players=range(2, 5),
    usual=2,
    options={"private_contracts": True, "seat_first": False},
    is_open=False,
    words=_WORDS,
    longest_move=len(["build", "red-3", "blue-1", "L4", "token", "L6", "done"]),
    table=Seen,
    seen=seen,
    names={
        "card": CARDS,
        "house_name": HOUSES,
        "public_contract": PUBLIC_NAMES,
        "private_contract": PRIVATE_NAMES,
    },
    bounds={
        "card": 4,
        "in_deck": 4,
        "in_discards": 4,
        "private_contract": 2,
        "dealt": DEALT,
        "height": 6,
        "floors": 6,
        "ground_token": 4,
        "roof_token": 4,
        "ground": 15,
        "floor": 15,
        "roofs": len(HOUSES),
        "roofs_to_end": len(HOUSES),
        "contract_deck": len(PUBLIC),
        "fulfilled": len(PUBLIC),
    },
    # The timer is that of the solo game, and here nobody is given up.
    without={
        *("name", "private_progress", "private_contracts", "result"),
        *("timer", "turned", "given_up"),
    },
    things={
        "tokens": [f"token {value}" for value in range(5)],
        "cards": CARDS,
        "contracts": PUBLIC_NAMES,
        "private": PRIVATE_NAMES,
    },
    # No game is as long but one in which, with all cards in hands that cannot build, all pass.
    most_turns=500,
    longest=(3_000, 300),
    owner=owner,
    secrets=secrets,
    untold=Seen.__annotations__,
)
"""Porto, for research."""
