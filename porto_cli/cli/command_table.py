"""Which commands there are, and where; those that make moves are the verbs of all games."""

from __future__ import annotations

from porto_cli.game import BOX

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
