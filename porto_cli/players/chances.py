"""From VP that can be expected to a chance to win, by how far they are off in the end."""

from __future__ import annotations

from math import erf, exp, sqrt


def chance_to_win(lead: float, *, even: float, sigma: float) -> float:
    """Return the chance to win, 0 to 1, of who can be expected to be so many VP ahead at the end.

    It is a half with a lead of ``even``. In the end leads deviate normally, with a standard
    deviation of ``sigma`` VP.
    """
    return (1 + erf((lead - even) / sigma / sqrt(2))) / 2


def rough_chance(lead: float, sure: float) -> float:
    """Return about the chance to win, 0 to 1, of who is so many VP ahead, to compare moves by.

    It is a half without a lead, and with each ``sure`` VP more the chance that is missing shrinks
    to 1/e of what it was.
    """
    if lead > 0:
        return 1 - exp(-lead / sure) / 2
    return exp(lead / sure) / 2


def chance_to_reach(target: int, vp: float, doubt: float) -> float:
    """Return about the chance, 0 to 1, that a score is at least ``target`` in the end.

    ``vp`` is what it can be expected to be. In the end scores deviate logistically, by ``doubt`` VP
    as the scale of that.
    """
    return 1 / (1 + exp(-(vp - target + 0.5) / doubt))
