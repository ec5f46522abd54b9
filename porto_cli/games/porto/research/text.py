"""What a seat may know as text, in the words of the notation: one line for each thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from porto_cli.games.porto.engine.components import (
    CARDS,
    COLORS,
    EMPTY,
    HIDDEN,
    HOUSES,
    NO_COLOR,
    PRIVATE,
    PUBLIC,
)
from porto_cli.games.porto.engine.state import State
from porto_cli.games.porto.research import actions
from porto_cli.games.porto.research.tree import Node
from porto_cli.games.porto.view import view


def observed(node: Node, seat: int | None) -> str:
    """Return what a seat, or (``None``) a bystander, may know."""
    if node.state is None:
        return "The table is set up."
    return _told(node, view(node.state, seat).table, seat, () if seat is None else (seat,))


def everything(node: Node) -> str:
    """Return the whole table, with all that is hidden."""
    came_up = f"came up: {' '.join(map(str, node.came_up))}"
    if node.state is None:
        return f"The table is set up; {came_up}"
    return f"{_told(node, node.state, None, range(node.config.seats))}\n{came_up}"


def _told(node: Node, table: State, seat: int | None, deals: Collection[int]) -> str:
    """Return the lines of a table; the deals of these seats are told, kept contracts of all."""
    config = table.config
    lines = [f"round {table.round}, turn {table.current_turn}: {_waits(node, table)}"]
    if seat is not None:
        lines.append(f"seen by {config.players[seat]}")
    if table.end_round:
        lines.append(f"the game ends after round {table.end_round + 1}")
    lines.append(f"roofs: {table.roofs} of {config.roofs_to_end}")
    lines.append(f"cards: {_row(table.cards, CARDS)}")
    lines.append(f"contracts: {_row(table.contracts, [contract.name for contract in PUBLIC])}")
    if table.built is not None:
        built = table.built
        cards = f"{CARDS[built.number]} {CARDS[built.color]} {HOUSES[built.house]}"
        lines.append(f"built: {cards}; meets {' '.join(str(one + 1) for one in table.claimable)}")
    lines += [_house(table, house) for house in config.houses]
    for player, hand in enumerate(table.hands):
        lines.append(
            f"{config.players[player]}: {table.scores[player]} VP, "
            f"{table.fulfilled[player]} contracts, cards: {_names(hand, CARDS)}"
        )
        if player in deals and table.dealt:
            lines.append(f"{config.players[player]} was dealt: {_private(table.dealt[player])}")
        if table.kept[player]:
            lines.append(f"{config.players[player]} keeps: {_private(table.kept[player])}")
    left = [
        f"{color} {ground}+{upper}"
        for color, ground, upper in zip(COLORS, table.ground_left, table.upper_left, strict=True)
    ]
    lines.append(f"tiles: {', '.join(left)}")
    lines.append(f"deck: {_counted(table.deck)}")
    lines.append(f"discards: {_counted(table.discards)}")
    lines.append(f"contract deck: {_names(table.contract_deck, [one.name for one in PUBLIC])}")
    return "\n".join(lines)


def _waits(node: Node, table: State) -> str:
    if node.pile is not None:
        return f"something comes up from the {node.pile.stream}"
    if node.over:
        return "the game is over"
    waits = f"{table.config.players[table.seat]}, {table.phase}"
    return waits if node.build is None else f"{waits}, {actions.name(node.build)}, token where"


def _house(table: State, house: int) -> str:
    color = table.colors[house]
    words = [f"{HOUSES[house]}: {table.floors[house]} of {table.config.heights[house]}"]
    if color != NO_COLOR:
        words.append(COLORS[color])
    for where, tokens in (("ground", table.ground_tokens), ("roof", table.roof_tokens)):
        if tokens[house]:
            words.append(f"{where} token {tokens[house]}")
    return ", ".join(words)


def _private(contracts: Iterable[int]) -> str:
    return ", ".join("?" if one == HIDDEN else PRIVATE[one].name for one in contracts)


def _row(row: bytes, names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(
        f"{space} {'none' if thing == EMPTY else names[thing]}"
        for space, thing in enumerate(row, start=1)
    )


def _names(things: bytes, names: list[str] | tuple[str, ...]) -> str:
    return " ".join(names[thing] for thing in things) or "none"


def _counted(pile: bytes) -> str:
    found = sorted(Counter(pile).items())
    return ", ".join(f"{count} {CARDS[card]}" for card, count in found) or "none"
