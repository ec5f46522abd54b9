"""What of the table is above a question of ``porto play``, see :mod:`porto_cli.scene`.

Every row is in words where they fit, at last without the margins of chips. Where they do not there
is one rule for all of them: of a name the first two words are cut to three letters each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from porto_cli.core.message import plural
from porto_cli.games.puerto_rico.engine.components import CITY_SPACES, HOUSE_SPACES, ISLAND_SPACES
from porto_cli.games.puerto_rico.phrases import end_triggered
from porto_cli.games.puerto_rico.render import (
    buildings,
    counted,
    drawn,
    goal,
    hand,
    kinds_of,
    left,
    ships,
    situation,
    tag,
    tiles,
    winners,
)
from porto_cli.paper import BOLD, DIM, PLAIN, Chunk, described, line_of, put, spans
from porto_cli.scene import HEAD, Draw, Form, Pane, exactly
from porto_cli.term.screen import Screen
from porto_cli.term.spans import Line, cells, cut, flow

_NEW = "bold #ff3b30"
"""What a move would add."""
_WIDE = 72
"""Columns from which the numbers of a player are in words."""
_NAME = 10
"""Columns of a player's name at most."""

View = Mapping[str, Any]


def panes(seen: dict[str, Any], after: View, shown: int) -> list[Pane]:
    """Return the table, with the boards of the player who sits at ``shown``, or of all; ``after``
    is it after a move that is not made yet.

    First there is what every decision needs: the roles, tiles and ships, what all players have in
    hand, and the boards of one. With more rows the roles and the city of that player get two, and
    there are the supply, the other boards and the buildings to be had, then two rows for cities.
    """
    people = len(seen["players"])
    boards = partial(_boards, seen, after)
    names = [player["name"] for player in seen["players"]]
    takers = {one: cut(one, _NAME) for one in names}, _initials(names), dict.fromkeys(names, "·")
    cards = [_roles(seen, some) for some in takers]
    sold = _sold(seen)
    cargo = [*ships(seen).chunks, sold], [*_brief_ships(seen), sold]
    everybody, two = range(people), [shown] if people == 2 else []
    return [
        [
            Form(1, 1, _row("Roles", *cards, gap=2)),
            Form(6, 2, _row("Roles", *cards, rows=2, gap=2)),
        ],
        [Form(2, 1, _row("Tiles", tiles(seen).chunks, _brief_tiles(seen)))],
        [Form(3, 1, _row("Ships", *cargo, gap=2))],
        [Form(8, 1, _row("Supply", counted(seen["goods_supply"])))],
        [Form(4, people, partial(_hands, seen))],
        [
            Form(5, 2, partial(boards, [shown], [])),
            Form(7, 3, partial(boards, [shown], [shown])),
            Form(9, 2 * people + len(two), partial(boards, everybody, two), built=True),
            Form(11, 3 * people, partial(boards, everybody, everybody), built=True),
        ],
        [Form(10, 6, partial(_to_buy, seen)), Form(12, 8, partial(_to_buy, seen))],
    ]


def title(seen: dict[str, Any]) -> list[str]:
    """Return how far the game is, and what is left until each of its ends; then whether one of
    them has come.
    """
    if seen["phase"] == "over":
        return [winners(seen)]
    when = "Before round 1" if seen["phase"] == "draft" else f"Round {seen['round']}"
    if seen["role"]:
        when += f", {seen['role']}"
    ends = map(end_triggered, seen["end_triggered"][:1])
    vp, colonists, city = left(seen, f"city {{}}/{CITY_SPACES}")
    return [f"{when}: {vp}, {colonists} left, {city}", *ends]


def why_over(seen: dict[str, Any]) -> str:
    """Return why the game is over; nothing if it is not."""
    if seen["phase"] != "over":
        return ""
    reasons = (end_triggered(reason).partition(", so ")[0] for reason in seen["end_triggered"])
    return " ".join(f"{reason}." for reason in reasons)


def spoken(seen: dict[str, Any]) -> Iterator[str]:
    """Yield who decides what, how far it is to the end, and what the player to move has."""
    yield from filter(None, (*situation(seen), goal(seen)))
    for player in seen["players"]:
        if player["name"] in seen["to_move"]:
            yield from described([hand(seen, player)])


# -- The rows


def _row(label: str, *ways: Sequence[Chunk], rows: int = 1, gap: int = 0) -> Draw:
    """Return what draws a labeled row, see :func:`_fitting`."""
    return lambda screen: _fitting([(label.ljust(HEAD), BOLD)], ways, screen, rows, gap)


_NAMED = re.compile("[a-z]+(-[a-z]+)*")


def _short(chunk: Chunk) -> Chunk:
    """Return a chunk with its names in short, and no blanks before the circles."""

    def cut_words(found: re.Match[str]) -> str:
        return "-".join(word[:3] for word in found[0].split("-")[:2])

    return [
        (_NAMED.sub(cut_words, text).replace(" ●", "●").replace(" ○", "○"), style)
        for text, style in spans(chunk)
    ]


def _fitting(
    first: Line, ways: Sequence[Sequence[Chunk]], screen: Screen, rows: int = 1, gap: int = 0
) -> list[Line]:
    """Return chunks in so many rows: in words in the first of some ways that fits; else in short,
    but not in the first one of several. A ``gap`` of 0 is that of chips.
    """
    gap = gap or 2 - screen.color
    bare = screen._replace(color=False)
    brief = ways[1:] or ways
    in_words = [[line_of(chunk, screen) for chunk in way] for way in ways]
    tried = [(way, one) for way in in_words for one in (gap, gap - 1)]
    tried += [([line_of(chunk, bare) for chunk in way], 1) for way in brief]
    tried += [([line_of(_short(chunk), bare) for chunk in way], 1) for way in brief]
    found: list[Line] = []
    for way, blanks in tried:
        found = flow(way, screen.width, first=first, indent=HEAD, gap=blanks)
        if len(found) <= rows:
            return found
    return exactly(found, rows, screen.width)


def _roles(seen: View, names: Mapping[str, str]) -> list[Chunk]:
    """Return each card with its doubloons, or with who has taken it this round."""
    return [
        [(f"{role}:{names[card['taken']]}", BOLD if role == seen["role"] else DIM)]
        if card["taken"]
        else [role, (f"+{card['doubloons']}" if card["doubloons"] else "", BOLD)]
        for role, card in seen["roles"].items()
    ]


def _initials(names: Sequence[str]) -> dict[str, str]:
    """Return of each name as few letters as no other one begins with, or all of it."""

    def is_clear(start: str) -> bool:
        return sum(name.startswith(start) for name in names) == 1

    def brief(name: str) -> str:
        return next(filter(is_clear, (name[:most] for most in range(1, len(name)))), name)

    return {name: brief(name) for name in names}


def _brief_tiles(seen: View) -> list[Chunk]:
    """Return the tiles but for those that were discarded."""
    open_tiles = counted({**seen["tiles"], "quarry": seen["quarries"]})
    return [*open_tiles, [(f"+{seen['stack']}", DIM)]]


def _brief_ships(seen: View) -> Iterator[Chunk]:
    """Yield the ships as numbers: ``corn 2/6``."""
    yield [plural(seen["ship"], "colonist")]
    for spaces, load in seen["cargo"].items():
        full = f"{load['barrels'] if load else 0}/{spaces}"
        yield [tag(load["good"], f"{load['good']} {full}") if load else full]


def _sold(seen: View) -> Chunk:
    """Return the goods in the trading house; that it is full says more than which they are."""
    held = seen["trading_house"]
    chunk: list[Any] = [("Sold", BOLD)]
    for good in held if len(held) < HOUSE_SPACES else ():
        chunk += [" ", tag(good)]
    return chunk if held and len(chunk) > 1 else [*chunk, (" full" if held else " none", DIM)]


def _hands(seen: View, screen: Screen) -> list[Line]:
    """Return what each player has in hand, in the order of the seats."""
    column = min(_NAME, max(cells(player["name"]) for player in seen["players"]))
    rows = (_hand(seen, player, column, screen) for player in seen["players"])
    return [line for row in rows for line in row]


def _hand(seen: View, player: View, column: int, screen: Screen) -> list[Line]:
    name, money = cut(player["name"], column), player["doubloons"]
    moves = player["name"] in seen["to_move"]
    vp = "? VP" if player["vp"] is None else f"{player['vp']} VP"
    is_wide = screen.width >= _WIDE
    is_governor = player["name"] == seen["governor"] and not seen["result"]
    office = f"{'governor' if is_governor else '':<8}" if is_wide else "G" if is_governor else " "
    number = f"{plural(money, 'doubloon'):>12}" if is_wide else f"{money:>2} dbl."
    first = [
        (f"{'▸' if moves else ' '} {name}{' ' * (column - cells(name))}", BOLD if moves else PLAIN),
        (f" {office} {number} {vp:>5} {' ' * is_wide}", PLAIN),
    ]
    goods = counted(player["goods"]) or [[("no barrels", DIM)]]
    if not (people := player["san_juan"]):
        return _fitting(first, [goods], screen)
    ways = [[*goods, [f"{people} in San Juan"]], [*goods, [plural(people, "colonist")]]]
    return _fitting(first, ways, screen)


def _boards(
    seen: View, after: View, some: Iterable[int], high: Iterable[int], screen: Screen
) -> list[Line]:
    """Return the islands and cities of some players; cities of those with ``high`` ones get two
    rows.
    """
    found: list[Line] = []
    for seat in some:
        player, then = seen["players"][seat], after["players"][seat]
        name = cut(player["name"], HEAD - 2)
        first: Line = [(f"{name}{' ' * (HEAD - cells(name))}", BOLD)]
        used: Chunk = [(_used(player, "island", ISLAND_SPACES), DIM)]
        found += _fitting(first, [[used, *_spaces(player, then, "island")]], screen)
        first = [(f"city {_used(player, 'city', CITY_SPACES)}".ljust(HEAD), DIM)]
        rows = 1 + (seat in high)
        city = _fitting(first, [_spaces(player, then, "city")], screen, rows)
        found += exactly(city, rows, screen.width)
    return found


def _used(player: View, where: str, spaces: int) -> str:
    return f"{spaces - player[f'{where}_spaces']:>2}/{spaces}"


def _spaces(player: View, then: View, where: str) -> list[Chunk]:
    """Return the tiles of an island or the buildings of a city; between plus signs what a move
    would add.
    """
    had = {name: number for name, number, _ in kinds_of(player, where)}
    chunks: list[Chunk] = []
    for kind in kinds_of(then, where):
        text = drawn(then, *kind)
        is_more = had.get(kind[0], 0) < kind[1]
        chunks.append([(f"+{text}+", _NEW)] if is_more else [tag(kind[0], text)])
    return chunks or [[("nothing", DIM)]]


def _to_buy(seen: dict[str, Any], screen: Screen) -> list[Line]:
    """Return the buildings with their prices, by the VP they are worth."""
    return [line for node in buildings(seen, note=False) for line in put([node], screen)]
