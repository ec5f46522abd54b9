"""PyYAML, imported without what nobody here uses of it.

It compiles nine patterns when it is imported, for its reader in Python and for telling numbers from
dates, which takes a seventh of a command that reads a record. The reader in C has no use for them,
and to us every scalar is text. There is no way to import a part of PyYAML only.

That is for a process that runs one command. Where porto is a part of another program PyYAML is
imported as it comes.
"""

from __future__ import annotations

import re
import sys
from typing import Any

runs_a_command = False
"""Whether this process is there for one command, so that nobody else imports or compiles now."""

_compile = re.compile


class _Later:
    """A pattern that is compiled when it is used, by the reader in Python for one."""

    def __init__(self, *given: Any) -> None:
        self._given = given

    def __getattr__(self, name: str) -> Any:
        return getattr(_compile(*self._given), name)


def prepare() -> None:
    """Import PyYAML, unless it is there; then ``import yaml`` costs nothing more."""
    if not runs_a_command or "yaml" in sys.modules:
        return
    re.compile = _Later  # type: ignore[assignment]
    try:
        import yaml  # noqa: F401
    finally:
        re.compile = _compile
