"""Writing who the user is into the settings, without a change to anything else in the file."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli import settings
from porto_cli.core.errors import FileError
from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import InvalidFileError, newline_of, scalar
from porto_cli.core.yaml_edit import entry_of, nodes_of, with_entry, without_entry
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
    entry = entry_of(text, "me")
    if entry is None:
        return _appended(text, names) if names else text
    return with_entry(text, entry, f"me: {_value(names)}") if names else without_entry(text, entry)


def _appended(text: str, names: Sequence[str]) -> str:
    root, newline = nodes_of(text), newline_of(text)
    indent = " " * root.start_mark.column if root else ""
    if text and not text.endswith("\n"):
        text += newline
    return f"{text}{indent}me: {_value(names)}{newline}"


def _value(names: Sequence[str]) -> str:
    written = [scalar(name) for name in names]
    return written[0] if len(written) == 1 else f"[{', '.join(written)}]"
