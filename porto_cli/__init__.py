"""Play the board game Porto by text: one readable file per game, one command per move."""

__version__ = "0.1.0"
