"""Sequential halving: find the best of some choices by samples of how each turns out.

Every choice that is still in the running gets the same number of samples, then the worse half is
left out, so that most samples go to those that are hard to tell apart (Karnin, Koren and Somekh,
2013). The n-th sample of all choices is to have the same luck: then what differs is the choice.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, log2


def best_by_halving(choices: int, samples: int, sample: Callable[[int, int], float]) -> int:
    """Return which of so many choices is best.

    ``samples`` says how many there are in all, more or less; ``sample(choice, nth)`` returns how
    good the choice turns out to be with the luck of this number. Of equals the first one is taken.
    Raises ValueError if there is nothing to choose.
    """
    if choices < 1:
        raise ValueError("There is nothing to choose.")
    alive = list(range(choices))
    rounds = max(1, ceil(log2(choices)))
    sums = [0.0] * choices
    taken = 0
    for _ in range(rounds):
        if len(alive) == 1:
            break
        for nth in range(taken, taken + max(1, samples // (rounds * len(alive)))):
            for choice in alive:
                sums[choice] += sample(choice, nth)
            taken = nth + 1
        # All that are alive have as many samples as each other.
        alive.sort(key=lambda choice: (-sums[choice], choice))
        alive = alive[: max(2, (len(alive) + 1) // 2)]
    return alive[0]
