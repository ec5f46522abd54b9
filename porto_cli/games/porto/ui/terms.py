"""What players agree to when they join a game: the box and the options, in whole sentences."""

from __future__ import annotations

from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.editions import is_shipped, passes_for
from porto_cli.games.porto.engine.edition import Edition
from porto_cli.games.porto.engine.state import Config
from porto_cli.games.porto.header import TIE_BREAKS


def terms(config: Config) -> list[Sentence]:
    """Return the edition and the options of a game."""
    edition = config.edition
    contracts = (
        "Private contracts are played."
        if config.private_contracts
        else "It is played without private contracts."
    )
    return [
        say(
            "The box is the edition {edition}, which comes with porto."
            if is_shipped(edition)
            else "The box is an edition of its own, {edition!r}; the record has its numbers.",
            edition=edition.name,
        ),
        say(contracts),
        say("Tie-break: {tie_break}.", tie_break=TIE_BREAKS[config.seat_first]),
    ]


def warnings(config: Config) -> list[Sentence]:
    """Warn of a box that is called like one that comes with the program and is another one."""
    edition = config.edition
    real = passes_for(edition)
    if real is None:
        return []
    return [
        say(
            "Warning: the edition of this game is called {name!r}, and it is not the edition "
            "{real} that comes with porto. These differ: {differences}. Ask who set it up.",
            name=edition.name,
            real=real.name,
            differences=", ".join(_differences(edition, real)),
        )
    ]


def _differences(edition: Edition, real: Edition) -> list[str]:
    """Return the keys of an edition file under which two editions differ."""
    return [key for field, key in _KEYS.items() if getattr(edition, field) != getattr(real, field)]


_KEYS = {
    "heights": "heights",
    "cards_per_value": "cards",
    "ground_floors": "ground-floors",
    "upper_floors": "upper-floors",
    "tokens": "tokens",
    "public": "public-contracts",
    "private": "private-contracts",
    "artificial": "artificial",
}
