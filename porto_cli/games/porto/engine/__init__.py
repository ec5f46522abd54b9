"""The rules of Porto: pure functions on values, standard library only.

What comes up is decided by a chance, an argument of every function that needs it.

From the bottom up: ``components`` (what is in the box), ``names``, ``state``, ``events``,
``scoring``, ``sites`` (where can be built), ``turn`` (how one ends, and what comes up then),
``moves`` (what all have in common); a module for each kind of moves (``keep``, ``draw``, ``build``,
``claim``, ``passing``); and over all of them ``play``.
"""
