"""What an analysis adds to the page of a game, whichever it is; nothing to a page without one.

How it is written is in :mod:`porto_cli.players.analysis_html`, which only a page with an analysis
loads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from porto_cli.players.analysis import Analysis


def style_of(analysis: Analysis | None) -> str:
    """Return the style sheet of what is added."""
    if analysis is None:
        return ""
    from porto_cli.players.analysis_html import STYLE

    return STYLE


def summary_of(analysis: Analysis | None) -> list[str]:
    """Return a table of how each player has played, and what that rests on."""
    if analysis is None:
        return []
    from porto_cli.players.analysis_html import players

    return players(analysis)


def judgments_of(analysis: Analysis | None, frames: int) -> list[list[str]]:
    """Return what there is to say about the turns of each of so many frames."""
    if analysis is None:
        return [[] for _ in range(frames)]
    from porto_cli.players.analysis_html import by_turn, judgments

    turns = by_turn(analysis)
    return [list(judgments(analysis, turns.get(number, ()))) for number in range(frames)]
