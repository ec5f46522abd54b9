"""The table as plain sentences, for screen readers and for mail: no drawing, one thing a line."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.components import (
    BUILDING_PLACES,
    CITY_SPACES,
    COST,
    FOREST,
    GOODS,
    HOUSE_SPACES,
    ISLAND_SPACES,
    NO_GOOD,
    PLACES,
    ROLES,
    VIOLET_KINDS,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.observation import Observation, PlayerView
from porto_cli.games.puerto_rico.engine.setup import kinds_allowed
from porto_cli.games.puerto_rico.engine.state import BUILDER_PHASE, DRAFT_PHASE, NOBODY, OVER
from porto_cli.games.puerto_rico.ui.score_text import notes, standing_sentence
from porto_cli.games.puerto_rico.ui.scoring import standings


def plain(
    seen: Observation,
    *,
    title: str = "",
    fingerprint: str = "",
    last: Sequence[Sentence] = (),
) -> list[str]:
    """Return the table as lines of whole sentences; ``last`` tells what happened last."""
    lines = [title] if title else []
    lines.append(_joined(phrases.situation(seen)))
    if last:
        lines.append(_joined([say("Last:"), *last]))
    if seen.phase == OVER:
        reckoned = standings(seen)
        lines += [str(standing_sentence(player)) for player in reckoned.players]
        lines += map(str, notes(reckoned))
    else:
        lines += [str(sentence) for sentence in _roles(seen)]
    lines += [str(sentence) for sentence in _middle(seen)]
    for seat, player in enumerate(seen.players):
        lines += [str(sentence) for sentence in _player(seen, seat, player)]
    lines += [str(sentence) for sentence in _buildings(seen)]
    if fingerprint:
        lines.append(str(say("Fingerprint: {fingerprint}", fingerprint=fingerprint)))
    return lines


def _joined(sentences: Sequence[Sentence]) -> str:
    return " ".join(map(str, sentences))


def _roles(seen: Observation) -> list[Sentence]:
    free, taken = [], []
    for role in seen.config.box.roles:
        taker, doubloons = seen.taken[role], seen.role_doubloons[role]
        if taker != NOBODY:
            name = seen.players[taker].name
            taken.append(str(say("{role} by {player}", role=ROLES[role], player=name)))
        elif doubloons:
            with_them = phrases.doubloons(doubloons)
            free.append(str(say("{role} with {doubloons}", role=ROLES[role], doubloons=with_them)))
        else:
            free.append(ROLES[role])
    found = []
    if free:
        found.append(say("Roles to take: {roles}.", roles=", ".join(free)))
    if taken:
        found.append(say("Roles taken in this round: {roles}.", roles=", ".join(taken)))
    return found


def _middle(seen: Observation) -> list[Sentence]:
    found = [
        say("Face-up plantations: {tiles}.", tiles=phrases.tiles(seen.row)),
        say(
            "Plantations face down: {stack}, discarded: {discards}. Quarries left: {quarries}.",
            stack=sum(seen.stack),
            discards=sum(seen.discards),
            quarries=seen.quarries,
        ),
        say(
            "Colonists on the ship: {ship}, in the supply: {supply}. VP in the pool: {vp}.",
            ship=seen.ship,
            supply=seen.supply,
            vp=seen.vp_pool,
        ),
    ]
    found += [_ship(*ship) for ship in seen.cargo]
    found.append(_house(seen))
    found.append(
        say("Barrels in the supply: {goods}.", goods=phrases.goods(seen.goods_supply)),
    )
    return found


def _ship(spaces: int, good: int, barrels: int) -> Sentence:
    if good == NO_GOOD:
        return say("The cargo ship of {spaces} is empty.", spaces=spaces)
    facts: dict[str, object] = {
        "spaces": spaces,
        "barrels": barrels,
        "good": GOODS[good],
        "room": spaces - barrels,
    }
    if barrels >= spaces:
        return say("The cargo ship of {spaces} is full of {good}.", **facts)
    return say(
        "The cargo ship of {spaces} carries {barrels} {good} and has room for {room}.", **facts
    )


def _house(seen: Observation) -> Sentence:
    house = seen.trading_house
    free = HOUSE_SPACES - len(house)
    if not house:
        return say("The trading house is empty and has room for {free}.", free=free)
    held = phrases.both([GOODS[good] for good in house])
    if not free:
        return say("The trading house is full: {goods}.", goods=held)
    return say("The trading house holds {goods} and has room for {free}.", goods=held, free=free)


def _player(seen: Observation, seat: int, player: PlayerView) -> list[Sentence]:
    facts: dict[str, object] = {
        "player": player.name,
        "doubloons": phrases.doubloons(player.doubloons),
        "goods": phrases.goods(player.goods),
        "vp": player.vp,
    }
    if player.vp is None:
        found = [say("{player}: {doubloons}; {goods}.", **facts)]
    else:
        found = [say("{player}: {doubloons}; {vp} VP; {goods}.", **facts)]
    if seat == seen.governor and seen.phase != OVER:
        found.append(say("{player} is governor.", **facts))
    found.append(
        say(
            "Island of {player}, {used} of {spaces} spaces: {tiles}.",
            player=player.name,
            used=ISLAND_SPACES - player.island_spaces,
            spaces=ISLAND_SPACES,
            tiles=", ".join(map(str, _tiles(player))) or say("nothing"),
        )
    )
    found.append(
        say(
            "City of {player}, {used} of {spaces} spaces: {buildings}.",
            player=player.name,
            used=CITY_SPACES - player.city_spaces,
            spaces=CITY_SPACES,
            buildings=", ".join(
                str(_manned(place, PLACES[place], player)) for place in buildings_in(player.city)
            )
            or say("nothing"),
        )
    )
    if player.san_juan:
        found.append(
            say(
                "Colonists of {player} in San Juan: {count}.",
                player=player.name,
                count=player.san_juan,
            )
        )
    return found


def _tiles(player: PlayerView) -> list[Sentence]:
    found = []
    for tile, number in enumerate(player.island[:FOREST]):
        if number:
            name = PLACES[tile] if number == 1 else f"{number} {PLACES[tile]}"
            found.append(_manned(tile, name, player))
    if player.forests:
        found.append(say("{count} forest", count=player.forests))
    return found


def _manned(place: int, name: str, player: PlayerView) -> Sentence:
    """Return a tile or a building, and how far it is occupied (PR-OCCUPIED-1)."""
    facts: dict[str, object] = {
        "name": name,
        "colonists": player.colonists[place],
        "circles": player.circles[place],
    }
    if not player.circles[place]:
        return say("{name}", **facts)
    if not player.colonists[place]:
        return say("{name} (not occupied)", **facts)
    if player.colonists[place] == player.circles[place]:
        return say("{name} (occupied)", **facts)
    return say("{name} ({colonists} of {circles} occupied)", **facts)


def _buildings(seen: Observation) -> list[Sentence]:
    if seen.phase == DRAFT_PHASE:
        return _draft(seen)
    left = [place for place in BUILDING_PLACES if seen.copies[place]]
    if seen.phase == BUILDER_PHASE:
        mover = seen.to_move[0]
        return [
            say(
                "Buildings that are left, with what {player} pays now: {buildings}.",
                player=seen.players[mover].name,
                buildings=", ".join(
                    f"{PLACES[place]} {price(seen, mover, place)}" for place in left
                ),
            )
        ]
    if seen.phase == OVER or not left:
        return []
    return [
        say(
            "Buildings that are left, with their cost and the copies: {buildings}.",
            buildings=", ".join(
                str(
                    say(
                        "{building} {cost} ({copies} left)",
                        building=PLACES[place],
                        cost=COST[place],
                        copies=seen.copies[place],
                    )
                )
                for place in left
            ),
        )
    ]


def _draft(seen: Observation) -> list[Sentence]:
    chosen = [PLACES[place] for place in buildings_in(seen.violet)]
    allowed = buildings_in(kinds_allowed(seen.violet))
    return [
        say(
            "Buildings chosen, {count} of {all}: {buildings}.",
            count=len(chosen),
            all=VIOLET_KINDS,
            buildings=", ".join(chosen) or say("none"),
        ),
        say(
            "Buildings that can be chosen, with their cost: {buildings}.",
            buildings=", ".join(f"{PLACES[place]} {COST[place]}" for place in allowed),
        ),
    ]
