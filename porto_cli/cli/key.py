"""The command for the user's own key: shown, backed up, taken over, protected."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porto_cli.cli.ask import backing_out
from porto_cli.cli.common import Format
from porto_cli.cli.output import write, write_json
from porto_cli.core.command_errors import usage
from porto_cli.core.errors import FileError
from porto_cli.core.files import STANDARD, expanded, name_of, read_text
from porto_cli.core.message import say
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
            help="What to do: tell the public key; make a key now; write a backup; take over a "
            "key; let it take a passphrase, or none any more.",
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
        Format, typer.Option("--format", help="Of what show tells: text, or JSON for programs.")
    ] = Format.text,
) -> None:
    """Show or look after your key, which sealed and signed games are played with.

    It is a secret of yours alone, outside of every record: what you were dealt can be seen with it
    only, and nobody else can move for you. It is made when you first join such a game. Keep a
    backup.
    """
    if file is not None and action not in (Action.export, Action.import_):
        usage(say("'porto key {action}' takes no file.", action=str(action)))
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
    from porto_cli.cli.own_key import ask_for_backup
    from porto_cli.keys import keyfile

    before = keyfile.stored()
    if before is not None:
        remark(say("You have a key already; it was left as it is."))
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
                "You have no key yet: it is made when you first join a sealed or signed game, and "
                "kept in {file}. To have one now: porto key new",
                file=keyfile.path(),
            )
        )
        return
    if stored.public:
        tell(say("Your public key: {public}", public=stored.public))
    else:
        tell(say("Your public key is not told without your passphrase."))
    if stored.protected:
        tell(say("The secret is in {file} and takes your passphrase.", file=stored.path))
    else:
        tell(
            say(
                "The secret is in {file} and takes no passphrase. To let it take one: "
                "porto key protect",
                file=stored.path,
            )
        )
    if not has_backup:
        tell(say("No backup was made of it here. To make one: porto key export FILE"))


def _export(file: Path | None) -> None:
    from porto_cli.cli.own_key import export
    from porto_cli.keys import keyfile

    stored = keyfile.stored()
    if stored is None:
        raise FileError(
            say("You have no key yet, so there is nothing to back up. To have one: porto key new")
        )
    remark(*stored.notices)
    if file is None or str(file) == STANDARD:
        remark(
            say(
                "This is your secret key: whoever can read it can play for you and see what you "
                "were dealt."
            )
        )
        write(stored.text)
        if stored.public:
            keyfile.note_backup(keyfile.MADE, stored.public)
        return
    export(expanded(file))


def _import(file: Path | None) -> None:
    from porto_cli.cli.own_key import open_key, secret
    from porto_cli.keys import keyfile
    from porto_cli.sealed.errors import IdentityError

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
                "No key was taken over from {file}. {why}",
                file=name_of(path),
                why=error.sentence,
            )
        ) from None
    # A key that cannot be opened would be noticed too late: it is asked for now.
    own = open_key(new)
    old = _old()
    if old is not None and old.public == own.public_text and old.protected == new.protected:
        tell(say("You have this key already: {public}", public=own.public_text))
        return
    kept = keyfile.put(new, own)
    keyfile.note_backup(keyfile.MADE, own.public_text)
    if kept is not None:
        remark(say("The key that was there before is kept in {file}.", file=kept))
    tell(say("This is your key now: {public}", public=own.public_text))
    tell(
        say(
            "Go on with each game on one computer only: two versions of a turn that are signed "
            "with one key look like cheating."
        )
    )


def _old() -> StoredKey | None:
    """Return the key that is there, if it can be read: a damaged one is kept aside all the same."""
    from porto_cli.keys import keyfile

    try:
        return keyfile.stored()
    except FileError:
        return None


def _protect() -> None:
    from porto_cli.cli.own_key import new_passphrase, open_key
    from porto_cli.keys import keyfile
    from porto_cli.keys.passphrases import VARIABLE, printed

    stored = keyfile.stored() or keyfile.make()
    remark(*stored.notices)
    if stored.protected and printed() is not None:
        usage(
            say(
                "Your key takes a passphrase already. To change it in a script, 'porto key "
                "unprotect' with the old one comes first; on a terminal without {variable} both "
                "are asked for.",
                variable=VARIABLE,
            )
        )
    own = open_key(stored)
    keyfile.protect(stored, own, new_passphrase())
    tell(
        say(
            "From now on your key takes this passphrase. Nobody can tell it to you if you forget "
            "it. Backups that were made before open without it."
        )
    )


def _unprotect() -> None:
    from porto_cli.cli.own_key import open_key
    from porto_cli.keys import keyfile

    stored = keyfile.stored()
    if stored is None or not stored.protected:
        tell(say("Your key takes no passphrase."))
        return
    remark(*stored.notices)
    keyfile.unprotect(stored, open_key(stored))
    tell(say("From now on your key takes no passphrase."))
