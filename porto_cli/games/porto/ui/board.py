"""What lies on the table: face-up cards, public contracts, supplies, and the players' seats."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from porto_cli.core.message import say
from porto_cli.games.porto.engine.components import COLORS, PRIVATE, PUBLIC
from porto_cli.games.porto.engine.state import OVER
from porto_cli.games.porto.notation import PRIVATE_NAMES, PUBLIC_NAMES
from porto_cli.games.porto.observation import LATER, NEVER, NOW, Contract, Player, Private, Table
from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.houses import PAINTS
from porto_cli.games.porto.ui.scene import CARD_HEIGHT, CARD_WIDTH
from porto_cli.paper.markup import Picture, label, named, owned, use, width_of

WIDTH = 600
MARGIN = 20
MINI = 0.44
"""How large the cards of a hand are drawn."""
HAND = 88
"""How much of a seat the name and the hand take."""
LINE = 28
"""How high a line of private contracts is."""


def seats(table: Table, top: int) -> tuple[dict[str, str], int]:
    """Return the pieces of all seats, one below the other, and where they end."""
    pieces = {}
    y = top
    for seat, player in enumerate(table.players):
        private = _private_lines(player)
        height = HAND + LINE * len(private)
        pieces[f"seat-{seat}"] = _seat(y, height, player.name in table.to_move)
        pieces[f"name-{seat}"] = _name(player, seat, y)
        pieces[f"fulfilled-{seat}"] = _fulfilled(player, y)
        pieces[f"score-{seat}"] = _score(player, y)
        pieces[f"hand-{seat}"] = owned(seat, _hand(player, y + 42))
        lines = (_private(line, y + HAND + 20 + LINE * nth) for nth, line in enumerate(private))
        pieces[f"private-{seat}"] = owned(seat, "".join(lines))
        y += height + 8
    return pieces, y + 12


def _seat(y: int, height: int, to_move: bool) -> str:
    """The place of a player; who is to move has a bar at its side."""
    area = f'x="{MARGIN - 8}" y="{y}" width="{WIDTH - 2 * MARGIN + 16}" height="{height}" rx="10"'
    if not to_move:
        return f'<rect class="card" {area}/>'
    bar = f'<path d="M{MARGIN - 8} {y + 12}v{height - 24}" stroke="#e3170a" stroke-width="5"/>'
    return f'<rect class="turn" {area}/>{bar}'


def _name(player: Player, seat: int, y: int) -> str:
    return (
        use("sail", MARGIN + 20, y + 47, 0.8)
        + label(MARGIN + 20, y + 32, seat + 1, "b mid dark", 17)
        + label(MARGIN + 48, y + 31, player.name, "b", 22, width=250)
    )


def _fulfilled(player: Player, y: int) -> str:
    words = say("{count} contracts fulfilled", count=player.fulfilled)
    if player.fulfilled == 1:
        words = say("1 contract fulfilled")
    return label(WIDTH - MARGIN - 92, y + 30, words, "soft end", 15)


def _score(player: Player, y: int) -> str:
    words = say("{vp} VP", vp=player.score)
    return label(WIDTH - MARGIN, y + 32, words, "b end", 24, width=86)


def _hand(player: Player, y: float) -> str:
    """Each kind of card once, with how many there are."""
    if not player.hand:
        return label(MARGIN + 8, y + 26, say("No cards in hand"), "soft", 16)
    kinds = Counter(player.hand)
    pitch = min(46.0, (WIDTH - 2 * MARGIN) / len(kinds))
    parts = []
    for nth, (card, count) in enumerate(sorted(kinds.items())):
        x = MARGIN + pitch * nth
        drawn = use(card, x, y, MINI)
        if count > 1:
            drawn += f'<circle class="card" cx="{x + 33:g}" cy="{y + 4:g}" r="9"/>' + label(
                x + 33, y + 9, count, "b mid", 14
            )
        parts.append(named(f"build {card}", drawn))
    return "".join(parts)


PRIVATE_KINDS = {
    "houses": "Houses",
    "pairs": "Pairs",
    "trios": "Trios",
    "mirror": "Mirror",
    "ends": "Ends",
    "palette": "Palette",
    "side": "Full side",
}


class _Entry(NamedTuple):
    """A private contract in a line: its kind, its colors, its VP."""

    kind: str
    colors: tuple[int, ...] = ()
    vp: str = ""
    style: str = ""
    note: str = ""
    """What it brings and still can: as much as fits, so that it has a line of its own."""
    number: int = 0
    """By which it is kept, if it is still to be chosen."""

    @property
    def width(self) -> float:
        if self.note:
            return WIDTH
        return width_of(self.kind, 16) + 8 + 24 * len(self.colors) + width_of(self.vp, 16) + 22


def _private_lines(player: Player) -> list[list[_Entry]]:
    """Lay out a player's private contracts in lines that are not too long."""
    if player.given_up:
        return [[_Entry(str(say("Given up: private contracts unknown")), style="soft")]]
    if player.sealed:
        return [[_Entry(str(say("Private contracts sealed")), style="soft")]]
    if player.private is None:
        return [[_Entry(str(say("Private contracts face down")), style="soft")]]
    lines: list[list[_Entry]] = []
    room = 0.0
    for place, private in enumerate(player.private, start=1):
        entry = _entry(private, place if player.choosing else None)
        if not lines or room < entry.width:
            lines.append([])
            room = WIDTH - 2 * MARGIN
        lines[-1].append(entry)
        room -= entry.width
    return lines


def _entry(private: Private, number: int | None) -> _Entry:
    contract = PRIVATE[PRIVATE_NAMES.index(private.name)]
    kind = PRIVATE_KINDS[contract.kind]
    if number is not None:
        text = str(say("{number} {kind}", number=number, kind=kind))
        return _Entry(text, contract.colors, number=number)
    if private.progress:
        return _Entry(kind, contract.colors, note=_worth(private))
    return _Entry(kind, contract.colors, str(say("{vp} VP", vp=private.vp)))


def _worth(private: Private) -> str:
    far = private.progress
    if far is None:
        return f"Now {private.vp} VP."
    ways = [dict(way) for way in far.ways]
    return phrases.worth(private.name, private.vp, private.scale[-1], far.most, ways)


def _private(line: list[_Entry], y: float) -> str:
    parts = []
    left: float = MARGIN
    for entry in line:
        drawn = label(left, y, entry.kind, entry.style, 16)
        x = left + width_of(entry.kind, 16) + 6
        for color in entry.colors:
            paint = PAINTS[COLORS[color]]
            drawn += (
                f'<rect x="{x:g}" y="{y - 16:g}" width="21" height="21" rx="4" '
                f'fill="{paint.fill}"/><text class="b mid" style="fill:{paint.ink}" '
                f'x="{x + 10.5:g}" y="{y:g}" font-size="15">{paint.letter}</text>'
            )
            x += 24
        if entry.vp:
            drawn += label(x + 2, y, entry.vp, "b", 16)
        if entry.note:
            drawn += label(x + 2, y, entry.note, "", 16, width=WIDTH - MARGIN - x)
        parts.append(named(f"keep {entry.number}", drawn) if entry.number else drawn)
        left += entry.width
    return "".join(parts)


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
    return named(f"draw {card}", use(card, x, CARDS_Y))


def _unknown(x: float, y: float, width: float) -> str:
    """Mark a space in which something comes up that no player has seen yet."""
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
    drawn = named(
        f"contract {contract.name}",
        f'<rect class="card" x="{x}" y="{y}" width="{width}" height="{CARD_HEIGHT}" rx="9" '
        'stroke-width="2"/>'
        + _sign(contract.name, x + 10, y + 10)
        + use("coin", x + width - 19, y + 19)
        + label(x + width - 19, y + 26, contract.vp, "b mid dark", 20)
        + label(middle, y + 76, first, "mid b", 16, width=width - 8)
        + label(middle, y + 95, second, "mid", 16, width=width - 8),
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
    """The text below a contract: whether it can be met now, or never any more."""
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
    return "".join(
        named(f"build {card}", use(card, x + 44 * nth, y, 0.48))
        for nth, card in enumerate(table.turned)
    )


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
