"""A page that needs nothing from elsewhere, and the parts of it that several pages share."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.picture.shapes import definitions
from porto_cli.games.porto.ui.scoring import Reckoned, Standings
from porto_cli.term.svg import Picture, escaped

_FOLDER = Path(__file__).parent


def data(name: str) -> str:
    """Return the text of a file that comes with these modules."""
    return (_FOLDER / name).read_text("utf-8")


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
        f"<style>\n{data('page.css')}{style}</style>",
        "</head>",
        "<body>",
        *body,
        *([f"<script>{script}</script>"] if script else []),
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(parts)


def shapes() -> str:
    """Return the shapes that the pictures of a page use."""
    return (
        '<svg width="0" height="0" style="position:absolute" aria-hidden="true">'
        f"{definitions()}</svg>"
    )


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


def reckoning(standings: Standings) -> list[str]:
    """Return the standings as a table: where the VP of each player came from."""
    heads = "".join(f'<th scope="col" class="n">{head}</th>' for head in phrases.SOURCES.values())
    rows = [
        f'<tr><td class="n">{player.place}</td><th scope="row">{escaped(player.name)}</th>'
        + "".join(f'<td class="n">{vp}</td>' for vp in player.sources)
        + f'<td class="n"><b>{player.score}</b></td></tr>'
        for player in standings.players
    ]
    return [
        '<div class="wide"><table>',
        f'<tr><th scope="col" class="n">place</th><th scope="col">player</th>{heads}'
        '<th scope="col" class="n">VP</th></tr>',
        *rows,
        "</table></div>",
    ]


def private_contract(contract: Reckoned) -> str:
    """Return an item of a list: a private contract, what it pays, what it counts."""
    told = [
        phrases.private_contract(contract.contract, contract.scale),
        *phrases.reckoning(contract),
    ]
    sentences = escaped(" ".join(map(str, told)))
    return f"<li><b>{contract.contract}</b>: {contract.vp} VP. {sentences}</li>"
