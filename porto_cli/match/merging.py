"""Two versions of an unsigned game that part only in moves whose order does not matter, made one.

A secret move, like the choice of private contracts, depends on no other player's moves and no other
move depends on it, so two players may make one at the same time, each in their own copy. The merged
record has one order for each set of moves: every secret move stands as early as it is legal, those
of several players in the order of their seats. So copies agree whatever order messages arrive in.

Everything else is a real fork: two different turns, and anything with an undo in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from porto_cli.core.chance import Chance, TypedChance, seeded_chance
from porto_cli.core.errors import PortoError
from porto_cli.game import Move, State
from porto_cli.match.record import OPEN, Record, load
from porto_cli.match.replay import Replay, decisions, play, replay


class _Decision(NamedTuple):
    """A move in a record; ``move`` is ``None`` for an undo."""

    seat: int
    move: Move
    came_up: tuple[tuple[str, str], ...]
    """Entries that say what came up after it."""


class _Placed(NamedTuple):
    decision: _Decision
    before: State
    line: int
    """The line of the record that it stands in."""


def merge(own: Replay, other: Replay) -> Replay | None:
    """Return a game with the moves of both versions, in canonical order; ``None`` if they really
    part. What people wrote into the own record is kept where that is possible.
    """
    if own.chain is not None or other.chain is not None:
        return None
    mine, theirs = _placed(own), _placed(other)
    common = _common([one.decision for one in mine], [one.decision for one in theirs])
    parted = [one.decision for one in (*mine[common:], *theirs[common:])]
    if any(one.move is None or _is_of_a_bot(own, one) for one in parted):
        return None
    start = _start(own, mine, common, parted)
    if start is None:
        return None
    ours, yours = ([one.decision for one in side[start:]] for side in (mine, theirs))
    secret = _secret_moves(own, [*ours, *yours])
    turns = _longer(_turns(own, ours), _turns(own, yours))
    if secret is None or turns is None:
        return None
    try:
        begun = replay(_beginning(own.record, mine[start].line if start < len(mine) else 0))
        merged = _played(begun, secret, turns)
        return merged and _with_comments(merged, begun, (own, other))
    except PortoError:
        return None


def _placed(game: Replay) -> list[_Placed]:
    """Return the moves of a game one by one, undos included."""
    found = []
    for step in game.steps:
        item = game.record.items[step.item]
        if step.takes_back is not None:
            found.append(_Placed(_Decision(step.seat, None, ()), step.before, item.places[0][0]))
            continue
        starts = [
            nth
            for nth, (key, text) in enumerate(item.entries)
            if not nth or game.game.read_chance(key, text) is None
        ]
        ends = [*starts[1:], len(item.entries)]
        for one, first, end in zip(decisions(game, step), starts, ends, strict=True):
            # As this program would write it: what comes up can be told in other ways.
            came_up = tuple(step.entries[first + 1 : end])
            decision = _Decision(step.seat, one.move, came_up)
            found.append(_Placed(decision, one.before, item.places[first][0]))
    return found


def _common(ours: Sequence[_Decision], theirs: Sequence[_Decision]) -> int:
    pairs = enumerate(zip(ours, theirs, strict=False))
    shorter = min(len(ours), len(theirs))
    return next((nth for nth, (one, other) in pairs if one != other), shorter)


def _is_secret(game: Replay, one: _Decision) -> bool:
    return game.game.is_secret(one.move)


def _is_of_a_bot(game: Replay, one: _Decision) -> bool:
    """A bot's move follows from all moves before it, so it cannot stand elsewhere."""
    bots = game.record.bots
    return bots is not None and one.seat in bots.seats


def _start(
    own: Replay, mine: Sequence[_Placed], common: int, parted: Sequence[_Decision]
) -> int | None:
    """Return from which move on the order is made canonical: where the first of the secret moves in
    question could have been made, but not before an undo. ``None`` if there is none of them.

    At a real table, where a choice that was made long ago is told at the end, it is where the last
    of the secret moves before them begin.
    """
    undos = [nth for nth, one in enumerate(mine[:common]) if one.decision.move is None]
    first = undos[-1] + 1 if undos else 0
    secret = [one for one in parted if _is_secret(own, one)]
    if own.record.secrecy != OPEN:
        turns = [nth for nth in range(first, common) if not _is_secret(own, mine[nth].decision)]
        first = turns[-1] + 1 if turns else first
    for nth in range(first, common + 1):
        state = mine[nth].before if nth < len(mine) else own.state
        if any(not own.game.violations(state, one.move, one.seat) for one in secret):
            return nth
    return None


def _secret_moves(game: Replay, given: Sequence[_Decision]) -> dict[int, _Decision] | None:
    """Return the secret move of each seat; ``None`` if somebody has made two different ones."""
    found: dict[int, _Decision] = {}
    for one in given:
        if _is_secret(game, one) and found.setdefault(one.seat, one) != one:
            return None
    return dict(sorted(found.items()))


def _turns(game: Replay, given: Sequence[_Decision]) -> list[_Decision]:
    return [one for one in given if not _is_secret(game, one)]


def _longer(ours: list[_Decision], theirs: list[_Decision]) -> list[_Decision] | None:
    """Return the longer one of two lists of turns; ``None`` unless it begins with the other one."""
    if _common(ours, theirs) < min(len(ours), len(theirs)):
        return None
    return max(ours, theirs, key=len)


def _beginning(record: Record, line: int) -> Record:
    """Return a record that ends before a line."""
    text = "".join(record.text.splitlines(keepends=True)[: line - 1]) if line else record.text
    return load(text, record.file)


def _played(
    game: Replay, secret: dict[int, _Decision], turns: Sequence[_Decision]
) -> Replay | None:
    """Play turns, and each secret move as soon as it is legal; ``None`` if one never is."""
    waiting = dict(secret)
    for turn in (*turns, None):
        for seat, one in list(waiting.items()):
            if not game.game.violations(game.state, one.move, seat):
                game = _with(game, waiting.pop(seat))
        if turn is not None:
            game = _with(game, turn)
    return None if waiting else game


def _with(game: Replay, one: _Decision) -> Replay:
    chance: Chance
    if game.record.secrecy == OPEN:
        chance = seeded_chance(game.record.seed)
    else:
        streams: dict[str, bytes] = {}
        for key, text in one.came_up:
            told = game.game.read_chance(key, text)
            if told:
                streams[told[0]] = streams.get(told[0], b"") + told[1]
        chance = TypedChance(game.game.meta.unordered, **streams)
    return play(game, [one.move], one.seat, chance, remark=True)


def _with_comments(merged: Replay, begun: Replay, sources: Sequence[Replay]) -> Replay:
    """Return the merged game with its items as they stand in the versions, comments and all, if it
    is the same game then.
    """
    record = merged.record
    blocks = [_blocks(source.record) for source in reversed(sources)]
    known = {entries: block for each in blocks for entries, block in each.items()}
    lines = _lines(begun.record.human)
    written = _blocks(record)
    for item in record.items[len(begun.record.items) :]:
        lines += known.get(item.entries, written[item.entries])
    end = "\r\n" if "\r\n" in record.text else "\n"
    try:
        again = replay(load("".join(line + end for line in lines), record.file))
    except PortoError:
        return merged
    return again if again.digest == merged.digest else merged


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").splitlines()


def _blocks(record: Record) -> dict[tuple[tuple[str, str], ...], list[str]]:
    """Return the lines of each item, with the comments below it."""
    lines = _lines(record.human)
    starts = [item.places[0][0] - 1 for item in record.items]
    ends = [*starts[1:], len(lines)]
    return {
        item.entries: lines[start:end]
        for item, start, end in zip(record.items, starts, ends, strict=True)
    }
