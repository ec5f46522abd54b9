"""``porto simulate`` plays many games and reports the results."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from concurrent.futures import Executor
from contextlib import closing, nullcontext
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

import typer

from porto_cli.cli import GameOption, Seed, Within, Workers, arg, opt, typed_options
from porto_cli.cli.batch import processes_for, worked_out
from porto_cli.cli.common import open_match
from porto_cli.cli.completion import Word, beginning
from porto_cli.cli.output import Color, Colors, Display, display_of, write_report
from porto_cli.core import INTERRUPTED, cited, refuse, usage
from porto_cli.core.chance import new_seed
from porto_cli.core.characters import printable
from porto_cli.core.files import STANDARD, expanded
from porto_cli.core.values import dumps
from porto_cli.games import DEFAULT, GAMES, game_of
from porto_cli.match.replay import Replay
from porto_cli.players.named import NamedPlayer, player_named, players_of
from porto_cli.simulate import GameResult, Seating, Start, Tally, simulation_of
from porto_cli.simulate import simulate as play_games
from porto_cli.simulate.report import (
    Saved,
    Study,
    appended,
    csv_heads,
    csv_rows,
    read_saved,
    simulation_rows,
)
from porto_cli.term import remark
from porto_cli.user import whose_eyes

Results = StrEnum("Results", "table csv json jsonl")
"""How the results are printed."""


def _offer_strategies(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the computer players of the game."""
    game = str(ctx.params.get("game") or DEFAULT).lower()
    return beginning(incomplete, players_of(game) if game in GAMES else ())


def simulate(
    ctx: typer.Context,
    strategies: list[str] | None = arg(
        None,
        "STRATEGY…",
        "How each seat plays: 'random', 'greedy', 'level-1' to 'level-5', or '1' to '5', "
        "in Puerto Rico also 'priced'; 'level-5:100' "
        "runs 100 playouts before each move; 'mine.py:choose' runs the function 'choose' of "
        "your file mine.py. With --seats there can be more of them than seats; with --from one "
        "is enough for all.",
        autocompletion=_offer_strategies,
    ),
    games: int = opt(1000, "--games -n N", "How many games.", limits=Within(1)),
    record: Path | None = opt(
        None, "--from FILE", "Continue the game of this record; '-' is standard input."
    ),
    player: str | None = opt(None, "--as NAME", "With --from: the player whose secrets are known."),
    rotate: bool = opt(
        False,
        "--rotate",
        "Play each deal once with every player in every seat: N deals, results by player.",
    ),
    seats: int | None = opt(
        None,
        "N",
        "Round robin at tables for N: every N of the strategies play each deal from every seat.",
        limits=Within(1),
    ),
    seed: Seed = None,
    save: Path | None = opt(
        None, "FILE", "Write each game into this file when it ends, and resume from it."
    ),
    workers: Workers = None,
    game: GameOption = None,
    output: Results = opt(
        Results.table,
        "--format",
        "All games as tables or as a document, or a row or line for each of them.",
    ),
    color: Color = Colors.auto,
) -> None:
    """Play many games at once and report who won, how, and where the VP came from.

    'random' makes any legal move, 'greedy' the one that scores most at once. 'level-1' to 'level-5'
    play better and better; the best ones are slow. A running game is continued from what a
    bystander knows: face-down components come up in random order, and what players hide is dealt
    again at random, except for what the player of --as knows.

    With --seats 2, any number of strategies play against each other, every two of them from both
    seats of each deal. With --save, the same command resumes what was stopped; strategies and games
    can be added.

    Examples:
      porto simulate greedy random --games 20
      porto simulate greedy level-2 level-3 --seats 2 --games 10
    """
    look, rotate = display_of(output, color), rotate or seats is not None
    typed, position = typed_options(ctx, game or DEFAULT), None
    if str(save) == STANDARD:
        usage("--save needs a file that can be read again; '-' cannot.")
    if record is None:
        if player is not None:
            usage("--as is for running games: name the record with --from.")
        start, named, players = _new_game(game or DEFAULT, strategies or [], seats, typed)
    else:
        if game or typed or rotate:
            usage(
                "With --from the record says which game it is, and everybody has a seat; leave out "
                "the options of new games."
            )
        replay = open_match(record)
        start, named, players = _running_game(replay, strategies or [], player)
        position = replay.digest
    game_id = start.game_id
    save = None if save is None else expanded(save)
    saved = None if save is None else read_saved(save)
    seed = seed or (saved.about["seed"] if saved else new_seed())
    if printable(seed) != seed:
        usage(f"--seed takes printable text, but got {cited(seed)}.")
    played = {
        "game": game_id,
        "rules": GAMES[game_id].rules_version,
        "bots_version": GAMES[game_id].bots_version,
        "options": list(game_of(game_id).config_lines(start.config)),
        "seats": len(start.config.players),
        "rotate": rotate,
        "seed": seed,
        "position": position,
        "as": None if start.known is None else players[start.known],
    }
    if saved:
        _demand_the_same(saved, played, save)
        if saved.torn:
            remark(f"The last line of {save} was cut off; it is ignored.")
    study = Study(start, named, players, games, played)
    processes = processes_for(workers, study.games)
    with closing(_results(study, processes, save, saved)) as results:
        if output in (Results.csv, Results.jsonl):
            done = _write_games(results, study, output)
        else:
            done = _write(results, study, look)
    if done < study.games:
        kept = "" if save is None else f", which are in {save}; the same command resumes"
        remark(f"Stopped after {done:,} of {study.games:,} games{kept}.")
        raise typer.Exit(INTERRUPTED)


_Table = tuple[Start, list[NamedPlayer], tuple[str, ...]]
"""The start of games, the strategies, and the names of the players who follow them."""


def _new_game(game_id: str, words: list[str], seats: int | None, typed: dict[str, Any]) -> _Table:
    """Return the start of new games: for a number of seats, or one for each strategy."""
    named = [player_named(word, game_id) for word in words]
    players = tuple(f"{one.name} {number}" for number, one in enumerate(named, start=1))
    meta = GAMES[game_id]
    least, most = meta.players.start, meta.players.stop - 1
    if seats is None and len(players) not in meta.players:
        counts = f"Name {least} to {most} strategies, or more with --seats"
        usage(f"{counts}, like: porto simulate greedy random")
    if seats is not None and seats not in meta.players:
        usage(f"A game of {meta.title} has {least} to {most} seats.")
    if len(players) < (seats or 0):
        usage(f"A table for {seats} needs at least {seats} strategies; one may be repeated.")
    names = players[:seats]
    options = game_of(game_id).setting_up.new_options(typed, names)
    try:
        config = game_of(game_id).new_config(names, **options)
    except ValueError as error:
        usage(f"{error}")
    return Start(game_id, config), named, players


def _running_game(replay: Replay, words: list[str], player: str | None) -> _Table:
    """Return a running game as a start, as the --as player knows it; one strategy is for all."""
    game_id, players = replay.game.meta.id, replay.config.players
    named = [player_named(word, game_id) for word in words]
    if simulation_of(game_id).is_played_out(replay.state):
        refuse("All turns of this game have been played.")
    named = named * len(players) if len(named) == 1 else named
    if len(named) != len(players):
        usage(f"Name one strategy for all players, or one for each of {', '.join(players)}.")
    viewer = whose_eyes(replay, player)
    return Start(game_id, replay.config, replay.known_to(viewer).state, viewer), named, players


def _demand_the_same(saved: Saved, played: dict[str, Any], file: Path | None) -> None:
    """Refuse to resume a simulation that differs from the file's (exit code 2)."""
    found = [
        f"{key}: {dumps(saved.about.get(key))} in the file, {dumps(fact)} here."
        for key, fact in played.items()
        if saved.about.get(key) != fact
    ]
    if found:
        usage(
            f"{file} has another simulation, so nothing was played:",
            *found,
            "Name another file, or play the same. Strategies and games can be added.",
        )


def _results(
    study: Study, processes: int, save: Path | None, saved: Saved | None
) -> Generator[GameResult, None, None]:
    """Play the games until Ctrl-C; games that are in the file are taken from there."""
    ready = saved.games if saved else {}

    def known(table: Seating) -> GameResult | None:
        found = ready.get(study.key(table))
        return found and found._replace(number=table.number, players=table.players)

    def play(executor: Executor | None) -> Generator[GameResult, None, None]:
        return play_games(
            study.start,
            [one.player for one in study.strategies],
            study.deals,
            seed=study.played["seed"],
            executor=executor,
            rotate=study.played["rotate"],
            known=known,
        )

    with nullcontext() if save is None else appended(save, saved, study.played) as add:
        for result in worked_out(study.games, processes, play):
            if add and study.key(result) not in ready:
                add(study.line(result))
            yield result


def _write(results: Iterable[GameResult], study: Study, look: Display) -> int:
    """Write the report of all games, and return their number."""
    seed = study.played["seed"]
    tally = Tally(len(study.players), results, seed=seed)
    report = study.report(tally)
    rows = partial(simulation_rows, report, simulation=study.simulation)
    write_report(look, lambda: report, rows, last=lambda: [f"Seed: {seed}"])
    return tally.games + tally.given_up


def _write_games(results: Iterable[GameResult], study: Study, output: Results) -> int:
    """Write each game as soon as it is over: a line of JSON, or a row of CSV for each player.

    Returns their number.
    """
    from csv import writer

    table = writer(sys.stdout, lineterminator="\n")
    if output is Results.csv:
        table.writerow(csv_heads(study.simulation))
    done = 0
    for result in results:
        game = study.line(result)
        if output is Results.csv:
            table.writerows(csv_rows(game, study.simulation))
        else:
            print(dumps(game))
        done += 1
    remark(f"Seed: {study.played['seed']}")
    return done
