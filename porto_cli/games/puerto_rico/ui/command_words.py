"""What can be typed behind a verb, where it is not among the words of the listed moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import (
    COST,
    GOODS,
    PLACES,
    TILES,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.play import count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.setup import kinds_allowed
from porto_cli.games.puerto_rico.engine.state import CAPTAIN_PHASE, MAYOR_PHASE, State
from porto_cli.games.puerto_rico.notation import find_building, format_move, means
from porto_cli.games.puerto_rico.options import MOST
from porto_cli.games.puerto_rico.words import options
from porto_cli.ui_values import Completion, Typed
from porto_cli.words import Option, completions

ENOUGH = 2000
"""Moves that are looked through for the next word."""
_ADD, _LEAVE, _FROM, _FIRST = "add", "leave", "from", "first"


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
    return completions(_offered(state), [what, *typed.words], means)


def _offered(state: State) -> list[Option]:
    """Return the moves whose words are offered; of very many, their words alone."""
    if state.phase == CAPTAIN_PHASE and count_moves(state) > MOST:
        return [Option(format_move(move), ()) for move in legal_moves(state, limit=ENOUGH)]
    return options(state)


def _discards(state: State) -> bytes:
    """They can come up when the stack is used up (PR-SETTLER-6)."""
    return bytes(tile for tile in range(len(GOODS)) if state.discards[tile])


def _places(state: State, words: Sequence[str]) -> Iterator[Completion]:
    """Offer the places with circles, with who is there; ``add``, ``leave`` and ``from`` as well."""
    player = state.players[state.seat]
    first = words[0] if words else ""
    if not words:
        yield (_ADD, "all colonists stay, and the new ones go to these places")
        yield (_LEAVE, "all circles are filled but these")
        yield (_FIRST, "these circles are filled first, in this order, then all others")
    if first == _ADD and len(words) > 1 and _FROM not in words:
        yield (_FROM, "and those of these places move as well")
    leaving = _FROM in words
    for place, circles in enumerate(player.circles):
        there = player.colonists[place]
        wanted = there if leaving else circles - there if first == _ADD else circles
        if wanted and PLACES[place] not in words:
            yield (PLACES[place], f"{there} of {circles} occupied")


def _violet(typed: Typed) -> Iterator[Completion]:
    """Offer the violet buildings that can be in the game with those already typed."""
    chosen = 0
    for word in str(typed.options.get("violet") or "").replace(",", " ").split():
        chosen |= 1 << find_building(word)
    for place in buildings_in(kinds_allowed(chosen)):
        yield (PLACES[place], phrases.doubloons(COST[place]))
