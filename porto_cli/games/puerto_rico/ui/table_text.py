"""The table in a terminal: what lies in the middle, the players, the buildings, at any width."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    BUILDING_PLACES,
    CITY_SPACES,
    COLUMN,
    COST,
    FOREST,
    GOODS,
    HOUSE_SPACES,
    ISLAND_SPACES,
    LARGE,
    NO_GOOD,
    PLACES,
    QUARRY,
    ROLES,
    VIOLET,
    VIOLET_KINDS,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.observation import Observation, PlayerView
from porto_cli.games.puerto_rico.engine.setup import kinds_allowed
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    DRAFT_PHASE,
    NOBODY,
    OVER,
    ROLE_PHASE,
)
from porto_cli.games.puerto_rico.ui import palette
from porto_cli.games.puerto_rico.ui.score_text import score_text
from porto_cli.games.puerto_rico.ui.scoring import standings
from porto_cli.term.screen import Screen
from porto_cli.term.spans import (
    BOLD,
    DIM,
    PLAIN,
    TITLE,
    Line,
    Span,
    beside,
    cells,
    flow,
    folded,
    padded,
    width_of,
    wrapped,
)

MARGIN = 1
LABEL = 9
"""Columns of the headings at the left."""
ROOMY = 56
"""Columns from which on the headings stand at the left instead of above."""
WIDE = 112
"""Columns from which on the buildings stand beside the players, always."""
_LONGEST = max(len(PLACES[place]) for place in BUILDING_PLACES)
_CELL = len("10 ") + _LONGEST + len("  ×4") + 2
"""Columns of a building in the list, in color, too."""


class Marks:
    """Characters that stand for something, as the alphabet allows."""

    def __init__(self, screen: Screen) -> None:
        ascii_only = screen.ascii
        self.margin = " " if screen.color else ""
        self.gap = 1 if screen.color else 2
        self.colonist, self.circle = ("*", "o") if ascii_only else ("●", "○")
        self.barrel, self.space = ("#", ".") if ascii_only else ("▮", "▯")
        self.turn = ">" if ascii_only else "▸"
        self.times = "x" if ascii_only else "×"
        self.dot = "-" if ascii_only else "·"

    def chip(self, text: str, place: int) -> Span:
        """Return the name of a good, tile or building, painted in its color."""
        return f"{self.margin}{text}{self.margin}", palette.of_place(place)

    def count(self, place: int, number: int) -> Line:
        """Return goods or tiles, with their number unless that is 1."""
        name = PLACES[place] if place < FOREST else str(say("forest"))
        return [self.chip(name if number == 1 else f"{name} {number}", place)]

    def occupied(self, place: int, colonists: int, circles: int) -> Line:
        """Return a tile or building with its circles, the occupied ones first."""
        dots = self.colonist * colonists + self.circle * (circles - colonists)
        return [self.chip(f"{PLACES[place]} {dots}".rstrip(), place)]


def text(
    seen: Observation,
    screen: Screen,
    *,
    title: str = "",
    fingerprint: str = "",
    last: Sequence[Sentence] = (),
) -> list[Line]:
    """Return the table as lines for a screen, at most as wide as it is.

    ``last`` tells what happened last. On a wide screen the buildings stand at the right, on
    others they follow where they matter.
    """
    marks = Marks(screen)
    width = screen.width - 2 * MARGIN
    lines = heading(seen, width, title, fingerprint)
    if screen.width >= WIDE:
        panel = _panel(seen, marks)
        left = width - _CELL - 2
        lines += beside(
            [*middle(seen, marks, left), *_players(seen, marks, left), *_last(last, left)],
            panel,
            left + 2,
        )
    else:
        lines += [*middle(seen, marks, width), *_players(seen, marks, width)]
        if seen.phase in (DRAFT_PHASE, ROLE_PHASE, BUILDER_PHASE):
            lines += [[], *_buildings(seen, marks, width)]
        lines += _last(last, width)
    if seen.phase == OVER:
        lines += [[], *score_text(standings(seen), width)]
    return [[(" " * MARGIN, PLAIN), *line] if line else [] for line in lines]


def heading(seen: Observation, width: int, title: str = "", fingerprint: str = "") -> list[Line]:
    """Return what game it is and who decides what, with a gap below."""
    title = title or "Puerto Rico"
    code = str(say("fingerprint {fingerprint}", fingerprint=fingerprint))
    lines = wrapped(title, width, style=TITLE)
    if fingerprint and cells(title) + cells(code) + 2 <= width:
        lines = [[*padded([(title, TITLE)], width - cells(code)), (code, DIM)]]
    for sentence in phrases.situation(seen):
        lines += wrapped(str(sentence), width, style=BOLD)
    return [*lines, []]


def _block(label: Sentence, chunks: Iterable[Line], width: int, *, gap: int = 2) -> list[Line]:
    """Set chunks behind a heading, or below it where it is narrow."""
    heading: Line = [(str(label), DIM)]
    if width < ROOMY:
        return [heading, *_flow(chunks, width, first=[("  ", PLAIN)], indent=2, gap=gap)]
    return _flow(chunks, width, first=padded(heading, LABEL), indent=LABEL, gap=gap)


def _flow(chunks: Iterable[Line], width: int, *, first: Line, indent: int, gap: int) -> list[Line]:
    """Set chunks; only one that is longer than a line is broken, between its words."""
    pieces: list[Line] = []
    for chunk in chunks:
        room = width - max(indent, width_of(first))
        pieces += [chunk] if width_of(chunk) <= room else folded(chunk, room)
    return flow(pieces, width, first=first, indent=indent, gap=gap)


# -- the middle of the table


def middle(
    seen: Observation, marks: Marks, width: int, only: Iterable[str] | None = None
) -> list[Line]:
    """Return what lies in the middle of the table, or only some of it, see ``_PARTS``."""
    lines = []
    for name in _PARTS if only is None else only:
        label, chunks, gap = _PARTS[name]
        lines += _block(label, chunks(seen, marks), width, gap=gap or marks.gap)
    return lines


def _roles(seen: Observation, marks: Marks) -> list[Line]:
    """Each card with its doubloons, or with who has taken it this round."""
    chunks: list[Line] = []
    for role in seen.config.box.roles:
        taker, doubloons = seen.taken[role], seen.role_doubloons[role]
        now = role == seen.role
        if taker != NOBODY:
            name = str(say("{role}: {player}", role=ROLES[role], player=seen.players[taker].name))
            chunk: Line = [(f"{marks.turn} ", BOLD)] if now else []
            chunks.append([*chunk, (name, BOLD if now else DIM)])
        elif doubloons:
            chunks.append([(ROLES[role], PLAIN), (f" +{doubloons}", BOLD)])
        else:
            chunks.append([(ROLES[role], PLAIN)])
    return chunks


def _row(seen: Observation, marks: Marks) -> list[Line]:
    chunks = [marks.count(tile, number) for tile, number in enumerate(seen.row) if number]
    quarries = marks.count(QUARRY, seen.quarries) if seen.quarries else []
    notes: Line = [
        (str(say("face down {count}", count=sum(seen.stack))), DIM),
    ]
    if any(seen.discards):
        notes = [
            *notes,
            (", ", DIM),
            (str(say("discarded {count}", count=sum(seen.discards))), DIM),
        ]
    return [*(chunks or [[(str(say("none")), DIM)]]), *([quarries] if quarries else []), notes]


def _people(seen: Observation, marks: Marks) -> list[Line]:
    return [
        [(str(say("{count} on the ship", count=seen.ship)), PLAIN)],
        [(str(say("{count} in the supply", count=seen.supply)), PLAIN)],
        [(str(say("VP pool {vp}", vp=seen.vp_pool)), PLAIN)],
    ]


def _ships(seen: Observation, marks: Marks) -> list[Line]:
    """Each cargo ship: its spaces, what it carries, and how much room there is."""
    chunks: list[Line] = []
    for spaces, good, barrels in seen.cargo:
        load = marks.barrel * barrels + marks.space * (spaces - barrels)
        freight = (load, DIM) if good == NO_GOOD else marks.chip(f"{GOODS[good]} {load}", good)
        chunks.append([(f"{spaces} ", BOLD), freight])
    return chunks


def _house(seen: Observation, marks: Marks) -> list[Line]:
    chunks: list[Line] = [[marks.chip(GOODS[good], good)] for good in seen.trading_house]
    free = HOUSE_SPACES - len(seen.trading_house)
    if not chunks:
        note = say("empty, room for {free}", free=free)
    elif free:
        note = say("room for {free}", free=free)
    else:
        note = say("full")
    return [*chunks, [(str(note), DIM)]]


def _supply(seen: Observation, marks: Marks) -> list[Line]:
    return [
        [marks.chip(f"{GOODS[good]} {number}", good)]
        for good, number in enumerate(seen.goods_supply)
    ]


_PARTS: dict[str, tuple[Sentence, Callable[[Observation, Marks], list[Line]], int]] = {
    "roles": (say("Roles"), _roles, 3),
    "tiles": (say("Tiles"), _row, 0),
    "people": (say("People"), _people, 3),
    "ships": (say("Ships"), _ships, 3),
    "house": (say("House"), _house, 0),
    "supply": (say("Supply"), _supply, 0),
}
"""The parts of the middle: headings, what they show, columns between two things of them."""


# -- the players


def _players(seen: Observation, marks: Marks, width: int) -> list[Line]:
    lines: list[Line] = []
    for seat in range(len(seen.players)):
        lines += [[], *player(seen, seat, marks, width)]
    return lines


def player(seen: Observation, seat: int, marks: Marks, width: int) -> list[Line]:
    """Return what a player has: in hand, on the island, in the city."""
    view = seen.players[seat]
    lines = head(seen, seat, marks, width)
    island = _spaced(say("island"), ISLAND_SPACES - view.island_spaces, ISLAND_SPACES)
    city = _spaced(say("city"), CITY_SPACES - view.city_spaces, CITY_SPACES)
    lines += _board(island, _tiles(view, marks), width, marks.gap)
    lines += _board(city, _city(view, marks), width, marks.gap)
    return lines


def head(seen: Observation, seat: int, marks: Marks, width: int) -> list[Line]:
    """Return who a player is and has in hand."""
    player = seen.players[seat]
    mover = seat in seen.to_move
    name: Line = [
        (f"{marks.turn if mover else ' '} ", BOLD),
        (player.name, BOLD),
    ]
    if seat == seen.governor and seen.phase != OVER:
        name.append((f" ({say('governor')})", PLAIN))
    facts: list[Line] = [[(str(phrases.doubloons(player.doubloons)), PLAIN)]]
    if player.vp is not None:
        facts.append([(str(say("{vp} VP", vp=player.vp)), PLAIN)])
    if player.san_juan:
        facts.append([(str(say("San Juan {count}", count=player.san_juan)), PLAIN)])
    goods = [[marks.chip(_numbered(good, number), good)] for good, number in _some(player.goods)]
    facts += goods or [[(str(say("no barrels")), DIM)]]
    return _head(name, facts, width)


def _head(head: Line, facts: list[Line], width: int) -> list[Line]:
    """The name of a player, and what there is to say behind it, or below a long name."""
    if width_of(head) + 3 + width_of(facts[0]) <= width:
        return _flow(facts, width, first=[*head, ("   ", PLAIN)], indent=4, gap=3)
    return [
        *folded(head, width, indent=2),
        *_flow(facts, width, first=[("    ", PLAIN)], indent=4, gap=3),
    ]


def _numbered(good: int, number: int) -> str:
    return f"{GOODS[good]} {number}"


def _some(counts: bytes) -> list[tuple[int, int]]:
    return [(index, number) for index, number in enumerate(counts) if number]


def _spaced(label: Sentence, used: int, spaces: int) -> Line:
    """Return the heading of an island or a city, with the spaces in use."""
    return [(f"  {label!s:6} ", DIM), (f"{used:2}/{spaces} ", DIM)]


_BOARD = len("  island 12/12 ")


def _board(heading: Line, chunks: list[Line], width: int, gap: int) -> list[Line]:
    if width < ROOMY:
        return [heading, *_flow(chunks, width, first=[("    ", PLAIN)], indent=4, gap=gap)]
    return _flow(chunks, width, first=padded(heading, _BOARD), indent=_BOARD, gap=gap)


def _tiles(player: PlayerView, marks: Marks) -> list[Line]:
    """Plantations and quarries with a circle for each; forests have none, only their number."""
    chunks = [
        marks.occupied(tile, player.colonists[tile], number)
        for tile, number in _some(player.island[:FOREST])
    ]
    if player.forests:
        chunks.append(marks.count(FOREST, player.forests))
    return chunks or [[(str(say("no tiles")), DIM)]]


def _city(player: PlayerView, marks: Marks) -> list[Line]:
    chunks = [
        marks.occupied(place, player.colonists[place], player.circles[place])
        for place in buildings_in(player.city)
    ]
    return chunks or [[(str(say("no buildings")), DIM)]]


# -- the buildings


def _offer(seen: Observation) -> list[int]:
    """Return the buildings that can still be built by somebody, as on the board."""
    return [place for place in BUILDING_PLACES if seen.copies[place]]


def _offered(seen: Observation, place: int, marks: Marks) -> Line:
    """One building: its cost, its name, the copies left; what the player to move pays now.

    A mark stands where the player to move can pay for it.
    """
    copies = f" {marks.times}{seen.copies[place]}"
    if seen.phase != BUILDER_PHASE:
        return [
            (f"{COST[place]:3} ", PLAIN),
            *padded([marks.chip(PLACES[place], place)], _name_width(marks)),
            (copies, DIM),
        ]
    mover = seen.to_move[0]
    player = seen.players[mover]
    spaces = 2 if BIT[place] & LARGE else 1
    costs = price(seen, mover, place)
    owned = bool(player.city & BIT[place])
    possible = costs <= player.doubloons and not owned and spaces <= player.city_spaces
    return [
        (marks.turn if possible else " ", BOLD),
        (f"{costs:2} ", BOLD if possible else PLAIN),
        *padded([marks.chip(PLACES[place], place)], _name_width(marks)),
        (copies, DIM),
    ]


def _name_width(marks: Marks) -> int:
    return _LONGEST + 2 * len(marks.margin)


def _panel(seen: Observation, marks: Marks) -> list[Line]:
    """The buildings below each other, by the columns of the board."""
    if seen.phase == DRAFT_PHASE:
        return _buildings(seen, marks, _CELL)
    lines = [line for note in _notes(seen) for line in wrapped(str(note), _CELL, style=DIM)]
    column = 0
    for place in sorted(_offer(seen), key=lambda place: (COLUMN[place], COST[place], place)):
        if COLUMN[place] != column:
            column = COLUMN[place]
            lines.append([(str(say("column {column}", column=column)), DIM)])
        lines.append(_offered(seen, place, marks))
    return lines


def _notes(seen: Observation) -> list[Sentence]:
    if seen.phase == BUILDER_PHASE:
        player = seen.players[seen.to_move[0]].name
        return [say("Buildings: what {player} pays, copies", player=player)]
    return [say("Buildings: cost and copies")]


def _buildings(seen: Observation, marks: Marks, width: int) -> list[Line]:
    """The buildings in as many columns as there is room for, from the cheapest down."""
    if seen.phase == DRAFT_PHASE:
        return _draft(seen, marks, width)
    lines = [line for note in _notes(seen) for line in wrapped(str(note), width, style=DIM)]
    offer = sorted(_offer(seen), key=lambda place: (COST[place], place))
    columns = max(1, (width + 2) // (_CELL + 2))
    rows = -(-len(offer) // columns)
    for row in range(rows):
        line: Line = []
        for place in offer[row::rows]:
            if line:
                line = [*padded(line, width_of(line)), ("  ", PLAIN)]
            line += padded(_offered(seen, place, marks), _CELL)
        lines.append(line)
    return lines


def _draft(seen: Observation, marks: Marks, width: int) -> list[Line]:
    """The violet kinds of the game: those chosen, and by cost those that can be chosen."""
    chosen = buildings_in(seen.violet)
    heading = say("Chosen: {count} of {all}", count=len(chosen), all=VIOLET_KINDS)
    chips: list[Line] = [[marks.chip(PLACES[place], place)] for place in chosen]
    lines: list[Line] = [[(str(heading), DIM)]]
    if chips:
        lines += _flow(chips, width, first=[("    ", PLAIN)], indent=4, gap=2)
    lines.append([(str(say("To choose, by cost")), DIM)])
    allowed = buildings_in(kinds_allowed(seen.violet) & VIOLET)
    for cost in sorted({COST[place] for place in allowed}):
        kinds: list[Line] = [
            [marks.chip(PLACES[place], place)] for place in allowed if COST[place] == cost
        ]
        lines += _flow(kinds, width, first=[(f"{cost:3} ", PLAIN)], indent=4, gap=2)
    return lines


def _last(last: Sequence[Sentence], width: int) -> list[Line]:
    if not last:
        return []
    told = " ".join(map(str, last))
    return [[], *folded([(f"{say('Last:')} ", DIM), (told, PLAIN)], width)]
