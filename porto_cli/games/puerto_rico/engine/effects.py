"""What several phases have in common: gains, tiles, guests, who comes next, and the final score.

VP, doubloons, colonists and barrels come from a supply, and taking them may trigger the end. These
functions change the state that :func:`~porto_cli.games.puerto_rico.engine.play.apply` is making.
The final VP of each player, by source, are counted here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add
from typing import NamedTuple

from porto_cli.core import Refusals
from porto_cli.core.chance import Chance, drawn
from porto_cli.games.puerto_rico.engine import (
    BIT,
    BUILDING_VP,
    CITY_HALL,
    CLOISTER,
    COFFEE_ROASTER,
    CUSTOMS_HOUSE,
    FOREST,
    FORTRESS,
    GUEST_HOUSE,
    GUILD_HALL,
    INDIGO_PLANT,
    LARGE,
    NO_GOOD,
    NO_GOODS,
    PLACES,
    RESIDENCE,
    SMALL_INDIGO_PLANT,
    SMALL_SUGAR_MILL,
    SUGAR_MILL,
    TOBACCO_STORAGE,
    VIOLET,
    buildings_in,
    pile_of,
    plus,
    set_of,
)
from porto_cli.games.puerto_rico.engine.moves import (
    Earned,
    Ended,
    EndTriggered,
    Event,
    GuestMoved,
    Move,
    MoveGuest,
    Reshuffled,
    RoundBegan,
    Scored,
    TilesTurned,
)
from porto_cli.games.puerto_rico.engine.state import (
    DRAFT_PHASE,
    NO_ROLE,
    NOBODY,
    OVER,
    ROLE_PHASE,
    VP_END,
    Player,
    State,
)

SMALL_PRODUCTION = set_of((SMALL_INDIGO_PLANT, SMALL_SUGAR_MILL))
LARGE_PRODUCTION = set_of((INDIGO_PLANT, SUGAR_MILL, TOBACCO_STORAGE, COFFEE_ROASTER))

FEWEST_TILES = 9
"""Up to this number of tiles a Residence is worth ``RESIDENCE_VP[0]``; each further tile counts."""
RESIDENCE_VP = (4, 5, 6, 7)
CLOISTER_VP = (0, 1, 3, 6, 10)
"""By the number of sets of three tiles of a kind."""


def _guild_hall(player: Player) -> int:
    small = (player.city & SMALL_PRODUCTION).bit_count()
    return small + 2 * (player.city & LARGE_PRODUCTION).bit_count()


def _residence(player: Player) -> int:
    more = max(0, sum(player.island) - FEWEST_TILES)
    return RESIDENCE_VP[min(more, len(RESIDENCE_VP) - 1)]


def _cloister(player: Player) -> int:
    """Count sets of three; all forests are one kind (PR-B-FOREST-HOUSE)."""
    sets = sum(tiles // 3 for tiles in player.island[:FOREST]) + player.forests // 3
    return CLOISTER_VP[min(sets, len(CLOISTER_VP) - 1)]


BONUS: dict[int, Callable[[Player], int]] = {
    GUILD_HALL: _guild_hall,
    RESIDENCE: _residence,
    FORTRESS: lambda player: player.people // 3,
    CUSTOMS_HOUSE: lambda player: player.vp // 4,
    CITY_HALL: lambda player: (player.city & VIOLET).bit_count(),
    CLOISTER: _cloister,
}
"""The VP of each large building if it is occupied, besides its printed ones (PR-SCORE-3)."""


class FinalScore(NamedTuple):
    """The VP of one player at the end.

    ``bonuses`` has the VP of each occupied large building, in the order of the rules;
    ``tie_break`` counts doubloons and barrels, ``place`` is 1 for the winner.
    """

    seat: int
    chips: int
    buildings: int
    bonuses: tuple[tuple[int, int], ...]
    tie_break: int
    place: int

    @property
    def total(self) -> int:
        """The sum of all VP."""
        return self.chips + self.buildings + sum(vp for _, vp in self.bonuses)

    def named(self) -> dict[str, int]:
        """Return all numbers by name, with the VP of each large building under its own."""
        return {
            "chips": self.chips,
            "buildings": self.buildings,
            **{PLACES[building]: vp for building, vp in self.bonuses},
            "total": self.total,
            "tie-break": self.tie_break,
            "place": self.place,
        }


def homes_of_guests(player: Player) -> list[int]:
    """Return the large buildings to which the guests go when the game ends (PR-SCORE-4)."""
    empty = [
        place for place in buildings_in(player.city & LARGE) if player.empty_circles(place) > 0
    ]
    empty.sort(key=lambda place: -BONUS[place](player))
    return empty[: player.colonists[GUEST_HOUSE]]


def house_guest(player: Player, place: int) -> None:
    """Move a guest from the Guest House to a place."""
    player.colonists = plus(plus(player.colonists, GUEST_HOUSE, -1), place, 1)


def final_score(player: Player, seat: int) -> FinalScore:
    """Return the VP of a player after the guests have moved out; the place is left at 0.

    PR-SCORE-1 to PR-SCORE-4.
    """
    player = player.copy()
    for place in homes_of_guests(player):
        house_guest(player, place)
    bonuses = tuple(
        (place, BONUS[place](player))
        for place in buildings_in(player.city & LARGE)
        if player.colonists[place] and place in BONUS
    )
    printed = sum(BUILDING_VP[place] for place in buildings_in(player.city))
    tie_break = player.doubloons + sum(player.goods)
    return FinalScore(seat, player.vp, printed, bonuses, tie_break, 0)


def final_scores(state: State) -> tuple[FinalScore, ...]:
    """Return the score of each seat if the game ended now (PR-SCORE-1 to PR-RANK-1)."""
    counted = [final_score(one, seat) for seat, one in enumerate(state.players)]
    ranks = sorted(((one.total, one.tie_break) for one in counted), reverse=True)
    return tuple(one._replace(place=ranks.index((one.total, one.tie_break)) + 1) for one in counted)


def score(state: State, seat: int, reason: str, vp: int, events: list[Event]) -> None:
    """Give a player VP from the pool, or return some if negative (PR-VP-1, PR-END-3)."""
    if not vp:
        return
    state.players[seat].vp += vp
    events.append(Scored(seat=seat, reason=reason, vp=vp))
    if vp > 0 and VP_END not in state.end_triggered and state.vp_left <= 0:
        trigger_end(state, VP_END, events)


def earn(state: State, seat: int, reason: str, doubloons: int, events: list[Event]) -> None:
    """Give a player doubloons, always all of them (PR-OPTIONAL-1); negative ones are paid."""
    if doubloons:
        state.players[seat].doubloons += doubloons
        events.append(Earned(seat=seat, reason=reason, doubloons=doubloons))


def trigger_end(state: State, reason: str, events: list[Event]) -> None:
    """Record that the game ends with this round, once for each reason (PR-END-4)."""
    if reason not in state.end_triggered:
        state.end_triggered += (reason,)
        events.append(EndTriggered(reason=reason))


def colonist_available(state: State) -> bool:
    """Return whether a colonist could come with a tile or a building (PR-B-HOSPICE)."""
    return state.supply > 0 or state.ship > 0


def bring_colonist(state: State, seat: int, place: int) -> bool:
    """Put a colonist from the supply or else the ship on a place; return whether one was left.

    PR-B-HOSPICE, PR-B-UNIVERSITY.
    """
    if state.supply:
        state.supply -= 1
    elif state.ship:
        state.ship -= 1
    else:
        return False
    player = state.players[seat]
    player.colonists = plus(player.colonists, place, 1)
    return True


def return_barrels(state: State, good: int, number: int) -> None:
    """Put barrels back into the supply, or take some out if the number is negative."""
    state.goods_supply = plus(state.goods_supply, good, number)


STREAM = "tiles"


def draw_tile(state: State, chance: Chance, events: list[Event]) -> int:
    """Take the top tile of the stack; ``NO_GOOD`` if neither stack nor discards have one.

    An empty stack is made anew from the discards (PR-SETTLER-6).
    """
    if not state.stack:
        if state.discards == NO_GOODS:
            return NO_GOOD
        state.stack = pile_of(state.discards)
        events.append(Reshuffled(tiles=state.discards))
        state.discards = NO_GOODS
    (tile,), state.stack = drawn(state.stack, 1, STREAM, chance, state.tiles_drawn)
    state.tiles_drawn += 1
    return tile


def turn_up_row(state: State, chance: Chance, events: list[Event]) -> None:
    """Discard the rest of the row and turn up a new one (PR-SETTLER-4, PR-SETTLER-6)."""
    state.discards = bytes(map(add, state.discards, state.row))
    row = bytearray(NO_GOODS)
    for _ in range(state.config.row):
        tile = draw_tile(state, chance, events)
        if tile == NO_GOOD:
            break
        row[tile] += 1
    state.row = bytes(row)
    if any(row):
        events.append(TilesTurned(tiles=state.row))


def has_tiles(state: State) -> bool:
    """Return whether there is a tile to draw."""
    return bool(state.stack) or state.discards != NO_GOODS


def begin_phase(state: State, phase: str) -> None:
    """Begin a phase with the chooser (PR-ROLE-2)."""
    state.phase = phase
    state.seat = state.chooser


def next_player(state: State) -> bool:
    """Go on clockwise; return False when everybody has had a turn (PR-ROLE-2)."""
    state.seat = (state.seat + 1) % state.config.seats
    return state.seat != state.chooser


def end_role(state: State, events: list[Event]) -> None:
    """Go on after a role, with the next player, the next round or the end.

    PR-ROUND-1, PR-ROUND-3, PR-TWO-2, PR-END-4.
    """
    state.chooser = NOBODY
    state.role = NO_ROLE
    taken = state.roles_taken
    if taken == state.config.box.turns:
        if state.end_triggered:
            _end(state, events)
            return
        _end_round(state, events)
        taken = 0
    state.phase = ROLE_PHASE
    state.seat = (state.governor + taken) % state.config.seats


def _end_round(state: State, events: list[Event]) -> None:
    """Put doubloons on the remaining role cards and begin the next round (PR-ROUND-3)."""
    in_game = state.config.box.roles
    taken = state.taken
    state.role_doubloons = tuple(
        doubloons + (taken[role] == NOBODY and role in in_game)
        for role, doubloons in enumerate(state.role_doubloons)
    )
    state.taken = (NOBODY,) * len(state.taken)
    state.round += 1
    events.append(RoundBegan(round=state.round, governor=state.governor))


def _end(state: State, events: list[Event]) -> None:
    """End the game; the guests move out (PR-END-4, PR-SCORE-4)."""
    state.phase = OVER
    for seat, player in enumerate(state.players):
        for place in homes_of_guests(player):
            house_guest(state.players[seat], place)
            events.append(GuestMoved(seat=seat, place=place))
    events.append(Ended())


_MOVES = tuple(MoveGuest(place) for place in range(len(PLACES)))


def guest_moves(state: State) -> list[Move]:
    """Return the moves of guests of the player to move, if there is an occasion for them."""
    player = state.players[state.seat]
    if not player.colonists[GUEST_HOUSE]:
        return []
    return [_MOVES[place] for place in player.places_for_guests()]


def refuse_guest(state: State, move: MoveGuest, *, occasion: bool) -> Refusals:
    """Yield why no guest of the player to move can go there now."""
    player, name = state.players[state.seat], state.config.players[state.seat]
    if state.phase != DRAFT_PHASE and not state.violet & BIT[GUEST_HOUSE]:
        yield "PR-B-GUEST-HOUSE", "This game has no guest houses."
        return
    if not player.colonists[GUEST_HOUSE]:
        yield "PR-B-GUEST-HOUSE", f"{name} has no guest in a Guest House."
    if move.place == GUEST_HOUSE:
        yield "PR-B-GUEST-HOUSE", "A guest moves out of the Guest House, not within it."
    elif player.empty_circles(move.place) <= 0:
        yield "PR-B-GUEST-HOUSE", f"{name} has no empty circle on {PLACES[move.place]}."
    if not occasion:
        yield "PR-B-GUEST-HOUSE", f"{name} has nothing to decide now, so no guest moves."


def play_guest(state: State, move: MoveGuest, events: list[Event]) -> None:
    """Move a guest; the player still has to make the decision."""
    house_guest(state.players[state.seat], move.place)
    events.append(GuestMoved(seat=state.seat, place=move.place))
