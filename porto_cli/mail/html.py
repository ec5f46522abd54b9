"""A message as HTML that says the same as the text, with the table as a drawing.

Nothing in it is loaded from elsewhere or attached, and what mail programs strip is not used, see
:mod:`porto_cli.term.inline_html`.
"""

from __future__ import annotations

from porto_cli.mail.letter import Kind, Letter, Part
from porto_cli.match.replay import Replay
from porto_cli.term.inline_html import (
    GROUND,
    INK,
    PAPER,
    as_typed,
    paragraph,
    style,
)
from porto_cli.term.spans import plain
from porto_cli.term.svg import escaped
from porto_cli.ui import ui_of

_RECKONING_WIDTH = 72


def html(letter: Letter, replay: Replay | None) -> str:
    """Return the HTML of a message. Only a letter without a table can do without a game."""
    body = "\n".join(_part(part, letter, replay) for part in letter.parts)
    around = style(
        margin="0", padding="0", background_color=GROUND, color=INK, color_scheme="light only"
    )
    sheet = style(
        background_color=PAPER,
        color=INK,
        padding="16px",
        font_family="system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif",
        font_size="15px",
        line_height="1.45",
        text_align="left",
    )
    width = style(width="100%", max_width="600px", border_collapse="collapse")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        # Some programs that would turn the colors around let them be then.
        '<meta name="color-scheme" content="light only">'
        '<meta name="supported-color-schemes" content="light only">'
        f"<title>{escaped(letter.subject)}</title></head>\n"
        f'<body bgcolor="{GROUND}" {around}>\n'
        f'<table role="presentation" align="center" cellspacing="0" cellpadding="0" {width}>'
        f'<tr><td bgcolor="{PAPER}" {sheet}>\n{body}\n</td></tr></table>\n</body></html>\n'
    )


def _part(part: Part, letter: Letter, replay: Replay | None) -> str:
    if part.kind is Kind.HEADING:
        return _heading(part.text)
    if part.kind is Kind.ITEM:
        look = style(margin="4px 0 4px 1em", text_indent="-0.8em", color=INK)
        return f"<p {look}>• {escaped(part.text)}</p>"
    if part.kind is Kind.COMMAND:
        return as_typed(part.text)
    if part.kind is Kind.TABLE and replay is not None:
        return ui_of(replay.game.meta.id).table_mail_html(replay, letter.seat)
    if part.kind is Kind.RECKONING and replay is not None:
        lines = ui_of(replay.game.meta.id).score_text(replay, letter.seat, _RECKONING_WIDTH)
        return _heading(part.text) + "\n" + as_typed("\n".join(map(plain, lines)))
    return paragraph(part.text)


def _heading(text: str) -> str:
    look = style(font_size="18px", line_height="1.3", margin="22px 0 6px", color=INK)
    return f"<h2 {look}>{escaped(text)}</h2>"
