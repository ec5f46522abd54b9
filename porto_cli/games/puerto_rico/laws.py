"""Laws of positions: why a position cannot come from a game, and how much of the box it uses.

Only what a position shows is checked, and only what is certainly impossible is refused. Earlier
turns, VP and money may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator

from porto_cli.core import plural
from porto_cli.fields import Broken, more_than_the_box
from porto_cli.games.puerto_rico.engine import (
    BIT,
    BLACK_MARKET,
    CITY_SPACES,
    DRAFT,
    FOREST,
    FOREST_HOUSE,
    GOODS,
    HACIENDA,
    HOUSE_SPACES,
    ISLAND_SPACES,
    LIBRARY,
    NO_GOOD,
    NO_GOODS,
    PLACES,
    QUARRY,
    ROLES,
    SMALL_WHARF,
    VIOLET_KINDS,
    WHARF,
)
from porto_cli.games.puerto_rico.engine.play import KINDS_OF_COST, PLACES_OF_COST, copies_of
from porto_cli.games.puerto_rico.engine.state import (
    CAPTAIN_PHASE,
    CITY_END,
    COLONISTS_END,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    NO_ROLE,
    NOBODY,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    VP_END,
    State,
)
from porto_cli.kinds import bits_of

# -- How much of the box is in use


def barrels_out(state: State) -> list[int]:
    """Return the barrels of each good that are not in the supply."""
    cargo = list(zip(state.cargo_goods, state.cargo_barrels, strict=True))
    return [
        sum(player.goods[good] for player in state.players)
        + sum(barrels for kind, barrels in cargo if kind == good)
        + state.trading_house.count(good)
        for good in range(len(GOODS))
    ]


def plantations_out(state: State) -> list[int]:
    """Return the plantations of each kind that are not in the stack, including forests."""
    return [
        sum(player.island[tile] + player.island[FOREST + tile] for player in state.players)
        + state.row[tile]
        + state.discards[tile]
        for tile in range(len(GOODS))
    ]


def quarries_out(state: State) -> int:
    """Return the quarries on all islands."""
    return sum(player.island[QUARRY] for player in state.players)


def people_out(state: State) -> int:
    """Return the colonists that all players have."""
    return sum(player.people for player in state.players)


def buildings_out(state: State) -> list[int]:
    """Return how many of each building are built, by place."""
    return [
        sum(player.city >> place & 1 for player in state.players) for place in range(len(PLACES))
    ]


def next_to_act(state: State) -> int:
    """Return the player to move where only one is possible, the chooser in the phases of a role."""
    if state.phase == DRAFT_PHASE:
        return state.violet.bit_count() % state.config.seats
    if state.phase == ROLE_PHASE:
        return (state.governor + state.roles_taken) % state.config.seats
    if state.phase == OVER:
        # The player who took the last role of the round.
        return (state.governor + state.config.box.turns - 1) % state.config.seats
    return state.chooser


def ends_shown(state: State) -> tuple[str, ...]:
    """Return the visible reasons for the end: a full city, an empty pool."""
    ends = []
    if any(player.city_spaces <= 0 for player in state.players):
        ends.append(CITY_END)
    if state.vp_left <= 0:
        ends.append(VP_END)
    return tuple(ends)


# -- The laws


def broken_laws(state: State) -> Iterator[Broken]:
    """Yield why no game can lead to a state."""
    for laws in (_box, _boards, _kinds, _ships_and_house, _roles, _end, _phase):
        yield from laws(state)


def _box(state: State) -> Iterator[Broken]:
    """PR-SETUP-2, PR-SETUP-4: no more of anything than the box holds."""
    config, box = state.config, state.config.box
    for good, needed in enumerate(barrels_out(state)):
        has = {
            "goods": any(player.goods[good] for player in state.players),
            "cargo": good in state.cargo_goods,
            "trading-house": good in state.trading_house,
        }
        keys, barrels = " ".join(key for key in has if has[key]), f"barrels of {GOODS[good]}"
        yield from more_than_the_box(keys, barrels, config.barrels[good], needed)
    for tile, needed in enumerate(plantations_out(state)):
        have, plantations = config.plantations[tile], f"plantations of {GOODS[tile]}"
        first = "tile-discards " if state.discards[tile] else ""
        first = "tiles " if state.row[tile] > have else first
        keys = f"{first}island tiles tile-discards"
        yield from more_than_the_box(keys, plantations, have, needed)
    yield from more_than_the_box("island", "quarries", config.quarries, quarries_out(state))
    if (row := sum(state.row)) > config.row:
        most = f"With {config.seats} players at most {config.row} plantations are face up"
        yield "tiles", f"{most}, not {row}."
    people, have = people_out(state), box.colonists + box.ship
    if people + state.ship + state.supply != have:
        first = "ship " if state.ship > have else ""
        rest = f"{state.ship} are on the ship and {state.supply} in the supply"
        why = f"The box holds {have} colonists; the players have {people}, {rest}."
        yield f"{first}supply colonists san-juan ship", why


def _boards(state: State) -> Iterator[Broken]:
    """PR-MAYOR-3, PR-SETUP-6: no more than the boards have room for."""
    seated = list(zip(state.config.players, state.players, strict=True))
    for name, player in seated:
        for place, colonists in enumerate(player.colonists):
            circles = player.circles[place]
            if colonists > circles:
                on = f"{name} has {plural(circles, 'circle')} on {PLACES[place]}"
                yield "colonists", f"{on}, but {plural(colonists, 'colonist')} there.", name
    for name, player in seated:
        for key, most, free in (
            ("island", ISLAND_SPACES, player.island_spaces),
            ("city", CITY_SPACES, player.city_spaces),
        ):
            if free < 0:
                why = f"{name} has {most} spaces there, but this position needs {most - free}."
                yield key, why, name


def _kinds(state: State) -> Iterator[Broken]:
    """PR-SETUP-7, PR-DRAFT-1 to PR-DRAFT-3, PR-BUILDER-4."""
    chosen, is_draft = state.violet.bit_count(), state.phase == DRAFT_PHASE
    if is_draft and chosen >= VIOLET_KINDS:
        yield "violet", f"{chosen} violet kinds are chosen, so the draft is over."
    elif not is_draft and chosen != VIOLET_KINDS:
        yield "violet", f"{VIOLET_KINDS} violet kinds are in a game, not {chosen}."
    for cost, kinds in KINDS_OF_COST.items():
        count, most = (state.violet & kinds).bit_count(), PLACES_OF_COST[cost]
        if count > most:
            yield "violet", f"{most} violet kinds in a game cost {cost}, not {count}."
    if state.violet & BIT[HACIENDA] and state.violet & BIT[FOREST_HOUSE]:
        why = f"{PLACES[HACIENDA]} and {PLACES[FOREST_HOUSE]} are never in the same game."
        yield "violet", why
    copies = copies_of(state.config, state.violet)
    for place, needed in enumerate(buildings_out(state)):
        seated = zip(state.config.players, state.players, strict=True)
        owners = [name for name, one in seated if one.city & BIT[place]]
        last = owners[-1] if owners else ""
        yield from more_than_the_box("city", PLACES[place], copies[place], needed, last)


def _ships_and_house(state: State) -> Iterator[Broken]:
    """PR-CAPTAIN-3, PR-TRADER-4, PR-STORE-4."""
    for good in sorted({*state.cargo_goods} - {NO_GOOD}):
        if state.cargo_goods.count(good) > 1:
            yield "cargo", f"{GOODS[good]} is on two ships."
    for spaces, barrels in zip(state.config.box.cargo, state.cargo_barrels, strict=True):
        if barrels >= spaces and state.phase not in (CAPTAIN_PHASE, STORE_PHASE):
            why = f"The {spaces}-space ship cannot be full: the captain's phase empties full ships."
            yield "cargo", why, str(spaces)
    if state.phase != TRADER_PHASE and len(state.trading_house) >= HOUSE_SPACES:
        why = "The trader's phase empties a full trading house, so it cannot be full now."
        yield "trading-house", why


def _roles(state: State) -> Iterator[Broken]:
    """PR-ROUND-1, PR-ROLE-1, PR-TWO-2, PR-TURN-1, PR-ROLE-2, PR-DRAFT-1: how many cards each player
    has taken, the doubloons on cards, and the player to move if only one is possible.
    """
    players = state.config.players
    for role, seat in enumerate(state.taken):
        if seat != NOBODY and state.role_doubloons[role]:
            why = f"{players[seat]} has taken the {ROLES[role]}, and the doubloons on it."
            yield "role-doubloons", why, ROLES[role]
    yield from _taken(state)
    if state.phase in (DRAFT_PHASE, ROLE_PHASE, LIBRARY_PHASE, PRIVILEGE_PHASE):
        seat = next_to_act(state)
        if state.seat != seat:
            why = f"It is {players[seat]}'s turn here, not {players[state.seat]}'s."
            yield "to-move", why


def _taken(state: State) -> Iterator[Broken]:
    """Yield the first reason why the roles cannot have been taken like this."""
    config, players, taken = state.config, state.config.players, state.roles_taken
    turns, seats, governor = config.box.turns, config.seats, state.governor
    last = (governor + taken - 1) % seats
    so_far = f"Roles taken in this round: {taken}; as {players[governor]} is governor,"
    if state.phase == DRAFT_PHASE and (taken or state.round > 1):
        why = "The violet buildings are chosen before the first round begins."
        yield f"{'roles' if taken else 'round'} governor", why
    elif state.phase == OVER and not taken:
        return
    elif state.phase == ROLE_PHASE and taken >= turns:
        yield "roles", f"The round is over when {turns} roles are taken."
    elif state.phase == OVER and taken < turns:
        yield "roles", f"The game is over when {turns} roles are taken, not {taken}."
    elif state.role != NO_ROLE and state.taken[state.role] != state.chooser:
        why = f"{players[state.chooser]} is the chooser, and has taken the {ROLES[state.role]}."
        yield "roles chooser", why
    elif state.role != NO_ROLE and state.chooser != last:
        yield (
            "roles chooser governor round",
            f"{so_far} the last one is {players[last]}'s, not {players[state.chooser]}'s. Name all "
            "of them under 'roles'.",
        )
    else:
        for nth in range(seats):
            seat = (governor + nth) % seats
            due, count = (taken - nth + seats - 1) // seats, state.taken.count(seat)
            if count != due:
                why = f"{so_far} {players[seat]} has taken {due} of them, not {count}."
                yield "roles governor round", why


def _end(state: State) -> Iterator[Broken]:
    """PR-END-1 to PR-END-4; only the Black Market gives VP and colonists back."""
    shown = [*ends_shown(state), *([] if state.supply else [COLONISTS_END])]
    given_back = {VP_END, COLONISTS_END} if state.violet & BIT[BLACK_MARKET] else set()
    for reason in (CITY_END, VP_END):
        if reason in shown and reason not in state.end_triggered:
            said = f"{reason} is missing; a full city or an empty VP pool triggers the end."
            yield "end-triggered", said
    why = {
        CITY_END: "No city is full, so none has triggered the end.",
        VP_END: f"VP in the pool: {state.vp_pool}, so they have not triggered the end.",
        COLONISTS_END: f"Colonists in the supply: {state.supply}, so they have not triggered the "
        "end.",
    }
    for reason in state.end_triggered:
        if reason not in shown and reason not in given_back:
            yield "end-triggered", why[reason]
    if state.phase == OVER and not state.end_triggered:
        yield "phase", "Nothing has triggered the end; name what did under 'end-triggered'."


def _phase(state: State) -> Iterator[Broken]:
    """Yield what is missing for the phase."""
    config, chooser = state.config, state.config.players[state.chooser]
    if state.phase == DRAFT_PHASE and config.buildings != DRAFT:
        yield "phase", "Violet buildings are chosen only with the option 'buildings: draft'."
    if state.phase == LIBRARY_PHASE and not state.players[state.chooser].colonists[LIBRARY]:
        yield "phase", f"{chooser} has no occupied Library."
    if state.phase == CRAFTSMAN_PHASE and state.seat == state.chooser:
        if state.produced != NO_GOODS:
            yield "produced", f"{chooser} is to move, and has not produced yet."
    for key, place, seats in (
        ("wharf-used", WHARF, state.wharf_used),
        ("small-wharf-used", SMALL_WHARF, state.small_wharf_used),
    ):
        for seat in bits_of(seats):
            player, building = config.players[seat], PLACES[place]
            if not state.players[seat].city & BIT[place]:
                yield key, f"{player} has no {building}."
            elif not state.loaded >> seat & 1:
                why = f"{player} has used the {building}, so belongs under 'loaded'."
                yield key, why
