"""Pages that need nothing from elsewhere, and pictures as documents of their own."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from porto_cli.paper.document import BOLD, Node, Paragraph
from porto_cli.paper.html import PageWriter
from porto_cli.paper.markup import Html, Picture, escaped, label, tag, typed_picture, width_of


def data(name: str) -> str:
    """Return a file of this folder: a style sheet or a script."""
    return Path(__file__).with_name(name).read_text("utf-8")


def page(
    title: str,
    header: Iterable[Node | Html],
    body: Iterable[Node | Html],
    footer: Iterable[Node | Html] = (),
    *,
    style: str = "",
    script: str = "",
    shapes: str = "",
) -> str:
    """Return an HTML document. Its policy forbids it to load or run anything but its own.

    ``shapes`` are what its pictures use, see :func:`shapes_in`.
    """
    write = PageWriter().nodes
    hidden = {"style": "position:absolute", "aria_hidden": "true"}
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f"style-src 'unsafe-inline'; script-src {_source(script)}\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        tag("title", title),
        f"<style>\n{data('page.css')}{style}</style>",
        "</head>",
        "<body>",
        tag("header", tag("h1", title), *write(header)),
        "<main>",
        *([tag("svg", Html(shapes), width=0, height=0, **hidden)] if shapes else []),
        *write(body),
        "</main>",
        tag("footer", *write(footer)),
        *([f"<script>{script}</script>"] if script else []),
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(parts)


def _source(script: str) -> str:
    """Return what a policy calls a script of the page, or that there is none."""
    if not script:
        return "'none'"
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def with_script(document: str, section: Html, style: str, script: str) -> str:
    """Return a page that has no script with a section before all others, and a script."""
    head, _, body = document.partition("</style>\n</head>")
    head = head.replace("script-src 'none'", f"script-src {_source(script)}")
    body = body.replace("<main>\n", f"<main>\n{section}\n", 1)
    end = "</body>\n</html>\n"
    return f"{head}{style}</style>\n</head>{body.removesuffix(end)}<script>{script}</script>\n{end}"


def in_light(document: str, light: str) -> str:
    """Return a page or a picture that is ``light`` or ``dark`` whatever its reader prefers; as it
    is for ``auto``.
    """
    if light not in ("light", "dark"):
        return document
    for mark in ("color-scheme:{}", 'name="color-scheme" content="{}"'):
        document = document.replace(mark.format("light dark"), mark.format(light))
    media = "@media all{" if light == "dark" else "@media not all{"
    return document.replace("@media(prefers-color-scheme:dark){", media)


# -- Pictures


def shapes_in(folder: Path | None, *shapes: str) -> str:
    """Return the style and the shapes that pictures use, to be given once in a document.

    ``folder`` has those of a game in ``picture.css`` and ``shapes.svg``, if it has any; ``shapes``
    are more of them.
    """
    files = [] if folder is None else [folder / "picture.css", folder / "shapes.svg"]
    found = [_on_a_line(file) for file in (Path(__file__).with_name("picture.css"), *files)]
    return f"<style>{''.join(found[:2])}</style><defs>{''.join(found[2:])}{''.join(shapes)}</defs>"


def _on_a_line(file: Path) -> str:
    return "".join(line.strip() for line in file.read_text("utf-8").splitlines())


def figure(pictures: Sequence[Picture]) -> Html:
    """Return the pictures of a page: two of them side by side and equally high."""
    return tag("figure", *map(inline, pictures), class_="pictures")


def inline(picture: Picture, anchor: str | None = None) -> Html:
    """Return a picture of a page, with its share of the width if it is beside others."""
    mark = f' id="{anchor}"' if anchor else ""
    drawn = Html(
        f'<svg{mark} viewBox="0 0 {picture.width} {picture.height}" role="img" '
        f'aria-label="{escaped(picture.name)}">{picture.drawn()}</svg>'
    )
    return tag("div", drawn, style=f"flex:{picture.width / picture.height:.3f} 1 0")


def style_for(pictures: Sequence[Picture]) -> str:
    """Return the style sheet that arranges the pictures of a page, also beside a story."""
    return data("many.css" if _are_many(pictures) else "two.css") if pictures else ""


def _are_many(pictures: Sequence[Picture]) -> bool:
    return len(pictures) > 2


class PaperTable(NamedTuple):
    """A table on paper.

    ``headline``  whose turn it is, in sentences
    ``last``      what happened last
    ``pictures``  the table as it looks
    ``rows``      the same in words
    ``shapes``    what the pictures use, see :func:`shapes_in`
    """

    headline: Sequence[str] = ()
    last: Sequence[str] = ()
    pictures: Sequence[Picture] = ()
    rows: Sequence[Node] = ()
    shapes: str = ""


def table_page(title: str, sheet: PaperTable, below: Sequence[Node], fingerprint: str) -> str:
    """Return a table as an HTML document that works without scripts and without a network.

    ``below`` is as wide as the page.
    """
    header = [Paragraph([sentence], BOLD) for sentence in sheet.headline]
    return page(
        title,
        [*header, *([Paragraph(sheet.last)] if sheet.last else [])],
        [
            *([figure(sheet.pictures)] if sheet.pictures else []),
            in_columns(sheet.rows),
            *below,
        ],
        foot(fingerprint),
        style=style_for(sheet.pictures),
        shapes=sheet.shapes,
    )


def in_columns(blocks: Iterable[Node]) -> Html:
    """Return blocks beside each other, in as many columns as there is room for."""
    return tag("div", *PageWriter().nodes(blocks), class_="words")


def foot(fingerprint: str) -> list[Node]:
    """Return what is at the foot of a page of a game."""
    return [Paragraph([f"Fingerprint of the game: {fingerprint}"])] if fingerprint else []


GAP = 14
_TITLE, _LINE = 44, 26
_MOST = 3
"""Lines of the heading that a text may take; the description has all of it."""


def table_picture(title: str, sheet: PaperTable, described: Sequence[str]) -> str:
    """Return a table as a well-formed SVG document with a title and a description.

    It follows the light or dark colors that the reader prefers. ``described`` is the whole table
    in sentences; without pictures they are all that is drawn.
    """
    pictures = sheet.pictures
    if not pictures:
        return typed_picture(title, described)
    column = pictures[0].width
    width = column + 2 * GAP
    columns: Sequence[Sequence[Picture]] = [pictures]
    if _are_many(pictures):
        width += column + GAP
        columns = _halves(pictures, column)
    heading, top = _heading(title, sheet, width - 2 * GAP)
    drawn, height = "", top
    for nth, each in enumerate(columns):
        x, y = GAP + nth * (column + GAP), top
        for picture in each:
            scale = column / picture.width
            area = f'<rect width="{picture.width}" height="{picture.height}"/>'
            drawn += (
                f'<clipPath id="clip-{x}-{y}">{area}</clipPath>'
                f'<g transform="translate({x} {y}) scale({scale:.4g})" '
                f'clip-path="url(#clip-{x}-{y})">{picture.drawn()}</g>'
            )
            y += round(picture.height * scale) + GAP
        height = max(height, y)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-labelledby="t d">'
        f'<title id="t">{escaped(title)}</title>'
        f'<desc id="d">{escaped(" ".join(described))}</desc>{sheet.shapes}'
        f'<rect class="paper" width="{width}" height="{height}"/>{heading}{drawn}</svg>\n'
    )


def _halves(pictures: Sequence[Picture], width: int) -> list[Sequence[Picture]]:
    """Return pictures in two columns, as equally high as their order allows."""

    def height(column: Sequence[Picture]) -> float:
        return sum(picture.height * width / picture.width + GAP for picture in column)

    halves = ([pictures[:cut], pictures[cut:]] for cut in range(1, len(pictures)))
    return min(halves, key=lambda columns: max(map(height, columns)))


def _heading(title: str, sheet: PaperTable, room: int) -> tuple[str, int]:
    """Return title, situation and what happened last, and where what follows can begin."""
    drawn = label(GAP, _TITLE, title, "serif b", 32, width=room, smallest=20)
    y = _TITLE + 4
    for said, style, size in ((sheet.headline, "b", 19), (sheet.last, "", 16)):
        for line in _lines(" ".join(said), size, room):
            y += _LINE
            drawn += label(GAP, y, line, style, size, width=room, smallest=size * 0.9)
    return drawn, y + 16


def _lines(text: str, size: float, room: float) -> list[str]:
    """Return a text in lines; what is too much for them stays in the last one, to be cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and (len(lines) == _MOST or width_of(f"{lines[-1]} {word}", size) <= room):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
