"""What belongs to one player and to no record: the key, the journal of what it has signed, and
which set-ups were verified before.

All of it is in one folder that nobody else can look into.
"""
