"""Games for those who research games: what the adapters to OpenSpiel and PettingZoo have in common.

``tree``        a game as a tree: one decision, or one thing that comes up, at a time; how actions
                are numbered and observations laid out; a record as a line of the tree
``openspiel``   a game of OpenSpiel; needs ``pip install open_spiel numpy``
``pettingzoo``  an environment of PettingZoo; needs ``pip install pettingzoo gymnasium numpy``

What is to be decided, and what a seat may know, belongs to a game: its package ``research`` has a
:class:`Research`. ``docs/research.md`` describes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import NamedTuple


class Research(NamedTuple):
    """A game as the adapters want it: two modules, and how it is called.

    ``tree``     ``PLAYERS``, ``MOST_OUTCOMES``, ``config_of``, ``root``, ``legal``, ``outcomes``,
                 ``chosen``, ``come_up``, ``play``, ``play_on``, ``is_secret``, ``returns``,
                 ``least_return``, ``longest`` and ``by_seed``, see those of Porto; and of
                 what a seat sees ``size``, ``most``, ``places``, ``observation``, ``observed``,
                 ``everything`` and ``own``, what of the past it alone knows
    ``actions``  ``COUNT``, ``encode``, ``decode`` and ``name``
    """

    game_id: str
    title: str
    tree: ModuleType
    actions: ModuleType
    players: int
    """How many play, if nothing else is said."""
    options: Mapping[str, bool | str]
    """The options of a game, as a record has them, with their defaults."""
    is_open: bool
    """Whether who remembers everything knows the whole table."""
