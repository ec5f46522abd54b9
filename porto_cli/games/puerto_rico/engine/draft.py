"""The draft: the players choose the violet buildings of the game (PR-DRAFT-1 to PR-DRAFT-3)."""

from __future__ import annotations

from collections.abc import Iterator

from porto_cli.core.message import say
from porto_cli.core.violation import Violation
from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    COST,
    FOREST_HOUSE,
    HACIENDA,
    PLACES,
    VIOLET,
    VIOLET_KINDS,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.events import Chose, Event
from porto_cli.games.puerto_rico.engine.moves import Choose, Move
from porto_cli.games.puerto_rico.engine.setup import (
    KINDS_OF_COST,
    PLACES_OF_COST,
    copies_of,
    kinds_allowed,
)
from porto_cli.games.puerto_rico.engine.state import ROLE_PHASE, State

_CHOOSE = {place: Choose(place) for place in buildings_in(VIOLET)}
_EXCLUDED_BY = {HACIENDA: FOREST_HOUSE, FOREST_HOUSE: HACIENDA}


def legal_choices(state: State) -> list[Move]:
    """Return the kinds that can still be chosen."""
    return [_CHOOSE[place] for place in buildings_in(kinds_allowed(state.violet))]


def check_choice(state: State, move: Choose) -> Iterator[Violation]:
    """PR-DRAFT-1 to PR-DRAFT-3."""
    building = move.building
    name = PLACES[building]
    if not VIOLET & BIT[building]:
        yield Violation(
            "PR-DRAFT-1",
            say("{building} is a production building, which is always in the game.", building=name),
        )
        return
    if state.violet & BIT[building]:
        yield Violation("PR-DRAFT-1", say("{building} has already been chosen.", building=name))
    cost = COST[building]
    places = PLACES_OF_COST[cost]
    chosen = buildings_in(state.violet & KINDS_OF_COST[cost])
    if len(chosen) >= places:
        yield Violation(
            "PR-DRAFT-2",
            say(
                "A game has {places} violet buildings that cost {cost}, and so many are chosen: "
                "{chosen}.",
                places=places,
                cost=cost,
                chosen=", ".join(PLACES[place] for place in chosen),
            ),
        )
    other = _EXCLUDED_BY.get(building)
    if other is not None and state.violet & BIT[other]:
        yield Violation(
            "PR-DRAFT-3",
            say(
                "{building} cannot be chosen, as {other} has been.",
                building=name,
                other=PLACES[other],
            ),
        )


def play_choice(state: State, move: Choose, events: list[Event]) -> None:
    """Put the kind into the game; with the last one the first round begins."""
    state.violet |= BIT[move.building]
    state.copies = copies_of(state.config, state.violet)
    state.on_offer |= BIT[move.building]
    events.append(Chose(state.seat, move.building))
    if state.violet.bit_count() == VIOLET_KINDS:
        state.phase = ROLE_PHASE
        state.seat = state.governor
    else:
        state.seat = (state.seat + 1) % state.config.seats
