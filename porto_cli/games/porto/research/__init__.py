"""Porto for those who research games: as a game of OpenSpiel, and as an environment of PettingZoo.

``openspiel``   importing it registers ``porto`` with pyspiel; needs ``pip install
                'porto-cli[openspiel]'``
``porto_v0``    ``porto_v0.env()`` is an AEC environment of PettingZoo; needs ``pip install
                'porto-cli[pettingzoo]'``
``actions``     decisions as numbers, and back
``tree``        a game as a tree: one decision, or one thing that comes up, at a time
``tensor``      what a seat may know as numbers
``text``        the same as text
``recorded``    a record as a line of the tree

All but the first two need nothing that is not installed anyway. ``docs/research.md`` describes
them.
"""
