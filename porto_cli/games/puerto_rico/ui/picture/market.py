"""The buildings that can still be built, by the columns of the board; in the draft, chosen."""

from __future__ import annotations

from porto_cli.core.message import say
from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    BUILDING_PLACES,
    BUILDING_VP,
    COLUMN,
    COST,
    PLACES,
    SPACES,
    VIOLET,
    VIOLET_KINDS,
)
from porto_cli.games.puerto_rico.engine.observation import Observation
from porto_cli.games.puerto_rico.engine.setup import kinds_allowed
from porto_cli.games.puerto_rico.engine.state import BUILDER_PHASE, DRAFT_PHASE
from porto_cli.games.puerto_rico.ui.picture.shapes import (
    MARGIN,
    WIDTH,
    chip,
    coin,
    colors,
    heading,
    paper,
    writing,
)
from porto_cli.term.svg import Picture, label

TOP = 34
ROW = 26
COLUMN_HEAD = 26
_COLUMN_WIDTH = (WIDTH - 2 * MARGIN - 12) / 2


def market(seen: Observation) -> Picture:
    """Draw the list of buildings: two columns of the board beside each other, two below."""
    columns = {number: _kinds(seen, number) for number in (1, 2, 3, 4)}
    upper = max(len(columns[1]), len(columns[2])) * ROW + COLUMN_HEAD
    lower = max(len(columns[3]), len(columns[4])) * ROW + COLUMN_HEAD
    height = TOP + upper + lower + 14
    pieces = {"paper": paper(height), "heading": _heading(seen)}
    for number, kinds in columns.items():
        x = MARGIN + (_COLUMN_WIDTH + 12) * ((number - 1) % 2)
        y = TOP + upper * ((number - 1) // 2)
        pieces[f"column-{number}"] = _column_head(seen, number, x, y)
        places = {place: y + COLUMN_HEAD + ROW * nth for nth, place in enumerate(kinds)}
        for place in BUILDING_PLACES:
            if COLUMN[place] == number:
                at = places.get(place)
                pieces[f"kind-{PLACES[place]}"] = "" if at is None else _kind(seen, place, x, at)
                pieces[f"cost-{PLACES[place]}"] = "" if at is None else _cost(seen, place, x, at)
                pieces[f"left-{PLACES[place]}"] = "" if at is None else _left(seen, place, x, at)
    return Picture(WIDTH, height, pieces)


def _kinds(seen: Observation, column: int) -> list[int]:
    """Return the kinds of a column that are in the game, or can be, the cheapest first."""
    draft = seen.phase == DRAFT_PHASE
    kinds = [
        place
        for place in BUILDING_PLACES
        if COLUMN[place] == column
        and (draft or not VIOLET & BIT[place] or seen.violet & BIT[place])
    ]
    return sorted(kinds, key=lambda place: (COST[place], place))


def _heading(seen: Observation) -> str:
    if seen.phase == DRAFT_PHASE:
        chosen = seen.violet.bit_count()
        note = say("{count} of {all} chosen for the game", count=chosen, all=VIOLET_KINDS)
    elif seen.phase == BUILDER_PHASE:
        note = say("What {player} pays now", player=seen.players[seen.to_move[0]].name)
    else:
        note = say("Cost, VP, copies left")
    return heading(TOP - 12, say("Buildings")) + label(
        WIDTH - MARGIN, TOP - 12, note, "soft end", 13, width=300
    )


def _column_head(seen: Observation, number: int, x: float, y: float) -> str:
    """How many quarries count, by the column or by the VP (PR-BUILDER-2, PR-GUIDE-3)."""
    words = say("Up to {number} quarries", number=number)
    if seen.config.guide:
        words = say("Column {number}: quarries up to the VP", number=number)
    elif number == 1:
        words = say("Up to 1 quarry")
    return label(x, y + 17, words, "soft", 12.5, width=_COLUMN_WIDTH) + (
        f'<path class="line" d="M{x:g} {y + 22:g}h{_COLUMN_WIDTH:g}"/>'
    )


_PLATE = _COLUMN_WIDTH - 72
"""How wide the name of a building can be."""


def _kind(seen: Observation, place: int, x: float, y: float) -> str:
    """A kind of building with its VP."""
    _, ground = colors(place)
    name = PLACES[place].replace("-", " ")
    drawn = (
        f'<rect x="{x + 25:g}" y="{y + 2:g}" width="{_PLATE:g}" height="22" rx="4" '
        f'fill="{ground}" stroke="#2d180a" stroke-opacity=".4"/>'
        + label(x + 31, y + 17.5, name, writing(place), 13.5, width=_PLATE - 10, smallest=10)
        + chip(BUILDING_VP[place], x + _PLATE + 36, y + 13, 0.8)
    )
    return _faded(seen, place, drawn)


def _cost(seen: Observation, place: int, x: float, y: float) -> str:
    """What it costs; who is to build sees what is to be paid, and whether it can be."""
    if seen.phase != BUILDER_PHASE or not seen.copies[place]:
        return _faded(seen, place, coin(COST[place], x + 11, y + 13, 0.9))
    cost, can = _offer(seen, place)
    around = (
        f'<rect class="can" x="{x + 24:g}" y="{y + 1:g}" width="{_PLATE + 2:g}" height="24" '
        'rx="5"/>'
    )
    return coin(cost, x + 11, y + 13, 0.9) + (around if can else "")


def _faded(seen: Observation, place: int, drawn: str) -> str:
    return f'<g class="gone">{drawn}</g>' if _is_gone(seen, place) else drawn


def _left(seen: Observation, place: int, x: float, y: float) -> str:
    """The copies left; in the draft, whether the kind is chosen."""
    right = x + _COLUMN_WIDTH
    if seen.phase == DRAFT_PHASE and VIOLET & BIT[place]:
        if seen.violet & BIT[place]:
            return f'<path class="can" d="M{right - 18:g} {y + 13:g}l5 5l9-12"/>'
        return ""
    copies = say("×{copies}", copies=seen.copies[place])
    return _faded(seen, place, label(right, y + 18, copies, "b end", 14))


def _is_gone(seen: Observation, place: int) -> bool:
    """Tell whether nobody can have a building of this kind any more."""
    if seen.phase == DRAFT_PHASE and VIOLET & BIT[place]:
        return not (seen.violet | kinds_allowed(seen.violet)) & BIT[place]
    return not seen.copies[place]


def _offer(seen: Observation, place: int) -> tuple[int, bool]:
    """Return what the player to move pays now, and whether it is possible."""
    mover = seen.to_move[0]
    player = seen.players[mover]
    cost = price(seen, mover, place)
    owned = bool(player.city & BIT[place])
    room = SPACES[place] <= player.city_spaces
    return cost, cost <= player.doubloons and not owned and room
