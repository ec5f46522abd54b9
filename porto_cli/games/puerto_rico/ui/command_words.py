"""The words of a command as a move; what is missing is asked for, or named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NoReturn

from porto_cli.commands import Command
from porto_cli.core.message import AmbiguousMoveError, refuse, usage
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import (
    COST,
    GOODS,
    NO_COLONISTS,
    NO_GOODS,
    PLACES,
    ROLES,
    SMALL_MARKET,
    TILES,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.moves import (
    Build,
    Choose,
    Load,
    Move,
    MoveGuest,
    Place,
    Sell,
    Store,
    Take,
    TakeRole,
)
from porto_cli.games.puerto_rico.engine.play import count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.setup import kinds_allowed
from porto_cli.games.puerto_rico.engine.state import BUILDER_PHASE, MAYOR_PHASE, State
from porto_cli.games.puerto_rico.notation import find_building, format_move
from porto_cli.games.puerto_rico.options import MOST, note_of, option_of, suggestions
from porto_cli.ui_values import Completion, Typed
from porto_cli.user_ui import commands

_MISSING = {
    "role": "Something is missing: the role to take, like: settler.",
    "take": "Something is missing: what to take, like: corn.",
    "place": (
        "Something is missing: where the colonists go, like: add quarry; or: add quarry from corn."
    ),
    "build": "Something is missing: the building, like: small-market.",
    "sell": "Something is missing: the good to sell, like: coffee.",
    "load": "Something is missing: the good and the ship, like: corn 5.",
    "store": "Something is missing: the barrels to keep, like: corn 3 coffee.",
    "guest": "Something is missing: the place that the guest goes to, like: quarry.",
    "choose": "Something is missing: the building to choose, like: harbor.",
}
_EXAMPLES: dict[str, Move] = {
    "role": TakeRole(0),
    "take": Take(0),
    "place": Place(NO_COLONISTS),
    "build": Build(SMALL_MARKET),
    "sell": Sell(0),
    "load": Load(0, 0),
    "store": Store(NO_GOODS),
    "guest": MoveGuest(0),
    "choose": Choose(SMALL_MARKET),
}
"""A move of each verb."""
_TURN = "PR-TURN-1"


def read_command(typed: Command) -> tuple[int, list[str]]:
    """Return whose move it is, and the move: as it was typed, or as it was asked for."""
    verb, words = typed.verb, typed.words
    if verb not in _MISSING:
        return typed.mover, [verb]
    text = " ".join([verb, *words])
    if words and not typed.asker:
        return typed.mover, [text]
    if words:
        return typed.mover, [_completed(typed, text)]
    _demand_the_time(typed)
    if not typed.asker:
        _say_what_is_missing(typed, _MISSING[verb])
    return typed.mover, [_asked(typed)]


def _demand_the_time(typed: Command) -> None:
    """Refuse a verb of which no move could be legal now (exit code 1)."""
    match, seat, example = typed.match, typed.mover, _EXAMPLES[typed.verb]
    broken = match.check(example, match.players[seat])
    out_of_turn = [one for one in broken if one.rule == _TURN]
    if typed.verb == "guest" and not _legal(match.state, seat, MoveGuest):
        out_of_turn = broken
    if out_of_turn:
        refuse(
            *out_of_turn,
            suggestions=commands(match.replay, suggestions(match.state, example, seat), seat),
        )


def _legal(state: State, seat: int, kind: type[Move]) -> list[Move]:
    return [move for move in legal_moves(state, seat, 500) if isinstance(move, kind)]


def _say_what_is_missing(typed: Command, sentence: str) -> NoReturn:
    near = suggestions(typed.match.state, _EXAMPLES[typed.verb], typed.mover)
    usage(sentence, suggestions=commands(typed.match.replay, near, typed.mover))


def _asked(typed: Command) -> str:
    """Ask the question of the phase, as far as it is about the verb."""
    from porto_cli.games.puerto_rico.ui.answers import ask, question_of

    assert typed.asker is not None
    question = question_of(typed.match.state)
    answers = [answer for answer in question.answers if answer.verb == typed.verb]
    if not answers:
        near = suggestions(typed.match.state, None, typed.mover)
        refuse(
            f"There is nothing to {typed.verb} now.",
            suggestions=commands(typed.match.replay, near, typed.mover),
        )
    return ask(typed.asker(), question._replace(answers=answers))


def _completed(typed: Command, text: str) -> str:
    """Return a move that was typed; what it leaves open is asked for.

    That is a shorthand which could be several moves, and what the Black Market takes for a
    building. Everything else is for the rules to judge.
    """
    match, player = typed.match, typed.match.players[typed.mover]
    try:
        move = match.move(text, player)
    except AmbiguousMoveError as error:
        open_moves = _meant(typed) if typed.verb in ("load", "store") else []
        if not open_moves:
            raise
        return _which(typed, error.sentence, open_moves)
    if isinstance(move, Build) and not move.returned and match.check(move, player):
        builds = [
            build
            for build in match.legal_moves(player)
            if isinstance(build, Build)
            and (build.building, build.no_colonist) == (move.building, move.no_colonist)
        ]
        if builds:
            from porto_cli.games.puerto_rico.ui.answers import returned

            assert typed.asker is not None
            return returned(typed.asker(), builds)
    return text


def _meant(typed: Command) -> list[Move]:
    """Return the legal moves of the verb that have all words which were typed."""
    match = typed.match
    kind = type(_EXAMPLES[typed.verb])
    found = []
    for move in _legal(match.state, typed.mover, kind):
        words = match.text(move).split()[1:]
        if all(_begins(word, words) for word in typed.words):
            found.append(move)
    return found


def _begins(word: str, words: Sequence[str]) -> bool:
    return any(other.startswith(word.lower()) for other in words)


def _which(typed: Command, sentence: str, moves: Sequence[Move]) -> str:
    from porto_cli.term.prompt import Choice

    assert typed.asker is not None
    texts = [typed.match.text(move) for move in moves]
    return typed.asker().choose(sentence, [Choice([(text, "")], text) for text in texts])


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
    return _next_words(state, what, typed.words)


def _discards(state: State) -> bytes:
    """They can come up when the stack is used up (PR-SETTLER-6)."""
    return bytes(tile for tile in range(len(GOODS)) if state.discards[tile])


def _next_words(state: State, verb: str, words: Sequence[str]) -> Iterator[Completion]:
    """Yield the words that can follow these in the legal moves of a verb.

    The last word of a move comes with what the move brings or costs.
    """
    few = count_moves(state) <= MOST
    found: dict[str, str] = {}
    for move in legal_moves(state, limit=ENOUGH):
        first, *rest = format_move(move).split()
        at = len(words)
        if first != verb or len(rest) <= at or not _starts_with(words, rest[:at]):
            continue
        whole = len(rest) == at + 1
        note = _note(state, move) if whole and (few or state.phase == BUILDER_PHASE) else ""
        found[rest[at]] = found.get(rest[at]) or note
    yield from ((word, note) if note else word for word, note in found.items())


def _starts_with(words: Sequence[str], others: Sequence[str]) -> bool:
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
        return phrases.doubloons(lying) if lying else ""
    return note_of(option_of(state, move).json())


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
