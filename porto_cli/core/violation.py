"""What a move breaks."""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.core.message import Sentence


class Violation(NamedTuple):
    """A rule that a move breaks: the id of the ruling, and why, with the numbers in it."""

    rule: str
    sentence: Sentence

    def __str__(self) -> str:
        return f"{self.rule}: {self.sentence}"
