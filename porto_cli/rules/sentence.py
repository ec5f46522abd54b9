"""Sentences for people: a whole template and the facts that fill it.

A message is never glued from pieces, so that a translator sees the whole sentence: the
template is the key to look up, the facts go in by name.
"""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.rules.printable import printable


class Sentence(NamedTuple):
    """A template with named placeholders, and a value for each of them."""

    template: str
    facts: dict[str, object]

    def __str__(self) -> str:
        """Return the sentence; what its facts would do to the screen is shown instead."""
        text = self.template.format(**self.facts)
        if text.isprintable():
            return text
        facts = {name: _visible(fact) for name, fact in self.facts.items()}
        return self.template.format(**facts)


def _visible(fact: object) -> object:
    """Return a fact to be written; numbers stay, as a template may say how they are written."""
    return fact if isinstance(fact, (int, float)) else printable(str(fact))


def say(template: str, **facts: object) -> Sentence:
    """Return the sentence that ``template`` makes with ``facts``."""
    return Sentence(template, facts)
