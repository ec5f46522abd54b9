"""The command that sets up a game."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from inspect import Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from porto_cli.cli import ask, complete, game_options
from porto_cli.cli.common import command_line, could_be, what_next
from porto_cli.cli.game import GameOption
from porto_cli.cli.game_options import parameter, typed_options
from porto_cli.cli.new_sealed import begin_sealed
from porto_cli.commands import commands_of
from porto_cli.core import files
from porto_cli.core.command_errors import usage
from porto_cli.core.files import STANDARD
from porto_cli.core.message import say
from porto_cli.core.quoting import quoted
from porto_cli.core.yaml import InvalidFileError
from porto_cli.game import DEFAULT, GAMES, Deal, GameMeta, game_of
from porto_cli.match.bots import is_a_bot
from porto_cli.match.levels import level_named, shortest
from porto_cli.match.match import Match, new_game
from porto_cli.match.record import (
    GENERIC_NAME,
    HINTS_NONE,
    HINTS_TOLD,
    OPEN,
    SEALED,
    TABLE,
    player_count_fault,
    seats_of,
)
from porto_cli.match.record_files import has_suffix, with_suffix
from porto_cli.term.tell import tell
from porto_cli.ui import ui_of

if TYPE_CHECKING:
    from porto_cli.players.bots import BotTurn


class Secrecy(StrEnum):
    """Where chance comes from."""

    open = OPEN
    table = TABLE
    sealed = SEALED


class Hints(StrEnum):
    """Who may take a hint of the program."""

    free = "free"
    told = HINTS_TOLD
    none = HINTS_NONE


_File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="The record to make; '-' is standard output.", show_default=False
    ),
]
_Seed = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="Decides all that comes up; random if left out.",
        show_default=False,
    ),
]
_First = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The first player; random if left out.",
        show_default=False,
        autocompletion=complete.players,
    ),
]
_Title = Annotated[
    str, typer.Option(metavar="TEXT", help="A title for the record.", show_default=False)
]
_Secrecy = Annotated[
    Secrecy,
    typer.Option(
        help="open: a seed decides what comes up. table: the real box does, and you type it. "
        "sealed: all players together do, and nobody can look at what is hidden."
    ),
]
_Signed = Annotated[
    bool,
    typer.Option(
        "--signed",
        help="Sign every turn with the key of who makes it, so that none can be changed later.",
    ),
]
_Hints = Annotated[
    Hints,
    typer.Option(
        help="free: everybody may ask the program for hints. told: the record tells who took one. "
        "none: there are no hints."
    ),
]
_Creator = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="NAME",
        help="Of a sealed game: which player you are. If left out, who 'porto me' says you are, "
        "or the first that is named.",
        show_default=False,
    ),
]
_Bots = Annotated[
    list[str] | None,
    typer.Option(
        "--bot",
        metavar="'NAME LEVEL'",
        help="A player that is a program, like 'Rui 4': a name and a level, in Porto from 1 to 5, "
        "in Puerto Rico from 1 to 3. It sits behind the players named before, and moves by "
        "itself. Can be given more than once.",
        show_default=False,
        autocompletion=complete.bots,
    ),
]
_Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing if all is well.")]

_HELP = """Set up a game and write its record.

With --secrecy table the record follows a game with the real box: you type what lies on the table
with the options for a real table, and later what came up with each move.

With --bot programs play as well. They move by themselves, after each move of a person; at least one
player is a person, and the seed decides what comes up.
"""


def function_of(name: str, games: Sequence[str]) -> Callable[..., None]:
    """Return the function of the command, with the options of these games."""
    commands = {game: commands_of(game) for game in games}
    own = {game: commands[game].new for game in games}
    setup = {game: commands[game].setup for game in games}
    players = Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER…",
            help=game_options.told_of_games(
                {game: one.players for game, one in commands.items()}, among=games
            ),
            show_default=False,
        ),
    ]

    def new(ctx: typer.Context, game: str | None, **given: Any) -> None:
        game = game or DEFAULT
        on_the_table = typed_options(ctx, game, setup)
        _new(
            ctx,
            game,
            typed_options(ctx, game, own),
            on_the_table,
            **{one.name: given[one.name] for one in of_all},
        )

    of_all = (
        parameter("file", _File),
        parameter("players", players, None),
        parameter("seed", _Seed, None),
        parameter("first", _First, None),
        parameter("title", _Title, ""),
        parameter("secrecy", _Secrecy, Secrecy.open),
        parameter("signed", _Signed, False),
        parameter("bot", _Bots, None),
        parameter("hints", _Hints, Hints.free),
        parameter("player", _Creator, None),
        parameter("quiet", _Quiet, False),
    )
    file, names, seed, first, title, secrecy, signed, bot, hints, player, quiet = of_all
    new.__doc__ = _HELP
    new.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            parameter("ctx", typer.Context),
            *(file, names, bot, parameter("game", GameOption, None), seed, first),
            *game_options.options(own),
            *(title, secrecy, signed, hints, player),
            *game_options.options(setup),
            quiet,
        ]
    )
    return new


def _new(
    ctx: typer.Context,
    game: str,
    typed: dict[str, Any],
    on_the_table: dict[str, str],
    *,
    file: Path,
    players: list[str] | None,
    seed: str | None,
    first: str | None,
    title: str,
    secrecy: Secrecy,
    signed: bool,
    bot: list[str] | None,
    hints: Hints,
    player: str | None,
    quiet: bool,
) -> None:
    meta, ui = GAMES[game], ui_of(game)
    programs = [_bot(text, meta) for text in bot or ()]
    if programs:
        _demand_a_seed(secrecy, signed=signed)
    names = [name for name, _ in programs]
    file, players = _record_or_player(ctx, meta, file, players or [], names)
    players = [*(players or _ask_players(game, names)), *names]
    fault = player_count_fault(meta, len(players))
    if fault:
        usage(fault)
    options = ui.new_options(typed, players)
    if secrecy == Secrecy.sealed:
        if on_the_table or seed is not None or signed:
            usage(
                say(
                    "In a sealed game all players together decide what comes up, and every step is "
                    "signed; leave out --seed, --signed and what lies on a real table."
                )
            )
        begin_sealed(
            *(game, players, options, file),
            first=first,
            title=title,
            player=player,
            hints=_agreed(hints),
            quiet=quiet,
        )
        return
    if player is not None:
        usage(say("--as is for games with --secrecy sealed, in which who begins has to join."))
    setup = _setup(game, players, options, secrecy, seed, on_the_table)
    to_stdout = str(file) == STANDARD
    try:
        match = new_game(
            players,
            game=game,
            seed=seed,
            first=first and _in_full(first, players),
            title=title,
            setup=setup,
            name=GENERIC_NAME if to_stdout else file.name,
            signed=signed,
            bots=dict(programs),
            hints=_agreed(hints),
            **options,
        )
    except InvalidFileError as error:
        usage(error.sentence)
    except ValueError as error:
        usage(say("{error}", error=error))
    turns: list[BotTurn] = []
    if programs:
        from porto_cli.cli.bot_turns import moved

        turns = moved(match)
    if to_stdout:
        sys.stdout.write(match.record.text)
    else:
        files.create(file, match.record.text)
    if not quiet:
        _report(match, "FILE" if to_stdout else str(file), turns, to_stdout=to_stdout)


def _agreed(hints: Hints) -> str:
    """Return what the record is to say about hints; nothing where everybody may take them."""
    return "" if hints == Hints.free else hints.value


def _report(match: Match, file: str, turns: Sequence[BotTurn], *, to_stdout: bool) -> None:
    """Say which game was set up, what bots have done, what can be done next, and what the
    fingerprint is for.
    """
    ui = ui_of(match.game.meta.id)
    told = [*ui.new_game(match, file)]
    if match.record.bots is not None:
        from porto_cli.cli.bot_turns import sentences
        from porto_cli.match.bots_due import who_are_bots

        told += [*who_are_bots(match.replay), *sentences(match, turns)]
    told += [
        *what_next(match, file),
        say("Fingerprint: {fingerprint}", fingerprint=match.fingerprint),
        say(
            "The fingerprint is a checksum against accidents: whoever has another one has another "
            "game. It does not show a change made on purpose; the long one of 'porto verify' does, "
            "if you compare it."
        ),
    ]
    tell(*told, stream=sys.stderr if to_stdout else sys.stdout)


def _bot(text: str, meta: GameMeta) -> tuple[str, str]:
    """Return the name of a bot and which player of the game it is; exits with 2 for none."""
    name, _, typed = text.strip().rpartition(" ")
    level = level_named(typed, meta.bots) or (typed if is_a_bot(typed, meta) else None)
    if name.strip() and level is not None:
        return name.strip(), level
    usage(
        say(
            "--bot takes a name and a level, like --bot {example}, and there is {text!r}. The "
            "levels of {game} are {levels}.",
            example=quoted(f"Rui {shortest(meta.bots[-1])}"),
            text=text,
            game=meta.title,
            levels=", ".join(map(shortest, meta.bots)),
        )
    )


def _demand_a_seed(secrecy: Secrecy, *, signed: bool) -> None:
    """Refuse bots where more is to be done than to move (exit code 2)."""
    if secrecy == Secrecy.table:
        usage(
            say(
                "With --secrecy table people type what comes up on their table, and a bot moves by "
                "itself; leave out --bot, or --secrecy table."
            )
        )
    if secrecy == Secrecy.sealed:
        usage(
            say(
                "In a sealed game every player has a key and shuffles with the others, which a bot "
                "cannot do; leave out --bot, or --secrecy sealed."
            )
        )
    if signed:
        usage(
            say(
                "In a signed game every player signs with a key, which a bot does not have; leave "
                "out --bot, or --signed. 'porto verify --bots' finds a bot's turn that was changed."
            )
        )


def _ask_players(game: str, bots: Sequence[str]) -> list[str]:
    """Return who plays besides bots; exits with 2 where nobody can be asked."""
    if not ask.can_ask():
        if bots:
            usage(
                say(
                    "All players are bots; at least one has to be a person. To let programs play "
                    "among themselves: porto simulate"
                )
            )
        usage(
            say(
                "Who plays? Name {least} to {most} players behind the file.",
                least=GAMES[game].players.start,
                most=GAMES[game].players.stop - 1,
            )
        )
    from porto_cli.cli.new_game_prompts import ask_people, ask_players

    with ask.backing_out():
        asker = ask.asker(game)
        return list(ask_people(asker, game, len(bots), bots) if bots else ask_players(asker, game))


def _setup(
    game: str,
    players: list[str],
    options: dict[str, Any],
    secrecy: Secrecy,
    seed: str | None,
    typed: dict[str, str],
) -> Deal | None:
    """Return what lies on the real table, or None for a game with a seed."""
    setup = commands_of(game).setup
    flags = {option.name: option.flag for option in setup}
    if secrecy == Secrecy.open:
        for name in flags:
            if name in typed:
                usage(say("{flag} is for games with --secrecy table.", flag=flags[name]))
        return None
    if seed is not None:
        usage(say("A game with real cards has no seed; leave out --seed."))
    ui = ui_of(game)
    missing = [
        option.name for option in setup if option.name not in typed and option.is_needed(options)
    ]
    if missing and not ask.can_ask():
        usage(ui.setup_missing([flags[name] for name in missing], players))
    config = game_of(game).new_config(players, **options)
    if missing:
        with ask.backing_out():
            someone = ask.asker(game)
            for name in missing:
                typed[name] = ui.setup_questions()[name](someone, config)
    return ui.read_setup(config, typed)


def _record_or_player(
    ctx: typer.Context, meta: GameMeta, file: Path, players: list[str], bots: list[str]
) -> tuple[Path, list[str]]:
    """Return the record and the players. A first word without extension could be a player: who
    it is is asked for, or there is no game but a proposal what to type (exit code 2).
    """
    word = file.name
    typed = list(ctx.obj[1:])
    place = _place_of(word, typed, ctx)
    if str(file) != word or place is None or word == STANDARD or has_suffix(file):
        return file, players
    from porto_cli.cli.new_game_prompts import free_name

    named = with_suffix(file)
    everybody = [word, *players, *bots]
    record = Path(free_name(everybody))
    if ask.can_ask() and len(everybody) < meta.players.stop:
        others = [*players, *bots]
        chosen, found = ask.record_or_player(meta.id, word, others, named=named, made=record)
        return chosen, found[: len(found) - len(bots)]
    proposed = []
    if len(everybody) < meta.players.stop:
        proposed.append([str(record), *typed])
    if players:
        proposed.append([*typed[:place], str(named), *typed[place + 1 :]])
    usage(
        say(
            "Is {word!r} the record or a player? Give the record an extension, or a folder "
            "(./{word}).",
            word=word,
        ),
        suggestions=[command_line("new", *words) for words in proposed],
    )


def _place_of(word: str, typed: list[str], ctx: typer.Context) -> int | None:
    """Return where the record was typed as this very word, and not as a path such as ./Ana."""
    command: Any = ctx.command
    for nth, one in enumerate(typed):
        if Path(one) == Path(word) and not (nth and command.takes_a_value(typed[nth - 1])):
            return nth if one == word else None
    return None


def _in_full(first: str, players: list[str]) -> str:
    """Return the name of the player that is meant; exits with 2 if it could be several."""
    seats = seats_of(players, first)
    if len(seats) > 1:
        usage(could_be(first, [players[seat] for seat in seats]))
    return players[seats[0]] if seats else first
