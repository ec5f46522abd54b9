"""What a command does that makes a move, whatever its game calls it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from porto_cli.cli import ask
from porto_cli.cli.command_table import games_meant
from porto_cli.cli.common import Format, open_match, seat_of, ui_for, what_next
from porto_cli.cli.game_options import OptionsOf, typed_options
from porto_cli.commands import Command, Option, commands_of
from porto_cli.core.chance import NothingTypedError, NotInPileError, TypedChance
from porto_cli.core.command_errors import (
    RefusedError,
    UnnamedPlayerError,
    WrongUsageError,
    refuse,
    usage,
)
from porto_cli.core.errors import InvalidMoveError
from porto_cli.core.files import STANDARD
from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import FILE, file_word
from porto_cli.core.quoting import option as option_of
from porto_cli.game import GAMES, Event, Move
from porto_cli.match.bots import last_of_people
from porto_cli.match.command_lines import command, path_of
from porto_cli.match.match import Match
from porto_cli.match.replay import IllegalMoveError
from porto_cli.match.undoing import UNDO
from porto_cli.settings import me, own_seat
from porto_cli.term.tell import remark, tell
from porto_cli.ui import ui_of
from porto_cli.user_commands import commands, player_to_name

if TYPE_CHECKING:
    from porto_cli.match.preview import Preview
    from porto_cli.match.replay import Replay
    from porto_cli.players.bots import BotTurn


class Manner(NamedTuple):
    """How a move is made and reported."""

    dry_run: bool
    quiet: bool
    output: Format


def perform(
    ctx: typer.Context,
    verb: str,
    file: Path,
    words: Sequence[str],
    options: OptionsOf,
    *,
    player: str | None,
    dry_run: bool,
    quiet: bool,
    output: Format,
    expect: str | None,
) -> None:
    """Make the move of a verb and some words, as the notation has them, and report it.

    ``options`` are those that the verb has in each game. What is missing is asked for on a
    terminal. Raises InvalidMoveError, InvalidFileError, FileError.
    """
    _demand_a_record(verb, file, words, player)
    match = open_match(file, expect)
    named = player
    player = _only_player(match) if player is None else player
    manner = Manner(dry_run, quiet, output)
    _demand_a_verb_of(match, verb)
    typed = typed_options(ctx, match.game.meta.id, options)
    own = options.get(match.game.meta.id, ())
    words = _words_behind(verb, words, match, named)
    seat = own_seat(match.players) if player is None else seat_of(match.replay, player)
    if match.record.bots is not None and seat is not None:
        seat = _person(match, seat, named=player is not None)
    with _telling_who(match, verb, player, seat), _bots_first(match, manner, verb) as first:
        if verb == UNDO:
            _undo(match, seat, manner)
            return
        telling = [option for option in own if option.stream]
        came_up = _typed_chance(match, telling, typed)
        names = {option.name for option in telling}
        others = {name: value for name, value in typed.items() if name not in names}
        whom = ask.asker_of(match.game.meta.id) if ask.can_ask() else None
        with ask.backing_out():
            mover, texts = ui_for(match).read_command(
                Command(match, verb, words, others, seat, whom, dry_run)
            )
        _play(match, texts, mover, telling, came_up, manner, first)


def _person(match: Match, seat: int, *, named: bool) -> int | None:
    """Return a seat that a person has; refuse one that a bot holds (exit code 1).

    Who is only known by the settings, and is called like a bot, is nobody here.
    """
    if seat in match.people:
        return seat
    if named:
        from porto_cli.cli.bot_turns import refuse_to_move_for

        refuse_to_move_for(match, seat)
    return None


@contextmanager
def _bots_first(match: Match, manner: Manner, verb: str) -> Iterator[list[BotTurn]]:
    """Let bots move whose turn it is in a record that was stopped or edited, and say so if the move
    behind them is refused.
    """
    if match.record.bots is None or manner.dry_run or verb == UNDO:
        yield []
        return
    from porto_cli.match.bots_due import turn_of_a_bot

    waiting = turn_of_a_bot(match.replay)
    try:
        yield _bot_turns(match)
    except RefusedError as error:
        raise (error.with_sentence(waiting[0]) if waiting else error) from None


def _bot_turns(match: Match) -> list[BotTurn]:
    """Let the bots move whose turn it is, and return what they have done."""
    if match.record.bots is None:
        return []
    from porto_cli.cli.bot_turns import moved

    return moved(match)


@contextmanager
def _telling_who(match: Match, verb: str, player: str | None, seat: int | None) -> Iterator[None]:
    """Say whose move was refused where nobody has typed it but the settings know it, and how to
    move for somebody else; and that they are of no use where nobody in the game is called so.
    """
    try:
        yield
    except UnnamedPlayerError as error:
        user = me()
        if player is not None or not user.names:
            raise
        raise error.with_sentence(
            say(
                "You are {names}, says {source}; none of the players is called so, or more than "
                "one can be meant.",
                names=" or ".join(user.names),
                source=user.source,
            )
        ) from None
    except (RefusedError, InvalidMoveError) as error:
        other = None if player is not None or seat is None else _whose(match, verb, seat)
        if seat is None or other in (None, seat):
            raise
        assert other is not None
        hint = say(
            "You are {player}, says {source}. To do it for {other} on purpose, add: {option}",
            player=match.players[seat],
            source=me().source,
            other=match.players[other],
            option=option_of("--as", match.players[other]),
        )
        if isinstance(error, RefusedError):
            raise error.with_sentence(hint) from None
        raise WrongUsageError((error.sentence, hint)) from None


def _whose(match: Match, verb: str, seat: int) -> int | None:
    """Return the seat whose move it is, of several the given one: who is to move, and for an undo
    who moved last; but never that of a bot.
    """
    if verb == UNDO:
        place = last_of_people(match.record.bots, match.replay.steps)
        return match.replay.steps[place].seat if place >= 0 else None
    waiting = [each for each in match.game.to_move(match.state) if each in match.people]
    return seat if seat in waiting else next(iter(waiting), None)


def _only_player(match: Match) -> str | None:
    """Return who alone can be moving here: the only person among bots, or, in a sealed game, who
    the key on this computer belongs to.
    """
    if match.record.bots is not None and len(match.people) == 1:
        return match.players[match.people[0]]
    seats = match.own_seats() if match.replay.sealed else []
    return match.players[seats[0]] if len(seats) == 1 else None


def _demand_a_record(verb: str, file: Path, words: Sequence[str], player: str | None) -> None:
    """A move that begins with its words lacks the record."""
    word = str(file)
    games = [game for game in games_meant(verb, ()) if verb in GAMES[game].verbs]
    if os.path.exists(word) or not (word.isdigit() or _is_a_word(word, games)):
        return
    from porto_cli.match.record_files import meant, records_of

    if meant(file) != file:
        return
    move = [word, *words] if word != verb else words
    found = [path.name for path, _ in zip(records_of(Path()), "12", strict=False)]
    path = file_word(found[0]) if len(found) == 1 else FILE
    usage(
        say("The record is missing: its file comes first, then the move."),
        suggestions=[command(" ".join([verb, *move]), path, player)],
    )


def _is_a_word(word: str, games: Iterable[str]) -> bool:
    return any(word in GAMES[game].verbs or ui_of(game).is_a_word(word) for game in games)


def _demand_a_verb_of(match: Match, verb: str) -> None:
    """Refuse a move of another game (exit code 2)."""
    meta = match.game.meta
    if verb not in meta.verbs:
        usage(
            say(
                "This is a game of {game}, where nobody can {verb}; its moves are: {verbs}.",
                game=meta.title,
                verb=verb,
                verbs=", ".join(meta.verbs),
            ),
            suggestions=[f"porto show {path_of(match.replay)}"],
        )


def _words_behind(verb: str, words: Sequence[str], match: Match, player: str | None) -> list[str]:
    """Return the words of a move. Exits with 2 if they are those of another one."""
    words = _split(words)
    first = words[0].lower() if words else ""
    path = path_of(match.replay)
    if first == verb:
        words = words[1:]
    elif first in match.game.meta.verbs:
        usage(
            say(
                "{word!r} is a move of its own, no part of 'porto {verb}'.",
                word=words[0],
                verb=verb,
            ),
            suggestions=[command(" ".join(words), path, player)],
        )
    if words and not commands_of(match.game.meta.id).verbs[verb].words:
        usage(
            say(
                "Behind 'porto {verb} FILE' nothing else is expected, and there is {words!r}.",
                verb=verb,
                words=" ".join(words),
            ),
            suggestions=[command(verb, path, player)],
        )
    return words


def _undo(match: Match, seat: int | None, manner: Manner) -> None:
    """Take back a turn, and report it."""
    ui = ui_for(match)
    if seat is None and ui.secrets and match.takes_back_a_secret():
        sentence = ui.secrets.who_takes_back(match.players)
        people = [match.players[person] for person in match.people]
        seat = match.seat(ask.who(match, UNDO, people, sentence))
    before = match.replay
    try:
        match.undo(seat)
    except IllegalMoveError as error:
        refuse(*error.violations)
    taken = match.replay.steps[match.replay.steps[-1].takes_back or 0]
    line = say(
        "{player} takes back: {move}.", player=match.players[taken.seat], move=ui.in_short(taken)
    )
    turns: list[BotTurn] = []
    lines = [line]
    if match.record.bots is not None:
        from porto_cli.cli.bot_turns import taken_back

        turns = taken_back(before, match.replay)
        lines += _taken_back(match, before)
        if not manner.dry_run:
            turns += _bot_turns(match)
    _finish(match, manner, lines, [], [UNDO], turns=turns)


def _taken_back(match: Match, before: Replay) -> list[Sentence]:
    """Say what an undo has taken back of bots."""
    ui, steps = ui_for(match), match.replay.steps
    return [
        say(
            "With it goes what {player} did then: {move}.",
            player=match.players[step.seat],
            move=ui.in_short(steps[step.takes_back]),
        )
        for step in steps[len(before.steps) : -1]
        if step.takes_back is not None
    ]


def _split(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in text.replace(",", " ").split()]


def _typed_chance(
    match: Match, telling: Sequence[Option], typed: Mapping[str, Any]
) -> TypedChance | None:
    """Return what came up on a real table. Raises InvalidMoveError."""
    given = [option for option in telling if typed.get(option.name)]
    if not given:
        return None
    if match.record.seed:
        *first, last = [option.flag for option in telling]
        usage(
            say(
                "In this game the seed decides what comes up; {options} are for games with "
                "'secrecy: table'.",
                options=say("{first} and {last}", first=", ".join(first), last=last)
                if first
                else last,
            )
        )
    things: dict[str, bytes] = {}
    for option in given:
        texts = typed[option.name] if option.many else [typed[option.name]]
        told = match.game.read_chance(option.flag.removeprefix("--"), " ".join(_split(texts)))
        assert told is not None, "an option is called like the key that tells the same"
        things[option.stream] = things.get(option.stream, b"") + told[1]
    return TypedChance(match.game.meta.unordered, **things)


def _flag_for(stream: str, count: int, telling: Sequence[Option]) -> Option:
    """Return the option that tells so many things of a stream."""
    options = [option for option in telling if option.stream == stream]
    return next((option for option in options if option.many == (count > 1)), options[-1])


def _play(
    match: Match,
    texts: list[str],
    seat: int,
    telling: Sequence[Option],
    came_up: TypedChance | None,
    manner: Manner,
    first: Sequence[BotTurn] = (),
) -> None:
    """Play moves, write the record, then say what happened.

    ``first`` is what bots have done before, whose turn it was.
    """
    player = match.players[seat]
    moves = [match.move(text, player) for text in texts]
    state, ui = match.state, ui_for(match)
    said = {stream: bytes(things) for stream, things in came_up.left.items()} if came_up else {}
    foreseen = None
    try:
        if manner.dry_run:
            foreseen = match.foresee(*moves, player=player)
            events = list(foreseen.events)
            if came_up:
                match.pending_draws(*moves, player=player, came_up=came_up)
            if _is_whole(match, foreseen):
                # Nothing comes up, so that even the fingerprint can be told.
                match.play(*moves, player=player)
        else:
            if not match.record.seed and ask.can_ask():
                came_up = ui.asked_chance(ask.asker_of(match.game.meta.id)(), came_up)
            with ask.backing_out():
                events = match.play(*moves, player=player, came_up=came_up)
    except IllegalMoveError as error:
        legal = ui.nearest_moves(state, moves[0], seat)
        refuse(*error.violations, suggestions=commands(match.replay, legal, seat))
    except NothingTypedError:
        said_again = TypedChance(match.game.meta.unordered, **said)
        _say_what_is_awaited(match, moves, player, telling, said_again)
    except NotInPileError as error:
        usage(match.game.chance_fault(error))
    for stream, left in came_up.left.items() if came_up else ():
        if left:
            named = len(said.get(stream, left))
            flag = _flag_for(stream, named, telling).flag
            if len(left) == named:
                usage(say("Nothing comes up with this move; leave out {flag}.", flag=flag))
            usage(
                say(
                    "{flag} names {named}, and only {count} can come up with this move; left "
                    "over: {surplus}.",
                    flag=flag,
                    named=named,
                    count=named - len(left),
                    surplus=" ".join(ui.thing_name(stream, thing) for thing in left),
                )
            )
    turns = list(first)
    if not manner.dry_run:
        turns += _bot_turns(match)
    lines = ui.events_text(events, match.config)
    _finish(match, manner, lines, events, texts, foreseen, first=len(first), turns=turns)


def _say_what_is_awaited(
    match: Match,
    moves: list[Move],
    player: str,
    telling: Sequence[Option],
    said: TypedChance,
) -> None:
    awaited = match.pending_draws(*moves, player=player, came_up=said)
    options = [(_flag_for(stream, count, telling), count) for stream, count in awaited.items()]
    flags = [f"{option.flag} {','.join([option.thing] * count)}" for option, count in options]
    first, *others = [match.text(move) for move in moves]
    named = player_to_name(match.replay, match.seat(player))
    words = [command(first, path_of(match.replay), named), *others, *flags]
    usage(
        say(
            "This game is played with real cards: play the move on the table, then say what came "
            "up, with {flags}.",
            flags=" and ".join(f"{option.flag} ({count})" for option, count in options),
        ),
        suggestions=[" ".join(words)],
    )


def _finish(
    match: Match,
    manner: Manner,
    lines: Iterable[Sentence],
    events: list[Event],
    moves: list[str],
    foreseen: Preview | None = None,
    *,
    turns: Sequence[BotTurn] = (),
    first: int = 0,
) -> None:
    """Write the record first, so that no failure to print can lose a move; then report.

    ``foreseen`` is what the moves of a dry run would lead to, ``turns`` what bots have done: the
    ``first`` of them before the moves, the others behind them.
    """
    to_stdout = str(match.path) == STANDARD
    if not manner.dry_run:
        if to_stdout:
            match.read_back()
            sys.stdout.write(match.record.text)
        else:
            remark(*match.save(), *match.notices)
    if manner.quiet:
        return
    report = sys.stderr if to_stdout else sys.stdout
    if manner.output == Format.json:
        from porto_cli.cli.output import print_json

        told = _report(match, moves, events, foreseen, dry_run=manner.dry_run)
        if match.record.bots is not None:
            from porto_cli.cli.bot_turns import as_json

            told["bots"] = as_json(match, turns)
        print_json(told, report)
        return
    if turns:
        from porto_cli.cli.bot_turns import sentences

        behind = [turn for turn in turns[first:] if turn.moves != (UNDO,)]
        lines = [*sentences(match, turns[:first]), *lines, *sentences(match, behind)]
    tell(*lines, stream=report)
    if manner.dry_run:
        tell(say("Nothing was written: this was a dry run."), stream=report)
        return
    tell(*what_next(match), stream=report)
    tell(say("Fingerprint: {fingerprint}", fingerprint=match.fingerprint), stream=report)


def _report(
    match: Match,
    moves: list[str],
    events: list[Event],
    foreseen: Preview | None,
    *,
    dry_run: bool,
) -> dict[str, object]:
    """Return what moves have led to, or (``foreseen``) what they would lead to, as a document.

    What nobody can know before the moves are made is ``None``.
    """
    from porto_cli.core.documents import document

    waiting = match.to_move() if foreseen is None else foreseen.to_move
    certain = foreseen is None or _is_whole(match, foreseen)
    return document(
        game=match.game.meta.id,
        moves=moves,
        dry_run=dry_run,
        events=ui_for(match).events_json(events, match.config),
        phase=match.state.phase if foreseen is None else foreseen.phase,
        to_move=None if waiting is None else list(waiting),
        fingerprint=match.fingerprint if certain else None,
        digest=match.digest if certain else None,
    )


def _is_whole(match: Match, foreseen: Preview) -> bool:
    """Tell whether a dry run leads to the record that the moves would lead to.

    Not where something comes up, nor where a signature or bots would add to it.
    """
    return foreseen.certain and match.record.seals is None and match.record.bots is None
