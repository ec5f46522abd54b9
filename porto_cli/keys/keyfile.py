"""The file with a player's secret key: one line, which only its user can read.

The key is created when it is first needed. No command loses the key in the file: it is replaced
only after a copy of it was kept. Former versions could protect a key with a passphrase; such a key
is still opened.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import NamedTuple

from porto_cli.core.message import FileError
from porto_cli.keys import private
from porto_cli.sealed import IdentityError, PassphraseError
from porto_cli.sealed import identity as text_of_keys
from porto_cli.sealed.identity import Identity, is_protected, public_from_text

NAME = "key.txt"
_BACKUP_NAME = "backup.txt"
_PUBLIC = "# public key: "
_HEAD = (
    "# The secret key of a player of porto(1). Whoever has it can play for you and see "
    "what you\n# were dealt. Do not show it to anyone, and keep a copy: porto key export\n"
)


class StoredKey(NamedTuple):
    """The key as stored in its file.

    ``path``       the file
    ``text``       the whole file
    ``line``       the line with the secret
    ``public``     the public key as a text; of a protected key as noted in the file, which is
                   verified when it is opened; empty if it is not noted
    ``protected``  opening it takes a passphrase
    ``notices``    the permissions that were fixed
    """

    path: Path
    text: str
    line: str
    public: str
    protected: bool
    notices: tuple[str, ...] = ()


def path() -> Path:
    """Return the file of the key; it need not exist. Raises FileError."""
    return private.folder() / NAME


def stored() -> StoredKey | None:
    """Return the key as stored in its file; None if there is none.

    Raises FileError for a file that cannot be used: damaged, or owned by another user.
    """
    file = path()
    notices: tuple[str, ...] = ()
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
    noted = [line.removeprefix(_PUBLIC).strip() for line in lines if line.startswith(_PUBLIC)]
    secrets = [line for line in lines if line and not line.startswith("#")]
    if len(secrets) != 1:
        raise IdentityError(f"It should have one line with a key, and has {len(secrets)}.")
    (line,) = secrets
    if is_protected(line):
        # Before prompting for the passphrase.
        text_of_keys.read_protected(line)
        public = noted[0] if noted else ""
        if public:
            public_from_text(public)
        return StoredKey(file, text, line, public, protected=True)
    return StoredKey(file, text, line, Identity.from_text(line).public_text, protected=False)


def make() -> StoredKey:
    """Create a key and return it; if another program has just created one, return that.

    Raises FileError.
    """
    _, notices = private.ready()
    new = Identity.new()
    private.write(path(), text_for(new.secret_text, new.public_text), None)
    found = stored()
    assert found is not None
    return found._replace(notices=(*notices, *found.notices))


def text_for(line: str, public: str) -> str:
    """Return the text of a key file."""
    return f"{_HEAD}{_PUBLIC}{public}\n{line}\n"


def opened(key: StoredKey, ask: Callable[[], str]) -> Identity:
    """Return the identity; ``ask`` returns the passphrase, if one is needed.

    Raises PassphraseError if it is wrong, FileError if the file is damaged, and what ``ask``
    raises.
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
            f"It says that its public key is {key.public}, but that is {found.public_text}.",
        )
    return found


def unprotect(key: StoredKey, identity: Identity) -> None:
    """Remove the passphrase of the key in the file. Raises FileError."""
    _replace(key.path, text_for(identity.secret_text, identity.public_text), key.text)


def put(new: StoredKey, identity: Identity) -> Path | None:
    """Replace the key in the file, keeping the old one in a file of its own.

    Returns that file; None if there was no key. Raises FileError.
    """
    private.ready()
    old, _ = private.read(path())
    kept = None if old is None else _kept(old)
    _replace(path(), text_for(new.line, identity.public_text), old)
    return kept


def _kept(old: str) -> Path:
    """Write a key that is about to be replaced to a file with a new name, and return it."""
    for number in count(1):
        file = path().with_name(f"old-key-{number}.txt")
        text, _ = private.read(file)
        if text == old or (text is None and private.write(file, old, None)):
            break
    return file


def _replace(file: Path, text: str, was: str | None) -> None:
    if not private.write(file, text, was):
        raise FileError(
            f"{file} was changed by another program in the meantime; this command left it alone."
        )


def _damaged(file: Path, why: str) -> FileError:
    return FileError(
        f"{file} should hold your key, and is damaged or was made by something else. "
        f"{why} It was not changed. 'porto key import BACKUP' puts a backup in its place "
        "and keeps it."
    )


# -- Backups


def has_backup(public: str) -> bool:
    """Return whether a backup of a key was made on this computer. Raises FileError."""
    text, _ = private.read(private.folder() / _BACKUP_NAME)
    return f"made {public}" in (text or "").splitlines()


def note_backup(public: str) -> None:
    """Note that a backup of a key was made. Raises FileError."""
    private.note(private.folder() / _BACKUP_NAME, f"made {public}")
