"""A whole game as one page: every turn to be read, and with a script to be stepped through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.history import Turn
from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.page import private_contract, reckoning, shapes
from porto_cli.games.porto.ui.picture.board import board
from porto_cli.games.porto.ui.picture.chart import (
    BOTTOM,
    CHANCES_BOTTOM,
    TOP,
    axis,
    chart,
    with_chances,
)
from porto_cli.games.porto.ui.picture.scene import scene, track_of
from porto_cli.games.porto.ui.scoring import Standings
from porto_cli.games.porto.ui.timeline import Film, Frame, film
from porto_cli.match.replay import Replay
from porto_cli.players.judged_page import judgments_of, style_of, summary_of
from porto_cli.term.page import inline
from porto_cli.term.stepping import article, controls, figure, moving, stepping_page
from porto_cli.term.svg import escaped

if TYPE_CHECKING:
    from porto_cli.players.analysis import Analysis

_LAYOUT = Path(__file__).with_name("log.css")


def log_html(
    replay: Replay,
    seat: int | None = None,
    *,
    since: int = 0,
    analysis: Analysis | None = None,
) -> str:
    """Return the game as an HTML document that works without a network.

    Private contracts are shown as far as ``seat`` may see them, or (``None``) anyone. The page
    opens at the first turn of ``replay.steps[since:]`` that stands, or at the end. With an
    analysis each turn is judged, and there are the chances to win.
    """
    shown = film(replay, seat)
    frames = [*shown.frames, *([shown.over] if shown.over else [])]
    tables = [frame.table for frame in frames]
    track = track_of(*tables)
    houses, rest = (
        moving([scene(table, track) for table in tables]),
        moving([board(table) for table in tables]),
    )
    title = shown.title or phrases.GAME
    body = [
        "<header>",
        f"<h1>{escaped(title)}</h1>",
        f"<p>{escaped(_summary(shown))}</p>",
        "</header>",
        "<main>",
        shapes(),
        '<figure class="pictures">',
        inline(*houses, say("The houses along the river and the score track")),
        inline(*rest, say("Face-up cards, public contracts, supplies, hands")),
        "</figure>",
        *controls(),
        '<section class="story" aria-live="polite">',
        f"<h2>{say('Turn by turn')}</h2>",
        *_articles(shown, analysis),
        "</section>",
        '<section class="course">',
        f"<h2>{say('The scores over the rounds')}</h2>",
        *_chart(shown, analysis),
        *summary_of(analysis),
        *_reckoning(shown.standings),
        "</section>",
        "</main>",
        "<footer>",
        f"<p>{say('Fingerprint of the game: {hash}', hash=tables[-1].fingerprint)}</p>",
        "</footer>",
    ]
    start = 1 + replay.steps[since - 1].after.turn if since else None
    return stepping_page(title, body, _LAYOUT.read_text("utf-8") + style_of(analysis), start)


def _summary(shown: Film) -> Sentence:
    facts = {"players": ", ".join(shown.players), "turns": len(shown.frames) - 1}
    if shown.over:
        result = phrases.outcome(shown.standings)
        return say("{players}. {turns} turns. {result}", result=result, **facts)
    return say("{players}. {turns} turns so far.", **facts)


def _articles(shown: Film, analysis: Analysis | None) -> Iterable[str]:
    judged = judgments_of(analysis, len(shown.frames))
    for number, frame in enumerate(shown.frames):
        yield from article(
            f"turn-{number}",
            _heading(number, frame, len(shown.players)),
            [*_turns(frame, shown.players), *judged[number]],
        )
    if shown.over:
        yield from article("end", say("The end"), _end(shown.over, shown.standings))


def _heading(number: int, frame: Frame, seats: int) -> Sentence:
    if frame.turn is None:
        return say("The setup")
    facts = {"number": number, "round": frame.turn.round, "player": frame.turn.player}
    if seats == 1:
        return say("Turn {number}: {player}", **facts)
    return say("Turn {number}, round {round}: {player}", **facts)


def _turns(frame: Frame, players: Sequence[str]) -> Iterable[str]:
    if frame.turn is None:
        yield f"<p>{say('The table before the first turn.')}</p>"
    for turn in frame.turns:
        yield from _turn(turn)
    if frame.turn:
        scores = (
            f"<li>{'<b>' if name == frame.turn.player else ''}{escaped(name)} {vp}"
            f"{'</b>' if name == frame.turn.player else ''}</li>"
            for name, vp in zip(players, frame.turn.standing, strict=True)
        )
        yield f'<ul class="scores">{"".join(scores)}</ul>'


def _turn(turn: Turn) -> Iterable[str]:
    own, timer = phrases.told_apart(turn)
    told = escaped(" ".join(map(str, own)))
    if turn.undone:
        yield f"<p><s>{told}</s> {say('Taken back.')}</p>"
        return
    yield f"<p>{told}</p>"
    scored = phrases.scored(turn)
    if scored:
        yield f'<p class="vp">{escaped(scored)}</p>'
    if timer:
        yield f"<p>{escaped(' '.join(map(str, timer)))}</p>"


def _end(over: Frame, standings: Standings) -> Iterable[str]:
    for turn in over.turns:
        yield from _turn(turn)
    yield f"<p><b>{escaped(phrases.outcome(standings))}</b></p>"
    for name in standings.given_up:
        yield f"<p>{escaped(phrases.given_up(name))}</p>"
    for tie in standings.tie_breaks:
        yield f"<p>{escaped(phrases.tie_break(tie))}</p>"
    yield "<ul>"
    for player in standings.players:
        facts = {"player": player.name, "vp": sum(vp.vp for vp in player.private or ())}
        if standings.private_counted and player.private:
            sentence = say("{player} scores {vp} VP for private contracts.", **facts)
            yield f"<li>{escaped(sentence)}</li>"
    yield "</ul>"


def _reckoning(standings: Standings) -> Iterable[str]:
    yield f"<h2>{say('Where the VP came from')}</h2>"
    yield from reckoning(standings)
    yield '<div class="words">'
    for player in standings.players:
        if player.private:
            heading = say("Private contracts of {player}", player=player.name)
            yield f"<section><h3>{escaped(heading)}</h3><ul>"
            for contract in player.private:
                yield private_contract(contract)
            yield "</ul></section>"
    yield "</div>"


def _chart(shown: Film, analysis: Analysis | None) -> list[str]:
    scores = shown.scores
    picture = chart(shown.players, scores, len(shown.frames) - 1)
    across = axis(len(scores))
    summary = say("The scores after each round")
    if analysis is None:
        return figure(picture, across, TOP, BOTTOM, summary, _scores(shown))
    from porto_cli.players.analysis_html import chances

    wins = chances(analysis, len(scores))
    return figure(
        with_chances(picture, shown.players, wins),
        across,
        TOP,
        CHANCES_BOTTOM,
        say("The scores and the chances to win after each round"),
        _scores(shown, wins),
    )


def _scores(shown: Film, wins: Sequence[Sequence[float]] = ()) -> list[str]:
    """Return the numbers of the chart as a table."""
    names = [*shown.players]
    if wins:
        names += [str(say("{player} to win", player=name)) for name in shown.players]
    heads = "".join(f'<th scope="col" class="n">{escaped(name)}</th>' for name in names)
    seats = len(shown.players)
    scores: list[tuple[object, ...]] = [*shown.scores]
    if wins:
        chances = ([f"{win:.0%}" for win in row] for row in wins)
        scores = [(*row, *more) for row, more in zip(scores, chances, strict=True)]
    rows = [
        (str(number // seats), scores[number]) for number in range(seats, len(shown.frames), seats)
    ]
    if shown.over:
        rows.append(("the end", scores[-1]))
    return [
        '<div class="wide"><table>',
        f'<tr><th scope="col">round</th>{heads}</tr>',
        *(
            f'<tr><th scope="row">{number}</th>'
            + "".join(f'<td class="n">{vp}</td>' for vp in row)
            + "</tr>"
            for number, row in rows
        ),
        "</table></div>",
    ]
