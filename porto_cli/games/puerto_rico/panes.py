"""What of the table is above a question of ``porto play``, see :mod:`porto_cli.scene`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from porto_cli.core.message import plural
from porto_cli.games.puerto_rico.phrases import end_triggered
from porto_cli.games.puerto_rico.render import (
    FOREST,
    buildings,
    counted,
    goal,
    goods_left,
    hand,
    roles,
    ships,
    situation,
    tag,
    tiles,
)
from porto_cli.paper import BOLD, DIM, PLAIN, Chunk, described, line_of, put
from porto_cli.scene import HEAD, Form, Pane, exactly, row
from porto_cli.term.screen import Screen
from porto_cli.term.spans import Line, cells, cut, cut_line, flow

_NEW = "bold #ff3b30"
"""What a move would add."""
_WIDE = 72
"""Columns from which nothing is abbreviated."""
_NAME = 10
"""Columns of a player's name at most."""

View = Mapping[str, Any]


def panes(seen: dict[str, Any], after: View, shown: int) -> list[Pane]:
    """Return the table, with the boards of the player who sits at ``shown``, or of all; ``after``
    is it after a move that is not made yet.
    """
    people = len(seen["players"])
    boards = partial(_boards, seen, after)
    cargo = ships(seen).chunks
    cards = [*roles(seen).chunks], [*_brief_roles(seen)]
    return [
        [
            Form(1, 1, row("Roles", *cards, _short_roles(seen, 4), _short_roles(seen, 3))),
            Form(6, 2, row("Roles", *cards, rows=2)),
        ],
        [
            Form(
                2,
                1,
                row(
                    "Tiles",
                    tiles(seen).chunks,
                    _brief_tiles(seen, f"{seen['stack']} face down"),
                    _brief_tiles(seen, f"+{seen['stack']}"),
                    gap=0,
                ),
            )
        ],
        [
            Form(
                3,
                1,
                row(
                    "Ships",
                    [*cargo, _sold(seen)],
                    [*_brief_ships(seen), _sold(seen)],
                    [*_brief_ships(seen), _letters(seen)],
                ),
            )
        ],
        [
            Form(
                8,
                1,
                row(
                    "Supply",
                    goods_left(seen).chunks,
                    _brief_supply(seen, str),
                    _brief_supply(seen, _letter),
                    gap=0,
                ),
            )
        ],
        [Form(4, people, partial(_hands, seen))],
        [
            Form(5, 2, partial(boards, [shown], 1)),
            Form(7, 4, partial(boards, [shown], 2)),
            Form(9, 2 * people, partial(boards, range(people), 1), built=True),
            Form(11, 4 * people, partial(boards, range(people), 2), built=True),
        ],
        [Form(10, 6, partial(_to_buy, seen)), Form(12, 8, partial(_to_buy, seen))],
    ]


def title(seen: dict[str, Any]) -> list[str]:
    """Return whose turn it is and why, then how far it is to the end."""
    return [*filter(None, (*situation(seen), goal(seen)))]


def why_over(seen: dict[str, Any]) -> str:
    """Return why the game is over; nothing if it is not."""
    if seen["phase"] != "over":
        return ""
    reasons = (end_triggered(reason).partition(", so ")[0] for reason in seen["end_triggered"])
    return " ".join(f"{reason}." for reason in reasons)


def spoken(seen: dict[str, Any]) -> Iterator[str]:
    """Yield who decides what, and what the player to move has."""
    yield from title(seen)
    for player in seen["players"]:
        if player["name"] in seen["to_move"]:
            yield from described([hand(seen, player)])


# -- The rows


def _brief_roles(seen: View) -> Iterator[Chunk]:
    """Yield each card with its doubloons, or with who has taken it this round."""
    for role, card in seen["roles"].items():
        if card["taken"]:
            style = BOLD if role == seen["role"] else DIM
            yield [(f"{role}:{cut(card['taken'], _NAME)}", style)]
        else:
            yield [role, (f"+{card['doubloons']}" if card["doubloons"] else "", BOLD)]


def _short_roles(seen: View, letters: int) -> Iterator[Chunk]:
    """Yield each card in a few letters, with its doubloons, or the first of who has taken it."""
    for role, card in seen["roles"].items():
        short = role[:letters] + role[len("prospector-") :]
        if card["taken"]:
            style = BOLD if role == seen["role"] else DIM
            yield [(f"{short}:{card['taken'][0]}", style)]
        else:
            yield [short, (f"+{card['doubloons']}" if card["doubloons"] else "", BOLD)]


def _brief_supply(seen: View, named: Callable[[str], str]) -> Iterator[Chunk]:
    """Yield what the bank has, with goods by their names, or by their letters: ``c 10``."""
    yield [f"{seen['supply']} col., {seen['vp_pool']} VP"]
    for good, left in seen["goods_supply"].items():
        yield [tag(good, f"{named(good)} {left}")]


def _brief_tiles(seen: View, stack: str) -> Iterator[Chunk]:
    """Yield the tiles but for those that were discarded."""
    yield from counted(seen["tiles"])
    yield from counted({"quarry": seen["quarries"]})
    yield [(stack, DIM)]


def _brief_ships(seen: View) -> Iterator[Chunk]:
    """Yield the ships as numbers: ``6 corn 2/6``."""
    yield [f"{seen['ship']} colonists"]
    for spaces, load in seen["cargo"].items():
        cargo = tag(load["good"], f"{load['good']} {load['barrels']}/{spaces}") if load else "–"
        yield [(f"{spaces} ", BOLD), cargo]


def _sold(seen: View) -> Chunk:
    """Return the goods in the trading house."""
    goods: list[Any] = [("House ", BOLD)]
    for good in seen["trading_house"]:
        goods += [tag(good), " "]
    return goods if seen["trading_house"] else [*goods, ("empty", DIM)]


def _letters(seen: View) -> Chunk:
    """Return the goods in the trading house by their first letters."""
    letters = "".join(_letter(good) for good in seen["trading_house"])
    return [("House ", BOLD), letters or "-"]


def _letter(good: str) -> str:
    return "f" if good == "coffee" else good[0]


def _hands(seen: View, screen: Screen) -> list[Line]:
    """Return what each player has in hand, in the order of the seats."""
    wide = screen.width >= _WIDE
    column = min(_NAME, max(cells(player["name"]) for player in seen["players"]))
    return [
        cut_line(line_of(_hand(seen, player, column, wide), screen), screen.width)
        for player in seen["players"]
    ]


def _hand(seen: View, player: View, column: int, wide: bool) -> Chunk:
    name, moves = player["name"], player["name"] in seen["to_move"]
    shown = cut(name, column)
    vp = "? VP" if player["vp"] is None else f"{player['vp']} VP"
    money, governor = player["doubloons"], name == seen["governor"] and not seen["result"]
    number = f"{plural(money, 'doubloon'):>12}" if wide else f"{money:>2} dbl."
    office = f"{'governor' if governor else '':<8}" if wide else "G" if governor else " "
    chunk: list[Any] = [
        (
            f"{'▸' if moves else ' '} {shown}{' ' * (column - cells(shown))}",
            BOLD if moves else PLAIN,
        ),
        f" {office} {number} {vp:>6} ",
    ]
    for good in counted(player["goods"]) or [[("no barrels", DIM)]]:
        chunk += [" ", *good]
    if player["san_juan"]:
        chunk.append(f"  {player['san_juan']} in San Juan")
    return chunk


def _boards(seen: View, after: View, some: Iterable[int], rows: int, screen: Screen) -> list[Line]:
    """Return the islands and cities of some players, each in so many rows."""
    found: list[Line] = []
    for seat in some:
        player, then = seen["players"][seat], after["players"][seat]
        name = cut(player["name"], HEAD - 2)
        for label, chunks in ((name, _island(player, then)), ("  city", _city(player, then))):
            first = [(label.ljust(HEAD), BOLD if label == name else DIM)]
            shown = (line_of(one, screen) for one in chunks)
            lines = flow(shown, screen.width, first=first, indent=HEAD)
            found += exactly(lines, rows, screen.width)
    return found


def _island(player: View, then: View) -> list[Chunk]:
    """Return the tiles of a kind together; forests look the same whatever lies under them."""
    return _spaces(player, then, "island", 12 - player["island_spaces"])


def _city(player: View, then: View) -> list[Chunk]:
    return _spaces(player, then, "city", 12 - player["city_spaces"])


def _spaces(player: View, then: View, where: str, used: int) -> list[Chunk]:
    """Return how much of it is used, and tiles or buildings with their colonists, occupied circles
    first; and between plus signs what a move would add.
    """
    chunks: list[Chunk] = [[(f"{used:>2}/12", DIM)]]
    for name, kind in then[where].items():
        number, colonists = (kind["tiles"], kind["colonists"]) if where == "island" else (1, kind)
        had = player[where].get(name)
        is_more = had is None or (where == "island" and had["tiles"] < number)
        circles = then["circles"].get(name, 0)
        short = FOREST if name.startswith(FOREST) else name
        signs = "●" * colonists + "○" * (circles - colonists)
        text = f"{short} {signs or (number if number > 1 else '')}".rstrip()
        chunks.append([(f"+{text}+", _NEW)] if is_more else [tag(name, text)])
    return chunks if len(chunks) > 1 else [*chunks, [("nothing", DIM)]]


def _to_buy(seen: dict[str, Any], screen: Screen) -> list[Line]:
    """Return the buildings with their prices, by the VP they are worth."""
    return [line for node in buildings(seen) for line in put([node], screen)]
