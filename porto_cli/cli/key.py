"""The user's own key: the command that shows, backs up and imports it, and how other commands get
it; it is made at its first use.
"""

from __future__ import annotations

import getpass
import sys
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from porto_cli import home
from porto_cli.cli import Format, arg, opt
from porto_cli.cli.ask import backing_out
from porto_cli.cli.output import answer, write
from porto_cli.core import FileError, usage
from porto_cli.core.files import STANDARD, expanded, name_of, raise_if_hung_up, read_text
from porto_cli.core.shell import file_word
from porto_cli.sealed import IdentityError, holder
from porto_cli.sealed.holder import KeyHolder, StoredKey
from porto_cli.sealed.steps import Identity
from porto_cli.term import remark, tell

Action = StrEnum("Action", "show new export import unprotect")
"""What to do with the key."""


def key(
    action: Action = arg(
        Action.show,
        "[show|new|export|import|unprotect]",
        "What to do: show the public key; make a key now; write a backup; read a backup; "
        "remove the passphrase of an old key.",
        show_default=False,
    ),
    file: Path | None = arg(
        None, "[FILE]", "With export and import: the backup; '-' is standard output or input."
    ),
    output: Format = opt(Format.text, "--format", "With show and new: text, or JSON for programs."),
) -> None:
    """Show or manage your key, with which you play sealed games.

    It is your secret and in no record. Only with this key can you see what you were dealt, and only
    with it can your moves be made. It is made when you first join such a game. Keep a backup.

    Examples:
      porto key
      porto key export porto-key.txt
    """
    if file is not None and action not in (Action.export, Action["import"]):
        usage(f"'porto key {action}' takes no FILE.")
    if output is Format.json and action not in (Action.show, Action.new):
        usage(f"'porto key {action}' prints no JSON; leave out --format.")
    if action is Action.new and holder.stored_key() is not None:
        remark("You already have a key; it was not changed.")
    elif action is Action.new:
        make()
    with backing_out():
        if action is Action.export:
            _export(file)
        elif action is Action["import"]:
            _import(file)
        elif action is Action.unprotect:
            _unprotect()
        else:
            _show(output)


def _show(output: Format) -> None:
    stored = holder.stored_key()
    has_backup = stored is not None and holder.has_backup(stored.public)
    fields = {
        "public": stored.public or None if stored else None,
        "file": str(holder.key_file()),
        "exists": stored is not None,
        "protected": stored is not None and stored.protected,
        "backup": has_backup,
    }
    answer(output, fields, *_about(stored, has_backup=has_backup))


def _about(stored: StoredKey | None, *, has_backup: bool) -> Iterator[str]:
    """Yield which key there is, where it is, and what to do with it."""
    if stored is None:
        yield (
            "You have no key yet. One is made when you first join a sealed game, and "
            f"stored in {holder.key_file()}. To make one now: porto key new"
        )
        return
    shown = f"Your public key: {stored.public}"
    yield shown if stored.public else "Your public key cannot be shown without your passphrase."
    secret = f"The secret key is in {stored.path}"
    if stored.protected:
        yield f"{secret} and has a passphrase. To remove it: porto key unprotect"
    else:
        yield f"{secret}, which only you can read."
    if not has_backup:
        yield "No backup of it was made on this computer. To make one: porto key export FILE"


def _export(file: Path | None) -> None:
    stored = holder.stored_key()
    if stored is None:
        raise FileError(
            "You have no key yet, so there is nothing to back up. To make one: porto key new"
        )
    warning = "anyone who can read it can play for you and see what you were dealt."
    if file is None or str(file) == STANDARD:
        remark(f"This is your secret key: {warning}")
        write(stored.text)
    else:
        path = expanded(file)
        home.write_new_private(path, stored.text)
        remark(
            f"{path} has your secret key: {warning} Put it where only you can read it. To restore "
            f"the key: porto key import {file_word(str(path))}"
        )
    if stored.public:
        holder.note_backup(stored.public)


def _import(file: Path | None) -> None:
    path = expanded(file or Path(STANDARD))
    if str(path) == STANDARD and sys.stdin.isatty():
        text = _secret("Paste the line with your key:")
    else:
        if str(path) != STANDARD and not path.exists():
            raise FileError(f"There is no file {path}.")
        text = read_text(path)
    try:
        new = holder.read(text, Path(name_of(path)))
    except IdentityError as error:
        raise FileError(f"No key was imported from {name_of(path)}. {error.sentence}") from None
    # Asked for now: a key that cannot be opened would be noticed too late.
    own, old = open_key(new), None
    with suppress(FileError):
        # A damaged key is kept aside anyway.
        old = holder.stored_key()
    if old is not None and old.public == own.public_text and old.protected == new.protected:
        tell(f"You already have this key: {own.public_text}")
        return
    kept = holder.put(new, own)
    holder.note_backup(own.public_text)
    if kept is not None:
        remark(f"Your previous key is kept in {kept}.")
    tell(
        f"Your key is now: {own.public_text}",
        "Continue each game on one computer only: two versions of a turn that are signed "
        "with one key look like cheating.",
    )


def _unprotect() -> None:
    stored = holder.stored_key()
    if stored is None or not stored.protected:
        tell("Your key has no passphrase.")
        return
    holder.unprotect(stored, open_key(stored))
    tell("Your key no longer has a passphrase.")


# -- The key for other commands.


def make() -> StoredKey:
    """Make a key, say so and suggest a backup. Raises FileError."""
    made = holder.make_key()
    remark(
        f"A key was made for you: {made.public}. It is stored in {made.path}.",
        "If you lose this key, your games cannot be continued in your place, and what "
        "you were dealt stays unknown forever. Keep a backup elsewhere, such as on a "
        "USB stick. To make one at any time: porto key export FILE",
    )
    return made


def can_open(stored: StoredKey) -> bool:
    """Return whether a key has no passphrase, or one that can be typed."""
    return not stored.protected or sys.stdin.isatty()


def open_key(stored: StoredKey) -> Identity:
    """Return the identity of a key; asks once for its passphrase, if it has one.

    Exits with 2 if nothing can be typed. Raises FileError, PassphraseError, and KeyboardInterrupt
    and EOFError if no passphrase is typed.
    """
    if not can_open(stored):
        usage(
            "This key has a passphrase, which has to be typed on a terminal; run the "
            "command there. To use your key without one: porto key unprotect"
        )
    return holder.opened(stored, lambda: _secret("Passphrase of your key:"))


def _secret(question: str) -> str:
    """Ask for a secret without showing it. Raises KeyboardInterrupt, EOFError."""
    try:
        return getpass.getpass(f"{question} ")
    except (OSError, EOFError):
        raise_if_hung_up()
        raise


def key_holder(may_make: bool) -> KeyHolder:
    """Return the keys of this computer, see :func:`porto_cli.cli.common.keys_here`."""
    stored = holder.stored_key() or (make() if may_make else None)
    if stored is None or not (may_make or can_open(stored)):
        return KeyHolder()
    return holder.holder_of(stored, lambda: open_key(stored))
