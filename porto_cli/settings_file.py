"""Writing who the user is into the settings, without a change to anything else in the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from porto_cli import settings
from porto_cli.core.errors import FileError
from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import BYTE_ORDER_MARK, InvalidFileError, scalar
from porto_cli.keys.private import write_own

_HEAD = "# Settings of porto; porto-me(1) has all keys."


def write_me(names: Sequence[str]) -> tuple[Sentence, ...]:
    """Write the names of the user, or take them out if there are none.

    Returns what could not be kept of the old file, like its owner. Raises InvalidFileError for a
    file that cannot be read as settings, FileError for one that cannot be read or written.
    """
    file = settings.path()
    text = settings.text_of(file)
    before = settings.read(text or "", str(file))
    wanted = before._replace(me=tuple(names))
    if before == wanted:
        return ()
    changed = with_me(f"{_HEAD}\n" if text is None else text, names)
    try:
        same = settings.read(changed, str(file)) == wanted
    except InvalidFileError:
        same = False
    if not same:
        raise FileError(
            say(
                "The key 'me' in {file} is written in a way that this command cannot change, so "
                "that it was left as it is; change it with an editor.",
                file=file,
            )
        )
    return write_own(file, changed)


def with_me(text: str, names: Sequence[str]) -> str:
    """Return the text of valid settings with other names of the user; without any the key goes.

    Comments among the names come to stand above them.
    """
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    text = text.removeprefix(mark)
    newline = "\r\n" if "\r\n" in text else "\n"
    entry = _entry_of_me(text)
    if entry is None:
        return mark + (_appended(text, names, newline) if names else text)
    indent = " " * (entry.start - text.rfind("\n", 0, entry.start) - 1)
    comments = "".join(f"{comment}{newline}{indent}" for comment in entry.comments)
    rest = text[entry.end :]
    if names:
        return f"{mark}{text[: entry.start]}{comments}me: {_value(names)}{rest}"
    line, _, others = rest.partition("\n")
    last = line.strip()
    if last:
        return f"{mark}{text[: entry.start]}{comments}{last}{newline}{others}"
    return f"{mark}{text[: entry.start - len(indent)]}{indent if comments else ''}" + (
        comments.removesuffix(indent) + others
    )


class _Entry(NamedTuple):
    """Where the key and its value stand in a text, and the comments between."""

    start: int
    end: int
    comments: list[str]


def _entry_of_me(text: str) -> _Entry | None:
    import yaml

    root: Any = yaml.compose(text, yaml.SafeLoader)
    found = [(key, value) for key, value in (root.value if root else ()) if key.value == "me"]
    if not found:
        return None
    key, value = found[0]
    names = value.value if isinstance(value, yaml.SequenceNode) else [value]
    is_list = isinstance(value, yaml.SequenceNode) and value.flow_style
    end = (value if is_list else names[-1]).end_mark.index
    # Between the names there is nothing but signs and comments.
    spans = [(name.start_mark.index, name.end_mark.index) for name in names]
    starts = [key.end_mark.index, *(after for _, after in spans)]
    ends = [*(before for before, _ in spans), end]
    comments = [
        comment
        for start, stop in zip(starts, ends, strict=True)
        for comment in re.findall(r"#[^\r\n]*", text[start:stop])
    ]
    return _Entry(key.start_mark.index, end, comments)


def _appended(text: str, names: Sequence[str], newline: str) -> str:
    import yaml

    root: Any = yaml.compose(text, yaml.SafeLoader)
    indent = " " * root.start_mark.column if root else ""
    if text and not text.endswith("\n"):
        text += newline
    return f"{text}{indent}me: {_value(names)}{newline}"


def _value(names: Sequence[str]) -> str:
    written = [scalar(name) for name in names]
    return written[0] if len(written) == 1 else f"[{', '.join(written)}]"
