"""A page that needs nothing from elsewhere: its frame, its paper, and pictures in it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from porto_cli.core.message import Sentence
from porto_cli.term.svg import Picture, escaped

_STYLE = Path(__file__).with_name("page.css")


def page(title: str, body: Iterable[str], style: str = "", script: str = "") -> str:
    """Return an HTML document. Its policy forbids it to load or to run anything but its own."""
    run = f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" if script else "'none'"
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src {run}"
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{escaped(title)}</title>",
        f"<style>\n{_STYLE.read_text('utf-8')}{style}</style>",
        "</head>",
        "<body>",
        *body,
        *([f"<script>{script}</script>"] if script else []),
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(parts)


_DARK = "@media(prefers-color-scheme:dark){"


def in_light(document: str, light: str) -> str:
    """Return a page or a picture that is ``light`` or ``dark`` whatever its reader prefers; as it
    is for ``auto``.
    """
    if light not in ("light", "dark"):
        return document
    for mark in ("color-scheme:{}", 'name="color-scheme" content="{}"'):
        document = document.replace(mark.format("light dark"), mark.format(light))
    return document.replace(_DARK, "@media all{" if light == "dark" else "@media not all{")


def inline(picture: Picture, pieces: str, name: object, anchor: str = "") -> str:
    """Return a picture of a page; ``pieces`` is what is painted, ``name`` says what it shows.

    It takes a share of the width so that pictures side by side are equally high.
    """
    mark = f' id="{anchor}"' if anchor else ""
    share = picture.width / picture.height
    return (
        f'<div style="flex:{share:.3f} 1 0"><svg{mark} viewBox="0 0 {picture.width} '
        f'{picture.height}" role="img" aria-label="{escaped(name)}">{pieces}</svg></div>'
    )


def section(heading: Sentence, content: Sequence[str]) -> list[str]:
    """Return a part of a page with its heading; nothing where there is nothing to be said."""
    return ["<section>", f"<h2>{heading}</h2>", *content, "</section>"] if content else []


def grid(heads: Iterable[str], rows: Iterable[str]) -> list[str]:
    """Return a table that can be scrolled where the page is narrower."""
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    return ['<div class="wide"><table>', f"<tr>{head}</tr>", *rows, "</table></div>"]


def row(*cells: str) -> str:
    """Return a row of a table."""
    return f"<tr>{''.join(cells)}</tr>"
