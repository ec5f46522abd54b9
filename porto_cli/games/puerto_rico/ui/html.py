"""The table as one page: the picture, and the same in words and tables."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.message import Sentence, say
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
from porto_cli.games.puerto_rico.ui.page import pictures, reckoning, shapes, style, swatch
from porto_cli.games.puerto_rico.ui.picture.panels import panels
from porto_cli.games.puerto_rico.ui.scoring import standings
from porto_cli.games.puerto_rico.ui.svg import GAME
from porto_cli.term.page import grid, page, row, section
from porto_cli.term.svg import escaped


def html(
    seen: Observation,
    *,
    title: str = "",
    fingerprint: str = "",
    last: Sequence[Sentence] = (),
) -> str:
    """Return the table as an HTML document that works without scripts and without a network.

    ``last`` tells what happened last.
    """
    shown = panels(seen)
    painted = [(panel.picture, panel.picture.drawn()) for panel in shown]
    body = [
        "<header>",
        f"<h1>{escaped(title or GAME)}</h1>",
        *(f"<p><b>{escaped(sentence)}</b></p>" for sentence in phrases.situation(seen)),
        *([f"<p>{escaped(' '.join(map(str, last)))}</p>"] if last else []),
        "</header>",
        "<main>",
        shapes(),
        *pictures(shown, painted),
        *section(say("Players"), _players(seen)),
        '<div class="words">',
        *section(say("Roles"), _roles(seen)),
        *section(say("Plantations"), _plantations(seen)),
        *section(say("Cargo ships"), _ships(seen)),
        *section(say("Trading house"), _house(seen)),
        *section(say("Supplies"), _supplies(seen)),
        *(line for player in seen.players for line in _board(player)),
        *section(say("Buildings"), _buildings(seen)),
        "</div>",
        *section(say("Where the VP come from"), reckoning(standings(seen))),
        "</main>",
        "<footer>",
        *([_fingerprint(fingerprint)] if fingerprint else []),
        "</footer>",
    ]
    return page(title or GAME, body, style())


def _fingerprint(fingerprint: str) -> str:
    return f"<p>{escaped(say('Fingerprint of the game: {hash}', hash=fingerprint))}</p>"


def _number(number: object) -> str:
    return f'<td class="n">{number}</td>'


def _list(items: Sequence[str]) -> list[str]:
    return ["<ul>", *(f"<li>{item}</li>" for item in items), "</ul>"]


# -- the players


def _players(seen: Observation) -> list[str]:
    rows = [
        row(
            f'<th scope="row">{escaped(_named(seen, seat, player))}</th>',
            _number(player.doubloons),
            _number(say("secret") if player.vp is None else player.vp),
            _number(player.san_juan),
        )
        for seat, player in enumerate(seen.players)
    ]
    return grid(("player", "doubloons", "VP chips", "in San Juan"), rows)


def _named(seen: Observation, seat: int, player: PlayerView) -> Sentence:
    if seat == seen.governor and seen.phase != OVER:
        return say("{player} (governor)", player=player.name)
    return say("{player}", player=player.name)


def _counted(counts: bytes) -> str:
    """Return goods or plantations with their numbers, each on its color."""
    held = [
        swatch(kind, PLACES[kind] if number == 1 else f"{PLACES[kind]} {number}")
        for kind, number in enumerate(counts)
        if number
    ]
    return " ".join(held) or str(say("none"))


def _board(player: PlayerView) -> list[str]:
    """What a player has: barrels, and island and city tile by tile, building by building."""
    rows = [
        row(
            f'<th scope="row">{swatch(kind, _tiles(kind, number))}</th>',
            f"<td>{_occupied(player, kind)}</td>",
            "<td></td>",
        )
        for kind, number in enumerate(player.island[:FOREST])
        if number
    ]
    if player.forests:
        rows.append(
            row(
                f'<th scope="row">{swatch(FOREST, say("{n} forest", n=player.forests))}</th>',
                "<td></td>",
                "<td></td>",
            )
        )
    rows += [
        row(
            f'<th scope="row">{swatch(place, PLACES[place])}</th>',
            f"<td>{_occupied(player, place)}</td>",
            _number(BUILDING_VP[place]),
        )
        for place in buildings_in(player.city)
    ]
    spaces = say(
        "Free spaces: {island} on the island, {city} in the city.",
        island=player.island_spaces,
        city=player.city_spaces,
    )
    return [
        "<section>",
        f"<h2>{escaped(say('Board of {player}', player=player.name))}</h2>",
        f"<p>{say('Barrels:')} {_counted(player.goods)}</p>",
        *(grid(("tile or building", "occupied", "VP"), rows) if rows else []),
        f'<p class="soft">{spaces}</p>',
        "</section>",
    ]


def _tiles(kind: int, number: int) -> str:
    return PLACES[kind] if number == 1 else f"{number} {PLACES[kind]}"


def _occupied(player: PlayerView, place: int) -> Sentence | str:
    if not player.circles[place]:
        return ""
    return say(
        "{colonists} of {circles}",
        colonists=player.colonists[place],
        circles=player.circles[place],
    )


# -- the middle of the table


def _roles(seen: Observation) -> list[str]:
    items = []
    for role in seen.config.box.roles:
        taker, doubloons = seen.taken[role], seen.role_doubloons[role]
        facts: dict[str, object] = {"role": ROLES[role]}
        if taker != NOBODY:
            told = say("{role}: taken by {player}", player=seen.players[taker].name, **facts)
        elif doubloons:
            told = say(
                "{role}: free, with {doubloons}", doubloons=phrases.doubloons(doubloons), **facts
            )
        else:
            told = say("{role}: free", **facts)
        items.append(f"<b>{escaped(told)}</b>" if role == seen.role else escaped(told))
    return _list(items)


def _plantations(seen: Observation) -> list[str]:
    quarries = swatch(QUARRY, say("quarry {count}", count=seen.quarries))
    return [
        f"<p>{_counted(seen.row)}</p>",
        *([f"<p>{quarries}</p>"] if seen.quarries else []),
        "<p>",
        str(
            say(
                "Face down: {stack}, discarded: {discards}.",
                stack=sum(seen.stack),
                discards=sum(seen.discards),
            )
        ),
        "</p>",
    ]


def _ships(seen: Observation) -> list[str]:
    rows = [
        row(
            f'<th scope="row" class="n">{spaces}</th>',
            f"<td>{swatch(good, GOODS[good]) if good != NO_GOOD else say('empty')}</td>",
            _number(barrels),
            _number(spaces - barrels),
        )
        for spaces, good, barrels in seen.cargo
    ]
    return grid(("spaces", "carries", "barrels", "room"), rows)


def _house(seen: Observation) -> list[str]:
    free = HOUSE_SPACES - len(seen.trading_house)
    held = " ".join(swatch(good, GOODS[good]) for good in seen.trading_house)
    room = say("room for {free}", free=free) if free else say("full")
    return [f"<p>{held} {room}</p>"]


def _supplies(seen: Observation) -> list[str]:
    rows = [
        row(f'<th scope="row">{swatch(good, GOODS[good])}</th>', _number(number))
        for good, number in enumerate(seen.goods_supply)
    ]
    told = say(
        "Colonists on the ship: {ship}, in the supply: {supply}. VP in the pool: {vp}.",
        ship=seen.ship,
        supply=seen.supply,
        vp=seen.vp_pool,
    )
    return [f"<p>{told}</p>", *grid(("barrels", "left"), rows)]


def _buildings(seen: Observation) -> list[str]:
    if seen.phase == DRAFT_PHASE:
        return _draft(seen)
    mover = seen.to_move[0] if seen.phase == BUILDER_PHASE else None
    offered = [place for place in BUILDING_PLACES if seen.copies[place]]
    rows = [
        row(
            f'<th scope="row">{swatch(place, PLACES[place])}</th>',
            _number(COST[place] if mover is None else price(seen, mover, place)),
            _number(BUILDING_VP[place]),
            _number(seen.copies[place]),
        )
        for place in sorted(offered, key=lambda place: (COST[place], place))
    ]
    heads = ("building", "cost", "VP", "left")
    if mover is None:
        return grid(heads, rows)
    note = say("The cost is what {player} pays now.", player=seen.players[mover].name)
    return [f"<p>{escaped(note)}</p>", *grid(heads, rows)]


def _draft(seen: Observation) -> list[str]:
    chosen = buildings_in(seen.violet)
    told = say("Chosen for the game: {count} of {all}", count=len(chosen), all=VIOLET_KINDS)
    return [
        f"<h3>{told}</h3>",
        *_list([swatch(place, PLACES[place]) for place in chosen]),
        f"<h3>{say('Can be chosen')}</h3>",
        *_list(
            [
                f"{swatch(place, PLACES[place])} {COST[place]}"
                for place in buildings_in(kinds_allowed(seen.violet))
            ]
        ),
    ]
