"""A new game: by options of the command line or by questions, and the report of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from porto_cli.asking import AskedChance, CameUp
from porto_cli.core.chance import TypedChance
from porto_cli.core.message import InvalidMoveError, usage
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import TILES
from porto_cli.games.puerto_rico.engine.effects import STREAM
from porto_cli.games.puerto_rico.engine.setup import Deal
from porto_cli.games.puerto_rico.engine.state import (
    BASE,
    BOXES,
    DRAFT,
    GUIDE,
    PRINTED,
    RANDOM,
    Config,
)
from porto_cli.games.puerto_rico.notation import format_kinds
from porto_cli.games.puerto_rico.record_keys import KINDS_IN_A_GAME, read_kinds, read_row
from porto_cli.match.record import OPEN
from porto_cli.setting_up import NewGame, SetUp
from porto_cli.term.prompt import Asker, Choice
from porto_cli.term.spans import PLAIN, Line


def setup_missing(flags: Sequence[str], players: Sequence[str]) -> str:
    """Return what has to be typed about a real table."""
    count = len(players) + 1
    row = f"--tiles 'corn sugar {count - 1}'"
    drawn = "--violet 'small-market hacienda …'"
    if "--violet" not in flags:
        return f"A game with the real box needs the {count} face-up plantations, like: {row}"
    needs = "A game with random buildings and the real box needs"
    violet = f"the {KINDS_IN_A_GAME} violet buildings that you have drawn"
    if "--tiles" not in flags:
        return f"{needs} {violet}, like: {drawn}"
    return f"{needs} the {count} face-up plantations and {violet}, like: {row} {drawn}"


def read_setup(config: Config, tiles: str, violet: str = "") -> Deal:
    """Return the setup of a real table. Raises InvalidMoveError, WrongUsageError."""
    if violet and config.buildings != RANDOM:
        usage("The option --violet is only for games with --buildings random; leave it out.")
    kinds = read_kinds(_words(violet)) if config.buildings == RANDOM else config.kinds
    return Deal(kinds, read_row(_words(tiles), config))


def _words(text: str) -> str:
    return text.replace(",", " ")


def what_was_set_up(match: SetUp, file: str) -> list[str]:
    """Return which game was set up, and what a game with a seed does not hide."""
    found = [
        f"A game of Puerto Rico with {len(match.players)} players is set up in {file}; "
        f"{match.players[0]} is the first governor."
    ]
    if match.config.buildings == RANDOM:
        kinds = format_kinds(match.state.violet).replace(" ", ", ")
        found.append(f"The violet buildings of the game: {kinds}.")
    if match.record.secrecy == OPEN:
        found.append(
            "Anyone who studies the file can predict which plantation tiles will be drawn."
        )
    return found


# -- questions

BUILDINGS_RULES = ("PR-SETUP-7", "PR-DRAFT-1", "PR-DRAFT-2", "PR-DRAFT-3", "PR-RANDOM-1")
RULEBOOK_RULES = ("PR-GUIDE-1", "PR-GUIDE-2", "PR-GUIDE-3")


def ask_buildings(asker: Asker, players: Sequence[str]) -> str:
    """Ask which violet buildings are in the game (PR-SETUP-7)."""
    choices = [
        Choice(_line("Those of the base game"), BASE),
        Choice(_line("The players draft them, with those of the expansion"), DRAFT),
        Choice(_line("At random, with those of the expansion"), RANDOM),
    ]
    says = (
        "Violet buildings give their owners advantages. For a first game take those of the base "
        "game; drafting or drawing them makes each game different."
    )
    return asker.choose("Which violet buildings?", choices, rules=(says, *BUILDINGS_RULES))


def ask_rulebook(asker: Asker, players: Sequence[str]) -> str:
    """Ask which rulebook applies where two of them differ."""
    choices = [
        Choice(_line("The printed rulebook"), PRINTED),
        Choice(_line("The online guide"), GUIDE),
    ]
    question = "Whose rules, where they differ in three details?"
    says = "The two rulebooks differ in three details. Without a reason, take the printed one."
    return asker.choose(question, choices, rules=(says, *RULEBOOK_RULES))


def ask_tiles(asker: Asker, config: Config) -> str:
    """Ask which plantations lie face up on a real table (PR-SETUP-4)."""

    def fault(text: str) -> str | None:
        try:
            read_row(_words(text), config)
        except InvalidMoveError as error:
            return error.sentence
        return None

    question = f"The {config.row} face-up plantations, like corn sugar {config.row - 1}:"
    return asker.write(question, fault, rules=("PR-SETUP-4",))


def ask_violet(asker: Asker, config: Config) -> str:
    """Ask which violet buildings were drawn (PR-RANDOM-1)."""

    def fault(text: str) -> str | None:
        try:
            read_kinds(_words(text))
        except InvalidMoveError as error:
            return error.sentence
        return None

    question = (
        f"The {KINDS_IN_A_GAME} violet buildings that you have drawn, like small-market hacienda …:"
    )
    return asker.write(question, fault, rules=("PR-RANDOM-1", "PR-DRAFT-2", "PR-DRAFT-3"))


def _line(label: str) -> Line:
    return [(label, PLAIN)]


def player_count(count: int) -> str:
    """Return the cargo ships and the roles to take in a round for a number of players."""
    box = BOXES[count]
    return (
        f"{count} players: cargo ships of {', '.join(map(str, box.cargo))}; {box.turns} "
        "roles taken in a round"
    )


_CAME_UP = {
    STREAM: CameUp(
        "Which plantation was drawn? Number {number} with this move; the order does not matter.",
        ("PR-SETTLER-4", "PR-SETTLER-6", "PR-B-HACIENDA"),
        lambda tile: Choice([(TILES[tile], phrases.style_of(tile))], tile),
    )
}


class PuertoRicoSettingUp(NewGame):
    """See :class:`porto_cli.setting_up.NewGame` for what each member means."""

    def option_questions(self) -> dict[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return the prompts for the buildings and the rulebook."""
        return {"buildings": ask_buildings, "rulebook": ask_rulebook}

    player_count = staticmethod(player_count)

    def setup_questions(self) -> dict[str, Callable[[Asker, Config], str]]:
        """Return the prompts for what is on a real table."""
        return {"tiles": ask_tiles, "violet": ask_violet}

    setup_missing = staticmethod(setup_missing)

    def read_setup(self, config: Config, texts: Mapping[str, str]) -> Deal:
        """Return the setup of a real table."""
        return read_setup(config, **texts)

    def what_was_set_up(self, match: SetUp, title: str, file: str) -> list[str]:
        """Return which game was set up, and what its seed does not hide."""
        return what_was_set_up(match, file)

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return a chance that asks which plantations came up."""
        return AskedChance(asker, typed, _CAME_UP)
