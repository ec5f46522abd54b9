"""Positions of Puerto Rico: what the keys of a scenario file mean for this game.

``fields``        the keys of a position: how each is read, written and found in a state
``position``      a whole position from a file, and a state as a position
``box``           how much of the box is out on the table
``consistency``   what no game could lead to
``expectations``  what else a case can ask: VP and doubloons by reason, and the end
"""
