"""How commands end: the exit codes, besides 0."""

REFUSED = 1
"""Refused by the rules, or a check failed."""
USAGE = 2
INVALID = 3
"""A record, scenario or edition that is not valid."""
TROUBLE = 4
"""A file that cannot be read or written, or was changed meanwhile."""
INTERRUPTED = 130
