"""A record played through, whichever way its game keeps things from its players."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from porto_cli.match.record import SEALED, Record
from porto_cli.match.replay import Replay, replay

if TYPE_CHECKING:
    from porto_cli.match.chain import Keys

    KeySource = Callable[[bool], Keys]
    """Returns the keys of who is at the keyboard; if asked to, it makes one first."""


def keys_of(keys: Keys | KeySource | None, *, make: bool) -> Keys:
    """Return the keys that were given, or those of this computer; ``make`` makes one if there are
    none. Raises PortoError.
    """
    if keys is None:
        from porto_cli.match.holder import own

        return own(make=make)
    return keys(make) if callable(keys) else keys


def opened(record: Record, keys: Keys | KeySource | None = None) -> Replay:
    """Play a record through. Raises InvalidFileError where it breaks a rule or contradicts, and
    NotReadyError for a sealed game that is still being set up.

    Of a sealed game it has what the ``keys`` (those of this computer, if not said) can turn up.
    """
    if record.seals is None:
        return replay(record)
    keys = keys_of(keys, make=False)
    if record.secrecy == SEALED:
        from porto_cli.match.sealed import replay_sealed

        found = replay_sealed(record, keys)
    else:
        from porto_cli.match.signed import replay_signed

        found = replay_signed(record, keys)
    assert found.chain is not None
    keys.see(found.chain)
    return found
