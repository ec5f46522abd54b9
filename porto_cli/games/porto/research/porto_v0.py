"""Porto as an environment of PettingZoo: ``porto_v0.env(players=3)``.

    from porto_cli.games.porto.research import porto_v0

    environment = porto_v0.env(render_mode="ansi")
    environment.reset(seed=7)

``reset(seed=7)`` deals the game of ``porto new --seed 7``; ``reset(options={"seed": "tram"})`` that
of ``porto new --seed tram``. The agents play in the order of their names. Options are ``players``
(2 to 4), ``private_contracts`` (false for the first game) and ``seat_first`` (the other tie-break).
"""

from __future__ import annotations

from typing import Any

from porto_cli.games.porto.research import tree
from porto_cli.research.pettingzoo import TreeEnv, metadata_of, wrapped


def env(**options: Any) -> Any:
    """Return an environment as PettingZoo wants it: who does what is not legal loses at once.

    The options are those of :class:`raw_env`.
    """
    return wrapped(raw_env(**options))


class raw_env(TreeEnv):  # noqa: N801 - PettingZoo calls it so
    """A game of Porto, one decision a step; see :class:`TreeEnv`."""

    tree = tree
    metadata = metadata_of("porto_v0")
