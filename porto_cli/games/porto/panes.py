"""What of the table is above a question of ``porto play``, see :mod:`porto_cli.scene`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from porto_cli.core.message import plural
from porto_cli.games.porto import houses
from porto_cli.games.porto.contracts import public_contract
from porto_cli.games.porto.engine.components import KEPT
from porto_cli.games.porto.houses import PAINTS, TO_BE_MET, House
from porto_cli.games.porto.render import (
    SIGNS,
    View,
    cards,
    named,
    situation,
    worths,
)
from porto_cli.games.porto.view import NEVER, NOW
from porto_cli.paper import BOLD, DIM, PLAIN, Chunk, spans
from porto_cli.scene import HEAD, Form, Pane, row
from porto_cli.term.screen import Screen
from porto_cli.term.spans import Line, cut_line, padded

_SIDE_BY_SIDE = 56
"""Columns from which two players are beside each other."""


def panes(table: View, after: Mapping[str, House]) -> list[Pane]:
    """Return the table; ``after`` are the houses after a move that is not made yet."""
    fronts, built = table["houses"], houses.built_by(table.get("last_turn"))
    top = max(house["height"] for house in fronts.values())
    people = len(table["players"])
    found: list[Pane] = [
        [
            Form(1, 4, partial(houses.listed, fronts, after), built=True),
            # A space above the highest houses for their roofs, and the names below.
            Form(6, top + 2, partial(houses.row_of_fronts, fronts, built, after), built=True),
        ],
        [Form(2, 1, row("Cards", cards(table), _tight_cards(table)))],
        [
            Form(4, 2, row("Contracts", _public(table), rows=2)),
            Form(10, len(table["public_contracts"]), partial(_contracts, table)),
        ],
        [
            Form(3, -(-people // 2), partial(_players, table, across=2)),
            Form(7, people, partial(_players, table, across=1)),
        ],
        [Form(8, 1, row("Left", _left(table, "timer card"), _left(table), gap=1))],
    ]
    # There are none in a first game: what others have is None.
    if any(player["private"] != [] or player["choosing"] for player in table["players"]):
        found.insert(-1, _private(table))
    return found


def title(table: View) -> list[str]:
    """Return whose turn it is and how far it is to the end; then what else there is to know. What
    the timer builds with comes first, as it has to be seen on the narrowest screen.
    """
    first, *others = situation(table)
    if table["phase"] == "timer":
        first = f"Timer: {' and '.join(table['turned'])}. {first.partition(':')[0]}."
    return [first, *others]


def why_over(table: View) -> str:
    """Return why the game is over; nothing if it is not."""
    if table["phase"] != "over":
        return ""
    if table["timer"] is not None:
        return f"The timer has run out after {table['turns_over']} turns."
    return f"{table['roofs']} roofs were placed, and {table['roofs_to_end']} end the game."


def spoken(table: View) -> Iterator[str]:
    """Yield the situation, and what the reader's private contracts bring."""
    yield from situation(table)
    for player in table["players"]:
        for name, worth in zip(player["private"] or (), worths(player), strict=True):
            if worth:
                yield f"{name}: {worth}"


# -- The rows


def tight(name: str) -> str:
    """Return a private contract with the letters of its colors: ``pairs-B+R``."""
    for color, paint in PAINTS.items():
        name = name.replace(color, paint.letter)
    return name


def _tight_cards(table: View) -> Iterator[Chunk]:
    for space, card in enumerate(table["cards"], start=1):
        yield [(f"{space} ", DIM), _letter(card) if card else ("empty", DIM)]


def _letter(card: str, count: int = 1) -> tuple[str, str]:
    """Return a card as the letter of its color and its value: ``B1×2``."""
    times = f"×{count}" if count > 1 else ""
    paint = PAINTS[card[:-2]]
    return f"{paint.letter}{card[-1]}{times}", paint.chip


def _public(table: View) -> Iterator[Chunk]:
    """Yield the public contracts by their spaces: whether they can be met, names, VP."""
    for space, contract in enumerate(table["public_contracts"], start=1):
        if contract is None:
            yield [(f"{space} empty", DIM)]
            continue
        when, name = contract["can_be_met"], contract["contract"]
        yield [
            (f"{space}", DIM),
            (f"{SIGNS[when]} ", TO_BE_MET if when == NOW else PLAIN),
            (name, DIM if when == NEVER else PLAIN),
            f" {contract['vp']}",
        ]


def _contracts(table: View, screen: Screen) -> list[Line]:
    """Return the public contracts with their meanings, each in a row."""
    found = []
    for nth, (chunk, contract) in enumerate(
        zip(_public(table), table["public_contracts"], strict=True)
    ):
        meaning = f"  {public_contract(contract['contract'])}" if contract else ""
        line = [(("" if nth else "Contracts").ljust(HEAD), BOLD), *spans(chunk), (meaning, DIM)]
        found.append(cut_line(line, screen.width))
    return found


def _players(table: View, screen: Screen, *, across: int) -> list[Line]:
    """Return names, scores and hands in the order of the seats."""
    across = across if screen.width >= _SIDE_BY_SIDE else 1
    column = screen.width // across
    players = [_player(player, table) for player in table["players"]]
    rows = [players[at : at + across] for at in range(0, len(players), across)]
    return [
        [span for one in some for span in padded(cut_line(one, column - 1), column)]
        for some in rows
    ]


def _player(player: Mapping[str, Any], table: View) -> Line:
    line: Line = [*spans(named(player, table))]
    hand = sorted(Counter(player["hand"]).items())
    for card, count in hand:
        line += [_letter(card, count), (" ", PLAIN)]
    return line if hand else [*line, ("no cards", DIM)]


def _private(table: View) -> Pane:
    """Return the private contracts of who reads this: what they bring, and what they still can."""
    player = next((one for one in table["players"] if one["private"]), None)
    progress = (player["private_progress"] if player else None) or ()
    if player is None or player["choosing"]:
        said = "three of those below" if player else "hidden"
        shown = row("Private", [[(said, DIM)]])
        return [Form(5, 1, shown), Form(9, KEPT, shown)]
    full, short = (
        [[_brief(shape(one["contract"]), one)] for one in progress] for shape in (str, tight)
    )
    worth: list[Line] = [
        [(("" if nth else "Private").ljust(HEAD), BOLD), (f"{name}  ", BOLD), (said, PLAIN)]
        for nth, (name, said) in enumerate(zip(player["private"], worths(player), strict=True))
    ]
    return [
        Form(5, 1, row("Private", full, short)),
        Form(9, KEPT, lambda screen: [cut_line(line, screen.width) for line in worth]),
    ]


def _brief(name: str, one: Mapping[str, Any]) -> str:
    return f"{name} {one['vp']}/{one['most']}" if one["most"] else f"{name} lost"


def _left(table: View, timer_cards: str = "") -> Iterator[Chunk]:
    """Yield what is left: tiles (ground floors and upper floors), cards, timer cards; these called
    so, or in short.
    """
    for color, left in table["tiles"].items():
        paint = PAINTS[color]
        yield [(paint.letter, paint.chip), f" {left['ground']}+{left['floor']}"]
    yield [(plural(table["deck"], "card"), DIM)]
    if table["timer"] is not None:
        left = plural(table["timer"], timer_cards) if timer_cards else f"{table['timer']} timer"
        yield [(left, DIM)]
