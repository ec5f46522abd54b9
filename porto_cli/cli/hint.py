"""Playing better: ``porto hint``, ``porto analyze``, and ``porto try``."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

import typer

from porto_cli.asking import answer_to
from porto_cli.cli import (
    AsPlayer,
    Format,
    FormatOption,
    RecordFile,
    Samples,
    Within,
    Workers,
    arg,
    opt,
)
from porto_cli.cli.common import open_match, report_stream, save, what_happened
from porto_cli.cli.completion import Word, beginning, read_here
from porto_cli.cli.ending import WHAT_IF
from porto_cli.cli.output import Color, Colors, LogFormat, Output, Plain, display_of, write_report
from porto_cli.cli.wording import as_said
from porto_cli.core import INTERRUPTED, InvalidMoveError, PortoError, cited, refuse, unnamed, usage
from porto_cli.core.shell import command, option, quoted
from porto_cli.core.values import document
from porto_cli.games import GAMES
from porto_cli.match.items import IllegalMoveError
from porto_cli.match.match import Match
from porto_cli.match.record import HINTS_NONE, HINTS_NOTED
from porto_cli.match.replay import Replay, path_of
from porto_cli.match.trial import Trial, Tried
from porto_cli.next_step import commands
from porto_cli.paper import Gap, Node, Paragraph
from porto_cli.players import Coach
from porto_cli.players.analysis import Analysis, analysis_of, answers, questions
from porto_cli.players.hint import Hint, Say, find_hint
from porto_cli.players.named import coach_of
from porto_cli.players.review import analysis_rows
from porto_cli.players.telling import hint_rows, in_brief
from porto_cli.seam import OVER
from porto_cli.term import BOLD, CancelledError, remark
from porto_cli.term.prompt import Asker
from porto_cli.user import whose_eyes, whose_move
from porto_cli.words import Option

# -- ``porto try``: what moves would bring

_SHOWN = 3
"""The number of possible moves that are proposed."""
_INDENT = 3

Scores = tuple[int | None, ...]
"""The VP of each seat; ``None`` if they are unknown."""
Result = tuple[Tried, Scores]
"""A move that was tried, and the VP after it."""

USUAL, MOST = 3, 20
"""The moves in a hint, and the maximum of ``--moves``."""


def _offer_moves(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the next word of a move that is possible after the moves typed before it."""
    match, named = read_here(ctx), ctx.params.get("player")
    if match is None:
        return []
    try:
        trial = Trial(match, whose_move(match, named))
        for typed in ctx.params.get("moves") or ():
            seat, text = trial.whose(typed)
            trial.play(text, seat)
    except PortoError:
        return []
    return beginning(incomplete, trial.words(incomplete))


def try_(
    file: RecordFile,
    moves: list[str] = arg(
        ...,
        "MOVE…",
        "A move in quotes, in the words of the record; that of another player with the "
        'name in front, like "Bob: draw blue-3".',
        autocompletion=_offer_moves,
    ),
    player: AsPlayer = None,
    output: LogFormat = opt(LogFormat.text, "--format", "Text, JSON for programs, or a page."),
    plain: Plain = False,
    color: Color = Colors.auto,
    to: Output = None,
) -> None:
    """Try moves without making them, and say what they would bring.

    Your moves and those of others are tried one after the other, in memory; nothing is written.
    What would come up stays unknown, as does what others hide: only what happens in any case is
    shown, and a move that depends on the unknown is refused.

    Examples:
      porto try friday.yaml "draw purple-1" "Joana: draw purple-2" "draw yellow-1"
    """
    look = display_of(output, color, plain=plain, to=to)
    match = open_match(file)
    looker = whose_move(match, player)
    trial = Trial(match, looker)
    now = _scores(trial)
    results: list[Result] = []
    for typed in moves:
        which = f"Move {len(results) + 1}, {cited(typed)}, cannot be tried."
        try:
            seat, text = trial.whose(typed)
            results.append((trial.play(text, seat), _scores(trial)))
        except PortoError as error:
            why = error.violations if isinstance(error, IllegalMoveError) else error.sentences
            before = [quoted(trial.typed(one.seat, one.move)) for one, _ in results]
            first = " ".join(["porto try", path_of(match), *before])
            last = "" if player is None else f" {option('--as', player)}"
            near = [f"{first} {quoted(one)}{last}" for one in _few(trial)]
            if isinstance(error, InvalidMoveError):
                usage(which, *why, suggestions=_as_one_move(trial, moves) or near)
            refuse(which, *why, suggestions=near)
    tried = (trial, now, results)
    write_report(look, partial(_json, *tried), partial(_nodes, *tried), title="What if")


def _as_one_move(trial: Trial, words: Sequence[str]) -> list[str]:
    """Return the command with all words quoted as one move, if they can be one."""
    text = " ".join(words)
    try:
        trial.game.parse_move(text, trial.tables[0], 0)
    except InvalidMoveError:
        return []
    is_split = len(words) > 1 and not any(" " in word for word in words)
    return [f"porto try {path_of(trial.replay)} {quoted(text)}"] if is_split else []


def _scores(trial: Trial) -> Scores:
    """Return the VP that are certain."""
    replay = trial.replay
    scores = (replay.game.glance(table, trial.seat).scores for table in trial.tables)
    return tuple(vp[0] if len(set(vp)) == 1 else None for vp in zip(*scores, strict=True))


def _few(trial: Trial) -> list[str]:
    """Return a few moves that are possible in any case."""
    return list(islice(trial.possible(), _SHOWN))


# -- What is shown.


def _nodes(trial: Trial, now: Scores, results: Sequence[Result]) -> Iterator[Node]:
    """Yield each move with what it brings and the VP if they change; then what comes next."""
    config, last = trial.replay.config, now
    yield Paragraph([WHAT_IF])
    for number, (tried, vp) in enumerate(results, start=1):
        text = f"{trial.replay.holders[tried.seat]}: {tried.move}"
        yield Paragraph([text], BOLD, first=[(f"{number}  ", BOLD)], indent=_INDENT)
        brings = what_happened(trial.replay, tried.events)
        if tried.unknown:
            things = ", ".join(f"{stream} ({count})" for stream, count in tried.unknown.items())
            brings.append(f"What comes up is unknown: {things}.")
        if tried.depends:
            brings.append("What else happens depends on what is unknown.")
        if vp != last:
            pairs = zip(config.players, vp, strict=True)
            known = (f"{player} {'?' if one is None else one}" for player, one in pairs)
            brings.append(f"VP: {', '.join(known)}.")
        yield Paragraph(brings, first=[" " * _INDENT], indent=_INDENT)
        last = vp
    yield Gap()
    yield Paragraph([_what_next(trial)])


def _what_next(trial: Trial) -> str:
    """Say whose turn it would be, with a few moves that are possible in any case."""
    waiting = trial.to_move()
    if waiting is None:
        return "Whose turn it would be then depends on what is unknown."
    if not waiting:
        return "The game would be over then."
    moves = "; ".join(map(quoted, _few(trial)))
    then = f"Then it would be {trial.replay.holders[waiting[0]]}'s turn"
    if not moves:
        return f"{then}; what is possible depends on what is unknown."
    return f"{then}, for example: {moves}"


def _json(trial: Trial, now: Scores, results: Sequence[Result]) -> dict[str, object]:
    """Return the tried moves as a document."""
    config, waiting = trial.replay.config, trial.to_move()
    players = config.players
    return document(
        game=trial.game.meta.id,
        player=None if trial.seat is None else players[trial.seat],
        vp=dict(zip(players, now, strict=True)),
        moves=[
            {
                "player": players[tried.seat],
                "move": tried.move,
                "events": trial.game.events_json(tried.events, config),
                "unknown": tried.unknown,
                "depends": tried.depends,
                "vp": dict(zip(players, vp, strict=True)),
            }
            for tried, vp in results
        ],
        to_move=None if waiting is None else [players[seat] for seat in waiting],
        possible=_few(trial),
    )


# -- Whether hints are allowed, and the note about them in the record
#
# ``porto play`` gives the same hints as the command.


def refusal(replay: Replay) -> str | None:
    """Say why there are no hints in a game; ``None`` if there are."""
    if replay.record.hints == HINTS_NONE:
        return (
            "There are no hints in this game: it was set up with 'hints: none', see the head "
            "of the record."
        )
    return None


def note(match: Match, seat: int) -> bool:
    """Note in the record that a player takes a hint, if that was agreed on. Return whether the
    record has changed and should be saved.
    """
    if match.record.hints != HINTS_NOTED:
        return False
    before = match.record.text
    match.note(f"{match.holders[seat]} has taken a hint.")
    return match.record.text != before


def _demand_choice(replay: Replay, seat: int) -> None:
    """Raise RefusedError if a player has no move to choose now."""
    state, game = replay.state, replay.game
    if state.phase == OVER:
        refuse("The game is over, so there is no move to choose.")
    movers = ", ".join(replay.holders[each] for each in game.to_move(state))
    if game.sealing is not None and game.sealing.is_waiting(state):
        refuse(f"What is drawn before the next move is not known yet; {movers} looks first.")
    if seat not in game.to_move(state) and not game.legal_moves(state, seat, 1):
        refuse(f"It is {movers}'s turn, not {replay.holders[seat]}'s.")


NOT_HERE = "There is no hint for this question."


def about_hints(replay: Replay) -> str | None:
    """Say how players can ask for hints in a game; ``None`` if the game has no coach."""
    if coach_of(replay.game.meta.id) is None:
        return None
    noted = " The record notes who took one." if replay.record.hints == HINTS_NOTED else ""
    return refusal(replay) or (
        "On your turn ! asks for a hint: which move looks best, and why. A second ! shows "
        f"all of it.{noted}"
    )


class Taken(NamedTuple):
    """A hint that was taken, and what says its moves as the menu does; the moves ``among`` which it
    was looked for, none for all; and whether the record has a new note about it and has to be
    saved.
    """

    hint: Hint
    say: Say
    among: Sequence[Option]
    is_noted: bool

    @property
    def best(self) -> str:
        """The move that it recommends."""
        return self.hint.moves[0].move

    def is_for(self, left: Sequence[Option]) -> bool:
        """Return whether it recommends the best of the moves that are left, none for all."""
        among, moves = ({one.move for one in some} for some in (self.among, left))
        is_one = not left or any(one.can_be(self.best) for one in left)
        return is_one and (not among or among >= moves > set())

    def in_brief(self, left: Sequence[Option] = (), named: str | None = None) -> str:
        """Return it in brief, see :func:`in_brief`, with moves that are left alone: named by the
        answer that leads there, where some are left.
        """
        found = self.hint
        if left and named is not None:
            named = answer_to(left, self.best)
        if left:
            some = [one for one in found.moves if any(each.can_be(one.move) for each in left)]
            found = found._replace(moves=some)
        return in_brief(found, self.say, named)

    def rows(self) -> Iterator[Node]:
        """Yield it in full, for who has a menu."""
        return hint_rows(self.hint, self.say, with_commands=False)


def taken(
    match: Match,
    seat: int,
    left: Sequence[Option] = (),
    *,
    count: int = USUAL,
    seconds: float | None = None,
) -> Taken:
    """Return a hint, for the moves that are ``left`` where a part of the move is chosen already.
    Raises WrongUsageError, RefusedError, KeyboardInterrupt.
    """
    coach = _coach_to_ask(match)
    _demand_choice(match, seat)
    if seconds is not None and seconds >= PATIENT and sys.stderr.isatty():
        remark(f"Thinking for {seconds:g} seconds; Ctrl-C ends it.")
    typed = partial(commands, match, seat=seat)
    options = match.game.words.options(match.state, seat, asking=True)
    say = as_said(match, options)
    listed = "".join(one.move for one in (left or options)[:1] if one.estimate is not None)
    found = find_hint(
        match, seat, coach, typed, say, count=count, seconds=seconds, listed=listed, left=left
    )
    if not found.moves:
        if left:
            refuse(NOT_HERE)
        refuse(f"There is no hint, because the choices of {found.player} are not known here.")
    return Taken(found, say, left, note(match, seat))


def thought(match: Match, seat: int, left: Sequence[Option], asker: Asker) -> Taken:
    """Return a hint while the asker says that it is thought about. Raises what :func:`taken`
    raises, and CancelledError on Ctrl-C.
    """
    asker.notify("Thinking…")
    try:
        with asker.thinking():
            return taken(match, seat, left)
    except KeyboardInterrupt:
        raise CancelledError from None


def _coach_to_ask(match: Match) -> Coach:
    """Return the coach of a game. Raises WrongUsageError or RefusedError if there are no hints."""
    coach = coach_of(match.game.meta.id)
    if coach is None:
        usage(f"There are no hints for {match.game.meta.title} yet.")
    if refused := refusal(match):
        refuse(refused)
    return coach


# -- The command for a hint.

LONGEST = 3600
"""The maximum of ``--think`` in seconds."""
PATIENT = 3
"""From this many seconds of thinking on, a message announces it."""


def hint(
    file: RecordFile,
    player: AsPlayer = None,
    think: float | None = opt(
        None,
        "SECONDS",
        "How long to think. If left out, about a second, and the same question always has "
        "the same answer.",
        limits=Within(0, LONGEST, kind=float),
    ),
    moves: int = opt(USUAL, "N", "How many moves to show.", limits=Within(1, MOST)),
    output: FormatOption = Format.text,
    plain: Plain = False,
    color: Color = Colors.auto,
) -> None:
    """Show which moves look best, and why.

    Where the game is heading, and how many games like it are won; which moves are about as good,
    and how much worse the others are; for each of them what it scores and what it leaves, and the
    command that plays it. Only what the player who asks may know is used. In a game with
    'hints: told' the record notes who has taken a hint; in one with 'hints: none' there are none.

    Examples:
      porto hint friday.yaml --as Inês
    """
    look = display_of(output, color, plain=plain)
    if think is not None and not think > 0:
        usage(f"--think takes a number of seconds above 0, not {think}.")
    match = open_match(file).known
    _coach_to_ask(match)
    seat = _who_asks(match, player)
    found, say, _, is_noted = taken(match, seat, count=moves, seconds=think)
    done = f"The record notes that {match.holders[seat]} has taken a hint."
    # The record is written before anything of the hint is printed.
    stream = report_stream(match.path) if match.record.hints else sys.stdout
    if is_noted or stream is not sys.stdout:
        save(match, done)
    rows, last = partial(hint_rows, found, say), [done] if is_noted else []
    as_document = partial(
        found.document, noted=is_noted, fingerprint=match.fingerprint, digest=match.digest
    )
    write_report(look, as_document, rows, last=lambda: last, stream=stream)
    if found.interrupted:
        raise typer.Exit(INTERRUPTED)


def _who_asks(match: Match, name: str | None) -> int:
    """Return the seat of the player who asks. If players have secrets from each other, the player
    has to be named (exit code 2).
    """
    seat = whose_move(match, name)
    if seat is None and match.game.has_secrets(match.state):
        unnamed(
            "A hint uses what only its player may see, so name yourself with --as.",
            suggestions=[command("hint", path_of(match), each) for each in match.to_move()],
        )
    return match.seat() if seat is None else seat


# -- The analysis of a game.


def analyze(
    file: RecordFile,
    player: AsPlayer = None,
    every_move: bool = opt(False, "--all", "List all moves, not only the costliest."),
    samples: Samples = None,
    workers: Workers = None,
    output: FormatOption = Format.text,
    plain: Plain = False,
    color: Color = Colors.auto,
    to: Output = None,
) -> None:
    """Judge every move of a game: what it lost against the best one, and which one that was.

    A move is judged by what its player could see when it was made: what came up afterward is luck,
    and is counted separately. Moves without an alternative are not judged. While a game is running,
    your own turns are judged by what you know, and those of the others by what everyone can see;
    their secret choices are left out.

    Examples:
      porto analyze friday.yaml
    """
    look = display_of(output, color, plain=plain, to=to)
    game = open_match(file).known
    analysis = analyzed(game, whose_eyes(game, player), samples, workers)
    rows = partial(analysis_rows, analysis, game, every_move=every_move)
    write_report(look, lambda: analysis, rows)
    if analysis["partial"]:
        raise typer.Exit(INTERRUPTED)


def analyzed(
    game: Replay, looker: int | None, samples: int | None = None, processes: int | None = None
) -> Analysis:
    """Return the analysis of a game; after Ctrl-C, of as much of it as is ready.

    ``looker`` is the seat whose secrets may be used while the game runs. Exits with 1 for a game
    without a coach, and for a running game without hints.
    """
    if game.record.hints == HINTS_NONE and game.state.phase != OVER:
        refuse("This game was set up without hints, so it cannot be analyzed before it is over.")
    coach = coach_of(game.game.meta.id)
    if coach is None:
        refuse(f"Games of {GAMES[game.game.meta.id].title} cannot be analyzed yet.")
    from porto_cli.cli.batch import processes_for, worked_out

    # The garbage collector is off for short commands.
    gc.enable()
    samples = samples or coach.samples
    course = questions(game, looker)
    asked = course.questions
    work = partial(answers, asked, samples)
    given = [*worked_out(len(asked), processes_for(processes, len(asked)), work, "decisions")]
    return analysis_of(course, given, samples)
