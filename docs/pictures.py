"""Makes the pictures of the README from what the program shows.

    python docs/pictures.py

They are of a finished game in records/, as it was in the middle: ``terminal.svg`` is what
``porto show`` prints, ``page.svg`` is the figure on the page of ``porto show --format html``. They
need no fonts, scripts or pictures from elsewhere.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
GAME = "three-players.yaml"
RECORD = FOLDER.parent / "records" / "porto" / GAME
TURN = "40"
PLAYER = "Afonso"
COLUMNS = 100

COMMAND = ["show", str(RECORD), "--turn", TURN]
TERMINAL = {
    "COLUMNS": str(COLUMNS),
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
    "PYTHONUTF8": "1",
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


def shown(*options: str) -> str:
    """Return what ``porto show`` prints."""
    done = subprocess.run(
        [sys.executable, "-m", "porto_cli", *COMMAND, *options],
        env={**os.environ, **TERMINAL},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


def terminal() -> str:
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
    console.print(f"$ porto show {GAME} --as {PLAYER}\n", style="bold", highlight=False)
    console.print(Text.from_ansi(shown("--as", PLAYER, "--color", "always")))
    picture = console.export_svg(title="porto", code_format=_TERMINAL, unique_id="t")
    return re.sub(r' clip-path="[^"]*"| shape-rendering="crispEdges"', "", picture)


def page() -> str:
    """Return the figure of the page: its two pictures side by side, equally high."""
    text = shown("--format", "html")
    figure = text.partition('<figure class="pictures">')[2].partition("</figure>")[0]
    pictures = re.findall(r'<svg viewBox="0 0 (\d+) (\d+)"(.*?</svg>)', figure, re.DOTALL)
    shapes = re.findall(r"<svg[^>]*>(.*?)</svg>", text.partition('<figure class="pictures">')[0])
    height = int(pictures[0][1])
    left = 0.0
    parts = []
    for width, own_height, rest in pictures:
        scaled = int(width) * height / int(own_height)
        parts.append(
            f'<svg x="{left:.0f}" width="{scaled:.0f}" height="{height}" '
            f'viewBox="0 0 {width} {own_height}"{rest}'
        )
        left += scaled + 16
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left - 16:.0f} {height}">'
        f"{''.join(shapes)}{''.join(parts)}</svg>\n"
    )


if __name__ == "__main__":
    (FOLDER / "terminal.svg").write_text(terminal(), "utf-8")
    (FOLDER / "page.svg").write_text(page(), "utf-8")
