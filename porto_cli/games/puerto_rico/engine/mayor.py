"""The mayor: colonists arrive, and everybody places all own ones anew.

Placements can be too many to be listed, so they are counted by arithmetic: how many ways there
are to put so many colonists on so many circles follows from the numbers of circles alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from porto_cli.core.message import say
from porto_cli.core.violation import Violation
from porto_cli.games.puerto_rico.engine.components import LIBRARY, ONE, PLACES
from porto_cli.games.puerto_rico.engine.events import ColonistsDealt, Event, Placed, ShipRefilled
from porto_cli.games.puerto_rico.engine.gains import trigger_end
from porto_cli.games.puerto_rico.engine.moves import Move, Place
from porto_cli.games.puerto_rico.engine.rounds import begin_phase, end_role, next_player
from porto_cli.games.puerto_rico.engine.state import (
    COLONISTS_END,
    MAYOR_PHASE,
    Player,
    State,
)


def begin_mayor(state: State, no_colonist: bool, events: list[Event]) -> None:
    """Deal the colonists (PR-MAYOR-1, PR-MAYOR-2, PR-B-LIBRARY)."""
    seats = state.config.seats
    chooser = state.chooser
    wanted = 0 if no_colonist else 1 + (state.players[chooser].colonists[LIBRARY] > 0)
    privilege = min(wanted, state.supply)
    state.supply -= privilege
    each, over = divmod(state.ship, seats)
    state.ship = 0
    for nth in range(seats):
        seat = (chooser + nth) % seats
        dealt = each + (nth < over)
        if dealt or privilege:
            state.players[seat].san_juan += dealt + privilege
            events.append(ColonistsDealt(seat, dealt, privilege))
        privilege = 0
    begin_phase(state, MAYOR_PHASE)


def fewest_and_most(state: State, player: Player) -> tuple[int, int]:
    """Return how many colonists a placement uses at least and at most.

    PR-MAYOR-4, and PR-GUIDE-2 where the guide is played.
    """
    most = min(player.people, sum(player.circles))
    return 0 if state.config.guide else most, most


def legal_placements(state: State, limit: int) -> list[Move]:
    """Return the placements of the player to move, at most ``limit`` of them."""
    player = state.players[state.seat]
    fewest, most = fewest_and_most(state, player)
    if fewest == sum(player.circles):
        return [Place(player.circles)]
    places = [place for place, circles in enumerate(player.circles) if circles]
    room = sum(player.circles)
    # Every row that is begun can be finished, so that no more than the limit are ever needed.
    begun = [(bytes(places[0]), left) for left in range(most, fewest - 1, -1)][:limit]
    for place, following in zip(places, [*places[1:], len(PLACES)], strict=True):
        circles = player.circles[place]
        room -= circles
        gap = bytes(following - place - 1)
        cells = [ONE[number] + gap for number in range(circles + 1)]
        begun = [
            (row + cells[number], left - number)
            for row, left in begun
            for number in range(
                circles if circles < left else left, left - room - 1 if left > room else -1, -1
            )
        ][:limit]
    return [Place(row) for row, _ in begun]


def count_placements(state: State) -> int:
    """Return how many placements the player to move has, without listing them."""
    player = state.players[state.seat]
    fewest, most = fewest_and_most(state, player)
    ways = _ways(bytes(sorted(circles for circles in player.circles if circles)))
    return sum(ways[fewest : most + 1])


@lru_cache(maxsize=4096)
def _ways(circles: bytes) -> tuple[int, ...]:
    """Return in how many ways 0, 1, 2 … colonists can be put on places with these circles."""
    ways = [1]
    for most in circles:
        longer = [0] * (len(ways) + most)
        for colonists, number in enumerate(ways):
            for more in range(most + 1):
                longer[colonists + more] += number
        ways = longer
    return tuple(ways)


def check_placement(state: State, move: Place) -> Iterator[Violation]:
    """PR-MAYOR-3, PR-MAYOR-4."""
    player = state.players[state.seat]
    facts: dict[str, object] = {"player": state.config.players[state.seat]}
    for place, colonists in enumerate(move.colonists):
        if colonists > player.circles[place]:
            yield Violation(
                "PR-MAYOR-3",
                say(
                    "Circles of {player} on {place}: {circles}; the placement needs {colonists}.",
                    circles=player.circles[place],
                    place=PLACES[place],
                    colonists=colonists,
                    **facts,
                ),
            )
    placed, people = sum(move.colonists), player.people
    fewest, _ = fewest_and_most(state, player)
    if placed > people:
        yield Violation(
            "PR-MAYOR-3",
            say(
                "Colonists of {player}: {people}; the placement needs {placed}.",
                people=people,
                placed=placed,
                **facts,
            ),
        )
    if placed < fewest:
        yield Violation(
            "PR-MAYOR-4",
            say(
                "Colonists that {player} has to place: {fewest}; this places {placed}.",
                fewest=fewest,
                placed=placed,
                **facts,
            ),
        )


def play_placement(state: State, move: Place, events: list[Event]) -> None:
    """Place the colonists; those that are left over stay in San Juan."""
    player = state.players[state.seat]
    people = player.people
    player.colonists = move.colonists
    player.san_juan = people - sum(move.colonists)
    events.append(Placed(state.seat, move.colonists, player.san_juan))
    if not next_player(state):
        _refill_ship(state, events)
        end_role(state, events)


def _refill_ship(state: State, events: list[Event]) -> None:
    """PR-MAYOR-6, PR-END-1."""
    empty = sum(player.empty_building_circles() for player in state.players)
    wanted = max(state.config.seats, empty)
    colonists = min(wanted, state.supply)
    state.supply -= colonists
    state.ship += colonists
    events.append(ShipRefilled(colonists, wanted))
    if colonists < wanted:
        trigger_end(state, COLONISTS_END, events)
