"""Makes the pictures of the README from what the program shows.

    python docs/pictures.py

They show finished games in records/ in the middle of the game: ``terminal.svg`` and
``terminal-puerto-rico.svg`` are what ``porto show`` prints, ``page.svg`` and ``puerto-rico.svg``
the figures on the pages of ``porto show --format html``. They need no fonts, scripts or pictures
from elsewhere, and do not depend on the settings of whoever makes them.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
RECORDS = FOLDER.parent / "records"
PLAYER = "Afonso"
COLUMNS = 100
GAP = 16

PORTO = ["show", str(RECORDS / "porto" / "three-players.yaml"), "--turn", "40"]
PUERTO_RICO = ["show", str(RECORDS / "puerto-rico" / "three-players-guide.yaml"), "--turn", "90"]
TERMINAL = {
    "COLUMNS": str(COLUMNS),
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
    "PYTHONUTF8": "1",
    "PORTO_HOME": os.devnull,
    "PORTO_PLAYER": "",
}

_TERMINAL = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font: {char_height}px/{line_height}px Menlo, Consolas, "DejaVu Sans Mono", \
monospace; }}
.{unique_id}-title {{ font: bold 18px Helvetica, Arial, sans-serif; }}
{styles}
</style>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""The frame of rich, without its links to a font on the network."""


def shown(command: list[str], *options: str) -> str:
    """Return what ``porto show`` prints."""
    done = subprocess.run(
        [sys.executable, "-m", "porto_cli", *command, *options],
        env={
            **{name: value for name, value in os.environ.items() if not name.endswith("_COLOR")},
            **TERMINAL,
        },
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


def terminal(command: list[str]) -> str:
    """Return a terminal that shows the table to a player."""
    from rich.console import Console
    from rich.text import Text

    console = Console(
        record=True,
        width=COLUMNS,
        file=io.StringIO(),
        legacy_windows=False,
        color_system="truecolor",
    )
    console.print(
        f"$ porto show {Path(command[1]).name} --as {PLAYER}\n", style="bold", highlight=False
    )
    console.print(Text.from_ansi(shown(command, "--as", PLAYER, "--color", "always")))
    picture = console.export_svg(title="porto", code_format=_TERMINAL, unique_id="t")
    return re.sub(r' clip-path="[^"]*"| shape-rendering="crispEdges"', "", picture)


def page(command: list[str], rows: list[list[int]]) -> str:
    """Return the figure of a page: its pictures by number, in rows of the same width."""
    text = shown(command, "--format", "html")
    figure = text.partition('<figure class="pictures">')[2].partition("</figure>")[0]
    pictures = re.findall(r'<svg viewBox="0 0 (\d+) (\d+)"(.*?</svg>)', figure, re.DOTALL)
    shapes = re.findall(r"<svg[^>]*>(.*?)</svg>", text.partition('<figure class="pictures">')[0])
    heights = [int(pictures[row[0]][1]) for row in rows]
    ratios = [[int(pictures[n][0]) / int(pictures[n][1]) for n in row] for row in rows]
    gaps = [GAP * (len(row) - 1) for row in rows]
    width = max(h * sum(r) + gap for h, r, gap in zip(heights, ratios, gaps, strict=True))
    parts = []
    top = 0.0
    for row, ratio, gap in zip(rows, ratios, gaps, strict=True):
        height = (width - gap) / sum(ratio)
        left = 0.0
        for number, across in zip(row, ratio, strict=True):
            own_width, own_height, rest = pictures[number]
            parts.append(
                f'<svg x="{left:.0f}" y="{top:.0f}" width="{across * height:.0f}" '
                f'height="{height:.0f}" viewBox="0 0 {own_width} {own_height}"{rest}'
            )
            left += across * height + GAP
        top += height + GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {top - GAP:.0f}">'
        f"{''.join(shapes)}{''.join(parts)}</svg>\n"
    )


PICTURES = {
    "terminal.svg": lambda: terminal(PORTO),
    "terminal-puerto-rico.svg": lambda: terminal(PUERTO_RICO),
    "page.svg": lambda: page(PORTO, [[0, 1]]),
    "puerto-rico.svg": lambda: page(PUERTO_RICO, [[0, 1, 5], [2, 3, 4]]),
}
"""What makes each file."""


if __name__ == "__main__":
    for name, picture in PICTURES.items():
        (FOLDER / name).write_text(picture(), "utf-8")
