"""An analysis as a document, see porto-json(5)."""

from __future__ import annotations

from porto_cli.core.documents import document
from porto_cli.players.analysis import MARKS, Analysis, Summary, Turn
from porto_cli.players.coach import Prospect

_DIGITS = 3
"""Of VP and of chances; more of them would promise what no sample can hold."""


def analysis_json(analysis: Analysis, game_id: str) -> dict[str, object]:
    """Return an analysis as a document. Players stand in turn order."""
    return document(
        game=game_id,
        players=list(analysis.players),
        over=analysis.is_over,
        partial=analysis.is_partial,
        samples=analysis.samples,
        summaries=[_summary(one) for one in analysis.summaries()],
        wins=_rounded(analysis.wins),
        turns=[_turn(one, analysis) for one in analysis.turns],
    )


def _summary(summary: Summary) -> dict[str, object]:
    return {
        "player": summary.player,
        "judged": summary.judged,
        "lost": None if summary.lost is None else round(summary.lost, _DIGITS),
        "marks": {mark: n for (_, mark), n in zip(MARKS, summary.marks, strict=True)},
        "luck": round(summary.luck, _DIGITS),
    }


def _turn(turn: Turn, analysis: Analysis) -> dict[str, object]:
    judged = turn.behind is not None
    return {
        "turn": turn.number,
        "player": analysis.players[turn.seat],
        "move": turn.move,
        "before": _prospect(turn.before),
        "after": _prospect(turn.after),
        "lost": None if turn.behind is None else round(turn.behind, _DIGITS),
        "error": round(turn.error, _DIGITS) if judged else None,
        "mark": turn.mark or None,
        "better": turn.better or None,
        "why": [str(one) for one in turn.why],
        "why_not": [str(one) for one in turn.why_not],
        "luck": _rounded(turn.luck),
        "wins": _rounded(turn.wins),
    }


def _prospect(prospect: Prospect) -> dict[str, float]:
    return {"margin": round(prospect.margin, _DIGITS), "win": round(prospect.win, _DIGITS)}


def _rounded(numbers: tuple[float, ...]) -> list[float]:
    return [round(number, _DIGITS) for number in numbers]
