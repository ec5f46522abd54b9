"""Sentences for people: a whole template and the facts that fill it.

A message is never glued from pieces, so that a translator sees the whole sentence: the
template is the key to look up, the facts go in by name.
"""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.core.printable import printable

LONGEST_QUOTE = 100
"""Characters of a text that is quoted (``{text!r}``); what is longer is cut."""
LONGEST_FACT = 2000
"""Characters of any other text. Files of others can hold megabytes, which no message repeats."""


class _Long(str):
    """A text that is too long to be quoted."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(self[:LONGEST_QUOTE] + "…")


def _shown(fact: object) -> object:
    if not isinstance(fact, str) or len(fact) <= LONGEST_QUOTE:
        return fact
    return _Long(fact if len(fact) <= LONGEST_FACT else fact[:LONGEST_FACT] + "…")


class Sentence(NamedTuple):
    """A template with named placeholders, and a value for each of them."""

    template: str
    facts: dict[str, object]

    def __str__(self) -> str:
        """Return the sentence; what its facts would do to the screen is shown instead."""
        facts = {name: _shown(fact) for name, fact in self.facts.items()}
        text = self.template.format(**facts)
        if text.isprintable():
            return text
        facts = {name: _shown(_visible(fact)) for name, fact in facts.items()}
        return self.template.format(**facts)


def _visible(fact: object) -> object:
    """Return a fact to be written; numbers stay, as a template may say how they are written."""
    return fact if isinstance(fact, (int, float)) else printable(str(fact))


def say(template: str, **facts: object) -> Sentence:
    """Return the sentence that ``template`` makes with ``facts``."""
    return Sentence(template, facts)
