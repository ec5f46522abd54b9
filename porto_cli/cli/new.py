"""The command that sets up a game."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

import typer

from porto_cli import settings
from porto_cli.cli import GameOption, Quiet, arg, ask, command_line, line_typed, opt, typed_options
from porto_cli.cli.commands import takes_a_value
from porto_cli.cli.common import (
    bot_sentences,
    next_sentences,
    report_stream,
    write_record,
)
from porto_cli.cli.completion import Word, beginning, levels, offer_players
from porto_cli.cli.new_game_prompts import ask_people, free_name
from porto_cli.core import FileError, cited, usage
from porto_cli.core.files import STANDARD, is_missing
from porto_cli.core.shell import FILE, quoted
from porto_cli.games import DEFAULT, GAMES, commands_of, game_of
from porto_cli.mail.addresses import without_the_program
from porto_cli.match import alike, folded, name_fault, seat_named
from porto_cli.match.match import Match, new_game
from porto_cli.match.record import GENERIC_NAME, OPEN, has_suffix, with_suffix
from porto_cli.match.replay import path_of, who_are_bots
from porto_cli.match.seats import BotTurn, is_a_bot, level_named, player_count_fault, shortest
from porto_cli.next_step import move_bots
from porto_cli.seam import Deal, GameMeta
from porto_cli.term import remark, tell
from porto_cli.user import seat_of_user

Secrecy = StrEnum("Secrecy", "open table sealed")
"""Where chance comes from, in the words of records."""
Hints = StrEnum("Hints", "free told none")
"""Who may take hints, in the words of records; ``free`` has no entry there."""


def _offer_bots(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the levels of a bot after its name, which can be any name."""
    game = str(ctx.params.get("game") or DEFAULT)
    name, blank, _ = incomplete.rpartition(" ")
    if game not in GAMES or not name.strip():
        return []
    return beginning(incomplete, [f"{name}{blank}{level}" for level in levels(game)])


def new(
    ctx: typer.Context,
    file: Path = arg(..., "FILE", "The new game's file, like friday.yaml; '-' is standard output."),
    players: list[str] | None = arg(None, "PLAYER…", "The names in clockwise order."),
    bot: list[str] | None = opt(
        None,
        "--bot 'NAME LEVEL'",
        "A player that is a program, like 'Rui 4': a name and a level from 1 to 5. Bots "
        "sit after the other players, and move automatically. Can be repeated.",
        autocompletion=_offer_bots,
    ),
    game: GameOption = None,
    seed: str | None = opt(None, "TEXT", "Decides everything that comes up; random if left out."),
    first: str | None = opt(
        None,
        "NAME",
        "The first player; random if left out.",
        autocompletion=offer_players,
    ),
    title: str = opt("", "TEXT", "A title for the record."),
    secrecy: Secrecy = opt(
        Secrecy.open,
        "",
        "open: a seed decides what comes up. table: a real box does, and you type it in. "
        "sealed: all players together do, and no one can see what is hidden.",
    ),
    hints: Hints = opt(
        Hints.free,
        "",
        "free: everyone may ask for hints. told: the record notes who took one. "
        "none: there are no hints.",
    ),
    player: str | None = opt(
        None,
        "--as NAME",
        "Sealed game: which player you are. If left out, the player who 'porto me' says "
        "you are, or else the first player.",
    ),
    quiet: Quiet = False,
) -> None:
    """Set up a game and write its record.

    With --secrecy table the record follows a game with a real box: you type what lies on the table
    with the options for a real table, and later what came up with each move.

    With --bot some of the players are programs. They move automatically, after each move of a
    person. At least one player must be a person, and a seed decides what comes up.

    Examples:
      porto new friday.yaml Inês Joana Afonso
      porto new friday.yaml Inês --bot 'Rui 4'
    """
    game = game or DEFAULT
    typed = typed_options(ctx, game)
    flags = {option.name: option.flag for option in commands_of(game).setup}
    on_the_table = {name: typed.pop(name) for name in flags if name in typed}
    given = {"--bot": bot, "--seed": seed, "--as": player}
    _demand_secrecy(secrecy, given | {flags[name]: text for name, text in on_the_table.items()})
    bots = [_bot(text, GAMES[game]) for text in bot or ()]
    names = [name for name, _ in bots]
    _demand_a_record(ctx, GAMES[game], file, players or [], names)
    players = _seated(game, players or [], names, secrecy)
    options = game_of(game).setting_up.new_options(typed, players)
    # If everybody may take hints, the record has no entry about them.
    agreed = "" if hints == Hints.free else hints.value
    starter = None if first is None else seat_named(players, first)
    if secrecy == Secrecy.sealed:
        from porto_cli.cli.join import sealed_record

        text, report = sealed_record(
            game_of(game), players, options, file, starter, title, player, agreed
        )
    else:
        setup = _setup(game, players, options, secrecy, on_the_table)
        try:
            match = new_game(
                players,
                game=game,
                seed=seed,
                first=None if starter is None else players[starter],
                title=title,
                setup=setup,
                name=GENERIC_NAME if str(file) == STANDARD else file.name,
                bots=dict(bots),
                hints=agreed,
                **options,
            )
        except ValueError as error:
            usage(f"{error}")
        report = partial(_report, match, file, move_bots(match))
        text = match.record.text
    write_record(file, text)
    tell(*([] if quiet else report()), stream=report_stream(file))
    remark(*alike(players))
    if secrecy == Secrecy.sealed:
        remark(*without_the_program(players))


def _demand_secrecy(secrecy: Secrecy, given: Mapping[str, object]) -> None:
    """Refuse options, by their flags, that are for games of another secrecy (exit code 2): those of
    a game itself say what lies on a real table.
    """
    takes = {"--bot": Secrecy.open, "--seed": Secrecy.open, "--as": Secrecy.sealed}
    for flag, value in given.items():
        right = takes.get(flag, Secrecy.table)
        if value is not None and secrecy != right:
            usage(f"{flag} is for games with --secrecy {right}, not {secrecy}; leave it out.")


def _seated(game: str, people: list[str], bots: list[str], secrecy: Secrecy) -> list[str]:
    """Return all players in clockwise order; asks for the people if none is named. Exits with 2 for
    names or a number of players that the game cannot have.
    """
    meta, known = GAMES[game], [*people, *bots]
    # A name given twice is often one too many, so say that first.
    for index, name in enumerate(known):
        if fault := name_fault(name, known[:index], meta):
            is_both = all(folded(name) in map(folded, some) for some in (people, bots))
            usage(fault, *[f"If {name} is a bot, leave {name} out of the players."] * is_both)
    # Without names at least one person is asked for, and as many as the game needs.
    count = len(known) if people else max(len(known) + 1, meta.players.start)
    if fault := player_count_fault(meta, count):
        is_taken = any(one.casefold() == "rui" for one in known)
        opponent = quoted(f"{'Bea' if is_taken else 'Rui'} 2")
        can_add = secrecy == Secrecy.open and count + 1 == meta.players.start
        usage(fault, suggestions=[f"{line_typed()} --bot {opponent}"] if can_add else [])
    return known if people else [*_ask_players(game, bots), *bots]


def _report(match: Match, record: Path, turns: Sequence[BotTurn]) -> list[str]:
    """Say which game was set up, what bots have done, what the fingerprint is for if others get
    copies, and what can be done next.
    """
    file = FILE if str(record) == STANDARD else str(record)
    bots = [*who_are_bots(match), *bot_sentences(match, turns)] if match.bots else []
    return [
        *match.game.setting_up.what_was_set_up(match, match.game.meta.title, file),
        *bots,
        f"Fingerprint: {match.fingerprint}",
        *(_for_several(match, file) if len(match.people) > 1 else next_sentences(match, file)),
    ]


def _for_several(match: Match, file: str) -> list[str]:
    """Say how several people go on: all at this keyboard, or each with the file. A user who has to
    wait for the file gets no command for the move of somebody else.
    """
    path, user = path_of(match, file), seat_of_user(match)
    said = [
        "A copy with another fingerprint is another version of the game.",
        f"To play at this keyboard: porto play {path}",
    ]
    first = match.holders[match.state.seat]
    if match.record.secrecy != OPEN or user is None or user == match.state.seat:
        return [*said, *next_sentences(match, file)]
    mail = f"To write the mail that brings the game to {first}: porto mail {path} -o turn.eml"
    return [*said, f"It is {first}'s turn.", mail]


def _bot(text: str, meta: GameMeta) -> tuple[str, str]:
    """Return a bot's name and its level, or its player by name; exits with 2 if one is missing."""
    name, _, typed = text.strip().rpartition(" ")
    level = level_named(typed, meta.bots) or (typed if is_a_bot(typed, meta) else None)
    if name.strip() and level is not None:
        return name.strip(), level
    highest = shortest(meta.bots[-1])
    best = f"; 1 is weak, {highest} is the best" if highest.isdigit() else ""
    wrong = f"{cited(typed)} is not a level"
    if not name.strip():
        example = quoted(f"Rui {highest}")
        wrong = f"--bot takes a name and a level, like --bot {example}, but got {cited(text)}"
    mine = f"A record names no code; name yours in {settings.settings_file()}, like"
    usage(
        f"{wrong}. The levels of {meta.title} are {', '.join(map(shortest, meta.bots))}{best}.",
        *([f"{mine}: players: {{mine: ~/players.py:choose}}"] if ":" in typed else []),
    )


def _ask_players(game: str, bots: Sequence[str]) -> list[str]:
    """Ask for the players besides bots; exits with 2 if no question can be asked."""
    if not ask.can_ask():
        if bots:
            usage("At least one player must be a person. To let bots play: porto simulate")
        counts = GAMES[game].players
        usage(
            f"Name {counts.start} to {counts.stop - 1} players after the file.",
            suggestions=[f"{line_typed()} Inês Joana"],
        )
    with ask.backing_out():
        return [*ask_people(ask.asker(game), game, bots)]


def _setup(
    game: str,
    players: list[str],
    options: dict[str, Any],
    secrecy: Secrecy,
    typed: dict[str, str],
) -> Deal | None:
    """Return the setup of a real table; ``None`` for a game with a seed."""
    if secrecy == Secrecy.open:
        return None
    needed = [one for one in commands_of(game).setup if one.is_needed(options)]
    missing = [option for option in needed if option.name not in typed]
    asked = game_of(game).setting_up
    if missing and not ask.can_ask():
        usage(asked.setup_missing([option.flag for option in missing], players))
    config = game_of(game).new_config(players, **options)
    if missing:
        with ask.backing_out():
            someone = ask.asker(game)
            for option in missing:
                typed[option.name] = asked.setup_questions()[option.name](someone, config)
    return asked.read_setup(config, typed)


def _demand_a_record(
    ctx: typer.Context, meta: GameMeta, file: Path, players: list[str], bots: list[str]
) -> None:
    """Exit with 2 if the first word is a folder, such as ``games/``, or could be a player, because
    it has no extension; the error proposes what to type. Raises FileError if it is in a folder that
    does not exist.
    """
    typed = list(ctx.obj[1:])
    indexes = (
        index
        for index, word in enumerate(typed)
        if Path(word) == file and not (index and takes_a_value(ctx.command, typed[index - 1]))
    )
    place = next(indexes, 0)
    before, word, after = typed[:place], typed[place], typed[place + 1 :]
    if not word or word.endswith(("/", os.sep)):
        folder = file if word and os.path.isdir(file) else Path()
        name = str(folder / free_name([*players, *bots], folder))
        usage(
            f"{cited(word)} names no file; name the file of the record.",
            suggestions=[command_line("new", *before, name, *after)],
        )
    # What else is wrong with a folder is said when the file is written.
    if is_missing(file.parent):
        here = command_line("new", *before, with_suffix(Path(file.name)).name, *after)
        raise FileError(f"There is no folder {file.parent}.", [here])
    if word != file.name or word == STANDARD or has_suffix(file):
        return
    everybody = [word, *players, *bots]
    proposed = []
    if len(everybody) < meta.players.stop:
        proposed.append([free_name(everybody), *typed])
    if players or ask.can_ask():
        proposed.append([*before, str(with_suffix(file)), *after])
    usage(
        f"Is {cited(word)} the record or a player? Give the record an extension, or a "
        f"folder (./{word}).",
        suggestions=[command_line("new", *words) for words in proposed],
    )
