"""Scenarios: a position, what is done there, and what must follow (porto-scenario(5)).

``facts``      the keys of a position: how each is read, written and found in a state
``position``   a whole position from a file, and a state as a position
``plausible``  what no game could lead to
``demands``    what a case can ask
``cases``      scenario files: loading and running them
``excerpt``    a turn of a running game as a scenario
"""
