"""The key that plays sealed games on this computer: its file, and a cache of what was checked, so
that not every command checks proofs for seconds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from porto_cli import home
from porto_cli.core.chance import sha256
from porto_cli.core.documents import dumps
from porto_cli.core.message import FileError
from porto_cli.sealed import IdentityError, PassphraseError
from porto_cli.sealed.journal import ANSWERED, SENT, Copy, Journal
from porto_cli.sealed.steps import (
    Chain,
    Head,
    Identity,
    SignedStep,
    is_protected,
    public_from_text,
    read_protected,
)
from porto_cli.sealed.steps import unprotect as unprotected

# -- The file with a player's secret key: one line, which only its user can read
#
# The key is created when it is first needed. No command loses the key in the file: it is replaced
# only after a copy of it was kept. Former versions could protect a key with a passphrase; such a
# key is still opened.

KEY_NAME = "key.txt"
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


def key_file() -> Path:
    """Return the file of the key; it need not exist. Raises FileError."""
    return home.private_folder() / KEY_NAME


def stored_key() -> StoredKey | None:
    """Return the key as stored in its file; None if there is none.

    Raises FileError for a file that cannot be used: damaged, or owned by another user.
    """
    file = key_file()
    notices = home.private_ready() if home.private_folder().is_dir() else ()
    text, more = home.read_private(file)
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
        read_protected(line)
        public = noted[0] if noted else ""
        if public:
            public_from_text(public)
        return StoredKey(file, text, line, public, protected=True)
    return StoredKey(file, text, line, Identity.from_text(line).public_text, protected=False)


def make_key() -> StoredKey:
    """Create a key and return it; if another program has just created one, return that.

    Raises FileError.
    """
    notices = home.private_ready()
    new = Identity.new()
    home.write_private(key_file(), text_for(new.secret_text, new.public_text), None)
    found = stored_key()
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
        found = unprotected(key.line, ask()) if key.protected else Identity.from_text(key.line)
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
    home.private_ready()
    old, _ = home.read_private(key_file())
    kept = None if old is None else _kept(old)
    _replace(key_file(), text_for(new.line, identity.public_text), old)
    return kept


def _kept(old: str) -> Path:
    """Write a key that is about to be replaced to a file with a new name, and return it."""
    for number in count(1):
        file = key_file().with_name(f"old-key-{number}.txt")
        text, _ = home.read_private(file)
        if text == old or (text is None and home.write_private(file, old, None)):
            break
    return file


def _replace(file: Path, text: str, was: str | None) -> None:
    if not home.write_private(file, text, was):
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
    text, _ = home.read_private(home.private_folder() / _BACKUP_NAME)
    return f"made {public}" in (text or "").splitlines()


def note_backup(public: str) -> None:
    """Note that a backup of a key was made. Raises FileError."""
    home.note(home.private_folder() / _BACKUP_NAME, f"made {public}")


# -- Holder
#
# The key that plays sealed games on this computer, with its journal and a cache of what was
# checked, so that not every command checks proofs for seconds.
#
# This module never prompts; for a key with a passphrase the caller passes a function that opens it.


class KeyHolder:
    """A key with its journal. Without a key it only remembers what was checked.

    ``notices`` are sentences to be printed when a command is done.
    """

    def __init__(self, public: bytes = b"", opened: Callable[[], Identity] | None = None) -> None:
        self.public = public
        self.notices: tuple[str, ...] = ()
        self._opened = opened
        self.journal = Journal(public)
        self._signed_in: dict[bytes, dict[int, bytes]] = {}

    @cached_property
    def identity(self) -> Identity:
        """The key, opened when it is first needed. Raises PortoError."""
        assert self._opened is not None
        return self._opened()

    def prepare(self, chain: Chain) -> None:
        """Note what the key has signed in a record. Raises SecondVersionError, FileError."""
        own = self._own_steps(chain)
        self.notices += self.journal.learn(chain.game, own)
        self._signed_in[chain.game] = own

    def _own_steps(self, chain: Chain) -> dict[int, bytes]:
        """Return the hashes of the steps that the key has signed in a copy, by height."""
        return {
            step.height: step.hash(chain.game) for step in chain.steps if self._is_own(chain, step)
        }

    def sign(self, head: Head, content: dict[str, Any]) -> SignedStep:
        """Return the next step, after noting that this version of it is signed.

        Raises SecondVersionError, OldCopyError, FileError.
        """
        step = head.sign(self.identity, content)
        own = self._signed_in.get(head.game)
        self.journal.allow(
            head.game,
            step.height,
            step.hash(head.game),
            dumps(step.to_json()),
            copy=Copy(head.height, own),
            same=lambda before: _is_same(before, content),
        )
        if own is not None:
            own[step.height] = step.hash(head.game)
        return step

    def see(self, chain: Chain) -> None:
        """Note our last step in a copy that another player has answered."""
        last = max(
            (step.height for step in chain.steps if not self._is_own(chain, step)), default=0
        )
        own = [step.height for step in chain.steps[:last] if self._is_own(chain, step)]
        if self.public and own:
            # Looking at a game must not require write access.
            with suppress(FileError):
                self.journal.note_highest(chain.game, ANSWERED, own[-1])

    def give_way(self, old: Chain, new: Chain) -> None:
        """Note that one copy replaces another one, which has steps that it lacks.

        Raises FileError.
        """
        gone, stay = self._own_steps(old), self._own_steps(new)
        if gone:
            self.journal.learn(old.game, gone)
            self.journal.supersede(
                old.game, [height for height in gone if height not in stay], stay
            )

    def _is_own(self, chain: Chain, step: SignedStep) -> bool:
        return chain.key_of(step) == self.public

    def note_sent(self, chain: Chain) -> None:
        """Note that a copy with these steps was sent to somebody. Raises FileError."""
        if self.public in chain.keys.values():
            self.journal.note_highest(chain.game, SENT, chain.head.height)

    def has_unsent(self, chain: Chain) -> bool:
        """Return whether the last step of a game is the key's, and was never sent to anybody.

        Raises FileError.
        """
        is_own = self._is_own(chain, chain.steps[-1])
        return is_own and self.journal.highest(chain.game, SENT) < chain.head.height


def _is_same(before: str, content: dict[str, Any]) -> bool:
    """Return whether a step that was signed before, as text, makes the same move as a new one.

    Its commitment and release do not count, as they depend on the place of the step.
    """
    old = json.loads(before)["content"] if before else {}
    return all(old.get(key) == content.get(key) for key in ("by", "kind", "entries", "without"))


def is_without_a_key(given: object) -> bool:
    """Return whether there is no key to move with: none ``given``, none on this computer.

    Raises FileError.
    """
    return (given is None or callable(given)) and stored_key() is None


def own(*, make: bool) -> KeyHolder:
    """Return the key of this computer; with ``make`` one is created if there is none.

    With a key that takes a passphrase games can be looked at, as by other people; with ``make`` it
    raises PassphraseError when its secret is needed. Raises FileError.
    """
    stored = stored_key()
    if stored is None and make:
        stored = make_key()
    if stored is None or (stored.protected and not make):
        return KeyHolder()
    return holder_of(stored, lambda: opened(stored, _no_passphrase))


def own_public() -> bytes:
    """Return the public key of this computer; empty if there is none. Raises FileError."""
    stored = stored_key()
    return public_from_text(stored.public) if stored and stored.public else b""


def holder_of(stored: StoredKey, opened: Callable[[], Identity]) -> KeyHolder:
    """Return a key as stored in its file; ``opened`` is called when its secret is needed."""
    public = public_from_text(stored.public) if stored.public else opened().public
    return KeyHolder(public, opened)


def _no_passphrase() -> str:
    raise PassphraseError("The key on this computer takes a passphrase.")


# -- What was checked before
#
# Only the hash of the verified bytes is kept, together with the version of the checks. Whoever
# could put a false one there could also change the key, as both are in a folder that only its
# owner can write to; otherwise nothing in it is trusted. A message authentication code with the
# key would require a passphrase for every look at a game, and would not stop anybody who can write
# there.


VERSION = 1
"""The version of the checks: what an older one has passed is checked again."""
_FILE = "verified.txt"


def is_verified(data: bytes) -> bool:
    """Return whether exactly these bytes were verified before; never raises an error."""
    return bool(last_verified([data]))


def last_verified(each: Sequence[bytes]) -> int:
    """Return the number of the last of these that was verified before, from 1; 0 if none was. Never
    raises an error.
    """
    with suppress(OSError, FileError):
        path = home.private_folder() / _FILE
        if path.exists():
            folder_was_open = home.private_ready()
            text, was_open = home.read_private(path)
            if not folder_was_open and not was_open:
                noted = set((text or "").splitlines())
                numbered = reversed([*enumerate(each, start=1)])
                return next((nth for nth, data in numbered if _mark(data) in noted), 0)
            # Other users could have put it there.
            path.unlink()
    return 0


def remember_chain(chain: Chain, keys: KeyHolder | None) -> None:
    """Remember that a chain is valid, with everything that its steps prove."""
    if keys and chain.known < len(chain.marks):
        remember(chain.marks[-1])


def remember(data: bytes) -> None:
    """Note that exactly these bytes were verified. What cannot be noted is checked again."""
    if not is_verified(data):
        with suppress(OSError, FileError):
            home.private_ready()
            home.note(home.private_folder() / _FILE, _mark(data))


def _mark(data: bytes) -> str:
    return f"{VERSION}-{sha256(b'porto/verified/' + data).hexdigest()}"
