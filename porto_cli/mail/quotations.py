"""Which lines of an answer its sender wrote: no quotation, no signature, no record.

The quotations are not left to a library: those that were tried keep what is quoted above or between
an answer, and their patterns take time that grows with the square of a message.
"""

from __future__ import annotations

import re

_SIGNATURE = re.compile(r"^--\s*$")
_DIVIDER = re.compile(r"^(?:__+|==+|\*\*+)\s*$")
"""A rule above a signature, a quotation or a footer; some draw one above a second thought."""
_ATTRIBUTIONS = re.compile(
    r"""(?ix)
    ^(?:on\s.*\bwrote | am\s.*\bschrieb\b.* | le\s.*\ba\s[ée]crit | el\s.*\bescribi[óo]
    | em\s.*\bescreveu | il\s.*\bha\s+scritto | op\s.*\bschreef\b.* | den\s.*\bskrev\b.*
    | .*(?:wrote|schrieb|escreveu))\s*:\s*$"""
)
_BEGINS_ATTRIBUTION = re.compile(r"(?i)^(?:on|am|le|el|em|il|op|den)\s.*\d{2,4}.*")
_HEAD_OF_A_QUOTATION = re.compile(
    r"(?i)^\W*(?:from|von|de|da|van|fra|gesendet|sent|enviado|envoy[ée]|date|datum|data)\s*:\s*\S"
)
_RULES = re.compile(
    r"""(?ix)^[-_\s]*(?:
    original\s+message|urspr(?:ü|ue)ngliche\s+nachricht|mensagem\s+original|message\s+d'origine
    |forwarded\s+message|weitergeleitete\s+nachricht|mensagem\s+encaminhada
    |original\s+appointment|begin\s+forwarded\s+message:?)[-_\s:]*$"""
)
_RECORD = re.compile(r"""^(?:\#\sPorto\sgame\srecord|["']?porto["']?\s*:\s*["']?\d)""", re.X)
_BLANKS = re.compile("[\xa0\u2000-\u200a\u202f\u205f\u3000]")
_MARKS = (">", "|")
_MOST_LINES = 60
_MOST_CHARACTERS = 8000
_MORE = "(more lines)"
_UNQUOTED = re.compile(r"(?m)^[^\S\n]*[^>|\s]")


def written_lines(body: str) -> list[str]:
    """Return the lines of an answer that its sender wrote: no quotation, no signature."""
    return _divided(body)[0]


def lines_below_a_divider(body: str) -> list[str]:
    """Return the lines below the rule with which the lines of an answer end, if there is one and no
    quotation below it. They may be a signature or a footer, but also a second thought.
    """
    below = _divided(body)[1]
    while below and not below[0]:
        below.pop(0)
    if below and (_HEAD_OF_A_QUOTATION.match(below[0]) or below[0].startswith(_MARKS)):
        return []
    return below


def _divided(body: str) -> tuple[list[str], list[str]]:
    """Return the lines that the sender wrote, and all those below a divider that ends them."""
    lines: list[str] = []
    found = body[:_MOST_CHARACTERS].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    below: list[str] = []
    for nth, raw in enumerate(found):
        line = _BLANKS.sub(" ", raw).strip()
        if _DIVIDER.match(line):
            below = [_BLANKS.sub(" ", each).strip() for each in found[nth + 1 :]]
            break
        if _SIGNATURE.match(line) or _RULES.match(line) or _RECORD.match(line):
            break
        is_attribution = bool(_ATTRIBUTIONS.match(line))
        if is_attribution and not _is_quoted(found[nth + 1 :]):
            break
        if is_attribution or _is_broken_attribution(found[nth : nth + 3]):
            # Some people answer below the quotation.
            line = ""
        if _HEAD_OF_A_QUOTATION.match(line) and _is_a_head(found[nth : nth + 5]):
            break
        if line.startswith(_MARKS):
            line = ""
        if line or lines[-1:] != [""]:
            lines.append(line)
    else:
        if _UNQUOTED.search(body[_MOST_CHARACTERS:].partition("\n")[2]):
            lines.append(_MORE)
    return _cut(lines), _cut(below)


def _cut(lines: list[str]) -> list[str]:
    """Return as many lines as are read, and that there are more; whoever reads that is asked."""
    return [*lines[:_MOST_LINES], _MORE] if len(lines) > _MOST_LINES else lines


def _is_quoted(lines: list[str]) -> bool:
    """Return whether what follows an attribution is marked as a quotation; else where it ends is
    unknown.
    """
    begins = next((line for raw in lines if (line := _BLANKS.sub(" ", raw).strip())), "")
    return begins.startswith(_MARKS)


def _is_broken_attribution(lines: list[str]) -> bool:
    """Return whether a line begins ``On Sunday, …``, and one below ends it with ``wrote:``."""
    words = [_BLANKS.sub(" ", line).strip() for line in lines]
    if not words or not _BEGINS_ATTRIBUTION.match(words[0]):
        return False
    return any(_ATTRIBUTIONS.match(" ".join(words[:size])) for size in (2, 3))


def _is_a_head(lines: list[str]) -> bool:
    return sum(bool(_HEAD_OF_A_QUOTATION.match(_BLANKS.sub(" ", line))) for line in lines) > 1
