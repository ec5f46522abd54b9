"""The command that plays many games and reports the results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from porto_cli.cli import complete
from porto_cli.cli.batch import interruptible, processes_for, progress, workers
from porto_cli.cli.common import open_game, refuse_idle_looks, viewer_of
from porto_cli.cli.output import Color, Colors, show_lines
from porto_cli.cli.parser import (
    GameOption,
    OptionsOf,
    Seed,
    Workers,
    is_typed,
    typed_options,
    with_options,
)
from porto_cli.commands import commands_of
from porto_cli.core.chance import new_seed
from porto_cli.core.message import INTERRUPTED, Sentence, refuse, say, usage
from porto_cli.core.value import NamedTuple
from porto_cli.game import DEFAULT, GAMES, game_of
from porto_cli.match.replay import Replay
from porto_cli.players import Player
from porto_cli.players.named import player_named
from porto_cli.simulate.simulation import Result, Simulation, Start, simulation_of
from porto_cli.simulate.simulation import simulate as play_games
from porto_cli.term.screen import Screen
from porto_cli.term.spans import Line
from porto_cli.term.tell import remark
from porto_cli.ui import ui_of


class Results(StrEnum):
    """How the results are printed."""

    table = "table"
    csv = "csv"
    jsonl = "jsonl"


def function_of(name: str, games: Sequence[str]) -> Callable[..., None]:
    """Return the function of the command, with the options of these games."""
    return with_options(simulate, {game: commands_of(game).new for game in games}, behind="output")


def simulate(
    ctx: typer.Context,
    strategies: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STRATEGY…",
            help="How each seat plays: 'random', 'greedy', 'level-1' to 'level-5', or '1' to '5', "
            "in Puerto Rico also 'priced' and 'search'; 'level-5:100' "
            "runs 100 playouts before each move; 'mine.py:choose' runs the function 'choose' of "
            "your file mine.py. With --from one is enough for all seats.",
            show_default=False,
            autocompletion=complete.strategies,
        ),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", min=1, help="How many games.")
    ] = 1000,
    record: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Continue the game of this record; '-' is standard input.",
            show_default=False,
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="NAME",
            help="With --from: the player whose secrets are known.",
            show_default=False,
        ),
    ] = None,
    rotate: Annotated[
        bool,
        typer.Option(
            "--rotate",
            help="Play each deal once with every player in every seat: N deals, results by player.",
        ),
    ] = False,
    seed: Seed = None,
    workers: Workers = None,
    game: GameOption = None,
    output: Annotated[
        Results,
        typer.Option("--format", help="A table of all games, or a row or line for each of them."),
    ] = Results.table,
    color: Color = Colors.auto,
    *,
    of_games: OptionsOf,
    **given: Any,
) -> None:
    """Play many games at once and report who won, how, and where the VP came from.

    'random' makes any legal move, 'greedy' the one that scores most at once. 'level-1' to 'level-5'
    play better and better; the best ones are slow. A running game is continued from what a
    bystander knows: face-down components come up in random order, and what players hide is dealt
    again at random, except for what the player of --as knows.
    """
    game_id = game or DEFAULT
    typed = typed_options(ctx, game_id, of_games)
    names = [option.name for options in of_games.values() for option in options]
    if record is not None and (game or is_typed(*names)):
        usage(say("With --from the record says which game it is; leave out its options."))
    refuse_idle_looks(output, color)
    words = strategies or []
    if record is None:
        if player is not None:
            usage(say("--as is for running games: name the record with --from."))
        simulation = simulation_of(game_id)
        named = [player_named(word, game_id) for word in words]
        start = _new_game(game_id, [one.name for one in named], typed)
    else:
        if rotate:
            usage(say("--rotate is for new games: in a running one everybody has a seat."))
        replay = open_game(record)
        simulation = simulation_of(replay.game.meta.id)
        named = [player_named(word, replay.game.meta.id) for word in words]
        start = _running_game(replay, player, simulation)
        seats = len(start.config.players)
        named = named * seats if len(named) == 1 else named
        if len(named) != seats:
            usage(
                say(
                    "Name one strategy for all, or one for each of the {count} players: {players}.",
                    count=seats,
                    players=", ".join(start.config.players),
                )
            )
    seed = seed or new_seed()
    of_a_deal = len(named) if rotate else 1
    games *= of_a_deal
    processes = processes_for(workers, games)
    about = _About(start, [one.name for one in named], simulation, of_a_deal, seed)
    with closing(_results(about, [one.player for one in named], games, processes)) as results:
        done = _REPORTS[output](results, about, color)
    if done < games:
        remark(say("Stopped after {done} of {games} games.", done=f"{done:,}", games=f"{games:,}"))
        raise typer.Exit(INTERRUPTED)


def _new_game(game_id: str, chosen: list[str], typed: dict[str, Any]) -> Start:
    meta = GAMES[game_id]
    if len(chosen) not in meta.players:
        usage(
            say(
                "Name the strategies of {least} to {most} players, like: porto simulate greedy "
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


class _About(NamedTuple):
    """The games that are played.

    ``of_a_deal`` is how many are played with each deal: more than one if the seats rotate.
    """

    start: Start
    strategies: list[str]
    simulation: Simulation
    of_a_deal: int
    seed: str


def _results(
    about: _About, players: list[Player], games: int, processes: int
) -> Generator[Result, None, None]:
    """Play the games, until Ctrl-C."""
    rotate, deals = about.of_a_deal > 1, games // about.of_a_deal
    lost = say(
        "A worker process ended before its games did: it was killed, perhaps because memory ran "
        "out, or the code of a player ended it. Fewer processes (--workers) take less memory."
    )
    with (
        suppress(KeyboardInterrupt),
        workers(processes, lost=lost) as executor,
        progress(games) as step,
    ):
        results = play_games(
            about.start, players, deals, seed=about.seed, executor=executor, rotate=rotate
        )
        with closing(results), interruptible(results) as found:
            for done, result in enumerate(found, start=1):
                yield result
                step(done)


def _table(results: Iterable[Result], about: _About, color: Colors) -> int:
    """Print a summary of all games. Return how many they are."""
    from porto_cli.simulate.report import tally_text
    from porto_cli.simulate.simulation import Tally

    names = about.start.config.players
    tally = Tally(len(names), about.of_a_deal)
    done = 0
    for result in results:
        tally.add(result)
        done += 1

    def draw(screen: Screen) -> list[Line]:
        running = about.start.state is not None
        return tally_text(tally, names, about.simulation, screen.width - 1, running=running)

    show_lines(draw, [str(_seed(about))], color)
    return done


def _csv(results: Iterable[Result], about: _About, color: Colors) -> int:
    """Print a row for each player of each game. Return how many games they are."""
    from csv import writer

    from porto_cli.simulate.report import csv_heads, csv_rows

    rows = writer(sys.stdout, lineterminator="\n")
    rows.writerow(csv_heads(about.simulation))
    done = 0
    for result in results:
        names = about.start.config.players
        rows.writerows(csv_rows(result, names, about.strategies, about.simulation))
        done += 1
    remark(_seed(about))
    return done


def _json_lines(results: Iterable[Result], about: _About, color: Colors) -> int:
    """Print a line for each game. Return how many they are."""
    from json import dumps

    from porto_cli.simulate.report import json_of

    done = 0
    for result in results:
        names = about.start.config.players
        line = json_of(result, names, about.strategies, about.simulation)
        print(dumps(line, ensure_ascii=False))
        done += 1
    remark(_seed(about))
    return done


def _seed(about: _About) -> Sentence:
    return say("Seed: {seed}", seed=about.seed)


_REPORTS = {Results.table: _table, Results.csv: _csv, Results.jsonl: _json_lines}
