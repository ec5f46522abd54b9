"""Reading nodes strictly: a key that is missing or unknown, a value of the wrong kind.

Every function raises :class:`~porto_cli.core.yaml.InvalidFileError` with the place of what is
wrong and a sentence that says what would be right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NoReturn

from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import (
    LONGEST_TITLE,
    InvalidFileError,
    Mapping,
    Node,
    Scalar,
    Sequence,
    place_of,
)


class Reader:
    """Reads the nodes of one file, which it names in every error."""

    def __init__(self, file: str) -> None:
        self.file = file

    def fail(self, node: Node, sentence: Sentence) -> NoReturn:
        """Raise InvalidFileError at a node."""
        raise InvalidFileError(place_of(node, self.file), sentence)

    def keys(
        self, node: Mapping, required: Collection[str], optional: Collection[str] = ()
    ) -> None:
        """Demand these keys and no others."""
        for key, where in node.keys.items():
            if key not in required and key not in optional:
                self.fail(
                    where,
                    say(
                        "The key {key!r} is unknown here; the keys are {keys}.",
                        key=key,
                        keys=", ".join([*required, *optional]),
                    ),
                )
        for key in required:
            if key not in node.entries:
                self.fail(node, say("The key {key!r} is missing.", key=key))

    def mapping(self, node: Node, what: str) -> Mapping:
        """Demand a mapping."""
        if not isinstance(node, Mapping):
            self.fail(node, say("Under {what!r} there should be keys with values.", what=what))
        return node

    def sequence(self, node: Node, what: str) -> Sequence:
        """Demand a list."""
        if not isinstance(node, Sequence):
            self.fail(node, say("Under {what!r} there should be a list.", what=what))
        return node

    def text(self, node: Node, what: str) -> str:
        """Demand a single text."""
        if not isinstance(node, Scalar):
            self.fail(node, say("Under {what!r} there should be a single text.", what=what))
        return node.text

    def title(self, node: Node, what: str) -> str:
        """Demand a single text that is not too long to be shown."""
        text = self.text(node, what)
        if len(text) > LONGEST_TITLE:
            self.fail(
                node,
                say(
                    "Under {what!r} there may stand {most} characters, not {count}.",
                    what=what,
                    most=LONGEST_TITLE,
                    count=len(text),
                ),
            )
        return text

    def texts(self, node: Node, what: str) -> list[tuple[str, Node]]:
        """Demand a list of texts; return each with its node."""
        return [(self.text(item, what), item) for item in self.sequence(node, what).items]

    def number(self, node: Node, what: str, least: int = 0, most: int = 999) -> int:
        """Demand a whole number between ``least`` and ``most``."""
        text = self.text(node, what)
        digits = max(5, len(str(most)))
        if text.isascii() and text.isdigit() and len(text) <= digits and least <= int(text) <= most:
            return int(text)
        self.fail(
            node,
            say(
                "Under {what!r} there should be a whole number from {least} to {most}, not "
                "{text!r}.",
                what=what,
                least=least,
                most=most,
                text=text,
            ),
        )

    def one_of(self, node: Node, what: str, choices: Iterable[str]) -> str:
        """Demand one of some words."""
        text = self.text(node, what)
        choices = list(choices)
        if text not in choices:
            self.fail(
                node,
                say(
                    "Under {what!r} there should be one of {choices}, not {text!r}.",
                    what=what,
                    choices=", ".join(choices),
                    text=text,
                ),
            )
        return text

    def flag(self, node: Node, what: str) -> bool:
        """Demand ``true`` or ``false``."""
        return self.one_of(node, what, ("true", "false")) == "true"
