"""Sealed games: everything with a key.

The cryptography of them (``primitives``, ``proofs``, ``dealing`` and ``steps``) is bytes in, bytes
out: it knows no files, YAML, terminals or games. What is hidden is a *pile* of things, numbered
from 0; each seat gets some of them, which nobody else may learn. The protocol is specified in
porto-sealed(7) with every tag and byte; an independent program in the tests is written from that
page. The other modules make a game of it: ``source`` has where its steps come from, ``holder`` the
key of this computer, and ``journal`` what that has signed.

The errors of all modules are here. Importing one of the others loads libsodium, which takes longer
than replaying a game: do it in sealed games only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from porto_cli.core.message import INVALID, REFUSED, SentenceError


def player_at(seat: int) -> str:
    """Return the player at a seat for the sentence of a :class:`ProofError`, which replaces it by
    their name once that is known.
    """
    return f"\0{seat}\0"  # Nothing else in a sentence has this character: shown() escapes it.


class ProofError(SentenceError):
    """Something in a sealed game that is not what its author claims.

    ``step`` is the height of the step and ``signer`` the seat that signed it, once :meth:`located`
    has set them, with the ``names`` of the players.
    """

    exit_code = INVALID

    def __init__(
        self,
        text: str,
        step: int | None = None,
        signer: int | None = None,
        names: Sequence[str] = (),
    ) -> None:
        super().__init__(_with_names(text, names))
        self.args = (text, step, signer, names)
        self.step = step

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong and, once it is known, in which step, and its signer."""
        _, step, signer, names = self.args
        if step is None:
            return (self.sentence,)
        if signer is None:
            return (self.sentence, f"This is in step {step}.")
        by = _with_names(player_at(signer), names)
        return (self.sentence, f"This is in step {step}, signed by {by}.")

    def located(
        self, names: Sequence[str], step: int | None = None, signer: int | None = None
    ) -> ProofError:
        """Return this error with the names of the players, and with the step and its signer."""
        return type(self)(self.args[0], step, signer, tuple(names))


def demand(holds: object, sentence: str) -> None:
    """Raise :class:`ProofError` unless something holds; the sentence says what is wrong."""
    if not holds:
        raise ProofError(sentence)


def _with_names(text: str, names: Sequence[str]) -> str:
    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        return names[seat] if seat < len(names) else f"Player {seat + 1}"

    return re.sub("\0([0-9]+)\0", name, text)


class IdentityError(SentenceError):
    """The text of a key that cannot be read."""

    exit_code = INVALID


class PassphraseError(IdentityError):
    """A wrong passphrase."""

    exit_code = REFUSED
