"""The table in a terminal: house fronts, cards, contracts, scores, hands, at any width."""

from __future__ import annotations

from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.state import OVER
from porto_cli.games.porto.table import LATER, NEVER, NOW, Player, Table
from porto_cli.games.porto.ui import houses, phrases
from porto_cli.games.porto.ui.houses import Size
from porto_cli.games.porto.ui.palette import PAINTS, ROOF, TO_BE_MET
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
    cut,
    flow,
    padded,
    width_of,
    wrapped,
)

MARGIN = 1
PANEL = 40
"""Columns that the panel beside the houses needs."""
ROOMY = 72
"""Columns from which on headings stand at the left instead of above."""
WIDE = 160
"""Columns from which on floors are two rows high."""
SMALLEST_CELL, LARGEST_CELL = 6, 14
GOOD_CELL = 10
"""Columns of a house for which the panel is worth having."""
LABEL = 11
"""Columns of the headings at the left."""
LONGEST_CONTRACT = 16
"""Columns of the longest public contract."""
LEAST_TRACK = 60
"""VP at the end of the score track, unless somebody has more."""
SHORTEST_TRACK, LONGEST_TRACK = 16, 61
"""Columns of the score track."""


class Marks:
    """Characters that stand for something, as the alphabet allows."""

    def __init__(self, screen: Screen) -> None:
        ascii_only = screen.ascii
        self.margin = " " if screen.color else ""
        chances = ("*", "o", "x") if ascii_only else ("●", "○", "×")
        self.chances = dict(zip((NOW, LATER, NEVER), chances, strict=True))
        self.roof, self.no_roof = ("^", ".") if ascii_only else ("▲", "△")
        self.run, self.rail, self.stone = ("=", "-", "O") if ascii_only else ("━", "─", "●")
        self.times = "x" if ascii_only else "×"
        self.turn = ">" if ascii_only else "▸"
        self.more = "..." if ascii_only else "…"

    def chip(self, card: str, count: int = 1) -> Span:
        """Return one or several equal cards, painted like cards."""
        times = f" {self.times}{count}" if count > 1 else ""
        return f"{self.margin}{card}{times}{self.margin}", PAINTS[card.partition("-")[0]].chip


def text(table: Table, screen: Screen) -> list[Line]:
    """Return the table as lines for a screen, at most as wide as it is.

    On a wide screen everything stands beside the houses, on a middling one the contracts and
    the scores do, on a narrow one all follows below.
    """
    marks = Marks(screen)
    width = screen.width - 2 * MARGIN
    most = max(len(side) for side in table.sides)
    floor = 2 if screen.width >= WIDE else 1
    cell = (width - PANEL) // most
    beside_houses = cell >= GOOD_CELL
    size = Size(_even(cell if beside_houses else width // most), floor)
    street = _street(table, size, screen.ascii)
    left = size.cell * most + 2
    lines = _heading(table, width)
    if not beside_houses:
        lines += [*street, [], *_all(table, marks, width)]
    elif width - left >= ROOMY:
        lines += beside(street, _all(table, marks, width - left), left)
    else:
        panel = [*_contracts(table, marks, width - left), [], *_scores(table, marks, width - left)]
        lines += [
            *beside(street, panel, left),
            [],
            *_cards(table, marks, width),
            *_hands_and_rest(table, marks, width),
        ]
    return [[(" " * MARGIN, PLAIN), *line] if line else [] for line in lines]


def _all(table: Table, marks: Marks, width: int) -> list[Line]:
    return [
        *_cards(table, marks, width),
        *_contracts(table, marks, width),
        *_scores(table, marks, width),
        *_hands_and_rest(table, marks, width),
    ]


def _hands_and_rest(table: Table, marks: Marks, width: int) -> list[Line]:
    return [
        *_hands(table, marks, width),
        *_private(table, width),
        *_piles(table, marks, width),
        *_last_turn(table, width),
    ]


def _even(cell: int) -> int:
    return max(SMALLEST_CELL, min(LARGEST_CELL, cell) // 2 * 2)


def _heading(table: Table, width: int) -> list[Line]:
    title = table.title or "Porto"
    code = str(say("fingerprint {fingerprint}", fingerprint=table.fingerprint))
    lines = wrapped(title, width, style=TITLE)
    if table.fingerprint and cells(title) + cells(code) + 2 <= width:
        lines = [[*padded([(title, TITLE)], width - cells(code)), (code, DIM)]]
    for sentence in phrases.situation(table):
        lines += wrapped(str(sentence), width, style=BOLD)
    return [*lines, []]


def _street(table: Table, size: Size, ascii_only: bool) -> list[Line]:
    left, right = (houses.fronts(side, size, ascii_only) for side in table.sides)
    water = houses.river(size.cell * max(map(len, table.sides)) - 1, ascii_only)
    return [*left, [], *right, water]


def _block(label: Sentence, lines: list[Line], width: int) -> list[Line]:
    """Put a heading at the left of some lines, or above them where it is narrow."""
    heading: Line = [(str(label), BOLD)]
    if width < ROOMY:
        return [heading, *lines]
    head, blank = padded(heading, LABEL), padded([], LABEL)
    return [[*(blank if nth else head), *line] for nth, line in enumerate(lines)]


def _inside(width: int) -> int:
    """Return the columns that a block has for its lines."""
    return width if width < ROOMY else width - LABEL


def _cards(table: Table, marks: Marks, width: int) -> list[Line]:
    chunks: list[Line] = []
    for space, card in enumerate(table.cards, start=1):
        chunks.append([(f"{space} ", DIM), marks.chip(card) if card else (str(say("empty")), DIM)])
    lines = _block(say("Cards"), flow(chunks, _inside(width), gap=2), width)
    if table.turned:
        turned = flow([[marks.chip(card)] for card in table.turned], _inside(width), gap=2)
        lines += _block(say("Timer"), turned, width)
    return lines


def _contracts(table: Table, marks: Marks, width: int) -> list[Line]:
    rows: list[Line] = []
    inside = _inside(width)
    for space, contract in enumerate(table.contracts, start=1):
        if contract is None:
            rows.append([(f"{space}   ", DIM), (str(say("empty")), DIM)])
            continue
        style = {NOW: TO_BE_MET, NEVER: DIM}.get(contract.chance, PLAIN)
        head: Line = [
            (f"{space} ", DIM),
            (f"{marks.chances[contract.chance]} ", style),
            (contract.name.ljust(LONGEST_CONTRACT), DIM if contract.chance == NEVER else BOLD),
            (f"{contract.vp} VP ", PLAIN),
        ]
        meaning = str(phrases.public_contract(contract.name))
        if width_of(head) + cells(meaning) <= inside:
            rows.append([*head, (meaning, DIM if contract.chance == NEVER else PLAIN)])
        else:
            rows += [head, [("    " + meaning, DIM)]]
    meanings: list[Line] = [
        [(f"{marks.chances[chance]} {meaning}", DIM)]
        for chance, meaning in phrases.CHANCES.items()
        if any(contract and contract.chance == chance for contract in table.contracts)
    ]
    if table.phase != OVER:
        rows += flow(meanings, inside, first=[(str(say("Can be met: ")), DIM)], gap=2)
    return _block(say("Contracts"), rows, width)


def _scores(table: Table, marks: Marks, width: int) -> list[Line]:
    """The score track, with a marker for each player."""
    inside = _inside(width)
    name = _name_column(table, inside)
    length = min(inside - name - 3 - _TAIL, LONGEST_TRACK)
    end = max(LEAST_TRACK, *(-(-player.score // 10) * 10 for player in table.players))
    rows: list[Line] = []
    for player in table.players:
        at = min(length - 1, round(player.score / end * (length - 1)))
        mover = player.name in table.to_move
        rows.append(
            [
                (f"{marks.turn if mover else ' '} ", BOLD),
                *padded([(cut(player.name, name, marks.more), BOLD if mover else PLAIN)], name + 1),
                (marks.run * at, PLAIN),
                (marks.stone, BOLD),
                (marks.rail * (length - 1 - at), DIM),
                (f"{player.score:4} VP", BOLD),
            ]
        )
    scale = [" "] * length
    for vp in range(0, end + 1, 10 if length > 40 else 20 if length > 20 else 50):
        label = str(vp)
        start = min(round(vp / end * (length - 1)), length - len(label))
        scale[start : start + len(label)] = label
    rows.append([(" " * (name + 3), PLAIN), ("".join(scale), DIM)])
    return _block(say("Scores"), rows, width)


_TAIL = len(" 100 VP")


def _name_column(table: Table, inside: int) -> int:
    """Return the columns of the players' names: of all of them, or what the track leaves."""
    longest = max(cells(player.name) for player in table.players)
    return min(longest, inside - 3 - _TAIL - SHORTEST_TRACK)


def _hands(table: Table, marks: Marks, width: int) -> list[Line]:
    rows: list[Line] = []
    inside = _inside(width)
    name = _name_column(table, inside) + 3
    for player in table.players:
        mover = player.name in table.to_move
        first: Line = [
            (f"{marks.turn if mover else ' '} ", BOLD),
            (cut(player.name, name - 3, marks.more), BOLD if mover else PLAIN),
        ]
        chunks: list[Line] = [
            [marks.chip(card, player.hand.count(card))] for card in sorted(set(player.hand))
        ]
        if not chunks:
            chunks = [[(str(say("no cards")), DIM)]]
        note = str(phrases.fulfilled(player))
        rows += flow([*chunks, [(note, DIM)]], inside, first=first, indent=name, gap=2)
    return _block(say("Hands"), rows, width)


def _private(table: Table, width: int) -> list[Line]:
    lines: list[Line] = []
    for player in table.players:
        if player.private:
            lines += _private_of(player, table, width)
    return lines


def _private_of(player: Player, table: Table, width: int) -> list[Line]:
    """Private contracts in words; numbered while three of five have to be chosen."""
    lines = wrapped(str(phrases.private_heading(player, table)), width, style=BOLD)
    for number, contract in enumerate(player.private or (), start=1):
        first: Line = [
            (f"{number} " if player.choosing else "  ", DIM),
            (f"{contract.name}:", BOLD),
        ]
        meaning = phrases.private_contract(contract.name, contract.scale)
        worth = "" if player.choosing else str(phrases.worth_now(contract))
        lines += wrapped(f"{meaning} {worth}", width, first=[*first, (" ", PLAIN)], indent=4)
    return lines


def _piles(table: Table, marks: Marks, width: int) -> list[Line]:
    inside = _inside(width)
    lines = _block(say("Decks"), wrapped(str(phrases.decks(table)), inside), width)
    if table.roofs_to_end:
        roofs = marks.roof * table.roofs + marks.no_roof * (table.roofs_to_end - table.roofs)
        meaning = str(phrases.roofs(table))
        lines += _block(say("Roofs"), wrapped(meaning, inside, first=[(f"{roofs} ", ROOF)]), width)
    tiles: list[Line] = [
        [
            (f"{marks.margin}{PAINTS[color].letter}{marks.margin}", PAINTS[color].chip),
            (f" {ground}+{upper}", PLAIN),
        ]
        for color, (ground, upper) in table.tiles.items()
    ]
    note: Line = [(str(say("ground floors + upper floors left")), DIM)]
    return [*lines, *_block(say("Tiles"), flow([*tiles, note], inside, gap=2), width)]


def _last_turn(table: Table, width: int) -> list[Line]:
    """What happened last; the houses show it with a dotted outline."""
    if table.last is None:
        return []
    sentences: list[Sentence] = phrases.told(table.last)
    scored = phrases.scored(table.last)
    if scored:
        sentences.append(scored)
    lines = wrapped(" ".join(map(str, sentences)), _inside(width))
    return _block(say("Last turn"), lines, width)
