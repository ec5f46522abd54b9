"""Consistency checks: why no game can lead to a position, and how much of the box it uses.

Only what a position shows is checked, and only what is certainly impossible. Earlier turns, VP and
money may be left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    BLACK_MARKET,
    BUILDING_PLACES,
    CITY_SPACES,
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
from porto_cli.games.puerto_rico.engine.setup import KINDS_OF_COST, PLACES_OF_COST, copies_of
from porto_cli.games.puerto_rico.engine.state import (
    CAPTAIN_PHASE,
    CITY_END,
    COLONISTS_END,
    CRAFTSMAN_PHASE,
    DRAFT,
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
from porto_cli.scenario.cases import Fault, fault


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
    """Return the plantations of each kind that are not in the stack, forests included."""
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
        sum(bool(player.city & BIT[place]) for player in state.players)
        if place in BUILDING_PLACES
        else 0
        for place in range(len(PLACES))
    ]


def faults(state: State) -> Iterator[Fault]:
    """Return why no game can lead to a state; nothing if one can."""
    yield from _barrels(state)
    yield from _tiles(state)
    yield from _colonists(state)
    yield from _boards(state)
    yield from _kinds(state)
    yield from _cargo(state)
    yield from _roles(state)
    yield from _to_move(state)
    yield from _end(state)
    yield from _phase(state)


def next_to_act(state: State) -> int:
    """Return who is to move where only one can be, the chooser in the phases of a role."""
    if state.phase == DRAFT_PHASE:
        return state.violet.bit_count() % state.config.seats
    if state.phase == ROLE_PHASE:
        return (state.governor + state.roles_taken) % state.config.seats
    if state.phase == OVER:
        # Whoever has played the last role of the round.
        return (state.governor + state.config.box.turns - 1) % state.config.seats
    return state.chooser


def ends_shown(state: State) -> tuple[str, ...]:
    """Return the reasons to end that can be seen: a full city, an empty pool."""
    ends = []
    if any(player.city_spaces <= 0 for player in state.players):
        ends.append(CITY_END)
    if state.vp_left <= 0:
        ends.append(VP_END)
    return tuple(ends)


def _barrels(state: State) -> Iterator[Fault]:
    """PR-SETUP-2: no more barrels than the box holds."""
    for good, needed in enumerate(barrels_out(state)):
        have = state.config.barrels[good]
        if needed > have:
            places = {
                "goods": any(player.goods[good] for player in state.players),
                "cargo": good in state.cargo_goods,
                "trading-house": good in state.trading_house,
            }
            yield fault(
                "{key}: the box holds {have} barrels of {good}, and this position needs {needed}.",
                *[key for key, has in places.items() if has],
                have=have,
                good=GOODS[good],
                needed=needed,
            )


def _tiles(state: State) -> Iterator[Fault]:
    """PR-SETUP-4: no more tiles than the box holds."""
    for tile, needed in enumerate(plantations_out(state)):
        have = state.config.plantations[tile]
        if needed > have:
            keys = ["island", "tiles", "tile-discards"]
            if state.row[tile] > have:
                keys.insert(0, "tiles")
            elif state.discards[tile]:
                keys.insert(0, "tile-discards")
            yield fault(
                "{key}: the box holds {have} plantations of {tile}, and this position needs "
                "{needed}.",
                *keys,
                have=have,
                tile=GOODS[tile],
                needed=needed,
            )
    quarries = quarries_out(state)
    if quarries > state.config.quarries:
        yield fault(
            "{key}: the box holds {have} quarries, and this position needs {needed}.",
            "island",
            have=state.config.quarries,
            needed=quarries,
        )
    if sum(state.row) > state.config.row:
        yield fault(
            "{key}: with {players} players at most {most} plantations lie face up, not {count}.",
            "tiles",
            players=state.config.seats,
            most=state.config.row,
            count=sum(state.row),
        )


def _colonists(state: State) -> Iterator[Fault]:
    """PR-SETUP-2, PR-MAYOR-3."""
    box = state.config.box
    people = people_out(state)
    have = box.colonists + box.ship
    needed = people + state.ship + state.supply
    if needed != have:
        keys = ["supply", "colonists", "san-juan", "ship"]
        if state.ship > have:
            keys.insert(0, "ship")
        yield fault(
            "{key}: the box holds {have} colonists; this position has {people} of the players, "
            "{ship} on the ship and {supply} in the supply.",
            *keys,
            have=have,
            people=people,
            ship=state.ship,
            supply=state.supply,
        )
    for name, player in zip(state.config.players, state.players, strict=True):
        for place, colonists in enumerate(player.colonists):
            if colonists > player.circles[place]:
                yield fault(
                    "{key}: circles of {player} on {place}: {circles}; colonists there: "
                    "{colonists}.",
                    "colonists",
                    entry=name,
                    player=name,
                    circles=player.circles[place],
                    place=PLACES[place],
                    colonists=colonists,
                )


def _boards(state: State) -> Iterator[Fault]:
    """PR-SETUP-6: no more than the boards have spaces for."""
    for name, player in zip(state.config.players, state.players, strict=True):
        for key, most, free in (
            ("island", ISLAND_SPACES, player.island_spaces),
            ("city", CITY_SPACES, player.city_spaces),
        ):
            if free < 0:
                yield fault(
                    "{key}: {player} has {most} spaces there, and this position needs {needed}.",
                    key,
                    entry=name,
                    player=name,
                    most=most,
                    needed=most - free,
                )


def _kinds(state: State) -> Iterator[Fault]:
    """PR-SETUP-7, PR-DRAFT-1 to PR-DRAFT-3, PR-BUILDER-4."""
    chosen = state.violet.bit_count()
    if state.phase == DRAFT_PHASE and chosen >= VIOLET_KINDS:
        yield fault(
            "{key}: {chosen} violet kinds are chosen, so that the draft is over.",
            "violet",
            chosen=chosen,
        )
    elif state.phase != DRAFT_PHASE and chosen != VIOLET_KINDS:
        yield fault(
            "{key}: {most} violet kinds are in a game, not {chosen}.",
            "violet",
            most=VIOLET_KINDS,
            chosen=chosen,
        )
    for cost, kinds in KINDS_OF_COST.items():
        count = (state.violet & kinds).bit_count()
        if count > PLACES_OF_COST[cost]:
            yield fault(
                "{key}: the violet kinds in a game that cost {cost} are {most}, not {count}.",
                "violet",
                cost=cost,
                most=PLACES_OF_COST[cost],
                count=count,
            )
    if state.violet & BIT[HACIENDA] and state.violet & BIT[FOREST_HOUSE]:
        yield fault(
            "{key}: {one} and {other} are never in the same game.",
            "violet",
            one=PLACES[HACIENDA],
            other=PLACES[FOREST_HOUSE],
        )
    copies = copies_of(state.config, state.violet)
    for place, needed in enumerate(buildings_out(state)):
        if needed > copies[place]:
            owner = max(seat for seat, one in enumerate(state.players) if one.city & BIT[place])
            yield fault(
                "{key}: this game has {have} of {building}, and this position needs {needed}.",
                "city",
                entry=state.config.players[owner],
                have=copies[place],
                building=PLACES[place],
                needed=needed,
            )


def _cargo(state: State) -> Iterator[Fault]:
    """PR-CAPTAIN-3, PR-TRADER-4, PR-STORE-4."""
    for good in sorted(set(state.cargo_goods) - {NO_GOOD}):
        if state.cargo_goods.count(good) > 1:
            yield fault("{key}: {good} is on two ships.", "cargo", good=GOODS[good])
    if state.phase not in (CAPTAIN_PHASE, STORE_PHASE):
        for spaces, barrels in zip(state.config.box.cargo, state.cargo_barrels, strict=True):
            if barrels >= spaces:
                yield fault(
                    "{key}: a full ship is emptied at the end of the captain's phase, so that the "
                    "one of {spaces} cannot be full now.",
                    "cargo",
                    entry=str(spaces),
                    spaces=spaces,
                )
    if state.phase != TRADER_PHASE and len(state.trading_house) >= HOUSE_SPACES:
        yield fault(
            "{key}: a full trading house is emptied at the end of the trader's phase, so that it "
            "cannot be full now.",
            "trading-house",
        )


def _roles(state: State) -> Iterator[Fault]:
    """PR-ROUND-1, PR-ROLE-1, PR-TWO-2: who has taken how many cards, and on which is money."""
    config = state.config
    turns, seats, taken = config.box.turns, config.seats, state.roles_taken
    for role, seat in enumerate(state.taken):
        if seat != NOBODY and state.role_doubloons[role]:
            yield fault(
                "{key}: {player} has taken the {role}, and the doubloons on it.",
                "role-doubloons",
                entry=ROLES[role],
                player=config.players[seat],
                role=ROLES[role],
            )
    if state.phase == DRAFT_PHASE and (taken or state.round > 1):
        yield fault(
            "{key}: the violet buildings are chosen before the first round begins.",
            "roles" if taken else "round",
            "governor",
        )
        return
    if state.phase == OVER and not taken:
        return
    if state.phase == ROLE_PHASE and taken >= turns:
        yield fault(
            "{key}: the round is over when {turns} roles are taken.",
            "roles",
            turns=turns,
        )
        return
    if state.phase == OVER and taken < turns:
        yield fault(
            "{key}: the game is over when {turns} roles are taken, not {taken}.",
            "roles",
            turns=turns,
            taken=taken,
        )
        return
    if state.role != NO_ROLE and state.taken[state.role] != state.chooser:
        yield fault(
            "{key}: in phase {phase} {chooser} is the chooser, and has taken the {role}.",
            "roles",
            "chooser",
            phase=state.phase,
            chooser=config.players[state.chooser],
            role=ROLES[state.role],
        )
        return
    last = (state.governor + taken - 1) % seats
    if state.role != NO_ROLE and state.chooser != last:
        yield fault(
            "{key}: roles taken in this round: {taken}; as {governor} is governor, the last one is "
            "that of {last}, not of {chooser}. Name all of them under 'roles'.",
            "roles",
            "chooser",
            "governor",
            "round",
            governor=config.players[state.governor],
            taken=taken,
            last=config.players[last],
            chooser=config.players[state.chooser],
        )
        return
    for nth in range(seats):
        seat = (state.governor + nth) % seats
        due = (taken - nth + seats - 1) // seats
        if state.taken.count(seat) != due:
            yield fault(
                "{key}: roles taken in this round: {taken}; as {governor} is governor, {player} "
                "has taken {due} of them, not {count}.",
                "roles",
                "governor",
                "round",
                governor=config.players[state.governor],
                taken=taken,
                player=config.players[seat],
                due=due,
                count=state.taken.count(seat),
            )


def _to_move(state: State) -> Iterator[Fault]:
    """PR-TURN-1, PR-ROLE-2, PR-DRAFT-1: where only one player can be to move."""
    config = state.config
    if state.phase not in (DRAFT_PHASE, ROLE_PHASE, LIBRARY_PHASE, PRIVILEGE_PHASE):
        return
    seat = next_to_act(state)
    if state.seat != seat:
        yield fault(
            "{key}: it is for {player} to decide here, not for {other}.",
            "to-move",
            player=config.players[seat],
            other=config.players[state.seat],
        )


def _end(state: State) -> Iterator[Fault]:
    """PR-END-1 to PR-END-4; only the Black Market gives VP and colonists back."""
    shown = [*ends_shown(state), *([] if state.supply else [COLONISTS_END])]
    given_back = {VP_END, COLONISTS_END} if state.violet & BIT[BLACK_MARKET] else set()
    for reason in (CITY_END, VP_END):
        if reason in shown and reason not in state.end_triggered:
            yield fault(
                "{key}: {reason} is missing; a full city, and an empty pool of VP, trigger the "
                "end.",
                "end-triggered",
                reason=reason,
            )
    for reason in state.end_triggered:
        if reason not in shown and reason not in given_back:
            yield fault(
                {
                    CITY_END: "{key}: no city is full, so that none has triggered the end.",
                    VP_END: "{key}: VP in the pool: {vp}; so they have not triggered the end.",
                    COLONISTS_END: "{key}: colonists in the supply: {supply}; so they have not "
                    "triggered the end.",
                }[reason],
                "end-triggered",
                vp=state.vp_pool,
                supply=state.supply,
            )
    if state.phase == OVER and not state.end_triggered:
        yield fault(
            "{key}: the game is over, but nothing has triggered its end; name it under "
            "'end-triggered'.",
            "phase",
        )


def _phase(state: State) -> Iterator[Fault]:
    """What a phase requires."""
    config = state.config
    if state.phase == DRAFT_PHASE and config.buildings != DRAFT:
        yield fault(
            "{key}: the violet buildings are chosen only with the option 'buildings: draft'.",
            "phase",
        )
    if state.phase == LIBRARY_PHASE and not state.players[state.chooser].colonists[LIBRARY]:
        yield fault(
            "{key}: {chooser} has no occupied Library.",
            "phase",
            chooser=config.players[state.chooser],
        )
    if state.phase == CRAFTSMAN_PHASE and state.seat == state.chooser:
        if state.produced != NO_GOODS:
            yield fault(
                "{key}: {chooser} is to move, and has not produced yet.",
                "produced",
                chooser=config.players[state.chooser],
            )
    for key, place, seats in (
        ("wharf-used", WHARF, state.wharf_used),
        ("small-wharf-used", SMALL_WHARF, state.small_wharf_used),
    ):
        for seat, name in enumerate(config.players):
            if not seats >> seat & 1:
                continue
            if not state.players[seat].city & BIT[place]:
                yield fault(
                    "{key}: {player} has no {building}.", key, player=name, building=PLACES[place]
                )
            elif not state.loaded >> seat & 1:
                yield fault(
                    "{key}: {player} has used the {building}, and so belongs under 'loaded'.",
                    key,
                    player=name,
                    building=PLACES[place],
                )
