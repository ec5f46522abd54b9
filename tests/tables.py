"""Games from records/ as they were in the middle: ``table_at("porto/two-players", 40, file)``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from porto_cli.match import record
from porto_cli.match.match import Match, load
from porto_cli.match.record import Record
from tests.conftest import ROOT


@cache
def _whole(name: str) -> Record:
    return record.load((ROOT / "records" / f"{name}.yaml").read_text("utf-8"), name)


def text_at(name: str, items: int) -> str:
    """Return the text of a record after so many items, or without so many if below zero."""
    whole = _whole(name)
    lines = whole.text.splitlines(keepends=True)
    return "".join(lines[: whole.place(items % len(whole.items)).line - 1])


def table_at(name: str, items: int, to: Path) -> Match:
    """Write the record after so many items to a file, and load it."""
    to.write_text(text_at(name, items), "utf-8")
    return load(to)
