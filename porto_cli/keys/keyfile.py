"""The file with a player's secret key: one line, maybe protected by a passphrase.

Without a key there is nothing; it is made when it is first needed. A key that is in the file is
never lost by what a command does: another one takes its place only when a copy of it was kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from porto_cli.core.errors import FileError
from porto_cli.core.message import Sentence, say
from porto_cli.keys import private
from porto_cli.sealed import identity as text_of_keys
from porto_cli.sealed.errors import IdentityError, PassphraseError
from porto_cli.sealed.identity import Identity, is_protected, public_from_text

NAME = "key.txt"
_BACKUP_NAME = "backup.txt"
_PUBLIC = "# public key: "
_HEAD = (
    "# The secret key of a player of porto(1). Whoever has it can play for you and see what you\n"
    "# were dealt. Show it to nobody, and keep a copy: porto key export\n"
)


class StoredKey(NamedTuple):
    """The key as it lies in its file.

    ``path``       where
    ``text``       the whole file
    ``line``       the line with the secret
    ``public``     the public key as a text; of a protected key what the file says that it is,
                   which is true if it can be opened; empty if it does not say
    ``protected``  it takes a passphrase to open it
    ``notices``    what was mended
    """

    path: Path
    text: str
    line: str
    public: str
    protected: bool
    notices: tuple[Sentence, ...] = ()


def path() -> Path:
    """Return where the key is; it need not be there. Raises FileError."""
    return private.folder() / NAME


def stored() -> StoredKey | None:
    """Return the key as it lies in its file; None if there is none.

    Raises FileError for a file that cannot be used: damaged, or of another user.
    """
    file = path()
    notices: tuple[Sentence, ...] = ()
    if private.folder().is_dir():
        _, notices = private.ready()
    text, more = private.read(file)
    if text is None:
        return None
    try:
        return read(text, file)._replace(notices=(*notices, *more))
    except IdentityError as error:
        raise _damaged(file, error.sentence) from None


def read(text: str, file: Path) -> StoredKey:
    """Return the key of a text. Raises IdentityError."""
    lines = [line.strip() for line in text.splitlines()]
    told = [line.removeprefix(_PUBLIC).strip() for line in lines if line.startswith(_PUBLIC)]
    secrets = [line for line in lines if line and not line.startswith("#")]
    if len(secrets) != 1:
        raise IdentityError(
            say("It should have one line with a key, and has {count}.", count=len(secrets))
        )
    (line,) = secrets
    if is_protected(line):
        # Before anybody is asked for the passphrase.
        text_of_keys.check_protected(line)
        public = told[0] if told else ""
        if public:
            public_from_text(public)
        return StoredKey(file, text, line, public, protected=True)
    return StoredKey(file, text, line, Identity.from_text(line).public_text, protected=False)


def make() -> StoredKey:
    """Make a key, and return it; if another program has just made one, that one.

    Raises FileError.
    """
    _, notices = private.ready()
    new = Identity.new()
    private.write(path(), text_for(new.secret_text, new.public_text), None)
    found = stored()
    assert found is not None
    return found._replace(notices=(*notices, *found.notices))


def text_for(line: str, public: str) -> str:
    """Return the text of a file with a key."""
    return f"{_HEAD}{_PUBLIC}{public}\n{line}\n"


def opened(key: StoredKey, ask: Callable[[], str]) -> Identity:
    """Return the identity; ``ask`` returns the passphrase, if it takes one.

    Raises PassphraseError if it is the wrong one, FileError if the file is damaged, and what
    ``ask`` raises.
    """
    try:
        if not key.protected:
            return Identity.from_text(key.line)
        found = text_of_keys.unprotect(key.line, ask())
    except PassphraseError:
        raise
    except IdentityError as error:
        raise _damaged(key.path, error.sentence) from None
    if key.public and found.public_text != key.public:
        raise _damaged(
            key.path,
            say(
                "It says that its public key is {told}, but that is {public}.",
                told=key.public,
                public=found.public_text,
            ),
        )
    return found


def protect(key: StoredKey, identity: Identity, passphrase: str) -> None:
    """Let the key in the file be opened by a passphrase only. Raises FileError."""
    _replace(key, text_for(text_of_keys.protect(identity, passphrase), identity.public_text))


def unprotect(key: StoredKey, identity: Identity) -> None:
    """Let the key in the file be opened without a passphrase. Raises FileError."""
    _replace(key, text_for(identity.secret_text, identity.public_text))


def put(new: StoredKey, identity: Identity) -> Path | None:
    """Put another key in the place of the one in the file, which is kept in a file of its own.

    Returns where that is; None if there was none. Raises FileError.
    """
    private.ready()
    old = private.read(path())[0]
    kept = None
    text = text_for(new.line, identity.public_text)
    if old is not None:
        kept = _kept(old)
    if not private.write(path(), text, old):
        raise _changed(path())
    return kept


def _kept(old: str) -> Path:
    """Write a key that is going to be replaced into a file with a new name, and return it."""
    number = 1
    while True:
        file = path().with_name(f"old-key-{number}.txt")
        text, _ = private.read(file)
        if text == old or (text is None and private.write(file, old, None)):
            return file
        number += 1


def _replace(key: StoredKey, text: str) -> None:
    if not private.write(key.path, text, key.text):
        raise _changed(key.path)


def _changed(file: Path) -> FileError:
    return FileError(
        say("{file} was changed by another program meanwhile, and was left as it is.", file=file)
    )


def _damaged(file: Path, why: Sentence) -> FileError:
    return FileError(
        say(
            "{file} should hold your key, and is damaged or was made by something else. {why} It "
            "was left as it is. 'porto key import BACKUP' puts a backup in its place and keeps it.",
            file=file,
            why=why,
        )
    )


# -- Whether there is a backup

TOLD, MADE = "told", "made"
"""What is noted of a backup: the player was told once to make one, or has made one."""


def backup_notes(public: str) -> set[str]:
    """Return what is noted of a backup of a key: ``TOLD``, ``MADE``. Raises FileError."""
    text, _ = private.read(private.folder() / _BACKUP_NAME)
    words = [line.split() for line in (text or "").splitlines()]
    return {line[0] for line in words if line[1:] == [public]}


def note_backup(note: str, public: str) -> None:
    """Note something of a backup of a key. Raises FileError."""
    folder, _ = private.ready()
    if note not in backup_notes(public):
        with private.opened_to_append(folder / _BACKUP_NAME) as handle:
            os.lseek(handle, 0, os.SEEK_END)
            os.write(handle, f"{note} {public}\n".encode())
