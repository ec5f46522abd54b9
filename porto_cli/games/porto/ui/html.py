"""The table as one page: the picture, and the same in words and lists."""

from __future__ import annotations

from porto_cli.core.message import say
from porto_cli.games.porto.table import Contract, House, Table
from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.page import private_contract, reckoning, shapes
from porto_cli.games.porto.ui.palette import PAINTS
from porto_cli.games.porto.ui.picture.board import board
from porto_cli.games.porto.ui.picture.scene import scene
from porto_cli.games.porto.ui.scoring import Standings
from porto_cli.term.page import grid, inline, page, row, section
from porto_cli.term.svg import escaped


def html(table: Table, standings: Standings) -> str:
    """Return the table as an HTML document that works without scripts and without a network.

    ``standings`` are those of the same table and the same seat.
    """
    above, below = scene(table), board(table)
    body = [
        "<header>",
        f"<h1>{escaped(table.title or phrases.GAME)}</h1>",
        *(f"<p>{escaped(sentence)}</p>" for sentence in phrases.situation(table)),
        *([f"<p><b>{escaped(phrases.outcome(standings))}</b></p>"] if standings.over else []),
        "</header>",
        "<main>",
        shapes(),
        '<figure class="pictures">',
        inline(above, above.drawn(), say("The houses along the river and the score track")),
        inline(below, below.drawn(), say("Face-up cards, public contracts, supplies, hands")),
        "</figure>",
        '<div class="words">',
        *section(say("Players"), _players(table)),
        *section(say("Last turn"), _last_turn(table)),
        *section(say("Construction cards"), _cards(table)),
        *section(say("Public contracts"), _contracts(table)),
        *section(say("Left side"), _houses(table.sides[0])),
        *section(say("Right side"), _houses(table.sides[1])),
        *section(say("Supplies"), _supplies(table)),
        *section(say("Private contracts"), _private(table, standings)),
        "</div>",
        *section(say("Where the VP came from"), reckoning(standings)),
        "</main>",
        "<footer>",
        f"<p>{escaped(say('Fingerprint of the game: {hash}', hash=table.fingerprint))}</p>",
        "</footer>",
    ]
    return page(table.title or phrases.GAME, body)


def _players(table: Table) -> list[str]:
    rows = [
        row(
            f'<th scope="row">{escaped(player.name)}</th>',
            f"<td>{player.score}</td>",
            f"<td>{player.fulfilled}</td>",
            f"<td>{' '.join(map(_card, player.hand)) or 'none'}</td>",
        )
        for player in table.players
    ]
    return grid(("player", "VP", "public contracts", "cards in hand"), rows)


def _last_turn(table: Table) -> list[str]:
    if table.last is None:
        return []
    scored = phrases.scored(table.last)
    told = [*phrases.told(table.last), *([scored] if scored else [])]
    return ["<ul>", *(f"<li>{escaped(sentence)}</li>" for sentence in told), "</ul>"]


def _cards(table: Table) -> list[str]:
    return [
        "<ol>",
        *(f"<li>{_card(card) if card else 'empty'}</li>" for card in table.cards),
        "</ol>",
    ]


def _card(card: str) -> str:
    return _swatch(card.partition("-")[0], card)


def _swatch(color: str, text: str) -> str:
    """A word on its color: in a mail that drops pictures a card is still a card."""
    paint = PAINTS[color]
    style = f"background:{paint.fill};color:{paint.ink};border-radius:4px;padding:1px 6px"
    return f'<span style="{style};white-space:nowrap">{text}</span>'


def _contracts(table: Table) -> list[str]:
    rows = [
        row(
            f'<th scope="row">{space}</th>',
            f"<td>{_contract(contract) if contract else 'empty'}</td>",
            f"<td>{contract.vp if contract else ''}</td>",
            f"<td>{phrases.CHANCES[contract.chance] if contract else ''}</td>",
        )
        for space, contract in enumerate(table.contracts, start=1)
    ]
    return grid(("space", "contract", "VP", "can be met"), rows)


def _contract(contract: Contract) -> str:
    return f"<b>{contract.name}</b><br>{escaped(phrases.public_contract(contract.name))}"


def _houses(side: tuple[House, ...]) -> list[str]:
    rows = [
        row(
            f'<th scope="row">{house.name}</th>',
            f"<td>{_swatch(house.color, house.color) if house.color else 'empty'}</td>",
            f"<td>{say('{floors} of {height}', floors=house.floors, height=house.height)}</td>",
            f"<td>{_token(house.ground_token)}</td>",
            f"<td>{_roof(house)}</td>",
        )
        for house in side
    ]
    return grid(("house", "color", "floors", "ground space", "roof space"), rows)


def _roof(house: House) -> str:
    return "roof" if house.complete else _token(house.roof_token)


def _token(value: int | None) -> str:
    return escaped(say("{vp} VP", vp=value)) if value else "–"


def _supplies(table: Table) -> list[str]:
    rows = [
        row(
            f'<th scope="row">{_swatch(color, color)}</th>',
            f"<td>{ground}</td>",
            f"<td>{upper}</td>",
        )
        for color, (ground, upper) in table.tiles.items()
    ]
    told = [phrases.decks(table)]
    if table.roofs_to_end is not None:
        told.append(say("Roofs: {roofs}", roofs=phrases.roofs(table)))
    return [
        *(f"<p>{escaped(sentence)}</p>" for sentence in told),
        *grid(("tiles left", "ground floors", "upper floors"), rows),
    ]


def _private(table: Table, standings: Standings) -> list[str]:
    reckoned = {player.name: player.private for player in standings.players}
    parts = []
    for player in table.players:
        contracts = reckoned[player.name]
        if contracts:
            parts += [
                f"<h3>{escaped(phrases.private_heading(player, table))}</h3>",
                "<ol>",
                *(private_contract(contract) for contract in contracts),
                "</ol>",
            ]
    return parts
