"""The forms in which a player keeps three private contracts, and reveals them at a real table."""

from __future__ import annotations

from porto_cli.games.porto.engine import KEPT, PRIVATE_NAMES
from porto_cli.games.porto.engine.cards import KEEPS
from porto_cli.games.porto.engine.play import violations
from porto_cli.games.porto.engine.scoring import scale_of
from porto_cli.games.porto.engine.state import State
from porto_cli.games.porto.phrases import private_contract, private_in_short, unrevealed
from porto_cli.games.porto.view import view
from porto_cli.match.items import IllegalMoveError
from porto_cli.term import BOLD, PLAIN, Line
from porto_cli.term.prompt import Asker, Choice, Rules


def ask_to_keep(asker: Asker, state: State, seat: int, rules: Rules) -> str:
    """Ask a player which three of the five private contracts to keep (P-SETUP-5).

    Raises IllegalMoveError where the deal is sealed.
    """
    faults = violations(state, KEEPS[0], seat) if state.seals else []
    if faults:
        raise IllegalMoveError(faults)
    player = view(state, seat)["players"][seat]
    choices = [
        Choice([(one["contract"], BOLD)], nth, note=private_in_short(one["contract"], one["scale"]))
        for nth, one in enumerate(player["private_contracts"], start=1)
    ]
    question = f"{player['name']}, choose {KEPT} contracts to keep."
    kinds = dict.fromkeys(f"P-PRIV-{name.partition('-')[0].upper()}" for name in player["private"])
    kept = asker.choose_several(question, choices, KEPT, rules=(*rules, *kinds))
    return " ".join(["keep", *map(str, kept)])


def ask_to_reveal(asker: Asker, state: State, seat: int, rules: Rules) -> str:
    """Ask a player for the three private contracts that were kept at a real table (P-END-2).

    Raises CancelledError from the first question.
    """
    question = f"{state.config.players[seat]}, reveal {KEPT} private contracts."
    choices = [Choice(_revealed(state, name), name) for name in unrevealed(state).elements()]
    revealed = asker.choose_several(question, choices, KEPT, rules=rules)
    return " ".join(["keep", *revealed])


def _revealed(state: State, name: str) -> Line:
    scale = scale_of(state.config, PRIVATE_NAMES.index(name))
    return [(f"{name}: ", BOLD), (private_contract(name, scale), PLAIN)]
