"""Sentences for people: a whole template and the facts that fill it.

A message is never glued from pieces, so that a translator sees the whole sentence: the
template is the key to look up, the facts go in by name.
"""

from __future__ import annotations

from typing import NamedTuple


class Sentence(NamedTuple):
    """A template with named placeholders, and a value for each of them."""

    template: str
    facts: dict[str, object]

    def __str__(self) -> str:
        return self.template.format(**self.facts)


def say(template: str, **facts: object) -> Sentence:
    """Return the sentence that ``template`` makes with ``facts``."""
    return Sentence(template, facts)
