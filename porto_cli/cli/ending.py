"""How every command ends that changes a game: the record is written, then it is said what was done,
who has to know of it, and what comes next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.cli.common import report_stream, save, what_next
from porto_cli.cli.parameters import Format
from porto_cli.game import UNDO
from porto_cli.match.match import Match
from porto_cli.term.tell import tell

if TYPE_CHECKING:
    from porto_cli.players.bots import BotTurn


class Manner(NamedTuple):
    """How a game is changed, and how that is reported."""

    dry_run: bool = False
    quiet: bool = False
    output: Format = Format.text
    words: str | None = None
    """What the player says to the others."""


def end(
    match: Match,
    manner: Manner,
    lines: Iterable[str],
    fields: Callable[[], Mapping[str, object]] = dict,
    *,
    turns: Sequence[BotTurn] = (),
    first: int = 0,
    mail: Sequence[str] = (),
) -> None:
    """Write the record first, so that no failure to print can lose a move; then report.

    ``lines`` say what was done, and ``fields`` for a document. ``turns`` are what bots and orders
    have done: the ``first`` of them before that, the others after it. ``mail`` says how the others
    get to know of it.
    """
    if not manner.dry_run:
        save(match)
    if manner.quiet:
        return
    stream = report_stream(match.path)
    if manner.output is Format.json:
        from porto_cli.cli.output import write_json

        found = dict(fields())
        if match.goes_on_by_itself:
            from porto_cli.cli.bot_turns import by_itself_json

            found |= by_itself_json(match, turns)
        write_json(found, stream=stream)
        return
    if turns:
        from porto_cli.cli.bot_turns import bot_sentences

        later = [turn for turn in turns[first:] if turn.moves != (UNDO,)]
        lines = [*bot_sentences(match, turns[:first]), *lines, *bot_sentences(match, later)]
    tell(*lines, stream=stream)
    if manner.dry_run:
        tell("Nothing was written: this was a dry run.", stream=stream)
        return
    if match.over and stream.isatty():
        from porto_cli.cli.output import show_result
        from porto_cli.pages import score

        show_result(score(match.replay, None), stream)
    tell(*what_next(match), *mail, f"Fingerprint: {match.fingerprint}", stream=stream)
