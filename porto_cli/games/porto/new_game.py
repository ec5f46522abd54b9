"""A new game: by options of the command line, or asked; what it is, and what players agree to."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import not_
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from porto_cli.abilities import NewGame
from porto_cli.asking import AskedChance, CameUp, write
from porto_cli.core import (
    FileError,
    InvalidMoveError,
    cited,
    plural,
    usage,
    whole_number,
)
from porto_cli.core.chance import TypedChance
from porto_cli.core.files import STANDARD, name_of, read_text
from porto_cli.games.porto.commands import TIE_BREAKS
from porto_cli.games.porto.editions import (
    edition_of_text,
    edition_values,
    is_shipped,
    names,
    shipped,
)
from porto_cli.games.porto.engine import (
    CARD_SPACES,
    CARDS,
    CONTRACT_SPACES,
    HOUSES,
    PUBLIC_NAMES,
    Edition,
    parse_card,
    parse_house,
    parse_public,
)
from porto_cli.games.porto.engine.state import HOUSES_LEFT_OUT, TIMERS, Config, Deal
from porto_cli.games.porto.game import PORTO
from porto_cli.games.porto.notation import short_forms
from porto_cli.games.porto.phrases import public_contract
from porto_cli.match.record import OPEN
from porto_cli.term import PLAIN
from porto_cli.term.prompt import Asker, Choice
from porto_cli.words import split_words

if TYPE_CHECKING:
    from porto_cli.abilities import SoFar


class SettingUp(NewGame):
    """See :class:`porto_cli.abilities.NewGame` for what each member means."""

    def new_options(self, typed: Mapping[str, Any], players: Sequence[str]) -> dict[str, Any]:
        """Return the options of a configuration. Raises InvalidFileError, FileError.

        Those that do not apply to this number of players are refused (exit code 2).
        """
        count = len(players)
        if count > 1 and "timer" in typed:
            usage(f"Only the solo game has a timer, and {count} play; leave out --timer.")
        if count == 1 and "tie_break" in typed:
            usage("In the solo game there is no tie to break; leave out --tie-break.")
        made: dict[str, tuple[str, Callable[[Any], Any]]] = {
            "first_game": ("private_contracts", not_),
            "tie_break": ("seat_first", lambda first: first == TIE_BREAKS[1]),
            "timer": ("timer", int),
            "edition": ("edition", edition_of),
        }
        return {made[key][0]: made[key][1](value) for key, value in typed.items()}

    def option_questions(self) -> dict[str, Callable[[Asker, Sequence[str]], Any]]:
        """Return the prompts for the timer and the variant."""
        return {"timer": self._ask_timer, "private_contracts": self._ask_private_contracts}

    def _ask_timer(self, asker: Asker, players: Sequence[str]) -> int | None:
        """Ask how long the solo game lasts (P-SOLO-1)."""
        if len(players) > 1:
            return None
        choices = [
            Choice([(f"{timer} timer cards, {timer // 2} turns{how}", PLAIN)], timer)
            for timer, how in zip(TIMERS, ("", ": harder", ": hardest"), strict=True)
        ]
        says = "Each turn uses up two cards of the timer. Fewer turns make 60 VP harder to reach."
        rules = (says, "P-SOLO-1", "P-SOLO-6")
        return asker.choose("How long will the game last?", choices, rules=rules)

    def _ask_private_contracts(self, asker: Asker, players: Sequence[str]) -> bool:
        """Ask whether to play with private contracts (P-SETUP-6)."""
        choices = [
            Choice([("With private contracts", PLAIN)], True),
            Choice([("Without them: the first game variant", PLAIN)], False),
        ]
        question = "With private contracts?"
        says = (
            "Private contracts are hidden from the others and score at the end of the game. "
            "Without them a first game is easier."
        )
        return asker.choose(question, choices, rules=(says, "P-SETUP-5", "P-SETUP-6"))

    def player_count(self, count: int) -> str:
        """One player plays the solo game."""
        return f"{plural(count, 'player')}{': the solo game against the timer' * (count == 1)}"

    def setup_questions(self) -> dict[str, Callable[[Asker, Config], str]]:
        """Return the prompts for what is on a real table."""
        return {"tokens": self._ask_tokens, "cards": _ask_cards, "contracts": _ask_contracts}

    def _ask_tokens(self, asker: Asker, config: Config) -> str:
        """Return a VP token for each ground floor in play, like ``L3=1,L4=2`` (P-SETUP-2)."""
        houses = [HOUSES[house] for house in config.houses]

        def read(text: str) -> None:
            values = [whole_number(word) for word in split_words(text)]
            if len(values) != len(houses) or min(values) < 0:
                raise InvalidMoveError(
                    f"Type {len(houses)} numbers, one for each of {' '.join(houses)}."
                )
            _demand_from_box(config.edition.tokens, values)

        question = f"VP tokens on the ground floors {' '.join(houses)}:"
        values = split_words(write(asker, question, read, ("P-SETUP-1", "P-SETUP-2")))
        return ",".join(f"{house}={value}" for house, value in zip(houses, values, strict=True))

    def setup_missing(self, flags: Sequence[str], players: Sequence[str]) -> str:
        """Return what has to be typed from a real table."""
        absent = HOUSES_LEFT_OUT[len(players)]
        first, last = HOUSES[absent], HOUSES[len(HOUSES) - 1 - absent]
        return (
            f"A game with real cards needs {' '.join(flags)}: the tokens of the houses {first} to "
            f"L7 and R1 to {last}, the five cards and the four public contracts, in the order of "
            f"their spaces, like: --tokens {first}=1,… --cards blue-1,… --contracts blue+red,…"
        )

    def read_setup(self, config: Config, texts: Mapping[str, str]) -> Deal:
        """Return what lies on a real table. Raises InvalidMoveError, WrongUsageError."""
        values = {
            "tokens": _tokens(texts["tokens"], config),
            "cards": bytes(parse_card(word) for word in split_words(texts["cards"])),
            "contracts": bytes(parse_public(word) for word in split_words(texts["contracts"])),
        }
        return PORTO.setup.deal_of(config, values)

    def what_was_set_up(self, match: SoFar, title: str, file: str) -> list[str]:
        """Return the game, its players, and what a game with a seed does not protect."""
        config = match.config
        players, first = config.seats, config.players[0]
        said = [f"A game of {players} players is set up in {file}; {first} is the first player."]
        if players == 1:
            turns = config.timer // 2
            said = [
                f"The solo game of {first} is set up in {file}: {turns} turns against the timer."
            ]
        if match.record.secrecy != OPEN:
            return said
        what = "the deck"
        if players - len(match.bot_seats) > 1 and config.private_contracts:
            what += " and the others' private contracts, so play with people you trust"
        return [*said, f"Anyone who studies the file can predict {what}."]

    def asked_chance(self, asker: Asker, typed: TypedChance | None) -> TypedChance:
        """Return a chance that asks which cards and contracts came up."""
        return AskedChance(asker, typed, _CAME_UP)


def edition_of(name: str) -> Edition:
    """Return the edition of a name or a file. Raises InvalidFileError, FileError."""
    if name in names():
        return shipped(name)
    path = Path(name)
    if str(path) != STANDARD and not os.path.exists(path):
        raise FileError(f"The edition {name} is neither one of {', '.join(names())} nor a file.")
    return edition_of_text(read_text(path), name_of(path))


def _tokens(text: str, config: Config) -> dict[int, int]:
    tokens = dict.fromkeys(config.houses, 0)
    for word in split_words(text):
        house, equals, value = word.partition("=")
        if not equals or not 0 < whole_number(value) < 10:
            usage(f"{cited(word)} is not a token; a token is a house and its value, like L3=2.")
        place = parse_house(house)
        if place not in tokens:
            usage(f"{config.unused(place)} It has no token.")
        if tokens[place]:
            usage(f"The token of {HOUSES[place]} is named twice.")
        tokens[place] = int(value)
    missing = [HOUSES[house] for house, token in tokens.items() if not token]
    if missing:
        usage(
            "Every house has a VP token, and --tokens lacks those of "
            f"{', '.join(missing)}, like {missing[0]}=1."
        )
    return tokens


def _ask_cards(asker: Asker, config: Config) -> str:
    """Return the face-up construction cards, space by space (P-SETUP-3)."""
    question = f"The {CARD_SPACES} face-up cards, like blue-1 or b1:"
    return _ask_row(asker, question, parse_card, config.construction_deck, CARD_SPACES)


def _ask_contracts(asker: Asker, config: Config) -> str:
    """Return the face-up public contracts, space by space (P-SETUP-3)."""
    question = f"The {CONTRACT_SPACES} public contracts, like blue+red:"
    return _ask_row(asker, question, parse_public, config.public_deck, CONTRACT_SPACES)


def _ask_row(
    asker: Asker, question: str, parse: Callable[[str], int], deck: bytes, spaces: int
) -> str:
    wanted = min(spaces, len(deck))

    def read(text: str) -> None:
        words = split_words(text)
        if len(words) != wanted:
            raise InvalidMoveError(f"Type {wanted} names, not {len(words)}.")
        _demand_from_box(deck, [parse(word) for word in words])

    return " ".join(split_words(write(asker, question, read, ("P-SETUP-3",))))


def _demand_from_box(pile: bytes, things: list[int]) -> None:
    if Counter(things) - Counter(pile):
        raise InvalidMoveError("The box does not hold all of these; look again.")


def passes_for(edition: Edition) -> Edition | None:
    """Return the edition of the program that one with other contents is called like; ``None`` if
    there is none. Case, blanks and signs in a name make no difference.
    """
    called = _bare(edition.name)
    alike = (shipped(name) for name in names() if _bare(name) == called)
    return next((one for one in alike if one != edition._replace(name=one.name)), None)


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, normalize("NFKC", name))).casefold()


def differences(edition: Edition, other: Edition) -> list[str]:
    """Return the keys of an edition file, besides the name, under which two editions differ."""
    one, two = (edition_values(each._replace(name="")) for each in (edition, other))
    return [key for key, value in one.items() if value != two[key]]


def terms(config: Config) -> tuple[list[str], list[str]]:
    """Return edition and options of a game, and a warning of an edition that passes for another."""
    edition, warnings = config.edition, list[str]()
    said = [
        f"The box is the edition {edition.name}, which comes with porto."
        if is_shipped(edition)
        else f"The box is an edition of its own, {cited(edition.name)}; the record has its "
        "numbers.",
        "Private contracts are played."
        if config.private_contracts
        else "It is played without private contracts.",
        f"Tie-break: {TIE_BREAKS[config.seat_first]}.",
    ]
    if real := passes_for(edition):
        warnings.append(
            f"Warning: the edition of this game is called {cited(edition.name)} but is not the "
            f"edition {real.name} that comes with porto. These differ: "
            f"{', '.join(differences(edition, real))}. Ask whoever set it up."
        )
    return said, warnings


def _construction_card(card: int) -> Choice[int]:
    # The look of a card comes with all legal moves.
    from porto_cli.games.porto.options import chip

    return Choice([chip(CARDS[card])], card, short_forms([CARDS[card]]))


def _public_contract(contract: int) -> Choice[int]:
    name = PUBLIC_NAMES[contract]
    return Choice([(f"{name:14} {public_contract(name)}", PLAIN)], contract)


_CAME_UP = {
    "cards": CameUp(
        "Which card came up? Lowest empty space first, card {number}.",
        ("P-DRAW-2",),
        _construction_card,
    ),
    "contracts": CameUp(
        "Which public contract came up? Lowest empty space first, contract {number}.",
        ("P-PUBLIC-3",),
        _public_contract,
    ),
    "timer": CameUp(
        "Which timer card was turned up? Card {number} of 2.",
        ("P-SOLO-2", "P-SOLO-3"),
        _construction_card,
    ),
}


SETTING_UP = SettingUp()
"""How people set it up."""
