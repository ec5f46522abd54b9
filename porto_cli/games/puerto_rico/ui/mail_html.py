"""The table in the HTML of a mail: what lies in the middle, then island and city of each player."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.message import say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.components import (
    BUILDING_PLACES,
    BUILDING_VP,
    COST,
    FOREST,
    GOODS,
    HOUSE_SPACES,
    NO_GOOD,
    PLACES,
    QUARRY,
    ROLES,
    VIOLET_KINDS,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.observation import Observation, PlayerView
from porto_cli.games.puerto_rico.engine.setup import kinds_allowed
from porto_cli.games.puerto_rico.engine.state import BUILDER_PHASE, DRAFT_PHASE, NOBODY, OVER
from porto_cli.games.puerto_rico.ui.picture.shapes import colors
from porto_cli.term.inline_html import chip, grid, heading, paragraph, row_of
from porto_cli.term.svg import escaped


def mail_html(seen: Observation) -> str:
    """Return the table as pieces that mail programs leave as they are."""
    parts = [
        *(paragraph(sentence) for sentence in phrases.situation(seen)),
        heading(say("Roles")),
        _roles(seen),
        heading(say("Plantations")),
        row_of(_plantations(seen)),
        paragraph(
            say(
                "Face down: {stack}, discarded: {discards}.",
                stack=sum(seen.stack),
                discards=sum(seen.discards),
            ),
            soft=True,
        ),
        heading(say("Cargo ships")),
        _ships(seen),
        heading(say("Trading house")),
        row_of(_trading_house(seen)),
        heading(say("Supplies")),
        row_of(
            _chip(good, say("{good} {number}", good=GOODS[good], number=number))
            for good, number in enumerate(seen.goods_supply)
        ),
        paragraph(
            say(
                "Colonists on the ship: {ship}, in the supply: {supply}. VP in the pool: {vp}.",
                ship=seen.ship,
                supply=seen.supply,
                vp=seen.vp_pool,
            )
        ),
        heading(say("Players")),
        _players(seen),
        *(part for player in seen.players for part in _board(player)),
        paragraph(
            say("● is a colonist, ○ an empty circle. A number behind a building is its VP."),
            soft=True,
        ),
        *_buildings(seen),
    ]
    return "\n".join(parts)


def _chip(place: int, text: object) -> str:
    return chip(text, colors(place)[1])


def _roles(seen: Observation) -> str:
    rows = []
    for role in seen.config.box.roles:
        taker = seen.taken[role]
        told = say("free") if taker == NOBODY else say("{player}", player=seen.players[taker].name)
        name = escaped(ROLES[role])
        rows.append(
            (
                say("{role}, now", role=name) if role == seen.role else name,
                escaped(told),
                str(seen.role_doubloons[role] or ""),
            )
        )
    heads = (say("role"), say("taken by"), say("doubloons on it"))
    return grid(heads, [tuple(map(str, line)) for line in rows], (2,))


def _plantations(seen: Observation) -> list[str]:
    tiles = [
        _chip(kind, _times(PLACES[kind], number)) for kind, number in enumerate(seen.row) if number
    ]
    if seen.quarries:
        tiles.append(_chip(QUARRY, _times(PLACES[QUARRY], seen.quarries)))
    return tiles or [escaped(say("none"))]


def _times(name: str, number: int) -> str:
    return name if number == 1 else f"{name} ×{number}"


def _ships(seen: Observation) -> str:
    rows = [
        (
            escaped(say("ship of {spaces}", spaces=spaces)),
            _chip(good, GOODS[good]) if good != NO_GOOD else escaped(say("empty")),
            str(barrels),
            str(spaces - barrels),
        )
        for spaces, good, barrels in seen.cargo
    ]
    return grid((say("ship"), say("carries"), say("barrels"), say("room")), rows, (2, 3))


def _trading_house(seen: Observation) -> list[str]:
    free = HOUSE_SPACES - len(seen.trading_house)
    room = say("room for {free}", free=free) if free else say("full")
    return [*(_chip(good, GOODS[good]) for good in seen.trading_house), escaped(room)]


def _players(seen: Observation) -> str:
    rows = [
        (
            escaped(_named(seen, seat, player)),
            str(player.doubloons),
            str(say("secret") if player.vp is None else player.vp),
            str(player.san_juan),
        )
        for seat, player in enumerate(seen.players)
    ]
    heads = (say("player"), say("doubloons"), say("VP chips"), say("in San Juan"))
    return grid(heads, rows, (1, 2, 3))


def _named(seen: Observation, seat: int, player: PlayerView) -> object:
    if seat == seen.governor and seen.phase != OVER:
        return say("{player} (governor)", player=player.name)
    return player.name


def _board(player: PlayerView) -> list[str]:
    """Draw what a player has: barrels, island, city; each tile says who works on it."""
    barrels = [
        _chip(good, _times(GOODS[good], number))
        for good, number in enumerate(player.goods)
        if number
    ]
    island = [
        _chip(kind, f"{_times(PLACES[kind], number)}{_people(player, kind)}")
        for kind, number in enumerate(player.island[:FOREST])
        if number
    ]
    if player.forests:
        island.append(_chip(FOREST, _times(str(say("forest")), player.forests)))
    city = [
        _chip(place, f"{PLACES[place]}{_people(player, place)} {BUILDING_VP[place]}")
        for place in buildings_in(player.city)
    ]
    return [
        heading(say("Board of {player}", player=player.name)),
        row_of([f"{escaped(say('Barrels:'))}", *_or_none(barrels)]),
        row_of(
            [
                f"{escaped(say('Island, {free} free:', free=player.island_spaces))}",
                *_or_none(island),
            ]
        ),
        row_of([f"{escaped(say('City, {free} free:', free=player.city_spaces))}", *_or_none(city)]),
    ]


def _or_none(pieces: Sequence[str]) -> Sequence[str]:
    return pieces or [escaped(say("none"))]


def _people(player: PlayerView, place: int) -> str:
    """Return the circles of a kind of tile or a building, those with colonists first."""
    circles, colonists = player.circles[place], player.colonists[place]
    return f" {'●' * colonists}{'○' * (circles - colonists)}" if circles else ""


def _buildings(seen: Observation) -> list[str]:
    if seen.phase == DRAFT_PHASE:
        chosen = buildings_in(seen.violet)
        return [
            heading(
                say("Chosen for the game: {count} of {all}", count=len(chosen), all=VIOLET_KINDS)
            ),
            row_of(_or_none([_chip(place, PLACES[place]) for place in chosen])),
            heading(say("Can be chosen, with their cost")),
            row_of(
                _chip(place, f"{PLACES[place]} {COST[place]}")
                for place in buildings_in(kinds_allowed(seen.violet))
            ),
        ]
    if seen.phase == OVER:
        return []
    mover = seen.to_move[0] if seen.phase == BUILDER_PHASE else None
    offered = [place for place in BUILDING_PLACES if seen.copies[place]]
    rows = [
        (
            _chip(place, PLACES[place]),
            str(COST[place] if mover is None else price(seen, mover, place)),
            str(BUILDING_VP[place]),
            str(seen.copies[place]),
        )
        for place in sorted(offered, key=lambda place: (COST[place], place))
    ]
    parts = [heading(say("Buildings"))]
    if mover is not None:
        player = seen.players[mover].name
        parts.append(paragraph(say("The cost is what {player} pays now.", player=player)))
    return [*parts, grid((say("building"), say("cost"), say("VP"), say("left")), rows, (1, 2, 3))]
