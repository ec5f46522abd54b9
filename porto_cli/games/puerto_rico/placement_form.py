"""The form in which a player places all colonists, and the one for barrels of the Small Wharf."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from porto_cli.core.message import InvalidMoveError
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import (
    GOODS,
    PLACES,
)
from porto_cli.games.puerto_rico.engine.moves import LoadSmallWharf, Move, Place
from porto_cli.games.puerto_rico.engine.play import violations
from porto_cli.games.puerto_rico.engine.state import MAYOR_PHASE, State
from porto_cli.games.puerto_rico.notation import (
    GOOD_NAMES,
    expand_move,
    format_move,
    parse_bundle,
)
from porto_cli.games.puerto_rico.promises import produced_by, quick_move
from porto_cli.term.prompt import Asker, Rules, Share, Sheet


def ask_placement(asker: Asker, state: State, rules: Rules) -> str:
    """Ask the player to move where all colonists go; at the start they are as a hint says, else
    as a bot would place them.
    """
    player = state.config.players[state.seat]
    places = [place for place, most in enumerate(state.players[state.seat].circles) if most]
    numbers = asker.distribute(
        f"{player}, where do your colonists go?",
        placement_sheet(state, places, asker.advised),
        rules=rules,
    )
    return format_move(Place.on(places, numbers))


def placement_sheet(state: State, places: Sequence[int], advised: str = "") -> Sheet:
    """Return the form for a placement: a row for each of these places, as ``advised`` at first."""
    player, on = state.players[state.seat], partial(Place.on, places)
    move = _read(advised, state)
    if not isinstance(move, Place):
        move = quick_move(state)
        assert isinstance(move, Place)
    start = [move.colonists[place] for place in places]

    def read(text: str) -> list[int]:
        placed = expand_move(f"place {text}", state, state.seat)
        assert isinstance(placed, Place)
        return _on_rows(placed.colonists, places, PLACES)

    def standing(numbers: Sequence[int]) -> str:
        return (
            f"Not placed: {player.people - sum(numbers)} of {player.people}. "
            f"Produces {produced_by(state, on(numbers).colonists)}."
        )

    return Sheet(
        [
            Share([(PLACES[place], phrases.style_of(place))], number, player.circles[place])
            for place, number in zip(places, start, strict=True)
        ],
        player.people,
        standing,
        lambda numbers: _fault(state, on(numbers)),
        "All your colonists are placed; first take one away elsewhere.",
        lambda numbers: format_move(on(numbers)),
        read,
    )


def placed(state: State, text: str) -> State | None:
    """Return the table with the colonists as a placement has them, as long as there are enough: it
    may be one that is not allowed yet. ``None`` for another text.
    """
    if state.phase != MAYOR_PHASE:
        return None
    new, player = state.copy(), state.players[state.seat].copy()
    move = _read(text, state)
    if not isinstance(move, Place) or sum(move.colonists) > player.people:
        return None
    player.san_juan = player.people - sum(move.colonists)
    player.colonists = move.colonists
    new.players[state.seat] = player
    return new


def ask_small_wharf(asker: Asker, state: State, rules: Rules) -> str:
    """Ask the player to move which barrels the Small Wharf takes; at the start they are as a hint
    says, else all.
    """
    barrels, advised = state.players[state.seat].goods, _read(asker.advised, state)
    goods = [good for good, number in enumerate(barrels) if number]
    start = advised.goods if isinstance(advised, LoadSmallWharf) else barrels

    def load(numbers: Sequence[int]) -> LoadSmallWharf:
        loaded = dict(zip(goods, numbers, strict=True))
        return LoadSmallWharf(bytes(loaded.get(good, 0) for good in range(len(GOODS))))

    sheet = Sheet(
        [
            Share([(GOODS[good], phrases.style_of(good))], start[good], barrels[good])
            for good in goods
        ],
        sum(barrels),
        lambda numbers: f"Barrels: {sum(numbers)}, for {sum(numbers) // 2} VP.",
        lambda numbers: _fault(state, load(numbers)),
        "Nothing is left for it.",
        read=lambda text: _on_rows(parse_bundle(text.split(), GOOD_NAMES), goods, GOODS),
    )
    numbers = asker.distribute("Which barrels does the small wharf take?", sheet, rules=rules)
    return format_move(load(numbers))


def _on_rows(counts: bytes, rows: Sequence[int], names: Sequence[str]) -> list[int]:
    """Return the numbers of these rows. Raises InvalidMoveError for what has no row."""
    for thing, number in enumerate(counts):
        if number and thing not in rows:
            raise InvalidMoveError(f"You have no {names[thing]}.")
    return [counts[thing] for thing in rows]


def _read(text: str, state: State) -> Move | None:
    """Return a move; ``None`` where the text is no whole one."""
    with suppress(InvalidMoveError):
        return expand_move(text, state, state.seat) if text else None
    return None


def _fault(state: State, move: Move) -> str | None:
    """Return the first rule that a move breaks, or ``None`` if it is legal."""
    broken = violations(state, move, state.seat)
    return broken[0].sentence if broken else None
