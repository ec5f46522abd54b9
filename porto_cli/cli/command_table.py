"""Which commands there are, and where; those that make moves are the verbs of all games."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.game import BOX, GAMES

COMMANDS = {
    "new": "new",
    "join": "join",
    **{verb: "verbs" for meta in BOX.values() for verb in meta.verbs},
    "show": "show",
    "moves": "moves",
    "hint": "hint",
    "log": "log",
    "score": "score",
    "analyze": "analyze",
    "reveal": "reveal",
    "verify": "verify",
    "play": "play",
    "mail": "mail",
    "receive": "receive",
    "address": "address",
    "scenario": "scenario",
    "simulate": "simulate",
    "tournament": "tournament",
    "rules": "rules",
    "games": "games",
    "me": "me",
    "key": "key",
    "help": "help",
}
"""Each command and the module that has it, in the order of the help."""


def verbs_elsewhere() -> list[str]:
    """Return the verbs that only games of other packages have, which are looked for."""
    found = [verb for meta in GAMES.values() for verb in meta.verbs]
    return [verb for verb in dict.fromkeys(found) if verb not in COMMANDS]


def module_of(name: str) -> str | None:
    """Return the module of a command; ``None`` if there is none of this name."""
    return COMMANDS.get(name) or ("verbs" if name in verbs_elsewhere() else None)


def games_meant(name: str, args: Sequence[str]) -> tuple[str, ...]:
    """Return the games whose words and options a command takes, given what was typed.

    These are the games of the box, and the one that is named by ``--game``. Where help is wanted,
    and where no game of the box has the verb, they are all games.
    """
    helping = "--help" in args or "-h" in args or args[:1] == ("help",)
    if helping or name not in COMMANDS:
        return tuple(GAMES)
    named = next((word.partition("=")[2] for word in args if word.startswith("--game=")), "")
    if "--game" in args[:-1]:
        named = args[args.index("--game") + 1]
    named = named.lower()
    return (*BOX, named) if named and named not in BOX and named in GAMES else tuple(BOX)
