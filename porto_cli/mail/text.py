"""A message as plain text: 60 columns, no color, as every mail program shows it."""

from __future__ import annotations

from collections.abc import Iterable

from porto_cli.mail.letter import Kind, Letter
from porto_cli.match.replay import Replay
from porto_cli.term.screen import Screen
from porto_cli.term.spans import plain, wrapped
from porto_cli.ui import ui_of

WIDTH = 60
"""Columns. Who answers quotes it with two more before each line; nobody has to scroll then."""


def text(letter: Letter, replay: Replay | None) -> str:
    """Return the text of a message. Commands stay in one line, however long, to be copied.

    Only a letter without a table can do without a game.
    """
    lines: list[str] = []
    before: Kind | None = None
    table: list[str] = []
    reckoning: list[str] = []
    if replay is not None:
        ui = ui_of(replay.game.meta.id)
        table = [plain(line) for line in ui.table_text(replay, letter.seat, Screen(WIDTH))]
        if any(part.kind is Kind.RECKONING for part in letter.parts):
            reckoning = [plain(line) for line in ui.score_text(replay, letter.seat, WIDTH)]
    for part in letter.parts:
        together = part.kind == before and part.kind in (Kind.ITEM, Kind.COMMAND)
        if lines and before is not Kind.HEADING and not together and part.kind != Kind.COMMAND:
            lines.append("")
        if part.kind is Kind.HEADING:
            lines.append(part.text.upper())
        elif part.kind is Kind.ITEM:
            lines += [
                plain(line) for line in wrapped(part.text, WIDTH, first=[("- ", "")], indent=2)
            ]
        elif part.kind is Kind.COMMAND:
            lines.append(f"    {part.text}")
        elif part.kind is Kind.TABLE:
            lines += table
        elif part.kind is Kind.RECKONING:
            if _words(reckoning) <= _words(table):
                # The table of some games has it when the game is over.
                lines.pop()
            else:
                lines += [part.text.upper(), *reckoning]
        else:
            lines += [plain(line) for line in wrapped(part.text, WIDTH)]
        before = part.kind
    return "\n".join(lines) + "\n"


def _words(lines: Iterable[str]) -> set[str]:
    """Return lines without what sets them in columns."""
    return {" ".join(line.split()) for line in lines if line.strip()}
