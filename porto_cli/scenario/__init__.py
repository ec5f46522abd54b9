"""Scenarios: a position, what is done there, and what must follow (porto-scenario(5)).

``cases``   the contents of a case: the keys of a position, and what it can expect
``runner``  scenario files: loading them, running them, and making one of a running game
"""
