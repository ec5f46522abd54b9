"""Errors: one base for all that can be wrong with a file, a move or a command.

Each class knows the exit code with which a command ends, and the sentences that say what is
wrong, where, and what would be right. Every error can be pickled: its arguments are its facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from porto_cli.core.message import Sentence

REFUSED = 1
"""Exit code: refused by the rules, or a check failed."""
USAGE = 2
"""Exit code: the command was called wrongly."""
INVALID = 3
"""Exit code: a record, scenario or edition that is not valid."""
TROUBLE = 4
"""Exit code: a file that cannot be read or written, or was changed meanwhile."""
UNREPORTED = 5
"""Exit code: what the command was to do is done, but its report could not be printed."""
INTERRUPTED = 130
"""Exit code: ended by Ctrl-C before anything was written."""


class PortoError(Exception):
    """Something that a user can cause and mend. The text is one sentence a line."""

    exit_code: ClassVar[int] = REFUSED

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What is wrong, as sentences that can be translated."""
        return ()

    @property
    def rulings(self) -> tuple[tuple[str, Sentence], ...]:
        """The ids of the rulings that were broken, and why (see ``porto rules ID``)."""
        return ()

    @property
    def suggestions(self) -> tuple[str, ...]:
        """Whole commands that would be right."""
        return ()

    def __str__(self) -> str:
        return "\n".join(map(str, self.sentences))


class SentenceError(PortoError):
    """Something that one sentence says whole."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The one sentence."""
        return (self.sentence,)


class FileError(SentenceError):
    """A file that cannot be read or written: why, and what to do."""

    exit_code = TROUBLE


class InvalidMoveError(SentenceError, ValueError):
    """A text that cannot be read as what it should be; ``sentence`` says what would be right."""

    exit_code = USAGE


class AmbiguousMoveError(InvalidMoveError):
    """An abbreviation that stands for several things."""
