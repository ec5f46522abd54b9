"""The words of a command as a move; what is missing is asked for, or named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from porto_cli.commands import Command
from porto_cli.core.command_errors import refuse, usage
from porto_cli.core.errors import AmbiguousMoveError
from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico.engine.components import NO_COLONISTS, NO_GOODS, SMALL_MARKET
from porto_cli.games.puerto_rico.engine.generate import legal_moves
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
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.suggest import suggestions
from porto_cli.user_commands import commands

_MISSING = {
    "role": say("Something is missing: the role to take, like: settler."),
    "take": say("Something is missing: what to take, like: corn."),
    "place": say(
        "Something is missing: where the colonists go, like: add quarry; or: add quarry from corn."
    ),
    "build": say("Something is missing: the building, like: small-market."),
    "sell": say("Something is missing: the good to sell, like: coffee."),
    "load": say("Something is missing: the good and the ship, like: corn 5."),
    "store": say("Something is missing: the barrels to keep, like: corn 3 coffee."),
    "guest": say("Something is missing: the place that the guest goes to, like: quarry."),
    "choose": say("Something is missing: the building to choose, like: harbor."),
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
    """Refuse what no move of this verb could be legal for, whatever it says (exit code 1)."""
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


def _say_what_is_missing(typed: Command, sentence: Sentence) -> NoReturn:
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
            say("There is nothing to {verb} now.", verb=typed.verb),
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


def _which(typed: Command, sentence: Sentence, moves: Sequence[Move]) -> str:
    from porto_cli.term.prompt import Choice

    assert typed.asker is not None
    texts = [typed.match.text(move) for move in moves]
    return typed.asker().choose(sentence, [Choice([(text, "")], text) for text in texts])
