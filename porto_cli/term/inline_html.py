"""Pieces of HTML that mail programs leave as they are.

Most of them drop ``<style>``, classes, scripts, SVG and pictures that come with a mail, and many
turn colors around in the dark. What is left everywhere are tables, and styles of single elements.
So every piece here carries its own style, says the color of its text wherever it says that of its
ground, and still tells everything in words if all styles are gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porto_cli.term.svg import escaped

INK, SOFT, PAPER, GROUND, RULE = "#1f1c17", "#6a645a", "#ffffff", "#f4f1ea", "#d9d3c6"
"""Text, text that matters less, what it stands on, what is around that, lines."""
_NUMBER = "text-align:right;"


def style(**declarations: object) -> str:
    """Return the attribute with these declarations: ``font_size="13px"``."""
    told = ";".join(f"{name.replace('_', '-')}:{value}" for name, value in declarations.items())
    return f'style="{told}"'


def heading(text: object) -> str:
    """Return a heading."""
    look = style(font_size="16px", line_height="1.3", margin="18px 0 6px", color=INK)
    return f"<h3 {look}>{escaped(text)}</h3>"


def paragraph(text: object, *, soft: bool = False) -> str:
    """Return a paragraph; ``soft`` if it matters less."""
    look = style(margin="6px 0", color=SOFT if soft else INK)
    return f"<p {look}>{escaped(text)}</p>"


def chip(text: object, color: str) -> str:
    """Return a few words in a frame of a color (``#rrggbb``).

    The words stand on paper: what turns dark letters into light ones leaves strong colors alone,
    and light letters on yellow could not be read.
    """
    look = style(
        background_color=PAPER,
        color=INK,
        border=f"1px solid {color}",
        border_left=f"12px solid {color}",
        padding="0 6px",
        border_radius="4px",
        white_space="nowrap",
        line_height="1.7",
    )
    return f"<span {look}>{escaped(text)}</span>"


def row_of(pieces: Iterable[str]) -> str:
    """Return pieces of HTML beside each other, in as many lines as they need."""
    return f"<p {style(margin='4px 0', line_height='1.8')}>{' '.join(pieces)}</p>"


def cell(content: str, ink: str, ground: str, *, size: int = 12) -> str:
    """Return a cell of a drawing: HTML in the middle of a color."""
    look = style(
        background_color=ground,
        color=ink,
        border=f"1px solid {PAPER}",
        font_size=f"{size}px",
        line_height=f"{size + 3}px",
        padding="0",
        text_align="center",
    )
    return f'<td align="center" bgcolor="{ground}" {look}>{content}</td>'


def drawing(rows: Iterable[str]) -> str:
    """Return rows of cells (see :func:`cell`) as a drawing as wide as there is room."""
    look = style(border_collapse="collapse", table_layout="fixed", width="100%", margin="8px 0 0")
    lines = "".join(f"<tr>{row}</tr>\n" for row in rows)
    return f'<table width="100%" cellspacing="0" cellpadding="0" {look}>\n{lines}</table>'


def grid(
    heads: Sequence[object], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()
) -> str:
    """Return a table of facts; the first cell of a row is its head.

    The cells of ``rows`` are HTML. ``numbers`` are the columns that stand flush right.
    """
    base = f"padding:3px 8px 3px 0;border-bottom:1px solid {RULE};vertical-align:top;color:{INK};"

    def look(column: int) -> str:
        aside = _NUMBER if column in numbers else "text-align:left;"
        return f'style="{base}{aside}"'

    lines = [
        "".join(
            f'<th scope="col" {look(nth)}>{escaped(head)}</th>' for nth, head in enumerate(heads)
        )
    ]
    for first, *others in rows:
        cells = "".join(f"<td {look(nth)}>{text}</td>" for nth, text in enumerate(others, start=1))
        lines.append(f'<th scope="row" {look(0)}>{first}</th>{cells}')
    body = "".join(f"<tr>{line}</tr>\n" for line in lines)
    whole = style(border_collapse="collapse", font_size="14px", margin="4px 0")
    return f'<table cellspacing="0" cellpadding="0" {whole}>\n{body}</table>'


def as_typed(text: str) -> str:
    """Return a text in which every blank counts, like a table that is drawn with letters."""
    look = style(
        font_family="Menlo,Consolas,'DejaVu Sans Mono',monospace".replace("'", "&#39;"),
        font_size="12px",
        line_height="1.25",
        background_color=GROUND,
        color=INK,
        padding="8px",
        margin="6px 0",
        white_space="pre-wrap",
        overflow_wrap="anywhere",
    )
    return f"<pre {look}>{escaped(text)}</pre>"
