"""The cryptography of sealed games: bytes in, bytes out.

This package knows no files, YAML, terminals or games. What is hidden is a *pile* of things,
numbered from 0; each seat gets some of them, which nobody else may learn. The protocol is specified
in porto-sealed(7) with every tag and byte; an independent program in the tests is written from that
page.

The errors of all modules are here. Importing one of the modules loads libsodium, which takes longer
than replaying a game: do it in sealed games only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from porto_cli.core.message import INVALID, REFUSED, SentenceError


class Seat(NamedTuple):
    """A seat in a sentence, to be replaced by the name of its player."""

    number: int

    def __str__(self) -> str:
        return f"Player {self.number + 1}"


class ProofError(SentenceError):
    """Something in a sealed game that is not what its author claims.

    ``kind`` is a word for programs (``shuffle-not-proven``), ``seat`` the responsible player (or
    None), ``step`` the height of the step, once :meth:`located` has set it.
    """

    exit_code = INVALID

    def __init__(
        self,
        template: str,
        kind: str = "",
        seat: int | None = None,
        step: int | None = None,
        signer: Seat | str | None = None,
        facts: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(template.format(**facts) if facts else template)
        self.template = template
        self.facts = facts or {}
        self.kind = kind
        self.seat = seat
        self.step = step
        self.signer = signer

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong and, once it is known, in which step, and its signer."""
        if self.step is None:
            return (self.sentence,)
        if self.signer is None:
            return (self.sentence, f"This is in step {self.step}.")
        where = f"This is in step {self.step}, signed by {self.signer}."
        return (self.sentence, where)

    def located(
        self, names: Sequence[str] = (), step: int | None = None, signer: int | None = None
    ) -> ProofError:
        """Return this error with names in place of seats, and with the step and its signer.

        What was set before and is not given now stays.
        """

        def named(fact: object) -> object:
            if isinstance(fact, Seat) and 0 <= fact.number < len(names):
                return names[fact.number]
            return fact

        facts = {key: named(fact) for key, fact in self.facts.items()}
        by = named(self.signer if signer is None else Seat(signer))
        assert by is None or isinstance(by, (Seat, str))
        height = self.step if step is None else step
        return type(self)(self.template, self.kind, self.seat, height, by, facts)


class IdentityError(SentenceError):
    """The text of a key that cannot be read."""

    exit_code = INVALID


class PassphraseError(IdentityError):
    """A wrong passphrase."""

    exit_code = REFUSED


def refused(kind: str, seat: int | None, template: str, **facts: object) -> ProofError:
    """Return the error of a kind; ``{player}`` in the template is the player at ``seat``."""
    if seat is not None:
        facts["player"] = Seat(seat)
    return ProofError(template, kind, seat, facts=facts)
