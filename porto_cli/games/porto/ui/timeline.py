"""A whole game as a seat may see it: the table after every turn, and what happened between."""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.games.porto.history import Turn, story
from porto_cli.games.porto.table import Table, table, table_of
from porto_cli.games.porto.ui.scoring import Standings, standings
from porto_cli.match.replay import Replay


class Frame(NamedTuple):
    """The table after a turn, and what the record holds since the frame before.

    ``turns`` has the turn itself, and around it the private contracts kept and whatever was
    taken back; it is empty for the table as it was set up.
    """

    table: Table
    turns: tuple[Turn, ...]

    @property
    def turn(self) -> Turn | None:
        """The turn that stands and led to this table; ``None`` for the setup and the end."""
        for turn in self.turns:
            if turn.number is not None and not turn.undone:
                return turn
        return None


class Film(NamedTuple):
    """The frames of a game from the setup on; ``over`` is the last one with what it reveals."""

    title: str
    players: tuple[str, ...]
    frames: tuple[Frame, ...]
    over: Frame | None
    """After the end: the private contracts are scored."""
    standings: Standings

    @property
    def scores(self) -> tuple[tuple[int, ...], ...]:
        """The score of each player in each frame, that of the end included."""
        tables = [frame.table for frame in (*self.frames, *([self.over] if self.over else []))]
        return tuple(tuple(player.score for player in table.players) for table in tables)


def film(replay: Replay, seat: int | None = None) -> Film:
    """Return a game as a seat, or (``None``) a bystander, may see it.

    What is seen of an earlier table is what the seat could see then.
    """
    between: list[list[Turn]] = [[]]
    for turn in story(replay):
        between[-1].append(turn)
        if turn.number is not None and not turn.undone:
            between.append([])
    *played, rest = between
    now = table(replay, seat)
    tables = [*_tables(replay, seat, now.title)[: len(played)], now]
    told = [[], *played]
    result = standings(replay, seat)
    over = None
    if result.over:
        over = Frame(tables[-1], tuple(rest))
        tables[-1] = _unrevealed(tables[-1], tables[-2], played[-1][-1])
    else:
        told[-1] += rest
    return Film(
        title=replay.record.title,
        players=replay.record.config.players,
        frames=tuple(Frame(seen, tuple(turns)) for seen, turns in zip(tables, told, strict=True)),
        over=over,
        standings=result,
    )


def _tables(replay: Replay, seat: int | None, title: str) -> list[Table]:
    """Return the table of the setup, and those after each turn that stands."""
    tables = [table_of(replay.opening, seat, title=title)]
    for step in replay.turns():
        # A turn of the rules, or one that ended because its player was given up.
        if step.after.turn > step.before.turn and (step.moves or step.before.built):
            tables.append(table_of(step.after, seat, title=title, last=step))
    return tables


def _unrevealed(after: Table, before: Table, last: Turn) -> Table:
    """Return the table of the last turn as it is until the private contracts are turned up."""
    players = (
        new._replace(score=score, private=old.private)
        for new, old, score in zip(after.players, before.players, last.standing, strict=True)
    )
    return after._replace(players=tuple(players))
