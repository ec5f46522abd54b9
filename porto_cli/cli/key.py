"""The user's own key: the command that shows, backs up, imports and protects it, and how other
commands get it, unlocked, and made at the first use.
"""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porto_cli.cli.ask import asker, backing_out, can_ask
from porto_cli.cli.output import write, write_json
from porto_cli.cli.parser import Format
from porto_cli.core.characters import file_word
from porto_cli.core.files import STANDARD, expanded, name_of, read_text
from porto_cli.core.message import FileError, Sentence, say, usage
from porto_cli.crypto import PassphraseError
from porto_cli.crypto.identity import Identity
from porto_cli.game import DEFAULT
from porto_cli.keys import keyfile, private
from porto_cli.keys.keyfile import MADE, REMINDED, VARIABLE, StoredKey, printed_passphrase
from porto_cli.term.tell import remark, tell

if TYPE_CHECKING:
    from porto_cli.keys.keyfile import StoredKey


class Action(StrEnum):
    """What is done with the key."""

    show = "show"
    new = "new"
    export = "export"
    import_ = "import"
    protect = "protect"
    unprotect = "unprotect"


def key(
    action: Annotated[
        Action,
        typer.Argument(
            metavar="[show|new|export|import|protect|unprotect]",
            help="What to do: show the public key; make a key now; write a backup; read a backup; "
            "set or change the passphrase; remove it.",
            show_default=False,
        ),
    ] = Action.show,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="With export and import: the backup; '-' is standard output or input.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Format, typer.Option("--format", help="With show and new: text, or JSON for programs.")
    ] = Format.text,
) -> None:
    """Show or manage your key, with which you play sealed and signed games.

    It is your secret and in no record. Only with this key can you see what you were dealt, and only
    with it can your moves be made. It is made when you first join such a game. Keep a backup.
    """
    if file is not None and action not in (Action.export, Action.import_):
        usage(say("'porto key {action}' takes no FILE.", action=str(action)))
    if output is Format.json and action not in (Action.show, Action.new):
        usage(say("'porto key {action}' prints no JSON; leave out --format.", action=str(action)))
    if action is Action.import_:
        with backing_out():
            _import(file)
    elif action is Action.export:
        _export(file)
    elif action is Action.protect:
        with backing_out():
            _protect()
    elif action is Action.unprotect:
        with backing_out():
            _unprotect()
    else:
        if action is Action.new:
            _make()
        _show(as_json=output is Format.json)


def _make() -> None:
    from porto_cli.keys import keyfile

    before = keyfile.stored()
    if before is not None:
        remark(say("You already have a key; it was not changed."))
        return
    made = keyfile.make()
    remark(*made.notices)
    ask_for_backup(keyfile.opened(made, lambda: ""))


def _show(*, as_json: bool) -> None:
    from porto_cli.core.documents import document
    from porto_cli.keys import keyfile

    stored = keyfile.stored()
    if stored is not None:
        remark(*stored.notices)
    has_backup = stored is not None and keyfile.MADE in keyfile.backup_notes(stored.public)
    if as_json:
        write_json(
            document(
                public=stored.public or None if stored else None,
                file=str(keyfile.path()),
                exists=stored is not None,
                protected=stored is not None and stored.protected,
                backup=has_backup,
            )
        )
        return
    if stored is None:
        tell(
            say(
                "You have no key yet. One is made when you first join a sealed or signed game, and "
                "stored in {file}. To make one now: porto key new",
                file=keyfile.path(),
            )
        )
        return
    if stored.public:
        tell(say("Your public key: {public}", public=stored.public))
    else:
        tell(say("Your public key cannot be shown without your passphrase."))
    tell(
        say(
            "The secret key is in {file} and has a passphrase."
            if stored.protected
            else "The secret key is in {file} and has no passphrase. To set one: porto key protect",
            file=stored.path,
        )
    )
    if not has_backup:
        tell(say("No backup of it was made on this computer. To make one: porto key export FILE"))


def _export(file: Path | None) -> None:
    from porto_cli.keys import keyfile

    stored = keyfile.stored()
    if stored is None:
        raise FileError(
            say("You have no key yet, so there is nothing to back up. To make one: porto key new")
        )
    remark(*stored.notices)
    if file is None or str(file) == STANDARD:
        remark(
            say(
                "This is your secret key: anyone who can read it can play for you and see what you "
                "were dealt."
            )
        )
        write(stored.text)
        if stored.public:
            keyfile.note_backup(keyfile.MADE, stored.public)
        return
    export(expanded(file))


def _import(file: Path | None) -> None:
    from porto_cli.crypto import IdentityError
    from porto_cli.keys import keyfile

    path = expanded(file or Path(STANDARD))
    if str(path) == STANDARD and sys.stdin.isatty():
        text = secret(say("Paste the line with your key:"))
    else:
        if str(path) != STANDARD and not path.exists():
            raise FileError(say("There is no file {file}.", file=path))
        text = read_text(path)
    try:
        new = keyfile.read(text, Path(name_of(path)))
    except IdentityError as error:
        raise FileError(
            say(
                "No key was imported from {file}. {why}",
                file=name_of(path),
                why=error.sentence,
            )
        ) from None
    # A key that cannot be opened would be noticed too late: it is asked for now.
    own = open_key(new)
    old = _old()
    if old is not None and old.public == own.public_text and old.protected == new.protected:
        tell(say("You already have this key: {public}", public=own.public_text))
        return
    kept = keyfile.put(new, own)
    keyfile.note_backup(keyfile.MADE, own.public_text)
    if kept is not None:
        remark(say("Your previous key is kept in {file}.", file=kept))
    tell(say("Your key is now: {public}", public=own.public_text))
    tell(
        say(
            "Continue each game on one computer only: two versions of a turn that are signed with "
            "one key look like cheating."
        )
    )


def _old() -> StoredKey | None:
    """Return the present key, if it can be read; a damaged one is kept aside anyway."""
    from porto_cli.keys import keyfile

    try:
        return keyfile.stored()
    except FileError:
        return None


def _protect() -> None:
    from porto_cli.keys import keyfile
    from porto_cli.keys.keyfile import VARIABLE, printed_passphrase

    stored = keyfile.stored() or keyfile.make()
    remark(*stored.notices)
    if stored.protected and printed_passphrase() is not None:
        usage(
            say(
                "Your key already has a passphrase. To change it in a script, first run 'porto key "
                "unprotect' with the old one. On a terminal without {variable} you are asked for "
                "both.",
                variable=VARIABLE,
            )
        )
    own = open_key(stored)
    keyfile.protect(stored, own, new_passphrase())
    tell(
        say(
            "Your key now has this passphrase, which cannot be recovered if you forget it. Backups "
            "made before do not need it."
        )
    )


def _unprotect() -> None:
    from porto_cli.keys import keyfile

    stored = keyfile.stored()
    if stored is None or not stored.protected:
        tell(say("Your key has no passphrase."))
        return
    remark(*stored.notices)
    keyfile.unprotect(stored, open_key(stored))
    tell(say("Your key no longer has a passphrase."))


_ATTEMPTS = 3
"""How often a passphrase can be typed."""


# -- The key for other commands.


def identity() -> Identity:
    """Return the user's identity. The first time, a key is made and a backup is offered.

    Exits with 2 if the key needs a passphrase and no question can be asked. Raises FileError,
    PassphraseError, and KeyboardInterrupt and EOFError if the user types no passphrase.
    """
    stored = keyfile.stored()
    is_new = stored is None
    stored = stored or keyfile.make()
    remark(*stored.notices)
    if is_new:
        remark(
            say(
                "A key was made for you: {public}. It is stored in {file}.",
                public=stored.public,
                file=stored.path,
            )
        )
    opened = open_key(stored)
    ask_for_backup(opened)
    return opened


def can_be_opened(stored: StoredKey) -> bool:
    """Return whether a key needs no passphrase, or a terminal or a command can supply it."""
    return not stored.protected or _can_type() or bool(os.environ.get(VARIABLE))


def open_key(stored: StoredKey) -> Identity:
    """Return the identity of a key; asks for its passphrase. Raises what :func:`identity` does."""
    if not stored.protected:
        return keyfile.opened(stored, lambda: "")
    command = printed_passphrase()
    if command is not None:
        return keyfile.opened(stored, lambda: command)
    if not _can_type():
        usage(
            say(
                "Your key has a passphrase, which can only be typed on a terminal. For scripts, "
                "set the environment variable {variable} to a command that prints it.",
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

    Exits with 2 if it cannot be typed.
    """
    command = printed_passphrase()
    if command is not None:
        return command
    if not _can_type():
        usage(
            say(
                "A passphrase is typed on a terminal, never as an argument. For scripts, set the "
                "environment variable {variable} to a command that prints it.",
                variable=VARIABLE,
            )
        )
    while True:
        first = secret(say("New passphrase:"))
        if not first:
            remark(say("A passphrase has at least one character; several words are good."))
        elif secret(say("The same again:")) == first:
            return first
        else:
            remark(say("These were not the same; try again."))


def ask_for_backup(own: Identity) -> None:
    """Explain once what losing a key means, and on a terminal offer to make a backup.

    Raises FileError.
    """
    public = own.public_text
    if keyfile.backup_notes(public):
        return
    remark(
        say(
            "If you lose this key, your games cannot be continued in your place, and what you were "
            "dealt stays unknown for ever. Keep a backup elsewhere, such as on a USB stick. "
            "To make one at any time: porto key export FILE"
        )
    )
    if can_ask():
        _offer_backup()
    keyfile.note_backup(REMINDED, public)


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
        return say("Type the name of a new file.")
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
            "{file} has your secret key: anyone who can read it can play for you and see what you "
            "were dealt. Put it where only you can read it. To restore the key: "
            "porto key import {word}",
            file=path,
            word=file_word(str(path)),
        )
    )


def _typed() -> str:
    return secret(say("Passphrase of your key:"))


def secret(question: Sentence) -> str:
    """Ask for something secret, which is not shown. Raises KeyboardInterrupt, EOFError."""
    if sys.stderr.isatty():
        return asker(DEFAULT).secret(question)
    from getpass import getpass

    return getpass(f"{question} ", sys.stderr)


def _can_type() -> bool:
    return sys.stdin.isatty()
