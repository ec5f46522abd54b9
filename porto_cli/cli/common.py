"""What several commands share: opening and writing records, finding players, and saying what bots
did and what comes next.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, TextIO

from porto_cli.cli import typed_with
from porto_cli.core import (
    GAME_OVER,
    FileError,
    SentenceError,
    cited,
    enumerated,
    files,
    nearest,
    plural,
    refuse,
    usage,
)
from porto_cli.core.files import STANDARD, is_missing
from porto_cli.core.shell import file_word
from porto_cli.match import with_player
from porto_cli.match.items import LONG, SHORT
from porto_cli.match.match import Match, load
from porto_cli.match.record import SUFFIXES, meant, records_of, with_suffix
from porto_cli.match.replay import Replay
from porto_cli.match.seats import BotTurn
from porto_cli.next_step import what_next
from porto_cli.seam import UNDO, Event, with_level
from porto_cli.term import remark
from porto_cli.user import who_types
from porto_cli.words import split_words

if TYPE_CHECKING:
    from porto_cli.sealed.holder import KeyHolder

# -- Moves of bots and ordered moves, in sentences and for documents


def what_happened(replay: Replay, events: Sequence[Event]) -> list[str]:
    """Return events in sentences, but not that the game is over, as the result follows."""
    told = replay.game.events_text(events, replay.config)
    return [sentence for sentence in told if sentence != GAME_OVER]


def bot_sentences(match: Match, turns: Iterable[BotTurn]) -> list[str]:
    """Say what bots have done, with the level of each."""
    sentences: list[str] = []
    last = ""
    for turn in turns:
        if turn.player != last:
            sentences.append(f"{turn.who} moves:")
        sentences += what_happened(match, turn.events)
        last = turn.player
    return sentences


def by_itself_json(match: Match, turns: Iterable[BotTurn]) -> dict[str, object]:
    """Return the moves of bots and orders as fields of a document."""
    bots, ordered = list[object](), list[object]()
    for turn in turns:
        events = match.game.events_json(turn.events, match.config)
        fields = {"player": turn.player, "moves": list(turn.moves), "events": events}
        if turn.bot:
            bots.append({**fields, "bot": turn.bot})
        else:
            ordered.append(fields)
    of_bots: dict[str, object] = {"bots": bots} if match.bots else {}
    return of_bots | ({"ordered": ordered} if match.declarations else {})


def undone_bot_turns(before: Replay, after: Replay) -> list[BotTurn]:
    """Return the turns of bots that an undo has taken back, each as an undo by that bot."""
    return [
        BotTurn(after.config.players[step.seat], bots[step.seat], (UNDO,), ())
        for step in after.steps[len(before.steps) :]
        if step.takes_back is not None and step.seat in (bots := after.bots_at(step.takes_back))
    ]


def taken_back_of_bots(match: Match, before: Replay) -> list[str]:
    """Say which moves of bots an undo has taken back, the first one first."""
    steps = match.steps
    gone = [
        (match.players[step.seat], match.game.in_short_words(steps[step.takes_back]))
        for step in reversed(steps[len(before.steps) : -1])
        if step.takes_back is not None
    ]
    players = enumerated(dict.fromkeys(player for player, _ in gone))
    moves = "; ".join(f"{player}: {move}" if player != players else move for player, move in gone)
    return [f"With it goes what {players} did then: {moves}."] if gone else []


# -- Records, players, what comes next


def open_match(path: Path, expect: str | None = None) -> Match:
    """Return the game of a record.

    Raises InvalidFileError, or FileError, also if its digest does not begin with ``expect``; exits
    with 2 if ``expect`` cannot be a fingerprint.
    """
    if expect is not None and not re.fullmatch(f"[0-9a-fA-F]{{{SHORT},{LONG}}}", expect):
        right = (
            f"--expect takes {SHORT} to {LONG} hexadecimal digits, as 'porto verify' prints them"
        )
        usage(f"{cited(expect)} is not a fingerprint: {right}.")
    match = opened(path)
    if expect is not None and not match.digest.startswith(expect.lower()):
        file, has = match.record.file, match.digest[: len(expect)]
        raise FileError(f"{file} is another version: its fingerprint is {has}, not {expect}.")
    return match


def opened(path: Path) -> Match:
    """Return the game of a record; prints a remark if it is valid, but seems to be cut off. Raises
    InvalidFileError, FileError.
    """
    match = load(find_record(path), keys_here)
    remark(*cut_off(match))
    return match


def cut_off(match: Match) -> list[str]:
    """Say that a record seems to be cut off, if its text ends within a comment."""
    text = match.record.text
    return [
        f"The last line of {match.record.file} ends in a comment, without a line break: the file "
        "may be cut off, and turns may be missing. If it came by mail, ask for it again, as an "
        "attachment."
    ] * ("#" in text[text.rfind("\n") + 1 :])


def next_sentences(game: Replay, file: str | None = None, *, result: bool = True) -> list[str]:
    """Say who can do what now, with commands that the user can type as they are; after a game also
    its ``result``.

    ``file`` is the record's name in the commands, by default as it was read.
    """
    return [*map(str, what_next(game, file, who_types(game), result=result))]


def report_stream(path: Path | None) -> TextIO:
    """Return the stream for the report of a command that writes this record: standard error if the
    record itself goes to standard output.
    """
    return sys.stderr if str(path) == STANDARD else sys.stdout


def write_record(file: Path, text: str, was: str | None = None) -> None:
    """Write a record to its file or to standard output. ``was`` is its old text; ``None`` if it is
    new.

    Raises FileError.
    """
    if str(file) == STANDARD:
        sys.stdout.write(text)
    elif was is None:
        files.create(file, text)
    else:
        files.replace(file, text, was=was)


def save(match: Match, report: str | None = None) -> None:
    """Write the record of a changed game, to standard output if it came from standard input.
    Raises FileError.

    ``report`` says what was done, in case nothing else can be printed.
    """
    if str(match.path) == STANDARD:
        match.read_back()
        sys.stdout.write(match.record.text)
        return
    match.save()
    if report:
        files.note(report)


def find_record(path: Path) -> Path:
    """Return the record that a typed path means; prints a remark if its name differs.

    Raises FileError if there is none; the message proposes a record with a similar name.
    """
    if str(path) == STANDARD or os.path.isfile(path):
        return path
    record = meant(path)
    if record != path:
        remark(f"There is no file {path}; {record} is used.")
    elif not os.path.exists(path):
        close = similar_to(path)
        if close:
            sentence = f"There is no file {path}; did you mean {close}?"
            raise FileError(sentence, typed_with(str(close), str(path)))
        elsewhere = is_missing(path.parent)
        name = with_suffix(Path(path.name) if elsewhere else path)
        new = f"'porto new {file_word(str(name))} NAME…' starts a game{' here' * elsewhere}."
        missing = f"folder {path.parent}" if elsewhere else f"file {path}"
        raise FileError(f"There is no {missing}; {new}")
    return record


def similar_to(path: Path) -> Path | None:
    """Return the file that a path takes for a folder; else the record in the same folder that alone
    begins so, or has the most similar name.
    """
    if os.path.isfile(path.parent):
        return path.parent
    names = {name: other for other in records_of(path.parent) for name in (other.name, other.stem)}
    begun = {other for name, other in names.items() if name.startswith(path.name)}
    return begun.pop() if len(begun) == 1 else names.get(nearest(path.name, names, 0.75))


def refuse_to_move_for(match: Match, seat: int) -> None:
    """Refuse to move for a seat that no person plays (exit code 1)."""
    bots = match.bot_seats
    if seat not in bots:
        refuse(match.seats[seat].plays(match.players[seat]))
    bot = with_level(match.players[seat], bots[seat])
    people = ", ".join(match.holders[other] for other in match.people)
    refuse(f"{bot} moves by itself; nobody can move for it. You can move for: {people}.")


def keys_here(make: bool) -> KeyHolder:
    """Return the keys of this computer; ``make`` makes them if there are none.

    Asks for a passphrase when a secret is needed; to look at a game, only if there is a terminal.
    Raises FileError, PassphraseError; exits with 2 if there is none.
    """
    from porto_cli.cli.key import key_holder

    return key_holder(make)


def own_move(match: Match, line: str, seat: int) -> str:
    """Return the move in a line that may begin with the name of its player, or be a whole command
    for the game. Raises SentenceError if it is for another player.
    """
    from porto_cli.mail.reply import read_command

    first, player, words = read_command(line)
    # Behind a verb comes the file, maybe without its suffix.
    if first.casefold() != "porto":
        words.insert(0, first)
    elif [PurePath(one).name for one in words[1:2]] == [PurePath(str(match.path)).stem]:
        del words[1]
    words = [one for one in split_words(words) if not one.endswith(SUFFIXES)]
    move = " ".join(words).removeprefix("move ")
    players = match.holders
    named, move = with_player(players, f"{player}: {move}" if player else move)
    if named is not None and named != seat:
        told = f"It is {enumerated(match.to_move())}'s turn"
        raise SentenceError(f"{told}; here you play {players[seat]}, not {players[named]}.")
    return move


# -- Times since a file was changed

DAY = 86400
"""In seconds."""
_LONGEST = 20 * 365 * DAY
_UNITS = {"day": DAY, "hour": 3600, "minute": 60}


def time_in_words(seconds: float) -> str:
    """Return a time in its largest unit. It may be negative, if a clock is wrong."""
    for unit, size in _UNITS.items():
        if seconds >= size:
            return plural(int(seconds // size), unit)
    return "less than a minute"


def is_known(seconds: float) -> bool:
    """Return whether a time since a file was changed is plausible: the clock of this computer, or
    of one where the file was before, may be wrong.
    """
    return -DAY <= seconds <= _LONGEST
