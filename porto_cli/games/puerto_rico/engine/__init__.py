"""The rules of Puerto Rico: pure functions on values, standard library only.

Nothing in this package knows files, clocks, randomness or terminals. What comes up from the
stack is asked of a chance, an argument of every function that needs it.

From the bottom up: ``components`` (what is in the box), ``config`` (what never changes in a
game), ``moves`` and ``events``, ``state`` (the table), ``setup``; what several phases share
(``gains``, ``tiles``, ``rounds``, ``guests``); a module for each phase (``draft``, ``roles``,
``settler``, ``mayor``, ``builder``, ``craftsman``, ``trader``, ``captain``, ``storing``), with
its legal moves, what they lead to and why other moves break the rules; ``phases`` (which moves
belong to which); and, over all of them, ``generate``, ``explain``, ``play`` and
``observation``. The end is counted in ``scoring``.
"""
