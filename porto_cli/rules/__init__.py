"""The game itself: pure functions, standard library only.

Nothing in this package knows files, clocks, randomness or terminals. What comes up from a
deck is asked of a :class:`~porto_cli.rules.state.Chance`, an argument of every function that
needs it.
"""
