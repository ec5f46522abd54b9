"""Who plays signed and sealed games here: the key, the journal of what it has signed, and what was
checked before.

Nothing is asked of the user here; where a key takes a passphrase, whoever can ask passes on how it
is opened.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from porto_cli.core.documents import dumps
from porto_cli.core.errors import REFUSED, SentenceError
from porto_cli.core.message import Sentence, say
from porto_cli.keys import keyfile, verified
from porto_cli.keys.journal import Journal
from porto_cli.keys.keyfile import StoredKey
from porto_cli.keys.passphrases import printed
from porto_cli.match.chain import Chain
from porto_cli.match.seals import Data
from porto_cli.sealed.errors import PassphraseError
from porto_cli.sealed.identity import Identity, public_from_text
from porto_cli.sealed.steps import Head, Step


class OldCopyError(SentenceError):
    """A copy of a game in which more was signed already."""

    exit_code = REFUSED


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

    @cached_property
    def identity(self) -> Identity:
        """The key, opened when it is first needed. Raises PortoError."""
        assert self._opened is not None
        return self._opened()

    def prepare(self, chain: Chain) -> None:
        """Note what the key has signed in a record. Raises SecondVersionError, FileError."""
        own = {
            step.height: step.hash(chain.game)
            for step in chain.steps
            if chain.keys.get(step.by) == self.public
        }
        self.notices += self._journal.learn(chain.game, own)

    def sign(self, head: Head, content: Data) -> Step:
        """Return the next step, after it is noted that this version of it is signed.

        Raises SecondVersionError, OldCopyError, FileError.
        """
        step = head.sign(self.identity, content)
        later = self._journal.beyond(head.game, step.height)
        if later and step.height not in self._journal.signed(head.game):
            raise OldCopyError(
                say(
                    "This copy of the game is old: it ends with step {end}, and your key has "
                    "signed step {later} since. Go on with the newer copy.",
                    end=head.height,
                    later=later[-1],
                )
            )
        self._journal.allow(head.game, step.height, step.hash(head.game), dumps(step.to_json()))
        return step

    def handed_over(self, game: bytes) -> int:
        """Return the height of the last step that was sent to somebody; 0 if none was."""
        return self._journal.sent(game) or 0

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


def is_without_a_key(given: object) -> bool:
    """Tell whether there is no key to move with: none that was ``given``, none on this computer.

    Raises FileError.
    """
    return (given is None or callable(given)) and keyfile.stored() is None


def own(*, make: bool) -> Holder:
    """Return the key of this computer; one is made if there is none and ``make`` says so.

    Of a key with a passphrase the user's own command prints it. Raises FileError, PassphraseError.
    """
    stored = keyfile.stored()
    if stored is None and make:
        stored = keyfile.make()
    return Holder() if stored is None else holder_of(stored, lambda: _opened(stored))


def holder_of(stored: StoredKey, opened: Callable[[], Identity]) -> Holder:
    """Return a key as it lies in its file; ``opened`` is called when its secret is needed."""
    public = public_from_text(stored.public) if stored.public else opened().public
    return Holder(public, opened)


def _opened(stored: StoredKey) -> Identity:
    passphrase = printed() if stored.protected else ""
    if passphrase is None:
        raise PassphraseError(say("The key on this computer takes a passphrase."))
    return keyfile.opened(stored, lambda: passphrase)
