"""The command that sets up a game."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from porto_cli.cli import ask, complete
from porto_cli.cli.common import command_line, could_be, is_given, usage
from porto_cli.core import files
from porto_cli.core.errors import FileError
from porto_cli.core.files import STANDARD
from porto_cli.core.message import Sentence, say
from porto_cli.core.words import whole_number
from porto_cli.core.yaml import InvalidFileError
from porto_cli.games.porto.editions import DEFAULT, edition_of_file, names, shipped
from porto_cli.games.porto.engine.components import HOUSES
from porto_cli.games.porto.engine.edition import Edition
from porto_cli.games.porto.engine.state import HOUSES_LEFT_OUT, MOST_PLAYERS, TIMERS, Config, Deal
from porto_cli.games.porto.header import TIE_BREAKS
from porto_cli.games.porto.notation import parse_card, parse_house, parse_public
from porto_cli.games.porto.ui.next_step import what_next
from porto_cli.match.match import Match, new_game
from porto_cli.match.record import GENERIC_NAME, OPEN, TABLE, seats_of
from porto_cli.match.record_files import has_suffix, with_suffix


class Secrecy(StrEnum):
    """Where chance comes from."""

    open = OPEN
    table = TABLE


class TieBreak(StrEnum):
    """How a tie is broken (P-RANK-1, P-RANK-2)."""

    contracts_first = TIE_BREAKS[0]
    seat_first = TIE_BREAKS[1]


FirstGame = Annotated[bool, typer.Option("--first-game", help="Play without private contracts.")]
TieBreakOption = Annotated[TieBreak, typer.Option(help="What decides a tie first.")]


def new(
    ctx: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="The record to make; '-' is standard output.", show_default=False
        ),
    ],
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER…",
            help="One to four names in clockwise order; one name is a solo game.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Decides all that comes up; random if left out.",
            show_default=False,
        ),
    ] = None,
    first: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The first player; random if left out.",
            show_default=False,
            autocompletion=complete.players,
        ),
    ] = None,
    first_game: FirstGame = False,
    tie_break: TieBreakOption = TieBreak.contracts_first,
    timer: Annotated[
        int,
        typer.Option(metavar="28|26|24", help="Solo game: timer cards; fewer is harder."),
    ] = TIMERS[0],
    edition: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="The component data of your box.",
            show_default=False,
            autocompletion=complete.editions,
        ),
    ] = None,
    title: Annotated[
        str, typer.Option(metavar="TEXT", help="A title for the record.", show_default=False)
    ] = "",
    secrecy: Annotated[
        Secrecy,
        typer.Option(
            help="open: a seed decides what comes up. table: the real box does, and you type it."
        ),
    ] = Secrecy.open,
    tokens: Annotated[
        str | None,
        typer.Option(
            metavar="TOKENS",
            help="Real table: the VP tokens on the ground floors, like: L3=1,L4=2,…",
            show_default=False,
        ),
    ] = None,
    cards: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS",
            help="Real table: the five face-up construction cards, spaces 1 to 5.",
            show_default=False,
        ),
    ] = None,
    contracts: Annotated[
        str | None,
        typer.Option(
            metavar="CONTRACTS",
            help="Real table: the four face-up public contracts, spaces 1 to 4.",
            show_default=False,
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing if all is well.")
    ] = False,
) -> None:
    """Set up a game and write its record.

    With --secrecy table the record follows a game with the real box: you type what lies on the
    table with --tokens, --cards and --contracts, and later what came up with each move.
    """
    file, players = _record_or_player(ctx, file, players or [])
    if not players:
        players = ask.players()
    if len(players) > MOST_PLAYERS:
        usage(
            say(
                "Porto has 1 to {most} players, not {count}.",
                most=MOST_PLAYERS,
                count=len(players),
            )
        )
    refuse_idle_rules(ctx, len(players))
    box = edition_of(edition) or shipped(DEFAULT)
    setup = _setup(box, players, secrecy, seed, tokens, cards, contracts)
    try:
        match = new_game(
            players,
            seed=seed,
            first=first and _in_full(first, players),
            title=title,
            private_contracts=not first_game,
            seat_first=tie_break == TieBreak.seat_first,
            timer=timer,
            edition=box,
            setup=setup,
            name=GENERIC_NAME if str(file) == STANDARD else file.name,
        )
    except InvalidFileError as error:
        usage(error.sentence)
    except ValueError as error:
        usage(say("{error}", error=error))
    to_stdout = str(file) == STANDARD
    if to_stdout:
        sys.stdout.write(match.record.text)
    else:
        files.create(file, match.record.text)
    if quiet:
        return
    report = sys.stderr if to_stdout else sys.stdout
    name = "FILE" if to_stdout else str(file)
    print(_what_is_set_up(match, name), file=report)
    if match.record.secrecy == OPEN:
        print(_what_is_not_hidden(match), file=report)
    print(what_next(match.replay, name), file=report)
    print(say("Fingerprint: {fingerprint}", fingerprint=match.fingerprint), file=report)
    print(
        say(
            "The fingerprint is a checksum against accidents: whoever has another one has another "
            "game. It does not show a change made on purpose; the long one of 'porto verify' does, "
            "if you compare it."
        ),
        file=report,
    )


def _what_is_set_up(match: Match, file: str) -> Sentence:
    """Say which game it is, and how many play."""
    if len(match.players) == 1:
        return say(
            "The solo game of {player} is set up in {file}: {turns} turns against the timer.",
            player=match.players[0],
            file=file,
            turns=match.record.config.timer // 2,
        )
    return say(
        "A game of {count} players is set up in {file}; {first} is the first player.",
        count=len(match.players),
        file=file,
        first=match.players[0],
    )


def _what_is_not_hidden(match: Match) -> Sentence:
    """Return what a game with a seed does not protect."""
    if len(match.players) > 1 and match.record.config.private_contracts:
        return say(
            "Whoever reads the file can work out from its seed what will come up and which private "
            "contracts the others keep: play with people who do not look."
        )
    return say("Whoever reads the file can work out from its seed what will come up.")


def _record_or_player(ctx: typer.Context, file: Path, players: list[str]) -> tuple[Path, list[str]]:
    """Return the record and the players. A first word without extension could be a player: who
    it is is asked for, or there is no game but a proposal what to type (exit code 2).
    """
    word = file.name
    typed = list(ctx.obj[1:])
    place = _place_of(word, typed, ctx)
    if str(file) != word or place is None or word == STANDARD or has_suffix(file):
        return file, players
    from porto_cli.games.porto.ui.new_game_prompts import free_name

    named = with_suffix(file)
    everybody = [word, *players]
    record = Path(free_name(everybody))
    if ask.can_ask() and len(everybody) <= MOST_PLAYERS:
        return ask.record_or_player(word, players, named=named, made=record)
    proposed = []
    if len(everybody) <= MOST_PLAYERS:
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


def refuse_idle_rules(ctx: typer.Context, seats: int) -> None:
    """Refuse options that say nothing about a game of so many players (exit code 2)."""
    if seats > 1 and is_given(ctx, "timer"):
        usage(
            say("Only the solo game has a timer, and {count} play; leave out --timer.", count=seats)
        )
    if seats == 1 and is_given(ctx, "tie_break"):
        usage(say("In the solo game there is no tie to break; leave out --tie-break."))


def edition_of(name: str | None) -> Edition | None:
    """Return the edition of a name or a file. Raises InvalidFileError, FileError."""
    if name is None:
        return None
    if name in names():
        return shipped(name)
    path = Path(name)
    if str(path) != STANDARD and not os.path.exists(path):
        raise FileError(
            say(
                "The edition {name} is neither one of {names} nor a file that can be found.",
                name=name,
                names=", ".join(names()),
            )
        )
    return edition_of_file(path)


def _setup(
    box: Edition,
    players: list[str],
    secrecy: Secrecy,
    seed: str | None,
    tokens: str | None,
    cards: str | None,
    contracts: str | None,
) -> Deal | None:
    """Return what lies on the real table, or None for a game with a seed."""
    typed = {"--tokens": tokens, "--cards": cards, "--contracts": contracts}
    if secrecy == Secrecy.open:
        for flag, text in typed.items():
            if text is not None:
                usage(say("{flag} is for games with --secrecy table.", flag=flag))
        return None
    if seed is not None:
        usage(say("A game with real cards has no seed; leave out --seed."))
    missing = [flag for flag, text in typed.items() if text is None]
    if missing and not ask.can_ask():
        usage(_what_to_type(len(players), missing))
    if missing:
        game = Config(box, tuple(players))
        tokens, cards, contracts = ask.deal(game, tokens, cards, contracts)
    return Deal(
        tokens=_tokens(tokens or "", len(players)),
        cards=bytes(parse_card(word) for word in _words(cards or "")),
        contracts=bytes(parse_public(word) for word in _words(contracts or "")),
    )


def _what_to_type(seats: int, missing: list[str]) -> Sentence:
    absent = HOUSES_LEFT_OUT[seats]
    return say(
        "A game with real cards needs {missing}: the tokens of the houses {first_left} to L7 and "
        "R1 to {last_right}, the five cards and the four public contracts, in the order of their "
        "spaces, like: --tokens {first_left}=1,… --cards blue-1,… --contracts blue+red,…",
        missing=" ".join(missing),
        first_left=HOUSES[absent],
        last_right=HOUSES[len(HOUSES) - 1 - absent],
    )


def _tokens(text: str, seats: int) -> bytes:
    absent = HOUSES_LEFT_OUT[seats]
    left_out = {*HOUSES[:absent], *HOUSES[len(HOUSES) - absent :]}
    tokens = bytearray(len(HOUSES))
    for word in _words(text):
        house, equals, value = word.partition("=")
        if not equals or not 0 < whole_number(value) < 10:
            usage(
                say("{word!r} is no token: a token is a house and its value, like L3=2.", word=word)
            )
        if house.upper() in left_out:
            usage(
                say(
                    "The house {house} is left out with {seats} players, so it has no token.",
                    house=house.upper(),
                    seats=max(2, seats),
                )
            )
        place = parse_house(house)
        if tokens[place]:
            usage(say("The token of {house} is named twice.", house=HOUSES[place]))
        tokens[place] = int(value)
    missing = [
        house
        for house, token in zip(HOUSES, tokens, strict=True)
        if not token and house not in left_out
    ]
    if missing:
        usage(
            say(
                "Every house has a VP token, and --tokens lacks those of {houses}, like {house}=1.",
                houses=", ".join(missing),
                house=missing[0],
            )
        )
    return bytes(tokens)


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()
