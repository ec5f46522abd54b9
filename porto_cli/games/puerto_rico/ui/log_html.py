"""A whole game as one page: every decision to be read, and with a script to be stepped through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.observation import Observation
from porto_cli.games.puerto_rico.engine.state import OVER
from porto_cli.games.puerto_rico.ui.film import Frame, film
from porto_cli.games.puerto_rico.ui.history import UNDO, Step, Turn
from porto_cli.games.puerto_rico.ui.page import pictures, reckoning, shapes, style
from porto_cli.games.puerto_rico.ui.picture.chart import TOP, Measure, axis, bottom, chart
from porto_cli.games.puerto_rico.ui.picture.panels import panels
from porto_cli.games.puerto_rico.ui.scoring import standings
from porto_cli.games.puerto_rico.ui.svg import GAME
from porto_cli.players.judged_page import judgments_of, style_of, summary_of
from porto_cli.term.page import grid, row
from porto_cli.term.stepping import article, controls, figure, moving, stepping_page
from porto_cli.term.svg import escaped

if TYPE_CHECKING:
    from porto_cli.players.analysis import Analysis


def log_html(
    steps: Sequence[Step],
    seen: Observation,
    *,
    title: str = "",
    fingerprint: str = "",
    since: int = 0,
    analysis: Analysis | None = None,
) -> str:
    """Return a game as an HTML document that works without a network.

    ``steps`` are all items of the record, ``seen`` is the table now; its seat is who reads. The
    page opens at the first of ``steps[since:]`` that stands, or at the end. With an analysis each
    turn is judged, and there are the chances to win.
    """
    frames = film(steps, seen)
    tables = [frame.seen for frame in frames]
    shown = [panels(now, before) for now, before in zip(tables, [None, *tables], strict=False)]
    painted = [moving([panel.picture for panel in each]) for each in zip(*shown, strict=True)]
    body = [
        "<header>",
        f"<h1>{escaped(title or GAME)}</h1>",
        f"<p>{escaped(_summary(frames))}</p>",
        "</header>",
        "<main>",
        shapes(),
        *pictures(shown[-1], painted),
        '<div class="side">',
        *controls(),
        '<section class="story" aria-live="polite">',
        f"<h2>{say('Turn by turn')}</h2>",
        *_articles(frames, analysis),
        "</section>",
        "</div>",
        '<section class="course">',
        f"<h2>{say('What each player earned')}</h2>",
        *_chart(frames, analysis),
        *summary_of(analysis),
        f"<h2>{say('Where the VP come from')}</h2>",
        *reckoning(standings(seen)),
        "</section>",
        "</main>",
        "<footer>",
        *([_fingerprint(fingerprint)] if fingerprint else []),
        "</footer>",
    ]
    looks = style("log.css") + style_of(analysis)
    return stepping_page(title or GAME, body, looks, _frame(steps, since))


def _frame(steps: Sequence[Step], since: int) -> int | None:
    """Return the frame of the first decision that stands from a step on."""
    if not since:
        return None
    return 1 + sum(step.move != UNDO and not step.undone for step in steps[:since])


def _fingerprint(fingerprint: str) -> str:
    return f"<p>{escaped(say('Fingerprint of the game: {hash}', hash=fingerprint))}</p>"


def _summary(frames: Sequence[Frame]) -> Sentence:
    seen = frames[-1].seen
    facts: dict[str, object] = {
        "players": ", ".join(seen.config.players),
        "turns": len(frames) - 1,
    }
    if seen.phase == OVER:
        return say("{players}. {turns} turns. {result}", result=phrases.winners(seen), **facts)
    return say("{players}. {turns} turns so far.", **facts)


# -- the story


def _articles(frames: Sequence[Frame], analysis: Analysis | None) -> Iterable[str]:
    judged = judgments_of(analysis, len(frames))
    for number, frame in enumerate(frames):
        told = [*_told(frame), *judged[number]]
        yield from article(f"turn-{number}", _heading(number, frame), told)


def _heading(number: int, frame: Frame) -> Sentence:
    turn = frame.turn
    if turn is None:
        return say("The setup")
    facts: dict[str, object] = {
        "number": number,
        "round": turn.round,
        "role": turn.role,
        "player": turn.player,
    }
    if not turn.round:
        return say("Turn {number}, the draft: {player}", **facts)
    return say("Turn {number}, round {round}, {role}: {player}", **facts)


def _told(frame: Frame) -> Iterable[str]:
    if frame.turn is None:
        yield f"<p>{say('The table before the first turn.')}</p>"
    for turn in frame.turns:
        yield from _turn(turn)
    if frame.seen.phase == OVER:
        yield f"<p><b>{escaped(phrases.winners(frame.seen))}</b></p>"


def _turn(turn: Turn) -> Iterable[str]:
    """What the player did, what that brought, and what then went by itself."""
    if turn.kind == UNDO:
        back = say("{player} takes back the last move.", player=turn.player)
        yield f"<p>{escaped(back)}</p>"
        return
    told = escaped(_joined(turn.told))
    if turn.undone:
        yield f"<p><s>{told}</s> {say('Taken back.')}</p>"
        return
    yield f"<p>{told}</p>"
    gains = phrases.brought(turn.scores, turn.earns)
    if gains:
        yield f'<p class="vp">{escaped(gains)}</p>'
    if turn.auto:
        yield f'<p class="auto">{escaped(_joined(turn.auto))}</p>'


def _joined(sentences: Iterable[Sentence]) -> str:
    return " ".join(map(str, sentences))


# -- the chart


def _chart(frames: Sequence[Frame], analysis: Analysis | None) -> list[str]:
    names = frames[-1].seen.config.players
    measures = [*_measures(frames), *_chances(analysis, len(frames))]
    rounds = _rounds(frames)
    picture = chart(names, measures, len(frames), list(rounds.values()))
    across = axis(len(frames))
    return figure(
        picture,
        across,
        TOP,
        bottom(len(measures)),
        say("The numbers at the end of each round"),
        _numbers(names, measures, rounds, len(frames)),
    )


def _measures(frames: Sequence[Frame]) -> list[Measure]:
    """Return VP chips as far as they may be known, VP of buildings, and doubloons earned."""
    seats = range(len(frames[-1].seen.players))
    chips = [_chips(frames, seat) for seat in seats]
    secret = say("The VP chips of others are secret until the game is over.")
    return [
        Measure(say("VP chips"), secret if None in chips else None, tuple(chips)),
        Measure(
            say("VP of buildings"),
            None,
            tuple(tuple(frame.buildings[seat] for frame in frames) for seat in seats),
        ),
        Measure(
            say("Doubloons earned, without those of the setup"),
            None,
            tuple(tuple(frame.earned[seat] for frame in frames) for seat in seats),
        ),
    ]


def _chances(analysis: Analysis | None, frames: int) -> list[Measure]:
    """Return how likely each player was to win."""
    if analysis is None:
        return []
    from porto_cli.players.analysis_html import chances

    seats = zip(*chances(analysis, frames), strict=True)
    whole = tuple(tuple(round(100 * win) for win in wins) for wins in seats)
    return [Measure(say("Chance to win in %"), None, whole)]


def _chips(frames: Sequence[Frame], seat: int) -> tuple[int, ...] | None:
    numbers = [frame.seen.players[seat].vp for frame in frames]
    known = tuple(number for number in numbers if number is not None)
    return known if len(known) == len(numbers) else None


def _rounds(frames: Sequence[Frame]) -> dict[int, int]:
    """Return for each round the frame from which it starts."""
    begins: dict[int, int] = {}
    for number, frame in enumerate(frames):
        if frame.turn and frame.turn.round:
            begins.setdefault(frame.turn.round, number - 1)
    return begins


def _numbers(
    names: Sequence[str], measures: Sequence[Measure], rounds: dict[int, int], frames: int
) -> Iterable[str]:
    """Yield the numbers of the chart as tables."""
    ends = [*list(rounds.values())[1:], frames - 1]
    heads = ("round", *map(escaped, names))
    for measure in measures:
        rows = [
            row(
                f'<th scope="row">{number}</th>',
                *(
                    f'<td class="n">{say("secret") if line is None else line[end]}</td>'
                    for line in measure.seats
                ),
            )
            for number, end in zip(rounds, ends, strict=False)
        ]
        yield f"<h3>{measure.title}</h3>"
        yield from grid(heads, rows)
