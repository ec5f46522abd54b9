"""Moves as text, and back: exact inverses.

Canonical text is what :func:`format_move` gives. On input, case does not matter and unambiguous
abbreviations are accepted (``b3`` for ``blue-3``, ``l4``, ``b+r``). What the words of a move mean
says its class; parsing does not check the rules: a card that is not there becomes a move that the
rules reject. Only what is not a move in any position raises :class:`InvalidMoveError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn

from porto_cli.core.message import InvalidMoveError, by_verb
from porto_cli.games.porto.engine.components import COLORS
from porto_cli.games.porto.engine.play import KINDS, MOVES_IN, VERBS, Move
from porto_cli.games.porto.engine.state import KEEP, State

UNDO = "undo"


def short_forms(cards: Iterable[str]) -> str:
    """Return cards with the letters of their colors: ``b3 r1`` for ``blue-3`` and ``red-1``."""
    return " ".join(f"{card[0]}{card[-1]}" for card in cards)


def tight(name: str) -> str:
    """Return a contract with the letters of its colors: ``pairs-b+r``."""
    for color in COLORS:
        name = name.replace(color, color[0])
    return name


def parse_move(text: str, state: State, seat: int | None = None) -> Move:
    """Read a move of a player (who is to move, if not said) in the present position.

    Raises InvalidMoveError if the text is not a move; whether it is legal is for the rules.
    """
    words = text.split()
    return by_verb(words, _READERS)(words, state, state.seat if seat is None else seat)


def _read_undo(words: list[str], state: State, seat: int) -> NoReturn:
    raise InvalidMoveError("Undo is not a move of the rules: it takes back the last turn.")


_READERS: dict[str, Callable[[list[str], State, int], Move]] = {
    **{verb: kind.read for verb, kind in VERBS.items()},
    UNDO: _read_undo,
}


def plain_move(text: str, state: State) -> Move | None:
    """Return what :func:`parse_move` returns, but only where that is seen at a glance.

    That is a build, a draw of unlike cards, or a choice of contracts, in canonical words:
    :func:`format_move` would return the same text, so whoever reads many moves can spare that
    question.
    """
    plain = _PLAIN.get(text.partition(" ")[0])
    return plain(text, state) if plain else None


_PLAIN: dict[str, Callable[[str, State], Move | None]] = {
    verb: kind.plain for verb, kind in VERBS.items() if hasattr(kind, "plain")
}


def in_full(text: str) -> str:
    """Return a draw, a build, a choice of public contracts or a pass in canonical words.

    It can be written before the table is known: cards stay in the order in which they are named,
    and contracts have names, not spaces. Raises InvalidMoveError.
    """
    words = text.split()
    return str(by_verb(words, _IN_FULL)(words))


_IN_FULL: dict[str, Callable[[list[str]], object]] = {
    verb: getattr(kind, "in_full", kind.read)
    for verb, kind in VERBS.items()
    if kind not in MOVES_IN[KEEP]
}
"""What reads each verb without a table: no private contracts are known before they are dealt."""


def format_move(move: Move, state: State) -> str:
    """Return the canonical text of a move in the present position."""
    if type(move) not in KINDS:
        raise TypeError(f"{move!r} is not a move")
    return move.text(state)
