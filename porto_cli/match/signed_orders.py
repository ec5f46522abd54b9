"""Giving orders in games with a seed whose turns are signed, and making the moves they decide."""

from __future__ import annotations

from porto_cli.core.chance import seeded_chance
from porto_cli.match import play as unsigned
from porto_cli.match.chain import ORDERED, Keys
from porto_cli.match.ordered import MARK, Decided, declare
from porto_cli.match.replay import Replay
from porto_cli.match.signed import chain_of, demand_key, sign_items
from porto_cli.match.signed_replay import signed_items, turns_of


def order(replay: Replay, text: str, seat: int, keys: Keys) -> Replay:
    """Append an order of a player, and sign it.

    Raises InvalidMoveError, IllegalMoveError, OtherKeyError, and what ``keys`` raises.
    """
    after = declare(replay, text, seat)
    demand_key(replay, seat, keys)
    return sign_items(replay, after, seat, keys)


def play_ordered(replay: Replay, decided: Decided, by: int, keys: Keys) -> Replay:
    """Make the move that an order decides, append it, and sign it with the key of seat ``by``.

    Raises OtherKeyError, and what ``keys`` raises.
    """
    demand_key(replay, by, keys)
    assert replay.record.seals is not None
    items = signed_items(replay.record.seals, chain_of(replay))
    height = turns_of(replay.record, items)[decided.by.declared.item][0].height
    chance = seeded_chance(replay.record.seed)
    after = unsigned.play(replay, [decided.move], decided.seat, chance, remark=True, mark=MARK)
    return sign_items(replay, after, by, keys, {"kind": ORDERED, "order": height})
