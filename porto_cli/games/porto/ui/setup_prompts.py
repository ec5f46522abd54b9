"""The questions about what lies on a real table when the game begins."""

from __future__ import annotations

from collections.abc import Callable

from porto_cli.core.errors import InvalidMoveError
from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.components import CARD_SPACES, CONTRACT_SPACES, HOUSES
from porto_cli.games.porto.engine.state import Config, without
from porto_cli.games.porto.notation import parse_card, parse_public
from porto_cli.term.prompt import Asker


def ask_tokens(asker: Asker, config: Config) -> str:
    """Return a VP token for each ground floor in play, like ``L3=1,L4=2`` (P-SETUP-2)."""
    houses = [HOUSES[house] for house in config.houses]

    def fault(text: str) -> Sentence | None:
        values = [word for word in _words(text) if word.isascii() and word.isdigit()]
        if len(values) != len(_words(text)) or len(values) != len(houses):
            return say(
                "Type {count} numbers, one for each of {houses}.",
                count=len(houses),
                houses=" ".join(houses),
            )
        return _not_in_the_box(config.edition.tokens, [int(value) for value in values])

    question = say("VP tokens on the ground floors {houses}:", houses=" ".join(houses))
    values = _words(asker.write(question, fault, rules=("P-SETUP-1", "P-SETUP-2")))
    return ",".join(f"{house}={value}" for house, value in zip(houses, values, strict=True))


def ask_cards(asker: Asker, config: Config) -> str:
    """Return the face-up construction cards, space by space (P-SETUP-3)."""
    deck = config.construction_deck()
    question = say("The {count} face-up cards, like blue-1 or b1:", count=CARD_SPACES)
    return _ask_row(asker, question, parse_card, deck, CARD_SPACES)


def ask_contracts(asker: Asker, config: Config) -> str:
    """Return the face-up public contracts, space by space (P-SETUP-3)."""
    question = say("The {count} public contracts, like blue+red:", count=CONTRACT_SPACES)
    return _ask_row(asker, question, parse_public, config.public_deck(), CONTRACT_SPACES)


def _ask_row(
    asker: Asker, question: Sentence, parse: Callable[[str], int], deck: bytes, spaces: int
) -> str:
    wanted = min(spaces, len(deck))

    def fault(text: str) -> Sentence | None:
        words = _words(text)
        if len(words) != wanted:
            return say("Type {wanted} names, not {count}.", wanted=wanted, count=len(words))
        try:
            return _not_in_the_box(deck, [parse(word) for word in words])
        except InvalidMoveError as error:
            return error.sentence

    return " ".join(_words(asker.write(question, fault, rules=("P-SETUP-3",))))


def _not_in_the_box(pile: bytes, things: list[int]) -> Sentence | None:
    try:
        without(pile, bytes(things))
    except ValueError:
        return say("The box does not hold all of these; look again.")
    return None


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()
