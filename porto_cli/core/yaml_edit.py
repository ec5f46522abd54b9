"""Changing one entry of a YAML text that people wrote, without touching anything else.

The texts are valid: :mod:`porto_cli.core.yaml` has read them. Here nodes also know where they end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from porto_cli.core.yaml import BYTE_ORDER_MARK, newline_of


def nodes_of(text: str) -> Any:
    """Return PyYAML's root node of a text; ``None`` if the text is empty.

    A byte order mark counts as a character of the text.
    """
    import yaml

    # Another character takes the place of the mark, so that indexes are those of the text.
    plain = text.replace(BYTE_ORDER_MARK, "\n", 1) if text.startswith(BYTE_ORDER_MARK) else text
    return yaml.compose(plain, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def end_of(node: Any, text: str) -> int:
    """Return where a value ends, without spaces and comments after it."""
    if node.value and getattr(node, "flow_style", None) is False:
        last = node.value[-1]
        return end_of(last[1] if isinstance(last, tuple) else last, text)
    return len(text[: node.end_mark.index].rstrip())


def _spans(node: Any, text: str) -> Iterator[tuple[int, int]]:
    """Yield where the texts of a value begin and end; between them are punctuation and comments."""
    if isinstance(node.value, str):
        yield node.start_mark.index, end_of(node, text)
        return
    for item in node.value:
        for part in item if isinstance(item, tuple) else (item,):
            yield from _spans(part, text)


def with_entry(text: str, key: str, line: str) -> str:
    """Return the text of a mapping in which a line has taken the place of the entry of a key; if
    there is none it is added at the end. With an empty line the entry goes.

    Comments within the old entry move above it. A comment after it stays there, and becomes a line
    of its own if the entry goes.
    """
    root, newline = nodes_of(text), newline_of(text)
    found = [pair for pair in (root.value if root else ()) if pair[0].value == key]
    if not found:
        indent = " " * root.start_mark.column if root else ""
        before = newline if text and not text.endswith("\n") else ""
        return f"{text}{before}{indent}{line}{newline}" if line else text
    name, value = found[0]
    start, end = name.start_mark.index, end_of(value, text)
    spans = [*_spans(name, text), *_spans(value, text), (end, end)]
    gaps = [text[before:after] for (_, before), (after, _) in pairwise(spans)]
    comments = [comment for gap in gaps for comment in re.findall(r"#[^\r\n]*", gap)]
    rest = text[end:]
    if not line:
        after, _, rest = rest.partition("\n")
        comments += after.rstrip().split(maxsplit=0)
    first = text.rfind("\n", 0, start) + 1
    first += text.startswith(BYTE_ORDER_MARK, first)
    indent = text[first:start]
    above = "".join(f"{indent}{comment}{newline}" for comment in comments)
    return f"{text[:first]}{above}{indent + line if line else ''}{rest}"
