"""The keys of who is at the keyboard, for signed and sealed games. Nothing is loaded before one is
opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from porto_cli.term.tell import remark

if TYPE_CHECKING:
    from porto_cli.match.holder import Holder


def keys_here(make: bool) -> Holder:
    """Return the keys of this computer, made if there are none and ``make`` says so.

    A passphrase is asked for when a secret is needed; to look at a game only where somebody can be
    asked. Raises FileError, PassphraseError; exits with 2 if nobody can be asked.
    """
    from porto_cli.cli import own_key
    from porto_cli.keys import keyfile
    from porto_cli.match.holder import Holder, holder_of

    stored = keyfile.stored()
    if stored is None:
        if not make:
            return Holder()
        identity = own_key.identity()
        return Holder(identity.public, lambda: identity)
    remark(*stored.notices)
    if not make and not own_key.can_be_opened(stored):
        return Holder()
    return holder_of(stored, lambda: own_key.open_key(stored))
