"""Opening a page that was written in the browser of the user, where there is one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from porto_cli.core.message import usage
from porto_cli.term.tell import remark

Open = Annotated[
    bool, typer.Option("--open", help="Open the page in the browser once it is written.")
]


def demand_page(to: Path | None, *, is_page: bool) -> None:
    """Refuse to open what is no page in a file (exit code 2)."""
    if not is_page or to is None:
        usage("--open is for a page in a file: add --format html -o page.html.")


def open_page(page: Path) -> None:
    """Open a page; where there is no browser, say where the page is."""
    import webbrowser  # It costs more than showing a table does.

    where = page.absolute().as_uri()
    try:
        is_open = webbrowser.open(where)
    except (webbrowser.Error, OSError):
        is_open = False
    if not is_open:
        remark(f"There is no browser here. The page is {where}")
