"""The seats of the players: name, score, hand, private contracts."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from porto_cli.core.message import say
from porto_cli.games.porto.engine.components import COLORS, PRIVATE
from porto_cli.games.porto.notation import PRIVATE_NAMES
from porto_cli.games.porto.table import Player, Private, Table
from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.palette import PAINTS
from porto_cli.term.svg import label, use, width_of

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
        pieces[f"hand-{seat}"] = _hand(player, y + 42)
        pieces[f"private-{seat}"] = "".join(
            _private(line, y + HAND + 20 + LINE * nth) for nth, line in enumerate(private)
        )
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
        parts.append(use(card, x, y, MINI))
        if count > 1:
            parts.append(
                f'<circle class="card" cx="{x + 33:g}" cy="{y + 4:g}" r="9"/>'
                + label(x + 33, y + 9, count, "b mid", 14)
            )
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
    """A private contract as it stands in a line: its kind, its colors, its VP."""

    kind: str
    colors: tuple[int, ...] = ()
    vp: str = ""
    style: str = ""
    note: str = ""
    """What it brings and still can: as much as fits, so that it has a line of its own."""

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
        return _Entry(str(say("{number} {kind}", number=number, kind=kind)), contract.colors)
    if private.progress:
        return _Entry(kind, contract.colors, note=str(phrases.worth_now(private)))
    return _Entry(kind, contract.colors, str(say("{vp} VP", vp=private.vp)))


def _private(line: list[_Entry], y: float) -> str:
    parts = []
    left: float = MARGIN
    for entry in line:
        parts.append(label(left, y, entry.kind, entry.style, 16))
        x = left + width_of(entry.kind, 16) + 6
        for color in entry.colors:
            paint = PAINTS[COLORS[color]]
            parts.append(
                f'<rect x="{x:g}" y="{y - 16:g}" width="21" height="21" rx="4" '
                f'fill="{paint.fill}"/><text class="b mid" style="fill:{paint.ink}" '
                f'x="{x + 10.5:g}" y="{y:g}" font-size="15">{paint.letter}</text>'
            )
            x += 24
        if entry.vp:
            parts.append(label(x + 2, y, entry.vp, "b", 16))
        if entry.note:
            parts.append(label(x + 2, y, entry.note, "", 16, width=WIDTH - MARGIN - x))
        left += entry.width
    return "".join(parts)
