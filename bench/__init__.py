"""The benchmark: ``python -m bench`` measures porto side by side with what else there is.

Everything is measured in one run: the contenders take turns, so that a noisy machine disturbs
them alike, and what counts are ratios, round by round. The peers (python-chess, OpenSpiel) are
left out where they are not installed: ``pip install -e '.[bench]'``.
"""
