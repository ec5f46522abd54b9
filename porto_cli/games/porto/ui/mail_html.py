"""The table in the HTML of a mail: house fronts as tables, all else in words on colors."""

from __future__ import annotations

from porto_cli.core.message import say
from porto_cli.games.porto.table import House, Player, Table
from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.palette import PAINTS, ROOF
from porto_cli.term.inline_html import (
    INK,
    PAPER,
    cell,
    chip,
    drawing,
    grid,
    heading,
    paragraph,
    row_of,
)
from porto_cli.term.svg import escaped

_FREE = "#e6e1d6"
"""Spaces without a floor."""


def mail_html(table: Table) -> str:
    """Return the table as pieces that mail programs leave as they are."""
    parts = [
        *(paragraph(sentence) for sentence in phrases.situation(table)),
        *map(_street, table.sides),
        paragraph(
            say(
                "A letter is a floor of that color, ▲ a roof, a number a token of so many VP, · an "
                "empty space."
            ),
            soft=True,
        ),
        heading(say("Cards")),
        row_of(_numbered(table)),
        heading(say("Public contracts")),
        _contracts(table),
        heading(say("Players")),
        _players(table),
        *(part for player in table.players for part in _private(player, table)),
        heading(say("Supplies")),
        paragraph(phrases.decks(table)),
    ]
    if table.roofs_to_end is not None:
        parts.append(paragraph(say("Roofs: {roofs}", roofs=phrases.roofs(table))))
    parts.append(_tiles(table))
    return "\n".join(parts)


def _street(side: tuple[House, ...]) -> str:
    """Draw the houses of a side, the highest spaces first, each with its name below it."""
    top = max(house.height for house in side)
    rows = ["".join(_space(house, level) for house in side) for level in range(top, -1, -1)]
    names = "".join(cell(_name(house), INK, PAPER) for house in side)
    return drawing([*rows, names])


def _name(house: House) -> str:
    """Return what stands below a house. The letter of its color is there once more, on paper, as
    it may be hard to read on the color.
    """
    built = say("{floors}/{height}", floors=house.floors, height=house.height)
    letter = f"&nbsp;{PAINTS[house.color].letter}" if house.color else ""
    return f"<b>{house.name}{letter}</b><br>{built}"


def _space(house: House, level: int) -> str:
    """Draw a space of a house: 0 is the ground floor, its height is the roof."""
    if level > house.height:
        return cell("&nbsp;", INK, PAPER)
    if level == house.height:
        if house.complete:
            return cell("▲", "#000000", ROOF)
        return cell(_token(house.roof_token), INK, PAPER)
    if level < house.floors and house.color:
        paint = PAINTS[house.color]
        return cell(paint.letter, paint.ink, paint.shade if level % 2 else paint.fill)
    token = house.ground_token if level == 0 else None
    return cell(_token(token) if token else "·", INK, _FREE)


def _token(value: int | None) -> str:
    return f"<b>{value}</b>" if value else "&nbsp;"


def _card(card: str) -> str:
    return chip(card, PAINTS[card.partition("-")[0]].fill)


def _numbered(table: Table) -> list[str]:
    return [
        f"{space}&nbsp;{_card(card) if card else escaped(say('empty'))}"
        for space, card in enumerate(table.cards, start=1)
    ]


def _contracts(table: Table) -> str:
    rows = [
        (
            f"{space} {escaped(contract.name)}",
            str(contract.vp),
            escaped(phrases.public_contract(contract.name)),
            phrases.CHANCES[contract.chance],
        )
        if contract
        else (f"{space} {escaped(say('empty'))}", "", "", "")
        for space, contract in enumerate(table.contracts, start=1)
    ]
    return grid((say("contract"), say("VP"), say("asks to"), say("can be met")), rows, (1,))


def _players(table: Table) -> str:
    rows = [
        (
            escaped(player.name),
            str(player.score),
            str(player.fulfilled),
            " ".join(map(_card, player.hand)) or escaped(say("none")),
        )
        for player in table.players
    ]
    heads = (say("player"), say("VP"), say("contracts"), say("cards in hand"))
    return grid(heads, rows, (1, 2))


def _private(player: Player, table: Table) -> list[str]:
    if not player.private:
        return []
    rows = [
        (
            f"{nth} {escaped(contract.name)}",
            escaped(phrases.private_contract(contract.name, contract.scale)),
            escaped(phrases.worth_now(contract)),
        )
        for nth, contract in enumerate(player.private, start=1)
    ]
    heads = (say("contract"), say("pays for"), say("now"))
    return [heading(phrases.private_heading(player, table)), grid(heads, rows)]


def _tiles(table: Table) -> str:
    rows = [
        (chip(color, PAINTS[color].fill), str(ground), str(upper))
        for color, (ground, upper) in table.tiles.items()
    ]
    return grid((say("tiles left"), say("ground floors"), say("upper floors")), rows, (1, 2))
