"""The command in which players play against each other and are rated."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, nullcontext
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from porto_cli.cli import complete
from porto_cli.cli.batch import interruptible, processes_for, progress, workers
from porto_cli.cli.common import refuse_idle_looks
from porto_cli.cli.output import Color, Colors, show_lines, write_json
from porto_cli.cli.parser import (
    GameOption,
    OptionsOf,
    Seed,
    Workers,
    typed_options,
    with_options,
)
from porto_cli.commands import commands_of
from porto_cli.core.chance import new_seed
from porto_cli.core.files import STANDARD, expanded
from porto_cli.core.message import INTERRUPTED, Sentence, say, usage
from porto_cli.core.yaml import Reader
from porto_cli.core.yaml import read as read_yaml
from porto_cli.game import DEFAULT, GAMES, Config, game_of
from porto_cli.players import Player
from porto_cli.players.named import NamedPlayer, is_written, player_named
from porto_cli.simulate.simulation import Start
from porto_cli.simulate.tournament import (
    PlayedGame,
    Saved,
    Setup,
    Standings,
    TournamentGame,
    appended,
    differences,
    game_line,
    games_left,
    play_games,
    read_saved,
    schedule,
    setup_line,
    standings,
)
from porto_cli.term.screen import Screen
from porto_cli.term.spans import Line
from porto_cli.term.tell import remark
from porto_cli.ui import ui_of

DEALS = 100
"""Deals that a pairing plays by default."""
SEATS = 2


class Results(StrEnum):
    """How the results are printed."""

    table = "table"
    csv = "csv"
    json = "json"


def function_of(name: str, games: Sequence[str]) -> Callable[..., None]:
    """Return the function of the command, with the options of these games."""
    return with_options(
        tournament, {game: commands_of(game).new for game in games}, behind="output"
    )


def tournament(
    ctx: typer.Context,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER…",
            help="The players: names like 'greedy', in Porto 'level-4' or '4'; 'level-5:100' runs "
            "100 playouts before each move; 'mine.py:choose' runs the function 'choose' of "
            "your file mine.py. Those in the file of --save can be left out.",
            show_default=False,
            autocompletion=complete.computer_players,
        ),
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            "-n",
            metavar="N",
            min=1,
            help=f"Deals that each pairing plays from every seat; {DEALS} if left out.",
            show_default=False,
        ),
    ] = None,
    seats: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help=f"Seats at a table; {SEATS} if left out.", show_default=False
        ),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="The player whose Elo is 0; if left out, the mean is 0.",
            show_default=False,
            autocompletion=complete.computer_players,
        ),
    ] = None,
    seed: Seed = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write each game into this file when it ends, and resume from it.",
            show_default=False,
        ),
    ] = None,
    workers: Workers = None,
    game: GameOption = None,
    output: Annotated[
        Results,
        typer.Option("--format", help="Tables, a row for each player and opponent, or a document."),
    ] = Results.table,
    color: Color = Colors.auto,
    *,
    of_games: OptionsOf,
    **given: Any,
) -> None:
    """Let players play against each other, and rate how strong each of them is.

    Every player plays against every other one, each deal from every seat. With --seats 3 or more
    one player of a pairing plays against the other one in all other seats, and vice versa. The
    result is how often each player was ahead of each other one, by how many VP, and the Elo of
    each.

    With --save, the same command resumes a tournament that was stopped; more players and more deals
    can be added.
    """
    refuse_idle_looks(output, color)
    if str(save) == STANDARD:
        usage(say("A tournament is saved in a file that can be read again, which '-' is not."))
    save = None if save is None else expanded(save)
    saved = None if save is None else read_saved(save)
    old = saved.setup if saved else None
    game_id = game or (old.game if old else DEFAULT)
    typed = typed_options(ctx, game_id, of_games)
    if old and old.game not in GAMES:
        usage(say("{file} is of a game that is not installed: {game}.", file=save, game=old.game))
    named = {one.name: one for one in _named(players or (), game_id)}
    # A player of the file is not loaded; one that is neither typed nor there is refused below.
    if anchor is not None and anchor not in named and not (old and anchor in old.players):
        anchor = player_named(anchor, game_id).name
    seats = seats or (old.seats if old else SEATS)
    config = _config(game_id, seats, typed, old, str(save))
    setup = Setup(
        game=game_id,
        rules=GAMES[game_id].rules_version,
        bots_version=GAMES[game_id].bots_version,
        options=tuple(game_of(game_id).config_lines(config)),
        seats=seats,
        seed=seed or (old.seed if old else new_seed()),
        deals=deals or (old.deals if old else DEALS),
        players={
            **(old.players if old else {}),
            **{one.name: one.digest for one in named.values()},
        },
    )
    if old:
        _demand_the_same(old, setup, save)
    if len(setup.players) < 2:
        usage(
            say("Name two players or more."),
            suggestions=["porto tournament greedy random"],
        )
    if anchor is not None and anchor not in setup.players:
        usage(
            say(
                "{anchor} of --anchor does not play; the players are {players}.",
                anchor=anchor,
                players=", ".join(setup.players),
            )
        )
    played = {one.game: one for one in saved.played} if saved else {}
    before = frozenset(played)
    # There may be too many to keep them all.
    games = (game for game in schedule(setup.players, seats, setup.deals) if game not in before)
    left = games_left(setup.players, seats, setup.deals, before)
    wanted = [name for name in setup.players if any(name in table for table in left)]
    playing = _to_play(wanted, named, game_id)
    if saved and saved.torn:
        remark(
            say(
                "The last line of {file} was cut off; its game is played again if it is needed.",
                file=save,
            )
        )
    count = sum(left.values())
    processes = processes_for(workers, count)
    stopped = False
    if count:
        results = partial(play_games, Start(game_id, config), playing, setup.seed, games)
        stopped = _play(results, count, processes, setup, save, saved, played)
    result = standings(list(setup.players), seats, played.values(), anchor)
    done = len(played) - len(before)
    _REPORTS[output](result, setup, anchor, done == count, color)
    if stopped:
        _say_stopped(done, count, save)
        raise typer.Exit(INTERRUPTED)


def _named(words: Iterable[str], game_id: str) -> list[NamedPlayer]:
    """Return the players that were typed; exits with 2 if one was typed twice."""
    named = [player_named(word, game_id) for word in words]
    names = [one.name for one in named]
    for name in names:
        if names.count(name) > 1:
            usage(say("{name} was named twice; name each player once.", name=name))
    return named


def _config(
    game_id: str, seats: int, typed: dict[str, Any], old: Setup | None, file: str
) -> Config:
    """Return the configuration of the games: by the options typed, or else by those of a file."""
    meta = GAMES[game_id]
    if seats == 1:
        usage(
            say(
                "A tournament needs two seats or more. 'porto simulate' shows how often a player "
                "wins alone; with --rotate and the same --seed all players have the same deals."
            ),
            suggestions=["porto simulate greedy --rotate --games 100 --seed tram"],
        )
    if seats not in meta.players:
        usage(
            say(
                "A tournament of {game} has 2 to {most} seats.",
                game=meta.title,
                most=meta.players.stop - 1,
            )
        )
    names = tuple(f"Player {seat}" for seat in range(1, seats + 1))
    game = game_of(game_id)
    if old and old.game == game_id and old.options and not typed:
        root = read_yaml("\n".join(old.options), file)
        return game.read_config(root, names, Reader(file))
    try:
        return game.new_config(names, **ui_of(game_id).new_options(typed, names))
    except ValueError as error:
        usage(say("{error}", error=error))


def _demand_the_same(old: Setup, new: Setup, save: Path | None) -> None:
    """Refuse to resume another tournament than that of the file (exit code 2)."""
    found = differences(old, new)
    if found:
        usage(
            say("{file} has another tournament, so nothing was played:", file=save),
            *found,
            say(
                "Leave out the options that the file has, or name another file. Players and deals "
                "can be added."
            ),
        )


def _to_play(
    names: Iterable[str], named: dict[str, NamedPlayer], game_id: str
) -> dict[str, Player]:
    """Return the players who have to play. What a file names is no reason to run any code."""
    players = {}
    for name in names:
        if name not in named and is_written(name, game_id):
            usage(
                say(
                    "{name} still has games to play. It runs code of yours, so name it on the "
                    "command line as well.",
                    name=name,
                )
            )
        players[name] = (named.get(name) or player_named(name, game_id)).player
    return players


def _play(
    results: Callable[..., Generator[PlayedGame, None, None]],
    count: int,
    processes: int,
    setup: Setup,
    save: Path | None,
    saved: Saved | None,
    played: dict[TournamentGame, PlayedGame],
) -> bool:
    """Add games to those played and to the file as they end; return whether Ctrl-C stopped them."""
    opened = nullcontext() if save is None else appended(save, saved)
    lost = say(
        "A worker process ended before its games did: it was killed, perhaps because memory ran "
        "out, or the code of a player ended it. The games up to then are in the file of --save, "
        "if there is one; fewer processes (--workers) take less memory."
    )
    try:
        with opened as file, workers(processes, lost=lost) as executor, progress(count) as step:
            if file and (saved is None or saved.setup != setup):
                file.add(setup_line(setup))
            with closing(results(executor=executor)) as games, interruptible(games) as ended:
                for done, one in enumerate(ended, start=1):
                    if file:
                        file.add(game_line(one))
                    played[one.game] = one
                    step(done)
    except KeyboardInterrupt:
        return True
    return False


def _say_stopped(done: int, games: int, save: Path | None) -> None:
    facts = {"done": f"{done:,}", "games": f"{games:,}"}
    remark(
        say("Stopped after {done} of {games} games.", **facts)
        if save is None
        else say(
            "Stopped after {done} of {games} games, which are in {file}; the same command resumes.",
            file=save,
            **facts,
        )
    )


def _table(
    result: Standings, setup: Setup, anchor: str | None, complete: bool, color: Colors
) -> None:
    from porto_cli.simulate.report import standings_text

    def draw(screen: Screen) -> list[Line]:
        return standings_text(result, setup, anchor, screen.width - 1)

    show_lines(draw, [_seed(setup)], color)


def _csv(
    result: Standings, setup: Setup, anchor: str | None, complete: bool, color: Colors
) -> None:
    from csv import writer

    from porto_cli.simulate.report import STANDINGS_HEADS, standings_rows

    rows = writer(sys.stdout, lineterminator="\n")
    rows.writerow(STANDINGS_HEADS)
    rows.writerows(standings_rows(result))
    remark(_seed(setup))


def _json(
    result: Standings, setup: Setup, anchor: str | None, complete: bool, color: Colors
) -> None:
    from porto_cli.simulate.report import standings_json

    write_json(standings_json(result, setup, anchor, complete=complete))


def _seed(setup: Setup) -> Sentence:
    return say("Seed: {seed}", seed=setup.seed)


_REPORTS = {Results.table: _table, Results.csv: _csv, Results.json: _json}
