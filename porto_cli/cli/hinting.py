"""A hint: what the coach of a game says of the moves that a player can choose among.

The command and ``porto play`` give the same ones. What it is that a hint may not be asked for, and
that the record tells who takes one, is decided here.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.game import OVER
from porto_cli.match.match import Match
from porto_cli.match.record import HINTS_NONE, HINTS_TOLD
from porto_cli.match.replay import Replay
from porto_cli.players.coach import Coach, InterruptedThoughtError, coach_of
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, wrapped
from porto_cli.user_commands import commands

WIDTH = 8
"""Moves that are tried at least, however few are shown."""
CONFIDENCE = 1.96
"""Standard errors that a difference is off at most, with a probability of 95 %."""
_INDENT = 3


class Advised(NamedTuple):
    """A move that is proposed.

    ``behind`` and ``doubt`` are in VP: how much worse it is than the best one, and how far that
    may be off with a probability of 95 %.
    """

    move: str
    command: str
    margin: float
    win: float
    behind: float
    doubt: float
    is_equal: bool
    reasons: tuple[Sentence, ...]


class Hint(NamedTuple):
    """What a player is told.

    ``is_only``         there is no other legal move
    ``is_interrupted``  it would have thought for longer
    """

    player: str
    alone: bool
    moves: tuple[Advised, ...]
    is_only: bool
    is_interrupted: bool


def refusal(replay: Replay) -> Sentence | None:
    """Say why there are no hints in a game; ``None`` if there are."""
    if replay.record.hints == HINTS_NONE:
        return say(
            "There are no hints in this game: it was set up with 'hints: none', which stands in "
            "the head of the record."
        )
    return None


def told_by(player: str) -> Sentence:
    """Say in the record that a player has taken a hint."""
    return say("{player} has taken a hint.", player=player)


def note(match: Match, seat: int) -> bool:
    """Write into the record that a player takes a hint, if that was agreed on.

    Tells whether it has to be saved.
    """
    if match.record.hints != HINTS_TOLD:
        return False
    before = match.record.text
    match.note(told_by(match.players[seat]))
    return match.record.text != before


def cannot_choose(replay: Replay, seat: int) -> Sentence | None:
    """Say why a player has no move to choose now; ``None`` if there is one."""
    state, game = replay.state, replay.game
    player = replay.config.players[seat]
    if state.phase == OVER:
        return say("The game is over: there is no move to choose.")
    if game.sealing is not None and game.sealing.is_waiting(state):
        return say(
            "What comes up before the next move is not known yet: {player} has to look first.",
            player=", ".join(replay.config.players[each] for each in game.to_move(state)),
        )
    if seat not in game.to_move(state) and not game.legal_moves(state, seat, 1):
        return say(
            "{player} is not to move; it is the turn of {mover}.",
            player=player,
            mover=", ".join(replay.config.players[each] for each in game.to_move(state)),
        )
    return None


def think(
    replay: Replay, seat: int, coach: Coach, *, count: int, seconds: float | None = None
) -> Hint:
    """Return a hint for a player who has a move to choose; without moves if they are not known.

    The luck that it tries moves with follows from the turn and the player, so that the same
    question has the same answer, unless it is to think for some seconds. The rest of the record has
    what the player may not know, like the seed and what others have kept. On Ctrl-C the answer is
    what is known by then; if that is nothing, KeyboardInterrupt is raised.
    """
    game, state = replay.game, replay.state
    view = game.view(state, seat)
    luck = Random(f"hint/{game.meta.id}/{state.turn}/{seat}")
    is_interrupted = False
    width = max(count, WIDTH)
    try:
        found = coach.judge(view, luck, width=width, seconds=seconds)
    except InterruptedThoughtError as stopped:
        found, is_interrupted = stopped.so_far, True
        if not found:
            raise KeyboardInterrupt from None
    found = found[:count]
    texts = commands(replay, [one.move for one in found], seat)
    return Hint(
        replay.config.players[seat],
        len(replay.config.players) == 1,
        tuple(
            Advised(
                game.format_move(one.move, state),
                text,
                round(one.prospect.margin, 1) + 0.0,
                round(one.prospect.win, 3),
                round(one.behind, 1) + 0.0,
                round(CONFIDENCE * one.error, 1) + 0.0,
                bool(nth) and one.behind <= coach.equal,
                tuple(coach.reasons(view, one.move)),
            )
            for nth, (one, text) in enumerate(zip(found, texts, strict=True))
        ),
        is_only=game.count_moves(state, seat) == 1,
        is_interrupted=is_interrupted,
    )


def about_hints(replay: Replay) -> Sentence | None:
    """Say what who plays can know about hints in a game; nothing where nobody gives any."""
    if coach_for(replay) is None:
        return None
    if replay.record.hints == HINTS_TOLD:
        return say(
            "When you choose what to do, and Esc goes back to that, you can ask for a hint: which "
            "moves look best, and why. The record tells who has taken one."
        )
    return refusal(replay) or say(
        "When you choose what to do, and Esc goes back to that, you can ask for a hint: which "
        "moves look best, and why."
    )


def no_coach(title: str) -> Sentence:
    """Say that there is nobody who could give a hint."""
    return say("Nobody gives hints for {game} yet.", game=title)


def coach_for(replay: Replay) -> Coach | None:
    """Return who gives hints for the game that is played."""
    return coach_of(replay.game.meta.id)


# What is said.


def unknown(hint: Hint) -> Sentence:
    """Say that there is no hint, as it is not known what there is to choose."""
    return say(
        "There is no hint: what {player} can choose among is not known here.", player=hint.player
    )


def lines_of(hint: Hint, width: int, *, with_commands: bool) -> list[Line]:
    """Return a hint for a screen. Commands are never broken, so that they can be copied."""
    lines: list[Line] = wrapped(str(_heading(hint)), width, style=BOLD)
    for nth, one in enumerate(hint.moves, start=1):
        lines.append([])
        lines += wrapped(one.move, width, first=[(f"{nth}  ", BOLD)], indent=_INDENT, style=BOLD)
        about = " ".join(map(str, _numbers(hint, one, nth)))
        lines += wrapped(about, width, first=[(" " * _INDENT, PLAIN)], indent=_INDENT)
        why = " ".join(map(str, one.reasons))
        lines += wrapped(why, width, first=[(" " * _INDENT, PLAIN)], indent=_INDENT, style=DIM)
        if with_commands:
            lines.append([(" " * _INDENT + one.command, PLAIN)])
    for sentence in _below(hint):
        lines += [[], *wrapped(str(sentence), width)]
    return lines


def sentences_of(hint: Hint, *, with_commands: bool) -> list[Sentence]:
    """Return a hint as whole sentences."""
    found = [_heading(hint)]
    for nth, one in enumerate(hint.moves, start=1):
        found.append(say("Move {number}: {move}.", number=nth, move=one.move))
        found += [*_numbers(hint, one, nth), *one.reasons]
        if with_commands:
            found.append(say("To play it: {command}", command=one.command))
    return [*found, *_below(hint)]


def _heading(hint: Hint) -> Sentence:
    facts = {"player": hint.player, "count": len(hint.moves)}
    if hint.is_only:
        return say("{player} has only one move.", **facts)
    if len(hint.moves) == 1:
        return say("The move that looks best for {player}:", **facts)
    return say("The {count} moves that look best for {player}:", **facts)


def _numbers(hint: Hint, one: Advised, nth: int) -> Iterator[Sentence]:
    """Tell what a move can be expected to lead to, and how it compares with the best one."""
    facts: dict[str, object] = {
        "margin": one.margin,
        "win": _percent(one.win),
        "behind": one.behind,
        "doubt": one.doubt,
    }
    if not hint.alone:
        yield say("Expected margin {margin:+.1f} VP, chance to win {win}.", **facts)
    elif one.margin >= 0:
        yield say("Expected: {margin:.1f} VP above what wins, chance to win {win}.", **facts)
    else:
        facts["short"] = -one.margin
        yield say("Expected: {short:.1f} VP short of what wins, chance to win {win}.", **facts)
    if nth > 1:
        how = "equal" if one.is_equal else "behind"
        yield say(_COMPARED[how, one.doubt > 0], **facts)


_COMPARED = {
    ("equal", True): "About equal to move 1: {behind:.1f} VP behind it, ± {doubt:.1f}.",
    ("equal", False): "About equal to move 1: {behind:.1f} VP behind it.",
    ("behind", True): "{behind:.1f} VP behind move 1, ± {doubt:.1f}.",
    ("behind", False): "{behind:.1f} VP behind move 1.",
}


def _percent(share: float) -> str:
    """Return a chance as people read it; nothing is certain that was only tried."""
    if 0 < share < 0.01:
        return str(say("under 1 %"))
    if 0.99 < share < 1:
        return str(say("over 99 %"))
    return str(say("{percent:.0f} %", percent=100 * share))


def _below(hint: Hint) -> Iterator[Sentence]:
    """Tell how sure it is."""
    if hint.is_interrupted:
        yield say("It was stopped before it had thought for as long as it wanted to.")
    if any(one.doubt for one in hint.moves):
        yield say(
            "Every move was played on from with the same luck. Behind ± is how far a difference "
            "may be off, with a probability of 95 %; how well it judges a table is another "
            "question."
        )


def as_json(hint: Hint) -> dict[str, object]:
    """Return the parts of the document of ``porto hint`` that tell the hint."""
    return {
        "player": hint.player,
        "only_move": hint.is_only,
        "interrupted": hint.is_interrupted,
        "moves": [
            {
                "move": one.move,
                "command": one.command,
                "margin": one.margin,
                "win": one.win,
                "behind": one.behind,
                "doubt": one.doubt,
                "about_equal": one.is_equal,
                "reasons": [str(reason) for reason in one.reasons],
            }
            for one in hint.moves
        ],
    }
