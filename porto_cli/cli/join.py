"""The command with which players set up a sealed game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porto_cli.cli.common import AsPlayer, RecordFile, find_record, seat_among, what_next
from porto_cli.cli.keys_here import keys_here
from porto_cli.core import files
from porto_cli.core.command_errors import refuse, usage
from porto_cli.core.errors import FileError
from porto_cli.core.files import STANDARD
from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import option
from porto_cli.match import record
from porto_cli.match.command_lines import word_of
from porto_cli.settings import own_seat
from porto_cli.term.tell import remark, tell

if TYPE_CHECKING:
    from porto_cli.match.chain import Keys
    from porto_cli.match.sealed_setup import Beginning


def join(
    file: RecordFile,
    player: AsPlayer = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing if all is well.")
    ] = False,
) -> None:
    """Take part in the set-up of a sealed game.

    A sealed game, see 'porto new --secrecy sealed', goes around the table twice before it begins.
    Each time it comes to you this is the one command: it checks all that the others did, adds what
    is yours, and says whom to send the record to next. When you join, it says first what you agree
    to, as 'porto show' does before: the players, the box, the options, who is first, and hints.
    """
    path = find_record(file)
    text = files.read_text(path)
    read = record.load(text, files.name_of(path))
    if read.secrecy != record.SEALED:
        usage(
            say(
                "{file} is no sealed game, so that there is nothing to join: it can be played.",
                file=read.file,
            ),
            suggestions=[f"porto show {word_of(read.file)}"],
        )
    from porto_cli.cli.sealing import terms, warnings
    from porto_cli.keys import keyfile
    from porto_cli.match.sealed_setup import read_setup, take_part

    keys = keys_here(keyfile.stored() is not None)
    begun = read_setup(read, keys)
    if begun.next is None or read.settled:
        _already(path, keys)
    _demand_turn(begun, player, keys)
    if not keys.public:
        # Whoever has joined already needs the key of then, and not one that is made now.
        keys = keys_here(True)
    who = begun.chain.players[begun.next or 0]
    stream = sys.stderr if str(path) == STANDARD else sys.stdout
    if begun.setup.next_to_join is not None:
        remark(*warnings(begun.record))
        tell(*(() if quiet else terms(begun.record)), stream=stream)
    after = take_part(begun, keys)
    _save(path, text, after, keys)
    if not quiet:
        told = [
            say("{player} takes part; all that the others did was checked.", player=who),
            *_next(after, str(path), keys),
        ]
        tell(*told, stream=stream)


def _already(path: Path, keys: Keys) -> None:
    """Say that there is nothing to join any more (exit code 1)."""
    from porto_cli.match.match import load

    match = load(path, keys)
    refuse(
        say("The game is set up; nobody has to join any more."),
        *what_next(match),
    )


def _demand_turn(begun: Beginning, player: str | None, keys: Keys) -> None:
    """Refuse to take part for somebody else, or with another key (exit codes 1, 2)."""
    from porto_cli.cli.sealing import terms, warnings

    players, by = begun.chain.players, begun.next
    assert by is not None
    file = word_of(begun.record.file)
    if player is not None and seat_among(players, player) != by:
        raise begun.not_ready()
    own = [
        players[seat] for seat, joined in enumerate(begun.setup.joins) if joined.key == keys.public
    ]
    if by < len(begun.setup.joins):
        if players[by] not in own:
            user = by if player is not None else own_seat(players)
            if user == by or (user is None and not keys.public):
                from porto_cli.match.signed import not_the_key

                raise not_the_key(players[by], begun.setup.joins[by].key, keys.public)
            raise begun.not_ready()
    elif player is None and own:
        refuse(
            say(
                "On this computer {own} has joined already, and {player} is next. Send the record "
                "to {player}; if {player} plays at this computer too, say so with --as.",
                own=", ".join(own),
                player=players[by],
            ),
            suggestions=[f"porto join {file} {option('--as', players[by])}"],
        )
    elif player is None and own_seat(players) != by:
        if own_seat(players) is not None:
            raise begun.not_ready()
        # A seat that somebody has taken by mistake cannot be given back.
        usage(
            say(
                "The next to join is {player}. Say that this is you, as nobody can take it back.",
                player=players[by],
            ),
            *terms(begun.record),
            *warnings(begun.record),
            suggestions=[f"porto join {file} {option('--as', players[by])}"],
        )


def _save(path: Path, was: str, begun: Beginning, keys: Keys) -> None:
    """Read the new record back, and write it. Raises FileError."""
    from porto_cli.match.not_ready import NotReadyError
    from porto_cli.match.opened import opened

    text = begun.record.text
    again = record.load(text, begun.record.file)
    try:
        opened(again, keys)
    except NotReadyError:
        if begun.next is None:
            raise FileError(
                say(
                    "Read back, the set-up is another one, so nothing was written. That is a fault "
                    "of this program; please report it."
                )
            ) from None
    if str(path) == STANDARD:
        sys.stdout.write(text)
        return
    remark(*files.replace(path, text, was=was))


def _next(begun: Beginning, file: str, keys: Keys) -> list[Sentence]:
    """Say whom to send the record to, or that the game can begin."""
    from porto_cli.cli.sealing import progress

    if begun.next is not None:
        return progress(begun, file)
    from porto_cli.match.match import loads

    match = loads(begun.record.text, file, keys)
    first = match.players[0]
    here = 0 in match.own_seats()
    return [
        say("The set-up is complete: the game can begin, and {player} is first.", player=first),
        *([] if here else [say("Send {file} to {player}.", file=file, player=first)]),
        *what_next(match, file),
    ]
