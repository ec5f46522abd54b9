"""The table and the news above a question: as much of them as fits into the rows that are left.

It is all that ``porto show`` shows, or else a line for each thing, below the houses drawn or, where
even that is too much, listed. What is at the end of that gives way to the question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from porto_cli.games.porto import houses
from porto_cli.games.porto.houses import PAINTS, ROOF, TO_BE_MET, TOKEN
from porto_cli.games.porto.render import (
    SIGNS,
    View,
    cards,
    headline,
    name_column,
    named,
    rows,
    situation,
    worths,
)
from porto_cli.games.porto.view import NEVER, NOW
from porto_cli.history import News
from porto_cli.paper.document import (
    BOLD,
    DIM,
    PLAIN,
    Block,
    Chunk,
    Document,
    Drawing,
    Flow,
    Node,
    Paragraph,
)
from porto_cli.paper.text import lines
from porto_cli.term.screen import Screen
from porto_cli.term.spans import Line


class BoardPanel(NamedTuple):
    """The table, and what has happened since its reader saw it last."""

    table: View
    news: tuple[News, ...] = ()

    def lines(self, screen: Screen, rows: int, most: int) -> list[Line]:
        """Return the table and the news, as large as fits into the rows.

        The smallest that there is may take ``most`` rows; what does not fit even then is left out.
        """
        nodes: list[Node] = []
        drawn: list[Line] = []
        for nodes in self._ways():
            drawn = lines(Document("", nodes, margin=1), screen)
            if len(drawn) <= rows:
                return drawn
        while len(drawn) > most and nodes:
            nodes.pop()
            drawn = lines(Document("", nodes, margin=1), screen)
        return drawn

    def _ways(self) -> Iterator[list[Node]]:
        """Yield what can be shown, the largest first."""
        table = self.table
        full = [sentence for one in self.news for sentence in one.full]
        short = [sentence for one in self.news for sentence in one.short]
        yield [
            *headline(table),
            *rows(table),
            *([Block("News", [Paragraph(full)])] if full else []),
        ]
        for drawn, brief in ((True, False), (False, False), (False, True)):
            yield [
                Paragraph(situation(table), BOLD),
                *([_street(table)] if drawn else _sides(table)),
                _line("Cards", [*cards(table)]),
                _line("Contracts", [*_contracts(table)]),
                *_players(table, brief=brief),
                *([Paragraph(short, first=_head("News"), indent=HEAD)] if short else []),
                *_private(table, brief=brief),
            ]

    def sentences(self) -> Iterator[str]:
        """Return the news, the situation, and what the reader's private contracts bring."""
        for news in self.news:
            yield from news.full
        yield from situation(self.table)
        for player in self.table["players"]:
            for name, worth in zip(player["private"] or (), worths(player), strict=True):
                if worth:
                    yield f"{name}: {worth}"


HEAD = 11
"""Columns of the headings at the left."""


def _head(label: str) -> Chunk:
    return [(label.ljust(HEAD), BOLD)]


def _line(label: str, chunks: Sequence[Chunk]) -> Flow:
    return Flow(chunks, first=_head(label), indent=HEAD)


def _street(table: View) -> Drawing:
    built = houses.built_by(table.get("last_turn"))
    return Drawing(lambda screen: houses.street(table["houses"], built, screen, beside_from=4))


def _sides(table: View) -> Iterator[Flow]:
    """List the houses of each side."""
    for label, side in zip(("Left side", "Right side"), houses.sides(table["houses"]), strict=True):
        yield _line(label, [_house(name, house) for name, house in side.items()])


def _house(name: str, house: houses.House) -> Chunk:
    """Return color, floors, and the tokens on the ground and on the roof space: ``L1 – 0/5 (2)``"""
    paint = PAINTS.get(house["color"])
    chunk: list[Any] = [(f"{name} ", BOLD), (paint.letter, paint.chip) if paint else "–"]
    chunk.append(f" {house['floors']}/{house['height']}")
    if house["ground_token"]:
        chunk.append((f" ({house['ground_token']})", TOKEN))
    if house["complete"]:
        chunk.append((" ▲", ROOF))
    elif house["roof_token"]:
        chunk.append((f" /{house['roof_token']}\\", TOKEN))
    return chunk


def _contracts(table: View) -> Iterator[Chunk]:
    """Yield the public contracts: whether they can be met, names, VP."""
    for contract in filter(None, table["public_contracts"]):
        when = contract["can_be_met"]
        yield [
            (f"{SIGNS[when]} ", TO_BE_MET if when == NOW else PLAIN),
            (contract["contract"], DIM if when == NEVER else PLAIN),
            f" {contract['vp']}",
        ]


def _players(table: View, *, brief: bool) -> Iterator[Flow]:
    """Yield names, scores and hands, a line for each or one behind the other."""
    together: list[Chunk] = []
    for player in table["players"]:
        hand = [*_hand(player["hand"])] or [[("no cards", DIM)]]
        if not brief:
            yield Flow(hand, 1, named(player, table), indent=name_column(table) + 11)
        style = BOLD if player["name"] in table["to_move"] else PLAIN
        pieces = [piece for kind in hand for piece in (" ", *kind)]
        together.append([(f"{player['name']} {player['score']} VP", style), *pieces])
    if brief:
        yield _line("Players", together)


def _hand(cards: Sequence[str]) -> Iterator[Chunk]:
    """Yield each kind of card as the letter of its color and its value: ``B1×2``."""
    for card, count in sorted(Counter(cards).items()):
        paint = PAINTS[card[:-2]]
        times = f"×{count}" if count > 1 else ""
        yield [(f"{paint.letter}{card[-1]}{times}", paint.chip)]


def _private(table: View, *, brief: bool) -> Iterator[Node]:
    """Yield what the private contracts bring and still can.

    Those that have to be chosen from are choices by themselves.
    """
    for player in table["players"]:
        progress = player["private_progress"] or []
        if brief and progress:
            yield _line("Private", [[_brief(**one)] for one in progress])
        elif progress:
            said = zip(player["private"], worths(player), strict=True)
            yield from (
                Paragraph([worth], first=[*_head("Private"), (f"{name} ", BOLD)], indent=HEAD)
                for name, worth in said
            )


def _brief(contract: str, vp: int, most: int, **_: Any) -> str:
    return f"{contract} {vp} of {most} VP" if most > vp else f"{contract} {vp} VP"
