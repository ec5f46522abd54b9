"""What lies on the table: face-up cards, public contracts, supplies, and the players' seats."""

from __future__ import annotations

from porto_cli.core.message import say
from porto_cli.games.porto.engine.components import COLORS, PUBLIC
from porto_cli.games.porto.engine.state import OVER
from porto_cli.games.porto.notation import PUBLIC_NAMES
from porto_cli.games.porto.table import LATER, NEVER, NOW, Contract, Table
from porto_cli.games.porto.ui.picture.seats import MARGIN, WIDTH, seats
from porto_cli.games.porto.ui.picture.shapes import CARD_HEIGHT, CARD_WIDTH
from porto_cli.term.svg import Picture, label, use

PILE_X, PILE_WIDTH = 504, 76
"""Where the face-down piles lie, at the right of the rows."""
CARDS_Y = 36
CONTRACTS_Y = 196
CONTRACT_WIDTH = 108
GAP = 12
SUPPLIES_Y = 356
PLAYERS_Y = 458


def board(table: Table) -> Picture:
    """Draw the table in front of the players."""
    pieces = {
        "deck": _pile(CARDS_Y, table.deck),
        "deck-count": _count(CARDS_Y, table.deck),
        "discards": _discards(table.discards),
        "contract-deck": _pile(CONTRACTS_Y, table.contract_deck),
        "contract-deck-count": _count(CONTRACTS_Y, table.contract_deck),
        "roofs": _roofs(table),
        "turned": _turned(table),
    }
    for space, card in enumerate(table.cards):
        pieces[f"card-{space}"] = _card(card, _card_x(space))
        if table.waiting and card is None:
            pieces[f"card-{space}"] += _unknown(_card_x(space), CARDS_Y, CARD_WIDTH)
    for space, contract in enumerate(table.contracts):
        pieces[f"contract-{space}"] = _contract(contract, _contract_x(space), table.phase == OVER)
        if table.waiting and contract is None:
            pieces[f"contract-{space}"] += _unknown(_contract_x(space), CONTRACTS_Y, CONTRACT_WIDTH)
    for place, color in enumerate(COLORS):
        pieces[f"tiles-{color}"] = _tiles(color, table.tiles[color], MARGIN + place * 112)
    players, height = seats(table, PLAYERS_Y)
    backdrop = f'<rect class="paper" width="{WIDTH}" height="{height}"/>{_captions(table)}'
    return Picture(WIDTH, height, {"backdrop": backdrop, **pieces, **players})


def _captions(table: Table) -> str:
    """Headings, and the numbers of the spaces."""
    parts = [
        label(MARGIN, CARDS_Y - 12, say("Construction cards"), "b", 17),
        label(MARGIN, CONTRACTS_Y - 12, say("Public contracts"), "b", 17),
    ]
    for space in range(len(table.cards)):
        middle = _card_x(space) + CARD_WIDTH / 2
        parts.append(label(middle, CARDS_Y + 122, space + 1, "soft mid", 15))
    for space in range(len(table.contracts)):
        x = _contract_x(space) + 14
        parts.append(label(x, CONTRACTS_Y + 122, space + 1, "soft mid", 15))
    return "".join(parts)


def _card_x(space: int) -> int:
    return MARGIN + space * (CARD_WIDTH + GAP)


def _contract_x(space: int) -> int:
    return MARGIN + space * (CONTRACT_WIDTH + GAP)


_PILE = f'width="{PILE_WIDTH}" height="{CARD_HEIGHT}" rx="9"'


def _pile(y: int, count: int) -> str:
    """A face-down pile: no card, one, or several."""
    if not count:
        return f'<rect class="free" x="{PILE_X}" y="{y}" {_PILE}/>'
    return "".join(
        f'<rect x="{PILE_X + lift}" y="{y - lift}" {_PILE} fill="url(#azulejo)" stroke="#2c4f86" '
        'stroke-width="2"/>'
        for lift in range(min(count, 2) * 3 - 3, -1, -3)
    )


def _count(y: int, count: int) -> str:
    middle = PILE_X + PILE_WIDTH / 2
    return (
        f'<rect class="card" x="{middle - 25:g}" y="{y + 34}" width="50" height="36" rx="8"/>'
        + label(middle, y + 60, count, "b mid", 23)
    )


def _discards(count: int) -> str:
    words = say("{count} used", count=count)
    return label(PILE_X + PILE_WIDTH / 2, CARDS_Y + 122, words, "soft mid", 15)


def _card(card: str | None, x: float) -> str:
    if card is None:
        return (
            f'<rect class="free" x="{x}" y="{CARDS_Y}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" '
            'rx="9"/>'
        )
    return use(card, x, CARDS_Y)


def _unknown(x: float, y: float, width: float) -> str:
    """Mark a space in which something comes up that nobody has seen."""
    return label(x + width / 2, y + CARD_HEIGHT / 2 + 14, "?", "soft mid", 40)


def _lines(name: str) -> tuple[str, str]:
    """Return the two lines that stand on a public contract."""
    contract = PUBLIC[PUBLIC_NAMES.index(name)]
    one, other = (COLORS[contract.colors[0]], COLORS[contract.colors[-1]])
    if contract.kind == "floors" and contract.floors == 1:
        words = say("1 {color}\nfloor", color=one)
    elif contract.kind == "floors":
        words = say("{count} {color}\nfloors", count=contract.floors, color=one)
    elif contract.kind == "house":
        words = say("1 {color}\nhouse", color=one)
    elif one == other:
        words = say("2 {color}\ncards", color=one)
    else:
        words = say("{one} +\n{other} card", one=one, other=other)
    first, second = str(words).split("\n")
    return first, second


def _contract(contract: Contract | None, x: float, over: bool) -> str:
    y, width = CONTRACTS_Y, CONTRACT_WIDTH
    if contract is None:
        return f'<rect class="free" x="{x}" y="{y}" width="{width}" height="{CARD_HEIGHT}" rx="9"/>'
    middle = x + width / 2
    first, second = _lines(contract.name)
    drawn = (
        f'<rect class="card" x="{x}" y="{y}" width="{width}" height="{CARD_HEIGHT}" rx="9" '
        'stroke-width="2"/>'
        + _sign(contract.name, x + 10, y + 10)
        + use("coin", x + width - 19, y + 19)
        + label(x + width - 19, y + 26, contract.vp, "b mid dark", 20)
        + label(middle, y + 76, first, "mid b", 16, width=width - 8)
        + label(middle, y + 95, second, "mid", 16, width=width - 8)
    )
    if contract.chance == LATER or over:
        return drawn
    if contract.chance == NEVER:
        drawn = f'<g opacity=".45">{drawn}</g>'
    return drawn + _chance(contract.chance, x, y)


def _sign(name: str, x: float, y: float) -> str:
    """What a contract asks for, as a drawing of about 60 by 48."""
    contract = PUBLIC[PUBLIC_NAMES.index(name)]
    colors = [COLORS[color] for color in contract.colors]
    if contract.kind == "cards":
        return use(f"card-{colors[0]}", x, y, 0.36) + use(f"card-{colors[-1]}", x + 26, y + 8, 0.36)
    color = colors[0]
    if contract.kind == "house":
        return (
            use("gable", x + 6, y + 19, 0.4)
            + use(f"upper-{color}", x + 6, y + 19, 0.4)
            + use(f"ground-{color}", x + 6, y + 31, 0.4)
        )
    drawn = [use(f"upper-{color}", x, y + 33 - 17 * nth, 0.54) for nth in range(contract.floors)]
    return "".join(drawn)


def _chance(chance: str, x: float, y: float) -> str:
    """What stands below a contract: whether it can be met now, or never any more."""
    if chance == NOW:
        return (
            f'<rect class="can" x="{x}" y="{y}" width="{CONTRACT_WIDTH}" height="{CARD_HEIGHT}" '
            f'rx="9"/><path class="can" d="M{x + 30} {y + 117}l5 5l9-12"/>'
            + label(x + 50, y + 122, "now", "b", 15)
        )
    return f'<path class="cannot" d="M{x + 30} {y + 111}l10 10m0-10l-10 10"/>' + label(
        x + 50, y + 122, "never", "soft", 15
    )


def _roofs(table: Table) -> str:
    """Roofs placed, and those that are needed to trigger the end."""
    y = SUPPLIES_Y
    if table.roofs_to_end is None:
        words = say(
            "{count} timer cards left; roofs placed: {roofs}", count=table.timer, roofs=table.roofs
        )
        return label(MARGIN, y, words, "b", 17)
    drawn = ""
    for nth in range(max(table.roofs_to_end, table.roofs)):
        x = MARGIN + 29 * nth
        if nth < table.roofs:
            drawn += use("gable", x, y, 0.26)
        else:
            drawn += f'<path class="free" d="M{x} {y}h24l-12-12z"/>'
    words = say(
        "Roofs: {roofs}; {needed} trigger the end", roofs=table.roofs, needed=table.roofs_to_end
    )
    room = WIDTH - 2 * MARGIN - 29 * max(table.roofs_to_end, table.roofs) - 10
    return drawn + label(WIDTH - MARGIN, y, words, "end", 16, width=room)


def _turned(table: Table) -> str:
    """The two cards that the solo timer has turned up."""
    if not table.turned:
        return ""
    x, y = WIDTH - MARGIN - 90, SUPPLIES_Y - 30
    return "".join(use(card, x + 44 * nth, y, 0.48) for nth, card in enumerate(table.turned))


def _tiles(color: str, left: tuple[int, int], x: float) -> str:
    """Ground floors and upper floors left of a color."""
    y = SUPPLIES_Y + 20
    ground, upper = left
    return (
        use(f"ground-{color}", x, y, 0.64)
        + label(x + 66, y + 19, say("×{count}", count=ground), "b", 17)
        + use(f"upper-{color}", x, y + 30, 0.64)
        + label(x + 66, y + 47, say("×{count}", count=upper), "b", 17)
    )
