"""Changing one entry of a YAML text that people wrote, without touching anything else.

The texts are valid: :mod:`porto_cli.core.yaml` has read them. Here nodes also know where they end.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from porto_cli.core.yaml import BYTE_ORDER_MARK, newline_of


class Entry(NamedTuple):
    """Where a key and its value begin and end in a text, and the comments between them."""

    start: int
    end: int
    comments: list[str]


def nodes_of(text: str) -> Any:
    """Return PyYAML's root node of a text; ``None`` if the text is empty.

    A byte order mark counts as a character of the text.
    """
    import yaml

    # Another character takes the place of the mark, so that indexes are those of the text.
    plain = text.replace(BYTE_ORDER_MARK, "\n", 1) if text.startswith(BYTE_ORDER_MARK) else text
    return yaml.compose(plain, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def end_of(node: Any, text: str) -> int:
    """Return where a scalar or a value in brackets ends, without spaces after it."""
    return len(text[: node.end_mark.index].rstrip())


def entry_of(text: str, key: str) -> Entry | None:
    """Return the entry of a key whose value is a text or a list of texts; ``None`` if there is
    none.
    """
    import yaml

    root = nodes_of(text)
    found = [(name, value) for name, value in (root.value if root else ()) if name.value == key]
    if not found:
        return None
    name, value = found[0]
    parts = value.value if isinstance(value, yaml.SequenceNode) else [value]
    in_brackets = isinstance(value, yaml.SequenceNode) and value.flow_style
    end = end_of(value if in_brackets else parts[-1], text)
    # Between the parts there are only punctuation and comments.
    spans = [(part.start_mark.index, end_of(part, text)) for part in parts]
    starts = [name.end_mark.index, *(after for _, after in spans)]
    ends = [*(before for before, _ in spans), end]
    comments = [
        comment
        for start, stop in zip(starts, ends, strict=True)
        for comment in re.findall(r"#[^\r\n]*", text[start:stop])
    ]
    return Entry(name.start_mark.index, end, comments)


def with_entry(text: str, entry: Entry, line: str) -> str:
    """Return a text with an entry rewritten on one line.

    Comments within the old entry move above it; a comment after it stays there.
    """
    start, above = _above(text, entry, entry.comments)
    return f"{text[:start]}{above}{text[start : entry.start]}{line}{text[entry.end :]}"


def without_entry(text: str, entry: Entry) -> str:
    """Return a text without an entry; the comments within it and after it stay."""
    line, _, rest = text[entry.end :].partition("\n")
    start, above = _above(text, entry, [*entry.comments, *line.rstrip().split(maxsplit=0)])
    return f"{text[:start]}{above}{rest}"


def _above(text: str, entry: Entry, comments: list[str]) -> tuple[int, str]:
    """Return where the line of an entry begins, and comments as lines to insert there."""
    start = text.rfind("\n", 0, entry.start) + 1
    start += text.startswith(BYTE_ORDER_MARK, start)
    indent, newline = text[start : entry.start], newline_of(text)
    return start, "".join(f"{indent}{comment}{newline}" for comment in comments)
