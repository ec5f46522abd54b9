"""The command that tries moves in memory and says what they would bring: ``porto try``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

import typer

from porto_cli.cli.common import only_player, open_match, viewer_of
from porto_cli.cli.output import Color, Colors, LogFormat, Output, Plain, display_of, write_report
from porto_cli.cli.parameters import (
    AsPlayer,
    RecordFile,
    Word,
    arg,
    beginning,
    opt,
    read_here,
    seat_here,
)
from porto_cli.core.documents import document
from porto_cli.core.message import (
    InvalidMoveError,
    PortoError,
    option,
    quoted,
    refuse,
    shown,
    usage,
)
from porto_cli.match.copies import Trial, Tried
from porto_cli.match.items import IllegalMoveError
from porto_cli.match.replay import path_of
from porto_cli.paper import BOLD, Gap, Node, Paragraph

_SHOWN = 3
"""Moves that are proposed, of those that are possible."""
_INDENT = 3

Scores = tuple[int | None, ...]
"""The VP of each seat; ``None`` where they are unknown."""
Result = tuple[Tried, Scores]
"""A move that was tried, and the VP after it."""


def _offer_moves(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the next word of a move that is possible after those that were typed before it."""
    match, named = read_here(ctx), ctx.params.get("player")
    if match is None:
        return []
    own = match.people[0] if len(match.people) == 1 else seat_here(match)
    try:
        trial = Trial(match, match.seat(named) if named else own)
        for typed in ctx.params.get("moves") or ():
            seat, text = trial.whose(typed)
            trial.play(text, seat)
    except (PortoError, LookupError):
        return []
    return beginning(incomplete, trial.words(incomplete))


def try_(
    file: RecordFile,
    moves: list[str] = arg(
        ...,
        "MOVE…",
        "A move in quotes, in the words of the record; that of another player with the "
        'name in front, like "Bob: draw blue-3".',
        autocompletion=_offer_moves,
    ),
    player: AsPlayer = None,
    output: LogFormat = opt(LogFormat.text, "--format", "Text, JSON for programs, or a page."),
    plain: Plain = False,
    color: Color = Colors.auto,
    to: Output = None,
) -> None:
    """Try moves without making them, and say what they would bring.

    Your moves and those of others are tried one after the other, in memory; nothing is written.
    What would come up stays unknown, as does what others hide: only what happens in any case is
    shown, and a move that depends on the unknown is refused.

    Examples:
      porto try friday.yaml "draw purple-1" "Joana: draw purple-2" "draw yellow-1"
    """
    look = display_of(output, color, plain=plain, to=to)
    match = open_match(file)
    looker = viewer_of(match, only_player(match) if player is None else player)
    trial = Trial(match, looker)
    now = _scores(trial)
    results: list[Result] = []
    for typed in moves:
        which = f"Move {len(results) + 1}, {shown(typed)}, cannot be tried."
        try:
            seat, text = trial.whose(typed)
            results.append((trial.play(text, seat), _scores(trial)))
        except InvalidMoveError as error:
            usage(which, *error.sentences, suggestions=_as_one_move(trial, moves))
        except PortoError as error:
            said = error.violations if isinstance(error, IllegalMoveError) else error.sentences
            before = [quoted(trial.typed(one.seat, one.move)) for one, _ in results]
            first = " ".join(["porto try", path_of(match), *before])
            last = "" if player is None else f" {option('--as', player)}"
            near = [f"{first} {quoted(one)}{last}" for one in _few(trial)]
            refuse(which, *said, suggestions=near)
    found = (trial, now, results)
    write_report(look, partial(_json, *found), partial(_nodes, *found), title="What if")


def _as_one_move(trial: Trial, words: Sequence[str]) -> list[str]:
    """Return the command in which all words are one move, if they can be, and have no quotes."""
    text = " ".join(words)
    try:
        trial.game.parse_move(text, trial.tables[0], 0)
    except InvalidMoveError:
        return []
    is_split = len(words) > 1 and not any(" " in word for word in words)
    return [f"porto try {path_of(trial.replay)} {quoted(text)}"] if is_split else []


def _scores(trial: Trial) -> Scores:
    """Return the VP that are certain."""
    replay = trial.replay
    found = (replay.game.glance(table, trial.seat).scores for table in trial.tables)
    return tuple(vp[0] if len(set(vp)) == 1 else None for vp in zip(*found, strict=True))


def _few(trial: Trial) -> list[str]:
    """Return a few moves that are possible in any case."""
    return list(islice(trial.possible(), _SHOWN))


# -- What is shown.


def _nodes(trial: Trial, now: Scores, results: Sequence[Result]) -> Iterator[Node]:
    """Return the moves with what they bring, the VP where they change, and what comes next."""
    config, last = trial.replay.config, now
    for nth, (tried, vp) in enumerate(results, start=1):
        text = f"{trial.replay.holders[tried.seat]}: {tried.move}"
        yield Paragraph([text], BOLD, first=[(f"{nth}  ", BOLD)], indent=_INDENT)
        brings = trial.game.events_text(tried.events, config)
        if tried.unknown:
            things = ", ".join(f"{stream} ({count})" for stream, count in tried.unknown.items())
            brings.append(f"What comes up is unknown: {things}.")
        if tried.depends:
            brings.append("What else happens depends on what is unknown.")
        if vp != last:
            pairs = zip(config.players, vp, strict=True)
            known = (f"{player} {'?' if one is None else one}" for player, one in pairs)
            brings.append(f"VP: {', '.join(known)}.")
        yield Paragraph(brings, first=[" " * _INDENT], indent=_INDENT)
        last = vp
    yield Gap()
    yield Paragraph([_what_next(trial)])


def _what_next(trial: Trial) -> str:
    """Say who would be to move, with a few moves that are possible in any case."""
    waiting = trial.to_move()
    if waiting is None:
        return "Who would be to move then depends on what is unknown."
    if not waiting:
        return "The game would be over then."
    moves = "; ".join(map(quoted, _few(trial)))
    then = f"Then {trial.replay.holders[waiting[0]]} would be to move"
    if not moves:
        return f"{then}; what is possible depends on what is unknown."
    return f"{then}, for example: {moves}"


def _json(trial: Trial, now: Scores, results: Sequence[Result]) -> dict[str, object]:
    """Return what was tried as a document."""
    config, waiting = trial.replay.config, trial.to_move()
    players = config.players
    return document(
        game=trial.game.meta.id,
        player=None if trial.seat is None else players[trial.seat],
        vp=dict(zip(players, now, strict=True)),
        moves=[
            {
                "player": players[tried.seat],
                "move": tried.move,
                "events": trial.game.events_json(tried.events, config),
                "unknown": tried.unknown,
                "depends": tried.depends,
                "vp": dict(zip(players, vp, strict=True)),
            }
            for tried, vp in results
        ],
        to_move=None if waiting is None else [players[seat] for seat in waiting],
        possible=_few(trial),
    )
