"""What can follow in a command: what the record and the rules allow now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from porto_cli.core.message import say
from porto_cli.game_ui import Completion, Typed
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import (
    COST,
    GOODS,
    PLACES,
    ROLES,
    TILES,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.generate import count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.moves import Move
from porto_cli.games.puerto_rico.engine.setup import kinds_allowed
from porto_cli.games.puerto_rico.engine.state import BUILDER_PHASE, MAYOR_PHASE, State
from porto_cli.games.puerto_rico.notation import find_building, format_move
from porto_cli.games.puerto_rico.ui.move_list import MOST, note_of, option_of

ENOUGH = 2000
"""Moves that are looked through for the next word."""
_ADD, _LEAVE, _FROM = "add", "leave", "from"


def complete(what: str, typed: Typed) -> Iterable[Completion]:
    """Return the next word of a verb's move, or the values of a kind of option."""
    if what == "violet-buildings":
        return _violet(typed)
    if typed.match is None:
        return ()
    state = typed.match.state
    if what == "face-down-tiles":
        return (TILES[tile] for tile in dict.fromkeys(state.stack + _discards(state)))
    if what != typed.verb or typed.seat not in typed.match.game.to_move(state):
        return ()
    if what == "place":
        return _places(state, typed.words) if state.phase == MAYOR_PHASE else ()
    return _next_words(state, what, typed.words)


def _discards(state: State) -> bytes:
    """They can come up when the stack is used up (PR-SETTLER-6)."""
    return bytes(tile for tile in range(len(GOODS)) if state.discards[tile])


def _next_words(state: State, verb: str, words: Sequence[str]) -> Iterator[Completion]:
    """Return what stands behind these words in the legal moves of a verb.

    What ends a move stands with what the move brings or costs.
    """
    few = count_moves(state) <= MOST
    found: dict[str, str] = {}
    for move in legal_moves(state, limit=ENOUGH):
        first, *rest = format_move(move).split()
        at = len(words)
        if first != verb or len(rest) <= at or not _begins(words, rest[:at]):
            continue
        whole = len(rest) == at + 1
        note = _note(state, move) if whole and (few or state.phase == BUILDER_PHASE) else ""
        found[rest[at]] = found.get(rest[at]) or note
    yield from ((word, note) if note else word for word, note in found.items())


def _begins(words: Sequence[str], others: Sequence[str]) -> bool:
    return all(_is_short_for(word, other) for word, other in zip(words, others, strict=True))


def _is_short_for(word: str, other: str) -> bool:
    parts, others = word.split("-"), other.split("-")
    return word == other or (
        len(parts) == len(others)
        and all(part and whole.startswith(part) for part, whole in zip(parts, others, strict=True))
    )


def _note(state: State, move: Move) -> str:
    if getattr(move, "role", None) is not None:
        lying = state.role_doubloons[ROLES.index(format_move(move).split()[1])]
        return str(phrases.doubloons(lying)) if lying else ""
    return note_of(option_of(state, move))


def _places(state: State, words: Sequence[str]) -> Iterator[Completion]:
    """Offer the places with circles, with who is there; ``add``, ``leave`` and ``from`` as well."""
    player = state.players[state.seat]
    first = words[0] if words else ""
    if not words:
        yield (_ADD, str(say("everybody stays, and the new ones go to these places")))
        yield (_LEAVE, str(say("all circles are filled but these")))
    if first == _ADD and len(words) > 1 and _FROM not in words:
        yield (_FROM, str(say("and those of these places move as well")))
    leaving = _FROM in words
    for place, circles in enumerate(player.circles):
        there = player.colonists[place]
        wanted = there if leaving else circles - there if first == _ADD else circles
        if wanted and PLACES[place] not in words:
            told = say("{colonists} of {circles} occupied", colonists=there, circles=circles)
            yield (PLACES[place], str(told))


def _violet(typed: Typed) -> Iterator[Completion]:
    """Offer the violet buildings that can be in the game besides those that are typed."""
    chosen = 0
    for word in str(typed.options.get("violet") or "").replace(",", " ").split():
        chosen |= 1 << find_building(word)
    for place in buildings_in(kinds_allowed(chosen)):
        yield (PLACES[place], str(phrases.doubloons(COST[place])))
