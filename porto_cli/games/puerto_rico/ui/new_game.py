"""A new game by options of the command line, and what came up on a real table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from porto_cli.core.command_errors import usage
from porto_cli.core.errors import InvalidMoveError
from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico.engine.config import (
    BUILDING_OPTIONS,
    RANDOM,
    RULEBOOKS,
    Config,
)
from porto_cli.games.puerto_rico.engine.setup import Deal
from porto_cli.games.puerto_rico.header import read_kinds, read_row
from porto_cli.match.match import Match
from porto_cli.match.record import OPEN
from porto_cli.term.prompt import Asker, Choice
from porto_cli.term.spans import PLAIN

_BUILDINGS = {
    "base": say("The violet buildings of the base game"),
    "draft": say("The players choose them, one after the other"),
    "random": say("They are drawn at random"),
}
_RULEBOOKS = {
    "printed": say("The printed rulebook"),
    "guide": say("The guide of the publisher"),
}


def ask_buildings(asker: Asker, players: Sequence[str]) -> str:
    """Ask which violet buildings are in the game."""
    choices = [Choice([(str(_BUILDINGS[name]), PLAIN)], name) for name in BUILDING_OPTIONS]
    return asker.choose(say("Which violet buildings?"), choices, rules=("PR-SETUP-7",))


def ask_rulebook(asker: Asker, players: Sequence[str]) -> str:
    """Ask which rulebook holds."""
    choices = [Choice([(str(_RULEBOOKS[name]), PLAIN)], name) for name in RULEBOOKS]
    return asker.choose(say("Which rulebook holds where they differ?"), choices)


def ask_tiles(asker: Asker, config: Config) -> str:
    """Ask for the row on a real table (PR-SETUP-4)."""
    question = say("The {count} plantations face up, like: corn 2 sugar", count=config.row)
    return asker.write(question, _fault(lambda text: read_row(text, config)))


def ask_violet(asker: Asker, config: Config) -> str:
    """Ask for the violet buildings that were drawn (PR-RANDOM-1), if any were."""
    if config.buildings != RANDOM:
        return ""
    question = say("The violet buildings that were drawn, with blanks between them:")
    return asker.write(question, _fault(read_kinds), rules=("PR-RANDOM-1",))


def _fault(read: Callable[[str], object]) -> Callable[[str], Sentence | None]:
    def fault(text: str) -> Sentence | None:
        try:
            read(text)
        except InvalidMoveError as error:
            return error.sentence
        return None

    return fault


def setup_missing(flags: Sequence[str], players: Sequence[str]) -> Sentence:
    """Say what has to be typed of a real table."""
    return say(
        "A game on a real table needs {missing}: the row of plantations, like --tiles 'corn 2 "
        "sugar', and with --buildings random the violet buildings.",
        missing=" ".join(flags),
    )


def read_setup(config: Config, texts: Mapping[str, str]) -> Deal:
    """Return what lies on a real table. Raises InvalidMoveError, WrongUsageError."""
    violet = texts.get("violet", "")
    if violet and config.buildings != RANDOM:
        usage(say("--violet is for games with --buildings random; leave it out."))
    kinds = read_kinds(violet) if config.buildings == RANDOM else config.kinds
    return Deal(kinds, read_row(texts["tiles"], config))


def new_options(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a configuration."""
    return {name: str(value) for name, value in typed.items()}


def what_was_set_up(match: Match, file: str) -> list[Sentence]:
    """Say which game it is, and what a game with a seed does not protect."""
    told = [
        say(
            "A game of Puerto Rico for {count} players is set up in {file}; {first} is the first "
            "governor.",
            count=len(match.players),
            file=file,
            first=match.players[0],
        )
    ]
    if match.record.secrecy == OPEN:
        told.append(
            say("Whoever reads the file can work out from its seed which plantations will come up.")
        )
    return told
