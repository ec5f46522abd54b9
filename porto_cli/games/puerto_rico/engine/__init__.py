"""The rules of Puerto Rico: pure functions on values, standard library only.

Nothing in this package uses files, clocks, randomness or terminals. What comes up from the stack is
decided by a chance, an argument of every function that needs it.

From the bottom up: ``components`` (what is in the box), ``moves`` (and events), ``state`` (the
options and the table), ``effects`` (what several phases have in common), ``setup``; the phases of
the roles (``settler_mayor``, ``builder``, ``craftsman_trader``, ``captain``) with their legal
moves, what they lead to and why other moves break the rules; and over all of them ``play``.
"""
