"""The role cards with who took them, and the plantations that lie face up."""

from __future__ import annotations

from porto_cli.core.message import say
from porto_cli.games.puerto_rico.engine.components import FOREST, QUARRY, ROLES
from porto_cli.games.puerto_rico.engine.observation import Observation
from porto_cli.games.puerto_rico.engine.state import NOBODY
from porto_cli.games.puerto_rico.ui.picture.shapes import (
    MARGIN,
    TILE_HEIGHT,
    TILE_WIDTH,
    WIDTH,
    badge,
    heading,
    paper,
    tile,
)
from porto_cli.term.svg import Picture, label, use

CARDS_Y = 34
CARD_HEIGHT = 58
ACROSS = 3
"""Cards beside each other."""
GAP = 8


def roles(seen: Observation) -> Picture:
    """Draw the role cards and the plantations to be had."""
    cards = seen.config.box.roles
    rows = -(-len(cards) // ACROSS)
    rows_end = CARDS_Y + rows * (CARD_HEIGHT + GAP)
    tiles_y = rows_end + 28
    height = tiles_y + TILE_HEIGHT + 16
    pieces = {
        "paper": paper(height)
        + heading(CARDS_Y - 12, say("Roles"))
        + heading(tiles_y - 12, say("Plantations")),
    }
    width = (WIDTH - 2 * MARGIN - GAP * (ACROSS - 1)) / ACROSS
    for nth, role in enumerate(cards):
        x = MARGIN + (width + GAP) * (nth % ACROSS)
        y = CARDS_Y + (CARD_HEIGHT + GAP) * (nth // ACROSS)
        pieces[f"role-{ROLES[role]}"] = _card(seen, role, x, y, width)
    pieces["row"] = _row(seen, tiles_y)
    pieces["quarries"] = _pile(
        tile(QUARRY, _QUARRIES_X, tiles_y), seen.quarries, _QUARRIES_X, tiles_y
    )
    pieces["stack"] = _stack(sum(seen.stack), tiles_y)
    pieces["discards"] = _discards(seen, tiles_y)
    return Picture(WIDTH, height, pieces)


def _card(seen: Observation, role: int, x: float, y: float, width: float) -> str:
    """A role card: free with its doubloons, or who has taken it in this round."""
    taker, doubloons = seen.taken[role], seen.role_doubloons[role]
    now = role == seen.role
    back = (
        f'<rect class="{"now" if now else "card"}" x="{x:g}" y="{y:g}" width="{width:g}" '
        f'height="{CARD_HEIGHT}" rx="8"/>'
    )
    face = use(ROLES[role].partition("-")[0], x + 20, y + 19) + label(
        x + 38, y + 24, ROLES[role].replace("-", " "), "b", 15, width=width - 42, smallest=11
    )
    if taker == NOBODY:
        return back + face + (_doubloons(doubloons, x, y, width) if doubloons else "")
    if not now:
        face = f'<g class="gone">{face}</g>'
    name = label(x + 38, y + 47, seen.players[taker].name, "", 14, width=width - 44, smallest=11)
    return back + face + badge(taker, x + 20, y + 43) + name


def _doubloons(number: int, x: float, y: float, width: float) -> str:
    lie = min(number, 3)
    coins = "".join(use("coin", x + 20 + 7 * nth, y + 43, 0.8) for nth in range(lie))
    return coins + label(
        x + 36 + 7 * (lie - 1), y + 48, say("+{number}", number=number), "b", 15, width=width - 60
    )


_PITCH = 47
_QUARRIES_X = MARGIN + 6 * _PITCH + 12
_STACK_X = _QUARRIES_X + _PITCH + 16


def _row(seen: Observation, y: float) -> str:
    """The face-up plantations, and a free space where one was taken."""
    tiles = [kind for kind, number in enumerate(seen.row[:FOREST]) for _ in range(number)]
    drawn = "".join(tile(kind, MARGIN + _PITCH * nth, y) for nth, kind in enumerate(tiles))
    return drawn + "".join(
        _space(MARGIN + _PITCH * nth, y) for nth in range(len(tiles), seen.config.row)
    )


def _space(x: float, y: float) -> str:
    return (
        f'<rect class="free" x="{x:g}" y="{y:g}" width="{TILE_WIDTH}" height="{TILE_HEIGHT}" '
        'rx="5"/>'
    )


def _pile(top: str, number: int, x: float, y: float) -> str:
    """A pile of tiles with their number on it; a free space where none is left."""
    if not number:
        return _space(x, y)
    under = (
        f'<rect class="card" x="{x + 3:g}" y="{y - 3:g}" width="{TILE_WIDTH}" '
        f'height="{TILE_HEIGHT}" rx="5"/>'
        if number > 1
        else ""
    )
    mark = (
        f'<rect class="card" x="{x + 22:g}" y="{y + 5:g}" width="26" height="20" rx="6"/>'
        + label(x + 35, y + 20, number, "b mid", 14)
    )
    return under + top + mark


def _stack(number: int, y: float) -> str:
    """The face-down plantations."""
    back = (
        f'<rect x="{_STACK_X}" y="{y:g}" width="{TILE_WIDTH}" height="{TILE_HEIGHT}" rx="5" '
        'fill="url(#tile-back)" stroke="#1d3a26"/>'
    )
    return _pile(back, number, _STACK_X, y)


def _discards(seen: Observation, y: float) -> str:
    words = say("{stack} face down", stack=sum(seen.stack))
    if any(seen.discards):
        words = say(
            "{stack} face down, {discards} discarded",
            stack=sum(seen.stack),
            discards=sum(seen.discards),
        )
    return label(WIDTH - MARGIN, y - 12, words, "soft end", 13, width=250)
