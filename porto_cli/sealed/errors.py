"""What is said when something of a sealed game is not what it should be.

A proof knows players by the numbers of their seats. So a :class:`ProofError` holds numbers, and
whoever knows the names and the step puts them in with :meth:`ProofError.located`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from porto_cli.core.errors import INVALID, REFUSED, SentenceError
from porto_cli.core.message import Sentence, say


class Seat(NamedTuple):
    """A seat in a sentence, until somebody puts in the name of who sits there."""

    number: int

    def __str__(self) -> str:
        return f"Player {self.number + 1}"


class ProofError(SentenceError):
    """Something in a sealed or signed game that is not what its author claims.

    ``kind`` is a word for programs (``shuffle-not-proven``), ``seat`` who is responsible (or None),
    ``step`` the height of the step, once :meth:`located` has said it.
    """

    exit_code = INVALID

    def __init__(
        self,
        sentence: Sentence,
        kind: str = "",
        seat: int | None = None,
        step: int | None = None,
        signer: Seat | str | None = None,
    ) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.seat = seat
        self.step = step
        self.signer = signer

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What is wrong and, once it is known, in which step, signed by whom."""
        if self.step is None:
            return (self.sentence,)
        if self.signer is None:
            return (self.sentence, say("This is in step {step}.", step=self.step))
        where = say(
            "This is in step {step}, signed by {player}.", step=self.step, player=self.signer
        )
        return (self.sentence, where)

    def located(
        self, names: Sequence[str] = (), step: int | None = None, signer: int | None = None
    ) -> ProofError:
        """Return this error with names in place of seats, the step, and whose signature it has.

        What was said before and is not said now stays.
        """

        def named(fact: object) -> object:
            if isinstance(fact, Seat) and 0 <= fact.number < len(names):
                return names[fact.number]
            return fact

        facts = {key: named(fact) for key, fact in self.sentence.facts.items()}
        by = named(self.signer if signer is None else Seat(signer))
        assert by is None or isinstance(by, (Seat, str))
        height = self.step if step is None else step
        return type(self)(say(self.sentence.template, **facts), self.kind, self.seat, height, by)


class IdentityError(SentenceError):
    """The text of a key that cannot be read; the sentence says what is wrong with it."""

    exit_code = INVALID


class PassphraseError(IdentityError):
    """The passphrase is not the one with which the key was protected."""

    exit_code = REFUSED


def refused(kind: str, seat: int | None, template: str, **facts: object) -> ProofError:
    """Return the error of a kind; ``{player}`` in the template is who sits at ``seat``."""
    if seat is not None:
        facts["player"] = Seat(seat)
    return ProofError(say(template, **facts), kind, seat)
