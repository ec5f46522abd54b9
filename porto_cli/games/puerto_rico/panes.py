"""What of the table is above a question of ``porto play``, see :mod:`porto_cli.asking`.

Everything is in words until that does not fit anymore; then it is in brief, as players call it;
then in short, by three letters of each word; barrels can be even shorter. What still does not fit
is left out whole, with how many things that are and the key that shows them. Only how many rows
something has depends on the size and the number of players alone: so the table never moves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import lt
from typing import Any, NamedTuple

from porto_cli.core import enumerated, plural
from porto_cli.games.puerto_rico.engine import (
    CITY_SPACES,
    GOODS,
    HOUSE_SPACES,
    PLACES,
    ROLES,
)
from porto_cli.games.puerto_rico.engine.state import CITY_END
from porto_cli.games.puerto_rico.options import key_of
from porto_cli.games.puerto_rico.phrases import ENDED, begun, end_triggered
from porto_cli.games.puerto_rico.shown import (
    BOARDS,
    buildings,
    drawn,
    goods_left,
    hand,
    kinds_of,
    left,
    round_of,
    situation,
    tag,
    used,
    winners,
)
from porto_cli.paper import (
    BOLD,
    DIM,
    PLAIN,
    Chunk,
    described,
    line_of,
    put,
    spans,
)
from porto_cli.scene import HEAD, Pane, PaneForm, exactly, first_that_fits
from porto_cli.shown import called
from porto_cli.term import ON, Line, Screen, cells, cut, flow, plain
from porto_cli.term.prompt import TABLE_KEY

_NEW = "bold #ff3b30"
"""What a move would add."""
_WIDE, _WIDEST = 72, 96
"""Columns from which the numbers of a player are in words, and the office as well."""
_IN_COLOR, _IN_WORDS, _LETTERS = 2, 3, 5
"""How many forms of chunks have their colors, how many are in words, and which one has barrels in
letters."""
_ABOUT_TILES, _ABOUT_SHIPS = {"role", "settler", "library"}, {"role", "trader", "captain", "store"}
"""Phases in which tiles are chosen, and in which ships and the trading house are."""
_TITLE = 58
"""Columns of a title that has room on a narrow screen."""
_NAME, _USUAL_NAME = 10, "Joan"
"""Columns of a player's name at most; and a name that has to fit behind each role."""
_TILE, _BUILDING = (max(map(len, some)) + len("+ ○+") for some in (GOODS, PLACES))
_ROOM = {"settler": (_TILE, 0), "library": (_TILE, 0), "builder": (0, _BUILDING)}
"""Columns at most of what a phase would add to the island, and to the city."""

View = Mapping[str, Any]
Chunks = Sequence[Chunk]


def panes(seen: dict[str, Any], after: View, shown: int) -> list[Pane]:
    """Return the table, with the boards of the player who sits at ``shown``, or of all; ``after``
    is it after a move that is not made yet.

    First there is what every decision needs: the boards of one player, the roles, what all have in
    hand, tiles and ships, those first that the phase is about; then a second row for that player's
    boards, and a third one, for which what happened last may give one up. With more rows the roles
    get two, there is the supply, the ships get two, and there are the other boards and the
    buildings to be had, then more rows for cities. Who builds, or places colonists, needs no tiles,
    ships or supply.
    """
    people = len(seen["players"])
    boards = partial(_boards, seen, after, shown)
    # After the end there is room for whole cities.
    most = people * (1 + (seen["phase"] == "over"))

    def about(phases: Collection[str]) -> int:
        """Return the rank of a pane that some phases are about."""
        return 3 if seen["phase"] in phases else 6

    def idle(pane: Pane) -> Pane:
        """Return a pane that whoever builds, or places colonists, can do without."""
        return [form._replace(idle=seen["phase"] in ("builder", "mayor")) for form in pane]

    def are_filled(some: Sequence[int], more: int, screen: Screen) -> bool:
        """Return whether cities fill so many rows more, whatever move is pointed at: else what is
        below has them.
        """
        return len(_boards(seen, seen, shown, some, more, screen)) == 2 * len(some) + more

    def full(more: int) -> PaneForm:
        """Return the boards of all, with so many rows more for cities."""
        rank, everybody = 13 if more else 11, range(people)
        filled = partial(are_filled, everybody, more)
        return PaneForm(rank, 2 * people + more, partial(boards, everybody, more), True, filled)

    taken: Chunks = [[f"{role}:{_USUAL_NAME}"] for role in seen["roles"]]
    laden = _laden(seen)
    tables = ((seen, seen), (seen, after), (laden, laden))
    ships, loaded, fullest = (_ships(*both) for both in tables)
    return [
        _pane("Roles", (1, 7), _roles(seen), fullest=taken),
        idle(_pane("Tiles", (about(_ABOUT_TILES),), _tiles(seen))),
        idle(_pane("Ships", (about(_ABOUT_SHIPS), 9, 15), ships, loaded, fullest=fullest)),
        idle(_pane("Supply", (8,), goods_left(seen).chunks[1:])),
        [PaneForm(2, people, partial(_hands, seen, after))],
        [
            PaneForm(0, 1, partial(_boards_in_a_row, seen, after, shown)),
            PaneForm(5, 2, partial(boards, [shown], 0)),
            PaneForm(6, 3, partial(boards, [shown], 1), urgent=True),
            PaneForm(10, 4, partial(boards, [shown], 2), needed=partial(are_filled, [shown], 2)),
            *(full(more) for more in range(most + 1)),
        ],
        # A list of what can be built says the same.
        idle([PaneForm(rank, n, partial(_to_buy, seen, n)) for rank, n in ((12, 7), (14, 9))]),
    ]


def title(seen: dict[str, Any]) -> list[str]:
    """Return how far the game is, and what is left until each of its ends; then whether one of
    them has come.
    """
    if seen["phase"] == "over":
        return [winners(seen)]
    when = "Last round" if seen["end_triggered"] else round_of(seen)
    if seen["role"]:
        when += f", {seen['role']}"
    ends = map(end_triggered, seen["end_triggered"][:1])
    vp, colonists, city = left(seen, f"city {{}}/{CITY_SPACES}")
    short, long = (
        f"{when}: {vp}, {colonists} left, {which}." for which in (city, f"fullest {city}")
    )
    return [long if len(long) <= _TITLE else short, *ends]


def why_over(seen: dict[str, Any]) -> str:
    """Return why the game is over; nothing if it is not."""
    if seen["phase"] != "over":
        return ""
    why = [ENDED[reason] for reason in seen["end_triggered"] if reason != CITY_END]
    full = [f"{one['name']}'s full city" for one in seen["players"] if not one["city_spaces"]]
    said = f"{enumerated([*why, *full])} ended the game."
    # A sentence may begin with a name, which stays as it is written.
    return begun(said) if why else said


def spoken(seen: dict[str, Any]) -> Iterator[str]:
    """Yield who decides what, how far it is to the end, and what the player to move has."""
    yield from situation(seen)
    for player in seen["players"]:
        if player["name"] in seen["to_move"]:
            yield from described([hand(seen, player)])


# -- What lies in the middle: in words as long as they fit


def _pane(
    label: str,
    ranks: Sequence[int],
    now: Chunks,
    then: Chunks = (),
    fullest: Chunks = (),
) -> Pane:
    """Return a pane of one row, or maybe of two where that has no room for all in words, or at the
    last of the ``ranks`` with its colors; they break always at the same place. There is what is
    there ``now``, and ``then``, if a move changes that, in the form in which it still fits when it
    is ``fullest``. Two rows stay two while more is said.
    """

    def parts(rows: int) -> list[_Row]:
        half = max(1, -(-len(now) // rows))
        ways = (now, then or now, fullest or now)
        return [
            _Row([(name.ljust(HEAD), BOLD)], *(way[start:][:half] for way in ways))
            for start, name in zip(range(0, len(now), half), (label, ""), strict=False)
        ]

    def draw(rows: int, screen: Screen) -> list[Line]:
        found = parts(rows)
        form = _form_of(found, rows, screen)
        return [line for one in found for line in one.drawn(form, 1, screen)]

    def is_narrow(forms: int, screen: Screen) -> bool:
        return _form_of(parts(1), 1, screen) >= forms

    first, *more = ranks
    low = PaneForm(first, 1, partial(draw, 1))
    high = PaneForm(0, 2, partial(draw, 2), steady=first)
    needs = zip(more, (_IN_WORDS, _IN_COLOR), strict=False)
    return [
        low,
        *(high._replace(rank=rank, needed=partial(is_narrow, forms)) for rank, forms in needs),
    ]


def _roles(seen: View) -> list[Chunk]:
    """Return each card with its doubloons, or with who has taken it this round."""
    return [
        [(f"{role}:{cut(card['taken'], _NAME)}", BOLD if role == seen["role"] else DIM)]
        if card["taken"]
        else [role, (f"+{card['doubloons']}" if card["doubloons"] else "", BOLD)]
        for role, card in seen["roles"].items()
    ]


def _tiles(seen: View) -> list[Chunk]:
    """Return the tiles, a single one without a number, and how many are face down."""
    kinds = {**seen["tiles"], "quarry": seen["quarries"]}.items()
    chunks: list[Chunk] = [
        [tag(name, name if number == 1 else f"{name} {number}")] for name, number in kinds if number
    ]
    return [*chunks, [(f"+{seen['stack']} face down", DIM)]]


def _ships(seen: View, after: View) -> list[Chunk]:
    """Return the cargo ships with what they carry, the colonists on theirs, and the goods sold;
    with what a move would add.
    """
    chunks: list[Chunk] = []
    for spaces, cargo in seen["cargo"].items():
        there, then = (one["barrels"] if one else 0 for one in (cargo, after["cargo"][spaces]))
        carries: Chunk = [("empty", DIM)]
        if barrels := max(there, then):
            good = (after if then > there else seen)["cargo"][spaces]["good"]
            carries = _chip(good, f"{good} {barrels}/{spaces}", then > there)
        chunks.append([(f"ship {spaces}: ", BOLD), *carries])
    house = _sold(seen["trading_house"], after["trading_house"])
    return [*chunks, [("colonists: ", BOLD), str(seen["ship"])], [("Sold:", BOLD), *house]]


def _laden(seen: View) -> View:
    """Return the table with the longest goods in the trading house and, as many as they carry, on
    the ships.
    """
    goods = sorted(GOODS, key=len, reverse=True)
    ships = zip(seen["cargo"], goods, strict=False)
    cargo = {spaces: {"good": good, "barrels": int(spaces)} for spaces, good in ships}
    return {**seen, "cargo": cargo, "ship": 10, "trading_house": goods[: HOUSE_SPACES - 1]}


def _sold(held: Sequence[str], then: Sequence[str]) -> Iterator[Any]:
    """Yield the goods in the trading house; that it is full says more than which they are."""
    # A house that is emptied afterward has no more.
    sold, more = (then, Counter(then) - Counter(held)) if len(then) > len(held) else (held, {})
    if len(sold) == HOUSE_SPACES:
        yield (" +full+", _NEW) if more else (" full", DIM)
    elif not sold:
        yield (" none", DIM)
    else:
        for good in sold:
            yield from (" ", *_chip(good, good, more.get(good, 0) > 0))
            more[good] = 0


# -- What players have, and how everything is said in fewer and fewer letters


_LONG = re.compile(
    r"small-|large-|-(?:plant|mill|storage|roaster)\b|ship |colonists|Sold:|San Juan| face down"
    r"|/\d+|for (?=\d)| \((?=\d+ left)| left\)|(?<=:) | (?=[●○])"
)
"""What is said in fewer letters, or not at all, before words are cut."""
_FEWER = {
    "small-": "s-",
    "large-": "l-",
    "colonists": "col",
    "Sold:": "Sold",
    "San Juan": "SJ",
    " (": " ×",
}


def _fewer(text: str) -> str:
    return _LONG.sub(lambda found: _FEWER.get(found[0], ""), text)


_SHORT = {
    name: "-".join(word[:3] for word in name.split("-")[:2])
    for name in map(_fewer, (*PLACES, *ROLES, "quarry", "forest"))
} | {"prospector-2": "pr2"}
"""What is written in short, and how: the second prospector even more so, to have room for all."""
_WORD = re.compile("[a-z]+(-[a-z2]+)*")
_BARRELS = re.compile(f"({'|'.join(GOODS)}) (?=[0-9])")
_TAKER = re.compile(r"(?<=[a-z2]:)(?=\w).+")


def _in_brief(chunk: Chunk, taker: int = 3) -> Chunk:
    """Return a chunk with large and small as a letter, production buildings by their goods, so many
    letters of who has taken a role, and no blanks before circles.
    """
    return [
        (_TAKER.sub(lambda found: found[0][:taker], _fewer(text)), style)
        for text, style in spans(chunk)
    ]


def _short(chunk: Chunk, taker: int = 3) -> Chunk:
    """Return a chunk in brief, and with names of things and roles in short."""
    return [
        (_WORD.sub(lambda found: _SHORT.get(found[0], found[0]), text), style)
        for text, style in spans(_in_brief(chunk, taker))
    ]


def _forms(first: Line, chunks: Chunks, screen: Screen) -> Iterator[list[Line]]:
    """Yield chunks in their forms: in words (:data:`_IN_WORDS`), in brief, in short, in letters."""
    bare = screen._replace(color=False)
    in_words = [line_of(chunk, screen) for chunk in chunks]
    # Chips have margins; what has no color of its own stands apart from everything.
    in_color = [all(ON in style for _, style in chunk) for chunk in in_words]
    chips, some = screen.color and all(in_color), screen.color and any(in_color)
    shapes = (list, _in_brief, _short, _in_letters)
    shaped = (([line_of(shape(chunk), bare) for chunk in chunks], 1) for shape in shapes)
    for way, blanks in chain([(in_words, 2 - some), (in_words, 1 - chips)], shaped):
        yield flow(way, screen.width, first=first, indent=HEAD, gap=blanks)


def _in_letters(chunk: Chunk) -> Chunk:
    """Return barrels as their goods are typed, ``c3`` for ``corn 3``, a letter of who has taken a
    role, and all else in short.
    """
    typed = [(_BARRELS.sub(lambda found: key_of(found[1]), one), way) for one, way in spans(chunk)]
    return _short(typed, 1)


class _Row(NamedTuple):
    """A row: its label, what is there ``now``, ``then``, after a move, and when it is fullest."""

    first: Line
    now: Chunks
    then: Chunks
    fullest: Chunks

    def sizes(self, screen: Screen) -> Iterator[int]:
        """Yield how many rows this takes in each form when it is fullest."""
        return map(len, _forms(self.first, self.fullest, screen))

    def drawn(self, form: int, rows: int, screen: Screen) -> list[Line]:
        """Return this in a form, with what a move would bring, if need be in a shorter one; without
        room for the marks, or for all of it, that gives way. Where even the rest has no room, there
        are the first things in short, and how many more there are.
        """
        ways = (self.then, _unmarked(self.then), self.now)
        marked, *rest = ([*_forms(self.first, one, screen)][min(form, _LETTERS) :] for one in ways)
        usual = [*marked, *(shapes[0] for shapes in rest)]
        least = [line_of(_short(chunk), screen._replace(color=False)) for chunk in self.now]
        some = (
            [*least[:-left_out], [(f"+{left_out} ({TABLE_KEY})", PLAIN)]]
            for left_out in range(1, 1 + len(least))
        )
        first = (flow(one, screen.width, first=self.first, indent=HEAD, gap=1) for one in some)
        found = chain(usual, _forms(self.first, self.now, screen), first)
        return exactly(first_that_fits(found, rows), rows, screen.width)


def _form_of(rows: Sequence[_Row], most: int, screen: Screen) -> int:
    """Return the first form in which rows together take so many at most; one more than there are if
    there is none.
    """
    sizes = map(sum, zip(*(row.sizes(screen) for row in rows), strict=True))
    return next((form for form, size in enumerate(sizes) if size <= most), _LETTERS + 1)


def _hands(seen: View, after: View, screen: Screen) -> list[Line]:
    """Return what each player has in hand, or would have more of, in the order of the seats: all in
    the first form in which all fit; where it is wide, bots with their levels, unless that costs the
    words.
    """
    names = [player["name"] for player in seen["players"]]
    ways = list[tuple[int, list[_Row]]]()
    with_levels = [[called(seen, name) for name in names]] * (screen.width >= _WIDE)
    for shown in (*with_levels, [cut(name, _NAME) for name in names]):
        longest = max(map(cells, shown))
        padded = (f"{name}{' ' * (longest - cells(name))}" for name in shown)
        both = zip(seen["players"], after["players"], padded, strict=True)
        rows = [_hand(seen, *one, screen) for one in both]
        ways.append((_form_of(rows, len(rows), screen), rows))
    form, rows = min(ways, key=lambda way: (way[0] >= _IN_WORDS) + (way[0] > _LETTERS))
    return [line for row in rows for line in row.drawn(form, 1, screen)]


def _hand(seen: View, player: View, then: View, name: str, screen: Screen) -> _Row:
    """Return a hand behind a name."""
    money, people = player["doubloons"], player["san_juan"]
    moves = player["name"] in seen["to_move"]
    vp = "? VP" if player["vp"] is None else f"{player['vp']} VP"
    is_wide = screen.width >= _WIDE
    is_governor = player["name"] == seen["governor"] and not seen["result"]
    columns, sign = (8, "governor") if screen.width >= _WIDEST else (3, "gov")
    office = f"{sign * is_governor:<{columns}}"
    number = f"{plural(money, 'doubloon'):>12}" if is_wide else f"{money:>2} dbl."
    first = [
        (f"{'▸' if moves else ' '} {name}", BOLD if moves else PLAIN),
        (f" {office} {number} {vp:>5} {' ' * is_wide}", PLAIN),
    ]
    now, after = (
        [*(barrels or [[("no barrels", DIM)]]), *[[f"San Juan {people}"]] * bool(people)]
        for barrels in (_barrels(player, player), _barrels(player, then))
    )
    return _Row(first, now, after, now)


def _barrels(player: View, then: View) -> list[Chunk]:
    """Return the barrels of a player, with those that a move would bring."""
    had = player["goods"]
    most: Counter[str] = Counter(had) | Counter(then["goods"])
    return [
        _chip(good, f"{good} {most[good]}", most[good] > had.get(good, 0))
        for good in GOODS
        if most[good]
    ]


def _boards(
    seen: View, after: View, shown: int, some: Sequence[int], spare: int, screen: Screen
) -> list[Line]:
    """Return the islands and cities of some players, in forms with room for what is added now. So
    many cities can get a row more: those that need it, that of ``shown`` first.
    """
    order = sorted(some, key=lambda seat: seat != shown)
    islands, cities = zip(*(_parts_of_boards(seen, after, seat) for seat in order), strict=True)
    land = _form_of(islands, len(islands), screen)
    form = _form_of(cities, len(cities) + spare, screen)
    if seen["phase"] == "over" and some != [shown] and max(land, form) >= _IN_WORDS:
        # Nobody needs those of all to decide: so they are in words, or not there at all.
        return []
    drawn = [row.drawn(land, 1, screen) for row in islands]
    wanted = [[*row.sizes(screen)][min(form, _LETTERS)] for row in cities]
    boards: dict[int, list[Line]] = {}
    for seat, island, city, lines, size in zip(order, islands, cities, drawn, wanted, strict=True):
        rows = min(size, 1 + spare)
        spare -= rows - 1
        boards[seat] = [*lines, *city.drawn(form, rows, screen)]
        if TABLE_KEY in plain(boards[seat][-1]):
            # Before a part of it is left out, the city begins behind the island.
            behind = _in_a_row(island, city).drawn(_LETTERS, 1 + rows, screen)
            boards[seat] = boards[seat] if TABLE_KEY in plain(behind[-1]) else behind
    return [line for seat in some for line in boards[seat]]


def _parts_of_boards(seen: View, after: View, seat: int) -> list[_Row]:
    """Return the island of a player and the city, with room for what may come upon them now."""
    player, then = seen["players"][seat], after["players"][seat]
    name = cut(player["name"], HEAD - 2)
    first: Line = [(f"{name}{' ' * (HEAD - cells(name))}", BOLD)]
    first.append((f"{used(player, 'island'):>5} ", DIM))
    below: Line = [(f"city {used(player, 'city'):>5}".ljust(HEAD), DIM)]
    moves = player["name"] in seen["to_move"]
    rooms = _ROOM.get(seen["phase"], (0, 0)) if moves else (0, 0)
    rows = list[_Row]()
    for head, where, room in zip((first, below), BOARDS, rooms, strict=True):
        now = _spaces(player, player, where)
        fullest = [*now, *[[" " * room]] * bool(room)]
        rows.append(_Row(head, now, _spaces(player, then, where), fullest))
    return rows


def _in_a_row(island: _Row, city: _Row) -> _Row:
    """Return an island and behind it the city."""
    label: Chunk = [(plain(city.first).rstrip(), DIM)]
    now, then = [*island.now, label, *city.now], [*island.then, label, *city.then]
    return _Row(island.first, now, then, now)


def _boards_in_a_row(seen: View, after: View, shown: int, screen: Screen) -> list[Line]:
    """Return the island of a player and behind it the city, where there is no second row."""
    row = _in_a_row(*_parts_of_boards(seen, after, shown))
    return row.drawn(_form_of([row], 1, screen), 1, screen)


def _spaces(player: View, then: View, where: str) -> list[Chunk]:
    """Return the tiles of an island or the buildings of a city, with those to which a move would
    add a tile, or a colonist.
    """
    had = {name: (number, colonists) for name, number, colonists in kinds_of(player, where)}
    chunks = [
        _chip(kind[0], drawn(then, *kind), any(map(lt, had.get(kind[0], (0, 0)), kind[1:])))
        for kind in kinds_of(then, where)
    ]
    return chunks or [[("nothing", DIM)]]


def _chip(name: str, text: str, is_more: bool) -> Chunk:
    """Return a thing, between plus signs if a move would add some of it."""
    return [(f"+{text}+", _NEW) if is_more else tag(name, text)]


def _unmarked(chunks: Chunks) -> Chunks:
    """Return chunks without the signs around what a move would add."""
    return [
        [(text.strip("+") if style == _NEW else text, style) for text, style in spans(one)]
        for one in chunks
    ]


def _to_buy(seen: dict[str, Any], rows: int, screen: Screen) -> list[Line]:
    """Return the buildings with their prices, by the VP they are worth, in the first way that fits
    into so many rows: as chips, without margins, with a sign for the copies, in short.
    """

    def with_sign(chunk: Chunk) -> Chunk:
        return [*chunk[:-1], *_in_brief(chunk[-1:])]

    bare = screen._replace(color=False)
    ways = ((screen, list), (bare, list), (bare, with_sign), (bare, _short))
    return first_that_fits((put(buildings(seen, shape=way), to) for to, way in ways), rows)
