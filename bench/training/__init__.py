"""How the weights of players are made: ``python -m bench.training all --players 2`` for Porto.

===============  =================================================================================
``prices``       the first step: what levels 2 and 3 go by
``regression``   the second: what features are worth, from the ends of many games; needs NumPy
``evolution``    the third: the weights of features, moved to where they win more
``strategy``     the evolution strategy of the first and the third
``games``        the games that are played for all of this
``files``        files of weights, with what they say of how they came about
``forms``        what those files hold, and reading them strictly
``puerto_rico``  the weights of Puerto Rico's players, in one step of its own; needs NumPy
===============  =================================================================================

``docs/measurements/players.md`` describes what each step does, how long it takes and what it gains.
"""
