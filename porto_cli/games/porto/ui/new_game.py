"""A new game by options of the command line, and what is said of it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from porto_cli.core.command_errors import usage
from porto_cli.core.errors import FileError
from porto_cli.core.files import STANDARD
from porto_cli.core.message import Sentence, say
from porto_cli.core.words import whole_number
from porto_cli.games.porto.editions import edition_of_file, names, shipped
from porto_cli.games.porto.engine.components import HOUSES
from porto_cli.games.porto.engine.edition import Edition
from porto_cli.games.porto.engine.state import HOUSES_LEFT_OUT, Config, Deal
from porto_cli.games.porto.notation import parse_card, parse_house, parse_public
from porto_cli.match.match import Match
from porto_cli.match.record import OPEN


def new_options(typed: Mapping[str, Any], players: Sequence[str]) -> dict[str, Any]:
    """Return the options of a configuration. Raises InvalidFileError, FileError.

    Those that say nothing about a game of so many players are refused (exit code 2).
    """
    count = len(players)
    if count > 1 and "timer" in typed:
        usage(
            say("Only the solo game has a timer, and {count} play; leave out --timer.", count=count)
        )
    if count == 1 and "tie_break" in typed:
        usage(say("In the solo game there is no tie to break; leave out --tie-break."))
    options: dict[str, Any] = {}
    if "first_game" in typed:
        options["private_contracts"] = not typed["first_game"]
    if "tie_break" in typed:
        options["seat_first"] = typed["tie_break"] == "seat-first"
    if "timer" in typed:
        options["timer"] = typed["timer"]
    if "edition" in typed:
        options["edition"] = edition_of(typed["edition"])
    return options


def edition_of(name: str) -> Edition:
    """Return the edition of a name or a file. Raises InvalidFileError, FileError."""
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


def setup_missing(flags: Sequence[str], players: Sequence[str]) -> Sentence:
    """Say what has to be typed of a real table."""
    absent = HOUSES_LEFT_OUT[len(players)]
    return say(
        "A game with real cards needs {missing}: the tokens of the houses {first_left} to L7 and "
        "R1 to {last_right}, the five cards and the four public contracts, in the order of their "
        "spaces, like: --tokens {first_left}=1,… --cards blue-1,… --contracts blue+red,…",
        missing=" ".join(flags),
        first_left=HOUSES[absent],
        last_right=HOUSES[len(HOUSES) - 1 - absent],
    )


def read_setup(config: Config, tokens: str, cards: str, contracts: str) -> Deal:
    """Return what lies on a real table. Raises InvalidMoveError, WrongUsageError."""
    return Deal(
        tokens=_tokens(tokens, config.seats),
        cards=bytes(parse_card(word) for word in _words(cards)),
        contracts=bytes(parse_public(word) for word in _words(contracts)),
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


def what_was_set_up(match: Match, file: str) -> list[Sentence]:
    """Say which game it is and how many play, and what a game with a seed does not protect."""
    told = [_set_up(match, file)]
    if match.record.secrecy == OPEN:
        told.append(_not_hidden(match))
    return told


def _set_up(match: Match, file: str) -> Sentence:
    if len(match.players) == 1:
        return say(
            "The solo game of {player} is set up in {file}: {turns} turns against the timer.",
            player=match.players[0],
            file=file,
            turns=match.config.timer // 2,
        )
    return say(
        "A game of {count} players is set up in {file}; {first} is the first player.",
        count=len(match.players),
        file=file,
        first=match.players[0],
    )


def _not_hidden(match: Match) -> Sentence:
    if len(match.people) > 1 and match.config.private_contracts:
        return say(
            "Whoever reads the file can work out from its seed what will come up and which private "
            "contracts the others keep: play with people who do not look."
        )
    return say("Whoever reads the file can work out from its seed what will come up.")
