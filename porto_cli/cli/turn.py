"""What a command does that makes a move: keep, draw, build, contract, pass, undo."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.cli import ask
from porto_cli.cli.common import Format, open_match, refuse, seat_of, usage
from porto_cli.core.chance import NothingTypedError, NotInPileError, TypedChance
from porto_cli.core.files import STANDARD
from porto_cli.core.message import say
from porto_cli.core.quoting import FILE, file_word
from porto_cli.games.porto.engine.components import CARDS
from porto_cli.games.porto.engine.conditions import may_keep
from porto_cli.games.porto.engine.events import Event
from porto_cli.games.porto.engine.moves import Move
from porto_cli.games.porto.event_text import sentences
from porto_cli.games.porto.notation import (
    NONE,
    PUBLIC_NAMES,
    TOKEN,
    UNDO,
    VERBS,
    card_names,
    is_a_component,
    parse_card,
    parse_public,
)
from porto_cli.games.porto.suggest import suggestions
from porto_cli.games.porto.ui.next_step import command, commands, path_of, what_next
from porto_cli.match.match import Match
from porto_cli.match.replay import IllegalMoveError

if TYPE_CHECKING:
    from porto_cli.match.preview import Preview

_FLAGS = {"cards": "--refill", "contracts": "--refill-contracts", "timer": "--timer"}
_NAMES = {"cards": "CARD", "contracts": "CONTRACT", "timer": "CARD"}
"""The option that says what came up of each kind, and how what it takes is called."""
CONTRACT = "contract"
_WORDS = (*VERBS, NONE)
"""Words of moves that name nothing on the table."""


def perform(
    verb: str,
    file: Path,
    words: Sequence[str],
    *,
    player: str | None = None,
    dry_run: bool = False,
    quiet: bool = False,
    output: Format = Format.text,
    expect: str | None = None,
    token: str | None = None,
    contract: Sequence[str] | None = None,
    refill: Sequence[str] | None = None,
    refill_contracts: Sequence[str] | None = None,
    timer: Sequence[str] | None = None,
) -> None:
    """Make the move of a verb and some words, as the notation has them, and report it.

    ``token`` and ``contract`` are words of a build that stand in options. What is missing is
    asked for on a terminal. Raises InvalidMoveError, InvalidFileError, FileError.
    """
    _demand_a_record(verb, file, words)
    match = open_match(file, expect)
    typed = _typed(verb, words, path_of(match.replay))
    if verb == UNDO:
        _undo(match, player, dry_run, quiet, output)
        return
    came_up = _typed_chance(match, refill, refill_contracts, timer)
    if verb == "keep" and player is None:
        player = _who_keeps(match, typed.words)
    seat = _seat(match, player)
    move, claim = _with_options(typed, token, contract)
    texts = _complete(verb, match, seat, move, claim=not claim and not dry_run)
    _play(match, [*texts, *claim], player, came_up, dry_run, quiet, output)


class _Typed(NamedTuple):
    """The words of a move, without its verb, and those of the claim that follows a build."""

    words: list[str]
    claim: list[str] | None = None


def _demand_a_record(verb: str, file: Path, words: Sequence[str]) -> None:
    """A move that begins with its words lacks the record."""
    word = str(file)
    if os.path.exists(word) or not (word.isdigit() or word in _WORDS or is_a_component(word)):
        return
    from porto_cli.match.record_files import meant, records_of

    if meant(file) != file:
        return
    move = [word, *words] if word != verb else words
    found = [path.name for path, _ in zip(records_of(Path()), "12", strict=False)]
    path = file_word(found[0]) if len(found) == 1 else FILE
    usage(
        say("The record is missing: its file comes first, then the move."),
        suggestions=[command(" ".join([verb, *move]), path)],
    )


def _typed(verb: str, words: Sequence[str], path: str) -> _Typed:
    """Take the words of a command apart. Exits with 2 if they are those of another move."""
    words = _words(words)
    first = words[0].lower() if words else ""
    if first == verb:
        words = words[1:]
    elif first in VERBS:
        usage(
            say(
                "{word!r} is a move of its own, no part of 'porto {verb}'.",
                word=words[0],
                verb=verb,
            ),
            suggestions=[command(" ".join(words), path)],
        )
    if verb in ("pass", UNDO) and words:
        usage(
            say(
                "Behind 'porto {verb} FILE' nothing else is expected, and there is {words!r}.",
                verb=verb,
                words=" ".join(words),
            ),
            suggestions=[command(verb, path)],
        )
    lower = [word.lower() for word in words]
    if verb == "build" and CONTRACT in lower:
        end = lower.index(CONTRACT)
        return _Typed(words[:end], words[end + 1 :])
    return _Typed(words)


def _with_options(
    typed: _Typed, token: str | None, contract: Sequence[str] | None
) -> tuple[list[str], list[str]]:
    """Add what stands in options. Returns the words of the move, and the claim as a move."""
    words, claim = typed
    if token is not None:
        if len(words) > 3:
            usage(say("The house for the token is named twice: leave out --token or the word."))
        words = [*words, TOKEN, token]
    if contract:
        if claim is not None:
            usage(say("The contracts are named twice: leave out --contract or the word."))
        claim = _words(contract)
    return words, [] if claim is None else [" ".join([CONTRACT, *claim])]


def _complete(verb: str, match: Match, seat: int, words: list[str], *, claim: bool) -> list[str]:
    """Return the moves in the notation; what is missing is asked for, or named (exit code 2)."""
    if verb == "build":
        return ask.build(match, seat, words, claim=claim)
    asked = {"draw": ask.draw, "keep": ask.keep, CONTRACT: ask.contract}
    return asked[verb](match, seat, words) if verb in asked else [verb]


def _who_keeps(match: Match, words: Sequence[str]) -> str | None:
    """Return who keeps private contracts: nobody chooses for somebody else by mistake."""
    able = [name for seat, name in enumerate(match.players) if may_keep(match.state, seat)]
    if not able or len(match.players) == 1:
        return None
    return ask.who_keeps(able, path_of(match.replay), words)


def _who_takes_back(match: Match) -> str | None:
    """Return who takes back a choice of private contracts; of other turns everybody knows."""
    if not match.takes_back_a_secret():
        return None
    return ask.who_takes_back(match.players, path_of(match.replay))


def _undo(match: Match, player: str | None, dry_run: bool, quiet: bool, output: Format) -> None:
    """Take back a turn, and report it."""
    from porto_cli.games.porto.history import turn_of

    player = player or _who_takes_back(match)
    seat = None if player is None else seat_of(match.replay, player)
    try:
        match.undo(seat)
    except IllegalMoveError as error:
        refuse(*error.violations)
    last = match.replay.steps[-1]
    taken = turn_of(match.replay.steps[last.takes_back or 0])
    line = say("{player} takes back: {move}.", player=taken.player, move=taken.moves[0])
    _finish(match, [str(line)], [], [UNDO], dry_run, quiet, output)


def _seat(match: Match, name: str | None) -> int:
    return match.state.seat if name is None else seat_of(match.replay, name)


def _words(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in text.replace(",", " ").split()]


def _typed_chance(
    match: Match,
    refill: Sequence[str] | None,
    refill_contracts: Sequence[str] | None,
    timer: Sequence[str] | None,
) -> TypedChance | None:
    """Return what came up on a real table. Raises InvalidMoveError."""
    if not (refill or refill_contracts or timer):
        return None
    if match.record.seed:
        usage(
            say(
                "In this game the seed decides what comes up; --refill, --refill-contracts and "
                "--timer are for games with 'secrecy: table'."
            )
        )
    return TypedChance(
        cards=bytes(parse_card(word) for word in _words(refill or [])),
        contracts=bytes(parse_public(word) for word in _words(refill_contracts or [])),
        timer=bytes(parse_card(word) for word in _words(timer or [])),
    )


def _play(
    match: Match,
    texts: list[str],
    name: str | None,
    came_up: TypedChance | None,
    dry_run: bool,
    quiet: bool,
    output: Format,
) -> None:
    """Play moves, write the record, then say what happened."""
    seat = _seat(match, name)
    player = match.players[seat]
    moves = [match.move(text, player) for text in texts]
    state = match.state
    said = {stream: bytes(things) for stream, things in came_up.left.items()} if came_up else {}
    foreseen = None
    try:
        if dry_run:
            foreseen = match.foresee(*moves, player=player)
            events = list(foreseen.events)
            if foreseen.certain:
                # Nothing comes up, so that even the fingerprint can be told.
                match.play(*moves, player=player)
            if came_up:
                match.pending_draws(*moves, player=player, came_up=came_up)
        else:
            came_up = ask.coming_up(match, came_up)
            with ask.backing_out():
                events = match.play(*moves, player=player, came_up=came_up)
    except IllegalMoveError as error:
        legal = suggestions(state, moves[0], seat)
        refuse(*error.violations, suggestions=commands(match.replay, legal, seat))
    except NothingTypedError:
        _say_what_is_awaited(match, moves, player, TypedChance(**said))
    except NotInPileError as error:
        things = PUBLIC_NAMES if error.stream == "contracts" else CARDS
        usage(
            say(
                "{thing} cannot have come up: every one of it lies open, is in a hand or has been "
                "played.",
                thing=things[error.thing],
            )
        )
    if came_up:
        _refuse_surplus(came_up)
    lines = [str(line) for line in sentences(events, match.record.config)]
    _finish(match, lines, events, texts, dry_run, quiet, output, foreseen)


def _say_what_is_awaited(match: Match, moves: list[Move], player: str, said: TypedChance) -> None:
    awaited = match.pending_draws(*moves, player=player, came_up=said)
    flags = [
        f"{_FLAGS[stream]} {','.join([_NAMES[stream]] * count)}"
        for stream, count in awaited.items()
    ]
    first, *others = [match.text(move) for move in moves]
    words = [command(first, path_of(match.replay)), *others, *flags]
    usage(
        say(
            "This game is played with real cards: play the move on the table, then say what came "
            "up, with {flags}.",
            flags=" and ".join(f"{_FLAGS[stream]} ({count})" for stream, count in awaited.items()),
        ),
        suggestions=[" ".join(words)],
    )


def _refuse_surplus(came_up: TypedChance) -> None:
    for stream, left in came_up.left.items():
        if left:
            names = (
                [PUBLIC_NAMES[thing] for thing in left]
                if stream == "contracts"
                else card_names(left)
            )
            usage(
                say(
                    "{flag} names more than comes up: {surplus} has no space.",
                    flag=_FLAGS[stream],
                    surplus=" ".join(names),
                )
            )


def _finish(
    match: Match,
    lines: list[str],
    events: list[Event],
    moves: list[str],
    dry_run: bool,
    quiet: bool,
    output: Format,
    foreseen: Preview | None = None,
) -> None:
    """Write the record first, so that no failure to print can lose a move; then report.

    ``foreseen`` is what the moves of a dry run would lead to.
    """
    to_stdout = str(match.path) == STANDARD
    if not dry_run:
        if to_stdout:
            match.read_back()
            sys.stdout.write(match.record.text)
        else:
            for notice in match.save():
                print(notice, file=sys.stderr)
    if quiet:
        return
    report = sys.stderr if to_stdout else sys.stdout
    if output == Format.json:
        from porto_cli.cli.output import print_json
        from porto_cli.games.porto.ui.json import report_json

        print_json(report_json(match.replay, moves, events, foreseen, dry_run=dry_run), report)
        return
    for line in lines:
        print(line, file=report)
    if dry_run:
        print(say("Nothing was written: this was a dry run."), file=report)
        return
    print(what_next(match.replay), file=report)
    print(say("Fingerprint: {fingerprint}", fingerprint=match.fingerprint), file=report)
