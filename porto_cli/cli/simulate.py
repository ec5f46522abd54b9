"""The command that plays many games and tells what came out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from enum import StrEnum
from inspect import Signature
from pathlib import Path
from typing import Annotated, Any

import typer

from porto_cli.cli import complete
from porto_cli.cli.batch import Seed, Workers, interruptible, processes_for, progress, workers
from porto_cli.cli.common import is_given, open_game, refuse_idle_looks, viewer_of
from porto_cli.cli.game import GameOption
from porto_cli.cli.game_options import options, parameter, typed_options
from porto_cli.cli.output import Color, Colors, show_lines
from porto_cli.commands import commands_of
from porto_cli.core.chance import new_seed
from porto_cli.core.command_errors import refuse, usage
from porto_cli.core.errors import INTERRUPTED
from porto_cli.core.message import say
from porto_cli.game import DEFAULT, GAMES, game_of
from porto_cli.match.replay import Replay
from porto_cli.players import Player
from porto_cli.players.named import player_named
from porto_cli.simulate.loop import Result, Start
from porto_cli.simulate.loop import simulate as play_games
from porto_cli.simulate.simulation import Simulation, simulation_of
from porto_cli.term.screen import Screen
from porto_cli.term.spans import Line
from porto_cli.term.tell import remark
from porto_cli.ui import ui_of


class Results(StrEnum):
    """How the results are printed."""

    table = "table"
    csv = "csv"
    jsonl = "jsonl"


_HELP = """Play many games at once and tell who won, how, and where the VP came from.

'random' makes any legal move, 'greedy' the one that scores most at once. In Porto 'level-1' to
'level-5' play better and better, the last one at about three moves a second; in Puerto Rico
'priced' and 'search' play better than 'greedy'. A game that runs is played on as a stranger at the
table could imagine it: what comes up is drawn from what is face down, and what players hide is
dealt anew, but for what --as knows.
"""
_Strategies = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="STRATEGY…",
        help="How each seat plays: 'random' or 'greedy', in Porto also 'level-1' to 'level-5', or "
        "'1' to '5', in Puerto Rico 'priced' and 'search'; 'level-5:100' plays on 100 times before "
        "each move; 'mine.py:choose' runs the function 'choose' of your file mine.py. With --from "
        "one will do for all.",
        show_default=False,
        autocompletion=complete.strategies,
    ),
]
_Games = Annotated[int, typer.Option("--games", "-n", metavar="N", min=1, help="How many games.")]
_From = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="FILE",
        help="Play on from where this record stands; '-' is standard input.",
        show_default=False,
    ),
]
_As = Annotated[
    str | None,
    typer.Option(
        "--as", metavar="NAME", help="With --from: whose secrets are known.", show_default=False
    ),
]
_Rotate = Annotated[
    bool,
    typer.Option(
        "--rotate",
        help="Play each deal once with every player in every seat: N deals, told by players.",
    ),
]
_Form = Annotated[
    Results,
    typer.Option("--format", help="A table of all games, or a row or line for each of them."),
]


def function_of(name: str, games: Sequence[str]) -> Callable[..., None]:
    """Return the function of the command, with the options of these games."""
    own = {game: commands_of(game).new for game in games}

    def simulate(ctx: typer.Context, game: str | None, **given: Any) -> None:
        typed = typed_options(ctx, game or DEFAULT, own)
        if given["record"] is not None and (game or any(is_given(ctx, one) for one in of_games)):
            usage(say("With --from the record says which game it is; leave out its options."))
        _simulate(game or DEFAULT, typed, **{one.name: given[one.name] for one in of_all})

    before = (
        parameter("strategies", _Strategies, None),
        parameter("games", _Games, 1000),
        parameter("record", _From, None),
        parameter("player", _As, None),
        parameter("rotate", _Rotate, False),
        parameter("seed", Seed, None),
        parameter("workers", Workers, None),
    )
    behind = (parameter("output", _Form, Results.table), parameter("color", Color, Colors.auto))
    of_all = (*before, *behind)
    of_games = [option.name for options_of_one in own.values() for option in options_of_one]
    simulate.__doc__ = _HELP
    simulate.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            parameter("ctx", typer.Context),
            *before,
            parameter("game", GameOption, None),
            behind[0],
            *options(own),
            behind[1],
        ]
    )
    return simulate


def _simulate(
    game_id: str,
    typed: dict[str, Any],
    *,
    strategies: list[str] | None,
    games: int,
    record: Path | None,
    player: str | None,
    rotate: bool,
    seed: str | None,
    workers: int | None,
    output: Results,
    color: Colors,
) -> None:
    refuse_idle_looks(output, color)
    words = strategies or []
    if record is None:
        if player is not None:
            usage(say("--as is for games that run: name the record with --from."))
        simulation = simulation_of(game_id)
        named = [player_named(word, game_id) for word in words]
        start = _new_game(game_id, [one.name for one in named], typed)
    else:
        if rotate:
            usage(say("--rotate is for new games: in one that runs everybody has a seat."))
        replay = open_game(record)
        simulation = simulation_of(replay.game.meta.id)
        named = [player_named(word, replay.game.meta.id) for word in words]
        start = _running_game(replay, player, simulation)
        seats = len(start.config.players)
        named = named * seats if len(named) == 1 else named
        if len(named) != seats:
            usage(
                say(
                    "Say how to play once for all, or once for each of the {count} players: "
                    "{players}.",
                    count=seats,
                    players=", ".join(start.config.players),
                )
            )
    players = [one.player for one in named]
    seed = seed or new_seed()
    of_a_deal = len(players) if rotate else 1
    report = _REPORTS[output](start, [one.name for one in named], simulation, of_a_deal)
    games *= of_a_deal
    done = _play(start, players, games, seed, processes_for(workers, games), report)
    report.end(seed, color)
    if done < games:
        remark(say("Stopped after {done} of {games} games.", done=f"{done:,}", games=f"{games:,}"))
        raise typer.Exit(INTERRUPTED)


def _new_game(game_id: str, chosen: list[str], typed: dict[str, Any]) -> Start:
    meta = GAMES[game_id]
    if len(chosen) not in meta.players:
        usage(
            say(
                "Say how each of {least} to {most} players plays, like: porto simulate greedy "
                "random.",
                least=meta.players.start,
                most=meta.players.stop - 1,
            )
        )
    names = tuple(f"{word} {seat}" for seat, word in enumerate(chosen, start=1))
    options = ui_of(game_id).new_options(typed, names)
    try:
        config = game_of(game_id).new_config(names, **options)
    except ValueError as error:
        usage(say("{error}", error=error))
    return Start(game_id, config)


def _running_game(replay: Replay, player: str | None, simulation: Simulation) -> Start:
    if simulation.is_played_out(replay.state):
        refuse(say("All turns of this game have been played."))
    known = viewer_of(replay, player)
    return Start(replay.game.meta.id, replay.record.config, replay.state, known)


def _play(
    start: Start, players: list[Player], games: int, seed: str, processes: int, report: _Report
) -> int:
    """Play and report the games; return how many were played before somebody said stop."""
    done = 0
    rotate = report.of_a_deal > 1
    deals = games // report.of_a_deal
    with suppress(KeyboardInterrupt), workers(processes) as executor, progress(games) as step:
        results = play_games(start, players, deals, seed=seed, executor=executor, rotate=rotate)
        with closing(results), interruptible(results) as found:
            for result in found:
                report.add(result)
                done += 1
                step(done)
    return done


class _Report:
    """Takes the results one by one, and has the last word."""

    def __init__(
        self, start: Start, strategies: list[str], simulation: Simulation, of_a_deal: int
    ) -> None:
        self.of_a_deal = of_a_deal
        """Games that are played with each deal: more than one if the seats rotate."""
        self.start = start
        self.names: tuple[str, ...] = start.config.players
        self.strategies = strategies
        self.simulation = simulation

    def add(self, result: Result) -> None:
        """Take one more result."""
        raise NotImplementedError

    def end(self, seed: str, color: Colors) -> None:
        """Say what is to be said after the last result."""
        remark(say("Seed: {seed}", seed=seed))


class _Table(_Report):
    """A summary of all games."""

    def __init__(
        self, start: Start, strategies: list[str], simulation: Simulation, of_a_deal: int
    ) -> None:
        from porto_cli.simulate.tally import Tally

        super().__init__(start, strategies, simulation, of_a_deal)
        self.tally = Tally(len(self.names), of_a_deal)

    def add(self, result: Result) -> None:
        self.tally.add(result)

    def end(self, seed: str, color: Colors) -> None:
        from porto_cli.simulate.report import tally_text

        def draw(screen: Screen) -> list[Line]:
            running = self.start.state is not None
            return tally_text(
                self.tally, self.names, self.simulation, screen.width - 1, running=running
            )

        show_lines(draw, [str(say("Seed: {seed}", seed=seed))], color)


class _Csv(_Report):
    """A row for each player of each game."""

    def __init__(
        self, start: Start, strategies: list[str], simulation: Simulation, of_a_deal: int
    ) -> None:
        from csv import writer

        from porto_cli.simulate.report import csv_heads, csv_rows

        super().__init__(start, strategies, simulation, of_a_deal)
        self.rows = csv_rows
        self.writer = writer(sys.stdout, lineterminator="\n")
        self.writer.writerow(csv_heads(simulation))

    def add(self, result: Result) -> None:
        self.writer.writerows(self.rows(result, self.names, self.strategies, self.simulation))


class _JsonLines(_Report):
    """A line for each game."""

    def add(self, result: Result) -> None:
        from json import dumps

        from porto_cli.simulate.report import json_of

        line = json_of(result, self.names, self.strategies, self.simulation)
        print(dumps(line, ensure_ascii=False))


_REPORTS = {Results.table: _Table, Results.csv: _Csv, Results.jsonl: _JsonLines}
