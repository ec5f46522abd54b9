"""Orders in sealed games: what they say is not to be read by who chooses before their player.

An order is committed to. What opens it is in boxes, each for the key of a player who may carry it
out; none is for the player who moves directly before, nor for whoever shares that player's key.
With the order such a box has the next value of the owner's chain, so that a move that an order
decides releases the same value as one that the owner makes: whoever carries it out, or does not,
decides nothing about what comes up. It is opened to all when it is carried out.

An order is for one turn. A later one, and everything else that its player does, takes its place.
"""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.core.message import InvalidMoveError
from porto_cli.crypto.encoding import to_text
from porto_cli.crypto.identity import boxed
from porto_cli.crypto.primitives import SIZE
from porto_cli.crypto.secrets import order_commitment
from porto_cli.match.chain import Keys, bytes_of
from porto_cli.match.ordered import Decided, due
from porto_cli.match.orders import NONE, Order, Scope, read_order
from porto_cli.match.record import SEALED, Record
from porto_cli.match.replay import ORDERING, Declaration, Replay
from porto_cli.match.sealed_state import Given

UNKNOWN = Order(Scope.ONCE, "", ())
"""An order that was used, or that the keys at hand cannot open: it only ends those before it."""
_BLOCK = 128
"""The bytes of an order in a box are filled up to a multiple of this, to hide how long it is."""


class Opening(NamedTuple):
    """What opens an order, and lets others carry it out."""

    salt: bytes
    release: bytes
    text: str
    """The order, without the word ``order``."""

    def boxed(self, key: bytes) -> str:
        """Return the box for the owner of a key, as a step has it."""
        text = self.text.encode()
        return to_text(boxed(key, self.salt + self.release + text + bytes(-len(text) % _BLOCK)))


def text_of(is_given: bool) -> str:
    """Return what people read of an order that is given, or taken back."""
    return ORDERING + (SEALED if is_given else NONE)


def opening_of(given: Given, owner: int, by: int, keys: Keys, game: bytes) -> Opening | None:
    """Return the opening in the box for a player; ``None`` if it does not open the order."""
    raw = keys.identity.open(bytes_of(given.boxes.get(str(by), ""))) or b""
    salt, release, filled = raw[:SIZE], raw[SIZE : 2 * SIZE], raw[2 * SIZE :]
    text = filled.rstrip(b"\0").decode("utf-8", "replace")
    if order_commitment(game, owner, given.height, salt, text) != given.commitment:
        return None
    return Opening(salt, release, text)


def read_sealed(record: Record, text: str) -> Order | None:
    """Return the order of a text in canonical form; ``None`` for what none can be."""
    try:
        order = read_order(text, record.game, record.config)
    except InvalidMoveError:
        return None
    is_one = order.scope is Scope.ONCE and order.choices and order.text(record.config.players)
    return order if is_one == text else None


def decided_by(replay: Replay, given: Given, text: str) -> Decided | None:
    """Return what an order decides now, by what everybody at the table sees."""
    order = read_sealed(replay.record, text)
    if order is None:
        return None
    table = replay.game.view(replay.state, None).table
    entries = ((replay.config.players[table.seat], text_of(True)),)
    declared = Declaration(given.item, table.seat, given.place, entries, order)
    return due(replay._replace(state=table, declarations=(declared,)))
