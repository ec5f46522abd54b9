"""The user's own key, for commands that need it: opened, and made when it is first needed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from porto_cli.cli.ask import asker, can_ask
from porto_cli.core.command_errors import usage
from porto_cli.core.files import expanded
from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import file_word
from porto_cli.game import DEFAULT
from porto_cli.keys import keyfile, private
from porto_cli.keys.keyfile import MADE, TOLD, StoredKey
from porto_cli.keys.passphrases import VARIABLE, printed
from porto_cli.sealed.errors import PassphraseError
from porto_cli.sealed.identity import Identity
from porto_cli.term.tell import remark

_ATTEMPTS = 3
"""So often a passphrase can be typed."""


def identity() -> Identity:
    """Return the user's identity. The first time a key is made, and a backup is asked for.

    Exits with 2 if the key takes a passphrase that nobody can be asked for. Raises FileError,
    PassphraseError, and KeyboardInterrupt and EOFError if the user types no passphrase.
    """
    stored = keyfile.stored()
    is_new = stored is None
    stored = stored or keyfile.make()
    remark(*stored.notices)
    if is_new:
        remark(
            say(
                "A key was made for you: {public}. It is kept in {file}.",
                public=stored.public,
                file=stored.path,
            )
        )
    opened = open_key(stored)
    ask_for_backup(opened)
    return opened


def can_be_opened(stored: StoredKey) -> bool:
    """Tell whether a key takes no passphrase, or somebody or something can be asked for it."""
    return not stored.protected or _can_type() or bool(os.environ.get(VARIABLE))


def open_key(stored: StoredKey) -> Identity:
    """Return the identity of a key; its passphrase is asked for. Raises what it can raise there."""
    if not stored.protected:
        return keyfile.opened(stored, lambda: "")
    command = printed()
    if command is not None:
        return keyfile.opened(stored, lambda: command)
    if not _can_type():
        usage(
            say(
                "Your key takes a passphrase, and nobody can be asked for it here. A command that "
                "prints it can be named in the environment variable {variable}.",
                variable=VARIABLE,
            )
        )
    for _ in range(_ATTEMPTS - 1):
        try:
            return keyfile.opened(stored, _typed)
        except PassphraseError as error:
            remark(error.sentence)
    return keyfile.opened(stored, _typed)


def new_passphrase() -> str:
    """Return a passphrase that is typed twice, or that the user's command prints.

    Exits with 2 if there is nobody to type it.
    """
    command = printed()
    if command is not None:
        return command
    if not _can_type():
        usage(
            say(
                "A passphrase is typed on a terminal, never as an argument. A command that prints "
                "it can be named in the environment variable {variable}.",
                variable=VARIABLE,
            )
        )
    while True:
        first = secret(say("New passphrase:"))
        if not first:
            remark(say("A passphrase has at least one character; several words are good."))
        elif secret(say("The same once more:")) == first:
            return first
        else:
            remark(say("These were not the same; once more."))


def ask_for_backup(own: Identity) -> None:
    """Say once what it means to lose a key, and on a terminal offer to make a backup.

    Raises FileError.
    """
    public = own.public_text
    if keyfile.backup_notes(public):
        return
    remark(
        say(
            "If you lose this key nobody can go on at your seats, and what you were dealt stays "
            "unknown for ever; a backup is a file that you keep elsewhere, like on a stick. "
            "To make one at any time: porto key export FILE"
        )
    )
    if can_ask():
        _offer_backup()
    keyfile.note_backup(TOLD, public)


def _offer_backup() -> None:
    from porto_cli.term.prompt import CancelledError, Choice
    from porto_cli.term.spans import PLAIN

    choices = [
        Choice([(str(say("Make a backup now")), PLAIN)], True),
        Choice([(str(say("Later")), PLAIN)], False),
    ]
    who = asker(DEFAULT)
    try:
        if who.choose(say("Your key has no backup yet."), choices, back=False):
            name = who.write(say("Into which new file?"), _backup_fault, "porto-key-backup.txt")
            export(expanded(Path(name)))
    except (CancelledError, EOFError):
        return


def _backup_fault(name: str) -> Sentence | None:
    path = expanded(Path(name))
    if not name:
        return say("Type the name of a file that there is not yet.")
    if path.exists():
        return say("{file} exists already; choose another name.", file=path)
    if not path.parent.is_dir():
        return say("There is no folder {folder}.", folder=path.parent)
    return None


def export(path: Path) -> None:
    """Write the key into a new file that only the user can read, and say so. Raises FileError."""
    stored = keyfile.stored()
    assert stored is not None
    private.write_new(path, stored.text)
    if stored.public:
        keyfile.note_backup(MADE, stored.public)
    remark(
        say(
            "{file} has your secret key: whoever can read it can play for you and see what you "
            "were dealt. Put it where only you get at it. To have the key again: "
            "porto key import {word}",
            file=path,
            word=file_word(str(path)),
        )
    )


def _typed() -> str:
    return secret(say("Passphrase of your key:"))


def secret(question: Sentence) -> str:
    """Ask for what nobody is to read. Raises KeyboardInterrupt, EOFError."""
    if sys.stderr.isatty():
        return asker(DEFAULT).secret(question)
    from getpass import getpass

    return getpass(f"{question} ", sys.stderr)


def _can_type() -> bool:
    return sys.stdin.isatty()
