"""The form in which a player places all colonists, or loads barrels by the Small Wharf."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random

from porto_cli.core import InvalidMoveError
from porto_cli.games import game_of
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import CRAFTSMAN, GOODS, PLACES
from porto_cli.games.puerto_rico.engine.goods import yields
from porto_cli.games.puerto_rico.engine.moves import (
    BY_SMALL_WHARF,
    LoadSmallWharf,
    Move,
    Place,
    format_move,
    onto_name,
)
from porto_cli.games.puerto_rico.engine.play import legal_moves, violations
from porto_cli.games.puerto_rico.engine.state import MAYOR_PHASE, State
from porto_cli.games.puerto_rico.notation import GOOD_NAMES, expand_move, parse_bundle
from porto_cli.term.prompt import Asker, Rules, Share, Sheet


def quick_move(state: State) -> Move:
    """Return the move that a bot makes at a glance, by what the player to move may know: what forms
    begin with.
    """
    # Player programs are loaded only where somebody chooses.
    from porto_cli.games.puerto_rico.players import priced, value_player

    known = game_of("puerto-rico").view(state, state.seat)
    move: Move = value_player(known, legal_moves(state, limit=priced.LISTED), Random(0))
    return move


def produced_by(state: State, colonists: bytes) -> str:
    """Return what colonists on these places would produce now."""
    return phrases.goods(yields(colonists, state.goods_supply))


def ask_numbers(asker: Asker, state: State, rules: Rules) -> str:
    """Ask the player to move where all colonists go, or which barrels the Small Wharf takes."""
    question = "Which barrels does the small wharf take?"
    if state.phase == MAYOR_PHASE:
        question = f"{state.config.players[state.seat]}, where do your colonists go?"
    form = sheet(state, asker.hinted)._replace(hinted_by=asker.hinted_by)
    return form.move(asker.distribute(question, form, rules=rules))


def sheet(state: State, hinted: str = "") -> Sheet:
    """Return the form for a placement, or in the captain phase for a load by the Small Wharf: a row
    for each place with circles, or for each good. At first it is as ``hinted``, else as a bot would
    place at a glance, or has all barrels.
    """
    player, told = state.players[state.seat], _numbers(_read(hinted, state))
    names: Sequence[str]
    kind: type[Place | LoadSmallWharf]
    if is_placing := state.phase == MAYOR_PHASE:
        kind, names, most, total = Place, PLACES, player.circles, player.people
        text, start = "place {}", told or _numbers(quick_move(state))
        spent = "All your colonists are placed; first take one away elsewhere."
    else:
        kind, names, most, total = LoadSmallWharf, GOODS, player.goods, sum(player.goods)
        text, start = f"load {{}} {onto_name(BY_SMALL_WHARF)}", told or most
        spent = "Nothing is left for it."
    rows = [row for row, number in enumerate(most) if number]
    makes = state.comes(CRAFTSMAN)

    def made(numbers: Sequence[int]) -> Place | LoadSmallWharf:
        by_row = dict(zip(rows, numbers, strict=True))
        return kind(bytes(by_row.get(row, 0) for row in range(len(names))))

    def standing(numbers: Sequence[int]) -> str:
        if not is_placing:
            return f"Barrels: {sum(numbers)}, for {sum(numbers) // 2} VP."
        left, produced = total - sum(numbers), produced_by(state, *made(numbers))
        placed = f"All {total} placed" if total > 1 else "Placed"
        then = f"Produces {produced}" if makes else "No more barrels are made"
        return f"{f'Not placed: {left} of {total}' if left else placed}. {then}."

    def read(words: str) -> list[int]:
        if not (is_placing or words.split()):
            # The small wharf would be taken for a good, where there is none in front of it.
            parse_bundle([], GOOD_NAMES)
        counts = _numbers(expand_move(text.format(words), state, state.seat))
        for row, number in enumerate(counts):
            if number and row not in rows:
                raise InvalidMoveError(f"You have no {names[row]}.")
        return [counts[row] for row in rows]

    return Sheet(
        [Share([(names[row], phrases.STYLES[names[row]])], start[row], most[row]) for row in rows],
        total,
        standing,
        lambda numbers: _fault(state, made(numbers)),
        spent,
        lambda numbers: format_move(made(numbers)),
        read,
        [told[row] for row in rows if told],
    )


def _numbers(move: Move | None) -> bytes:
    """Return the numbers of a placement, or of a load by the Small Wharf; none of another move."""
    match move:
        case Place(numbers) | LoadSmallWharf(numbers):
            return numbers
    return b""


def _read(text: str, state: State) -> Move | None:
    """Return a move; ``None`` where the text is no whole one."""
    with suppress(InvalidMoveError):
        return expand_move(text, state, state.seat) if text else None
    return None


def _fault(state: State, move: Move) -> str | None:
    """Return the first rule that a move breaks, or ``None`` if it is legal."""
    broken = violations(state, move, state.seat)
    return broken[0].sentence if broken else None
