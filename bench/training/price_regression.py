"""Prices that win more, by regression on games in which every player misjudges them.

In each game every player's prices are off in its own way. By how many VP the player was ahead, and
whether it won, is regressed on by how much its prices were off, and the prices take a step in the
direction of the slope. The players of a game are compared with each other, so that what makes all
of them score more does not count.
"""

from __future__ import annotations

import numpy as np

from bench.training.self_play import SCALES, Games, last_tables, moved
from porto_cli.games.puerto_rico.players import PRICED
from porto_cli.games.puerto_rico.players.appraisal import Prices

STEP = 6.0
"""How far prices are moved for a slope of 1: both outcomes are half a standard deviation better for
who is off by one."""
CLEAR = 2.0
"""How many standard errors a slope has to be away from 0, or its price stays as it is."""
ENOUGH = 10
"""Players for each price; with fewer there is no regression."""
DIGITS = 3


def improved(games: Games, prices: Prices) -> Prices:
    """Return the prices after a step, given games whose players were off from ``prices``."""
    ends = last_tables(games)
    off = games.off - games.off.mean(axis=1, keepdims=True)
    flat = off.reshape(-1, len(SCALES))
    if len(flat) < ENOUGH * len(SCALES):
        return prices
    aim = np.zeros(flat.shape[0])
    for outcome in (games.vps[ends], games.won[ends]):
        # Seats are not equally good, and VP are other numbers than wins.
        ahead = outcome - outcome.mean(axis=1, keepdims=True)
        ahead -= ahead.mean(axis=0)
        aim += ahead.reshape(-1) / (ahead.std() or 1.0)
    slopes, *_ = np.linalg.lstsq(flat, aim, rcond=None)
    errors = (aim - flat @ slopes).std() * np.sqrt(np.linalg.inv(flat.T @ flat).diagonal())
    clear = np.where(np.abs(slopes) > CLEAR * errors, slopes, 0.0)
    return rounded(moved(prices, (STEP * clear).tolist()))


def rounded(prices: Prices) -> Prices:
    """Return prices in a few digits."""
    own = {name: float(f"{price:.{DIGITS}g}") for name, price in zip(PRICED, prices, strict=False)}
    return Prices(**own, besides=tuple(round(vp, 2) for vp in prices.besides))
