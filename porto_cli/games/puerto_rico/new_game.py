"""A new game: by options of the command line, or asked; what it is, and what players agree to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from porto_cli.abilities import NewGame
from porto_cli.core import usage
from porto_cli.core.chance import TypedChance
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import (
    HOUSE_RULES,
    RANDOM,
    TILES,
    VIOLET_KINDS,
    HouseRule,
)
from porto_cli.games.puerto_rico.engine.effects import STREAM
from porto_cli.games.puerto_rico.engine.play import Deal
from porto_cli.games.puerto_rico.engine.state import BOXES, Config
from porto_cli.games.puerto_rico.game import read_kinds, read_row
from porto_cli.games.puerto_rico.notation import format_kinds
from porto_cli.match.record import OPEN
from porto_cli.term import PLAIN

if TYPE_CHECKING:
    from porto_cli.abilities import SoFar
    from porto_cli.term.prompt import Asker


class SettingUp(NewGame):
    """See :class:`porto_cli.abilities.NewGame` for what each member means."""

    def option_questions(self) -> dict[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return the prompts for the house rules."""
        return {rule.name: partial(self._ask_rule, rule) for rule in HOUSE_RULES}

    def _ask_rule(self, rule: HouseRule, asker: Asker, players: Sequence[str]) -> str:
        from porto_cli.term.prompt import Choice

        choices = [Choice([(label, PLAIN)], value) for value, label in rule.choices.items()]
        return asker.choose(rule.question, choices, rules=(rule.says, *rule.rules))

    def player_count(self, count: int) -> str:
        """Return the cargo ships and the roles to take in a round for a number of players."""
        box = BOXES[count]
        return (
            f"{count} players: cargo ships of {', '.join(map(str, box.cargo))}; {box.turns} "
            "roles taken in a round"
        )

    def setup_questions(self) -> dict[str, Callable[[Asker, Config], str]]:
        """Return the prompts for what is on a real table: which plantations lie face up, and which
        violet buildings were drawn (PR-SETUP-4, PR-RANDOM-1).
        """
        from porto_cli.asking import write

        def ask_tiles(asker: Asker, config: Config) -> str:
            question = f"The {config.row} face-up plantations, like corn sugar {config.row - 1}:"
            return write(asker, question, lambda text: _row(text, config), ("PR-SETUP-4",))

        def ask_violet(asker: Asker, config: Config) -> str:
            question = (
                f"The {VIOLET_KINDS} violet buildings that you have drawn, like small-market "
                "hacienda …:"
            )
            return write(asker, question, _kinds, ("PR-RANDOM-1", "PR-DRAFT-2", "PR-DRAFT-3"))

        return {"tiles": ask_tiles, "violet": ask_violet}

    def setup_missing(self, flags: Sequence[str], players: Sequence[str]) -> str:
        """Return what has to be typed about a real table."""
        count = len(players) + 1
        row = f"--tiles 'corn sugar {count - 1}'"
        drawn = "--violet 'small-market hacienda …'"
        if "--violet" not in flags:
            return f"A game with the real box needs the {count} face-up plantations, like: {row}"
        needs = "A game with random buildings and the real box needs"
        violet = f"the {VIOLET_KINDS} violet buildings that you have drawn"
        if "--tiles" not in flags:
            return f"{needs} {violet}, like: {drawn}"
        return f"{needs} the {count} face-up plantations and {violet}, like: {row} {drawn}"

    def read_setup(self, config: Config, texts: Mapping[str, str]) -> Deal:
        """Return the setup of a real table. Raises InvalidMoveError, WrongUsageError."""
        violet = texts.get("violet", "")
        if violet and config.buildings != RANDOM:
            usage("The option --violet is only for games with --buildings random; leave it out.")
        kinds = _kinds(violet) if config.buildings == RANDOM else config.kinds
        return Deal(kinds, _row(texts["tiles"], config))

    def what_was_set_up(self, match: SoFar, title: str, file: str) -> list[str]:
        """Return which game was set up, and what a game with a seed does not hide."""
        players = match.config.players
        found = [
            f"A game of Puerto Rico with {len(players)} players is set up in {file}; "
            f"{players[0]} is the first governor."
        ]
        if match.config.buildings == RANDOM:
            kinds = format_kinds(match.state.violet).replace(" ", ", ")
            found.append(f"The violet buildings of the game: {kinds}.")
        if match.record.secrecy == OPEN:
            found.append(
                "Anyone who studies the file can predict which plantation tiles will be drawn."
            )
        return found

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return a chance that asks which plantations came up."""
        from porto_cli.asking import AskedChance, CameUp
        from porto_cli.term.prompt import Choice

        question = "Which plantation was drawn? Number {number} with this move; the order does not "
        rules = ("PR-SETTLER-4", "PR-SETTLER-6", "PR-B-HACIENDA")

        def answer(tile: int) -> Choice[int]:
            return Choice([(TILES[tile], phrases.STYLES[TILES[tile]])], tile)

        return AskedChance(asker, typed, {STREAM: CameUp(f"{question}matter.", rules, answer)})


def terms(config: Config) -> tuple[list[str], list[str]]:
    """Return the options; there is nothing to warn of."""
    said = (f"{name.capitalize()}: {value}." for name, value in config.options.items())
    return [" ".join(said)], []


def _row(text: str, config: Config) -> bytes:
    return read_row(text.replace(",", " "), config)


def _kinds(text: str) -> int:
    return read_kinds(text.replace(",", " "))


SETTING_UP = SettingUp()
"""How people set it up."""
