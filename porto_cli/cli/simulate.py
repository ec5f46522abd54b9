"""The command that plays many games and reports the results."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from concurrent.futures import Executor
from contextlib import closing, nullcontext
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import typer

from porto_cli.cli.batch import processes_for, worked_out
from porto_cli.cli.common import open_match, viewer_of
from porto_cli.cli.output import Color, Colors, Display, display_of, write_report
from porto_cli.cli.parameters import (
    GameOption,
    Seed,
    Word,
    Workers,
    arg,
    beginning,
    opt,
    typed_options,
)
from porto_cli.core.chance import new_seed
from porto_cli.core.documents import document, dumps
from porto_cli.core.files import STANDARD, expanded
from porto_cli.core.message import INTERRUPTED, printable, refuse, shown, usage
from porto_cli.games import DEFAULT, GAMES, game_of
from porto_cli.match.replay import Replay
from porto_cli.players.named import NamedPlayer, player_named, players_of
from porto_cli.simulate import Simulation
from porto_cli.simulate.report import (
    Saved,
    appended,
    csv_heads,
    csv_rows,
    json_of,
    key_of,
    read_saved,
    simulation_rows,
    tally_json,
)
from porto_cli.simulate.simulation import GameResult, Seating, Start, Tally, games_of, simulation_of
from porto_cli.simulate.simulation import simulate as play_games
from porto_cli.term.tell import remark

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
    games: int = opt(1000, "--games -n N", "How many games.", min=1),
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
        min=1,
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
    game_id = game or DEFAULT
    typed = typed_options(ctx, game_id)
    if record is not None and (game or typed):
        usage("With --from the record says which game it is; leave out its options.")
    look = display_of(output, color)
    if str(save) == STANDARD:
        usage("--save needs a file that can be read again; '-' cannot.")
    words = strategies or []
    rotate = rotate or seats is not None
    position = None
    if record is None:
        if player is not None:
            usage("--as is for running games: name the record with --from.")
        named = [player_named(word, game_id) for word in words]
        players = tuple(f"{one.name} {number}" for number, one in enumerate(named, start=1))
        start = _new_game(game_id, players, seats, typed)
    else:
        if rotate:
            usage("--rotate and --seats are for new games: in a running one everybody has a seat.")
        replay = open_match(record)
        game_id, position = replay.game.meta.id, replay.digest
        named = [player_named(word, game_id) for word in words]
        start = _running_game(replay, player)
        players = start.config.players
        named = named * len(players) if len(named) == 1 else named
        if len(named) != len(players):
            usage(f"Name one strategy for all players, or one for each of {', '.join(players)}.")
    save = None if save is None else expanded(save)
    saved = None if save is None else read_saved(save)
    seed = seed or (saved.about["seed"] if saved else new_seed())
    if printable(seed) != seed:
        usage(f"--seed takes printable text, but got {shown(seed)}.")
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
    about = _About(start, named, players, games, played)
    processes = processes_for(workers, about.games)
    with closing(_results(about, processes, save, saved)) as results:
        if output in (Results.csv, Results.jsonl):
            done = _write_games(results, about, output)
        else:
            done = _write(results, about, look)
    if done < about.games:
        kept = "" if save is None else f", which are in {save}; the same command resumes"
        remark(f"Stopped after {done:,} of {about.games:,} games{kept}.")
        raise typer.Exit(INTERRUPTED)


def _new_game(
    game_id: str, players: tuple[str, ...], seats: int | None, typed: dict[str, Any]
) -> Start:
    """Return what new games start from: for so many seats, or one for each player."""
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
    return Start(game_id, config)


def _running_game(replay: Replay, player: str | None) -> Start:
    game_id = replay.game.meta.id
    if simulation_of(game_id).is_played_out(replay.state):
        refuse("All turns of this game have been played.")
    viewer = viewer_of(replay, player)
    return Start(game_id, replay.config, replay.known_to(viewer).state, viewer)


def _demand_the_same(saved: Saved, played: dict[str, Any], file: Path | None) -> None:
    """Refuse to resume another simulation than that of the file (exit code 2)."""

    def said(value: object) -> str:
        return " ".join(map(str, value)) if isinstance(value, list) else str(value)

    found = [
        f"{key}: {said(saved.about.get(key))} in the file, {said(fact)} here."
        for key, fact in played.items()
        if saved.about.get(key) != fact
    ]
    if found:
        usage(
            f"{file} has another simulation, so nothing was played:",
            *found,
            "Name another file, or play the same. Strategies and games can be added.",
        )


class _About(NamedTuple):
    """What is played, and by whom."""

    start: Start
    strategies: list[NamedPlayer]
    players: tuple[str, ...]
    """The names of the players."""
    deals: int
    played: dict[str, Any]
    """What the games follow from beside the strategies."""

    @property
    def games(self) -> int:
        seats, rotate = self.played["seats"], self.played["rotate"]
        return games_of(len(self.strategies), seats, self.deals, rotate=rotate)

    @property
    def simulation(self) -> Simulation:
        return simulation_of(self.start.game_id)

    def line(self, result: GameResult) -> dict[str, Any]:
        """Return a game as a line of JSON."""
        return json_of(result, self.players, self.strategies, self.simulation)


def _results(
    about: _About, processes: int, save: Path | None, saved: Saved | None
) -> Generator[GameResult, None, None]:
    """Play the games, until Ctrl-C; those that are in the file already are taken from there."""
    ready = saved.games if saved else {}

    def known(table: Seating) -> GameResult | None:
        found = ready.get(key_of(table, about.strategies))
        return found and found._replace(number=table.number, players=table.players)

    def play(executor: Executor | None) -> Generator[GameResult, None, None]:
        return play_games(
            about.start,
            [one.player for one in about.strategies],
            about.deals,
            seed=about.played["seed"],
            executor=executor,
            rotate=about.played["rotate"],
            known=known,
        )

    with nullcontext() if save is None else appended(save, saved, about.played) as add:
        for result in worked_out(about.games, processes, play):
            if add and key_of(result, about.strategies) not in ready:
                add(about.line(result))
            yield result


def _write(results: Iterable[GameResult], about: _About, look: Display) -> int:
    """Write the report of all games. Return how many they are."""
    players = about.players
    tally = Tally(len(players), results, seed=about.played["seed"])
    done = tally.games + tally.given_up
    found = tally_json(tally, players, about.strategies, about.simulation)
    report = document(**about.played, complete=done == about.games, **found)
    rows = partial(simulation_rows, report, simulation=about.simulation)
    write_report(look, lambda: report, rows, last=lambda: [f"Seed: {about.played['seed']}"])
    return done


def _write_games(results: Iterable[GameResult], about: _About, output: Results) -> int:
    """Write each game when it has been played: a line of JSON, or a row of CSV for each player.

    Returns how many they are.
    """
    from csv import writer

    table = writer(sys.stdout, lineterminator="\n")
    if output is Results.csv:
        table.writerow(csv_heads(about.simulation))
    done = 0
    for result in results:
        game = about.line(result)
        if output is Results.csv:
            table.writerows(csv_rows(game, about.simulation))
        else:
            print(dumps(game))
        done += 1
    remark(f"Seed: {about.played['seed']}")
    return done
