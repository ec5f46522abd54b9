"""Puerto Rico as an environment of PettingZoo: ``puerto_rico_v0.env(players=3)``.

``reset(seed=7)`` deals the game of ``porto new --seed 7``; ``reset(options={"seed": "arecibo"})``
that of ``porto new --seed arecibo``. The agents play in the order of their names; the first is the
first governor. Options are ``players`` (2 to 5), ``buildings`` and ``rulebook``.
"""

from __future__ import annotations

from typing import Any

from porto_cli.games.puerto_rico.research import tree
from porto_cli.research.pettingzoo import TreeEnv, metadata_of, wrapped


def env(**options: Any) -> Any:
    """Return an environment as PettingZoo wants it: who does what is not legal loses at once.

    The options are those of :class:`raw_env`.
    """
    return wrapped(raw_env(**options))


class raw_env(TreeEnv):  # noqa: N801 - PettingZoo calls it so
    """A game of Puerto Rico, one decision a step; see :class:`TreeEnv`."""

    tree = tree
    metadata = metadata_of("puerto_rico_v0")
