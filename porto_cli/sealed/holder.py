"""The key that plays sealed games on this computer, with its journal and a cache of what
was checked, so that not every command checks proofs for seconds.

This module never prompts; for a key with a passphrase the caller passes a function that opens it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from porto_cli.core.chance import sha256
from porto_cli.core.documents import dumps
from porto_cli.core.message import FileError
from porto_cli.keys import keyfile, private
from porto_cli.keys.journal import Copy, Journal
from porto_cli.keys.keyfile import StoredKey
from porto_cli.sealed import PassphraseError
from porto_cli.sealed.identity import Identity, public_from_text
from porto_cli.sealed.steps import Chain, Head, SignedStep


class KeyHolder:
    """A key with its journal. Without a key it only
    remembers what was checked.

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
                self.journal.note_answered(chain.game, own[-1])

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
        if self.public in chain.signers:
            self.journal.note_sent(chain.game, chain.head.height)


def _is_same(before: str, content: dict[str, Any]) -> bool:
    """Return whether a step that was signed before, as text, makes the same move as a new one.

    Its commitment and release do not count, as they depend on the place of the step.
    """
    old = json.loads(before)["content"] if before else {}
    return all(
        old.get(key) == content.get(key) for key in ("by", "kind", "entries", "without", "order")
    )


def is_without_a_key(given: object) -> bool:
    """Return whether there is no key to move with: none ``given``, none on this computer.

    Raises FileError.
    """
    return (given is None or callable(given)) and keyfile.stored() is None


def own(*, make: bool) -> KeyHolder:
    """Return the key of this computer; with ``make`` one is created if there is none.

    With a key that takes a passphrase games can be looked at, as by other people; with ``make`` it
    raises PassphraseError when its secret is needed. Raises FileError.
    """
    stored = keyfile.stored()
    if stored is None and make:
        stored = keyfile.make()
    if stored is None or (stored.protected and not make):
        return KeyHolder()
    return holder_of(stored, lambda: keyfile.opened(stored, _no_passphrase))


def own_public() -> bytes:
    """Return the public key of this computer; empty if there is none. Raises FileError."""
    stored = keyfile.stored()
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
        path = private.folder() / _FILE
        if path.exists():
            _, folder_was_open = private.ready()
            text, was_open = private.read(path)
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
            folder, _ = private.ready()
            private.note(folder / _FILE, _mark(data))


def _mark(data: bytes) -> str:
    return f"{VERSION}-{sha256(b'porto/verified/' + data).hexdigest()}"
