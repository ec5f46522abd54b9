"""Who plays signed and sealed games here: the key, the journal of what it has signed, and what was
checked before.

Nothing is asked of the user here; where a key takes a passphrase, whoever can ask passes on how it
is opened.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property

from porto_cli.core.documents import dumps
from porto_cli.core.errors import FileError
from porto_cli.core.message import Sentence, say
from porto_cli.keys import keyfile, verified
from porto_cli.keys.journal import Copy, Journal
from porto_cli.keys.keyfile import StoredKey
from porto_cli.keys.passphrases import VARIABLE, printed
from porto_cli.match.chain import Chain
from porto_cli.match.seals import Data
from porto_cli.sealed.errors import PassphraseError
from porto_cli.sealed.identity import Identity, public_from_text
from porto_cli.sealed.steps import Head, Step


class Holder:
    """A key with its journal, see :class:`porto_cli.match.chain.Keys`. Without a key it only
    remembers what was checked.

    ``notices`` is what the user has to be told once a command is done.
    """

    def __init__(self, public: bytes = b"", opened: Callable[[], Identity] | None = None) -> None:
        self.public = public
        self.notices: tuple[Sentence, ...] = ()
        self._opened = opened
        self._journal = Journal(public)
        self._signed_in: dict[bytes, dict[int, bytes]] = {}

    @cached_property
    def identity(self) -> Identity:
        """The key, opened when it is first needed. Raises PortoError."""
        assert self._opened is not None
        return self._opened()

    def prepare(self, chain: Chain) -> None:
        """Note what the key has signed in a record. Raises SecondVersionError, FileError."""
        own = self._own_steps(chain)
        self.notices += self._journal.learn(chain.game, own)
        self._signed_in[chain.game] = own

    def _own_steps(self, chain: Chain) -> dict[int, bytes]:
        """Return the hashes of the steps that the key has signed in a copy, by their heights."""
        return {
            step.height: step.hash(chain.game) for step in chain.steps if self._is_own(chain, step)
        }

    def sign(self, head: Head, content: Data) -> Step:
        """Return the next step, after it is noted that this version of it is signed.

        Raises SecondVersionError, OldCopyError, FileError.
        """
        step = head.sign(self.identity, content)
        own = self._signed_in.get(head.game)
        self._journal.allow(
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

    def handed_over(self, game: bytes) -> int:
        """Return the height of the last step that was sent to somebody; 0 if none was."""
        return self._journal.sent(game) or 0

    def answered(self, game: bytes) -> int:
        """Return the height of the last own step that another player has gone on from, in any copy
        that was opened here; 0 if there is none.
        """
        return self._journal.answered(game)

    def see(self, chain: Chain) -> None:
        """Note the last own step of a copy that another player has gone on from."""
        last = max(
            (step.height for step in chain.steps if not self._is_own(chain, step)), default=0
        )
        own = [step.height for step in chain.steps[:last] if self._is_own(chain, step)]
        if self.public and own:
            # Who only looks at a game need not be able to write.
            with suppress(FileError):
                self._journal.note_answered(chain.game, own[-1])

    def give_way(self, old: Chain, new: Chain) -> None:
        """Note that one copy takes the place of another one, which has steps that it lacks.

        Raises FileError.
        """
        gone, stay = self._own_steps(old), self._own_steps(new)
        if gone:
            self._journal.learn(old.game, gone)
            self._journal.supersede(
                old.game, [height for height in gone if height not in stay], stay
            )

    def _is_own(self, chain: Chain, step: Step) -> bool:
        return chain.keys.get(step.by) == self.public

    def note_sent(self, chain: Chain) -> None:
        """Note that a copy with these steps was sent to somebody. Raises FileError."""
        if self.public and self.public in chain.keys.values():
            self._journal.note_sent(chain.game, chain.head.height)

    def knows(self, mark: bytes) -> bool:
        """Tell whether a machine part with this mark was checked before."""
        return verified.is_verified(mark)

    def learn(self, mark: bytes) -> None:
        """Remember that a machine part with this mark is good."""
        verified.remember(mark)


def _is_same(before: str, content: Data) -> bool:
    """Tell whether a step that was signed before, as text, makes the same move as a new one.

    What is bound to a move or released with it depends on where the step stands.
    """
    old = json.loads(before)["content"] if before else {}
    return all(old.get(key) == content.get(key) for key in ("by", "kind", "entries", "without"))


def is_without_a_key(given: object) -> bool:
    """Tell whether there is no key to move with: none that was ``given``, none on this computer.

    Raises FileError.
    """
    return (given is None or callable(given)) and keyfile.stored() is None


def own(*, make: bool) -> Holder:
    """Return the key of this computer; one is made if there is none and ``make`` says so.

    Of a key with a passphrase the user's own command prints it; without one a game can be looked at
    (unless ``make``) as by somebody else. Raises FileError, PassphraseError.
    """
    stored = keyfile.stored()
    if stored is None and make:
        stored = keyfile.make()
    if stored and stored.protected and not make and VARIABLE not in os.environ:
        return Holder()
    return Holder() if stored is None else holder_of(stored, lambda: _opened(stored))


def own_public() -> bytes:
    """Return the public key of this computer; nothing if there is none. Raises FileError."""
    stored = keyfile.stored()
    return public_from_text(stored.public) if stored and stored.public else b""


def holder_of(stored: StoredKey, opened: Callable[[], Identity]) -> Holder:
    """Return a key as it lies in its file; ``opened`` is called when its secret is needed."""
    public = public_from_text(stored.public) if stored.public else opened().public
    return Holder(public, opened)


def _opened(stored: StoredKey) -> Identity:
    passphrase = printed() if stored.protected else ""
    if passphrase is None:
        raise PassphraseError(say("The key on this computer takes a passphrase."))
    return keyfile.opened(stored, lambda: passphrase)
