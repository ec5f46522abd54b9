"""The parts that several pages share."""

from __future__ import annotations

from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.picture.shapes import definitions
from porto_cli.games.porto.ui.scoring import Reckoned, Standings
from porto_cli.term.svg import escaped


def shapes() -> str:
    """Return the shapes that the pictures of a page use."""
    return (
        '<svg width="0" height="0" style="position:absolute" aria-hidden="true">'
        f"{definitions()}</svg>"
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
