"""Games for those who research games: what the adapters to OpenSpiel and PettingZoo have in common.

``tree``        a game as a tree: one decision, or one thing that comes up, at a time; actions as
                numbers, and what a seat may know as numbers and as text
``openspiel``   a game of OpenSpiel; needs ``pip install open_spiel numpy``
``pettingzoo``  an environment of PettingZoo; needs ``pip install pettingzoo gymnasium numpy``

A game declares its :class:`~porto_cli.research.tree.Tree` in its package ``research``: the texts of
its actions, and the numbers of an observation. ``docs/research.md`` describes all of it.
"""
