"""Two copies of a game: whether one continues the other or they fork, and merging.

What counts is what is played: the header without its title, and every turn as this program would
write it, those taken back and undos included. Comments, the title and the layout of the text make
no difference.

Two copies of an unsigned game can be merged if they differ only in secret moves, like the choice of
private contracts. Such a move depends on no other player's moves and no other move depends on it,
so two players may make one at the same time, each in their own copy. The merged record has one
order for each set of moves: every secret move comes as early as it is legal, those of several
players in seat order. So copies agree whatever order messages arrive in. Everything else is a real
fork: two different turns, and anything with an undo in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from porto_cli.core.chance import Chance, TypedChance, seeded_chance
from porto_cli.core.message import PortoError
from porto_cli.core.value import NamedTuple
from porto_cli.game import Move, State
from porto_cli.match.play import play
from porto_cli.match.record import OPEN, Record, load
from porto_cli.match.replay import Replay, Written, decisions, replay

if TYPE_CHECKING:
    from porto_cli.match.chain import Chain


class Relation(StrEnum):
    """How another version of a record compares with our own."""

    SAME = "same"
    CONTINUES = "continues"
    """It has everything in ours, and more."""
    OLDER = "older"
    """Ours has everything in it, and more."""
    FORK = "fork"
    """They differ from some turn on."""
    OTHER_GAME = "other-game"


class Comparison(NamedTuple):
    """How two versions compare, and the first item of ``turns`` that differs."""

    relation: Relation
    place: int = 0
    """The index of the first item that one of them lacks, or has only in part or differently. The
    items before it are the same."""


def game_digest(replay: Replay) -> str:
    """Return what identifies a game: its digest before the first turn."""
    return replay._replace(steps=(), declarations=()).digest


def compare(own: Replay, other: Replay) -> Comparison:
    """Return how another version of a record compares with our own.

    A decision that an item still waits for is added to that item; so the last item of the shorter
    version may be the beginning of one.
    """
    if game_digest(own) != game_digest(other):
        return Comparison(Relation.OTHER_GAME)
    if own.chain is not None and other.chain is not None:
        return _compare_signed(own, other, own.chain, other.chain)
    ours, theirs = own.written, other.written
    common = _common(ours, theirs)
    if common == len(ours) == len(theirs):
        return Comparison(Relation.SAME, common)
    if _ends_there(ours, theirs, common):
        return Comparison(Relation.CONTINUES, common)
    if _ends_there(theirs, ours, common):
        return Comparison(Relation.OLDER, common)
    return Comparison(Relation.FORK, common)


def _compare_signed(own: Replay, other: Replay, ours: Chain, theirs: Chain) -> Comparison:
    """Return how two versions of a signed game compare, by their signed steps.

    What came up after a turn of a sealed game is added to it later, which makes no difference.
    """
    if ours.game != theirs.game:
        return Comparison(Relation.OTHER_GAME)
    pairs = zip(ours.steps, theirs.steps, strict=False)
    same = [(one.content, one.previous) == (two.content, two.previous) for one, two in pairs]
    place = _common(own.written, other.written, later=True)
    if not all(same):
        return Comparison(Relation.FORK, place)
    if len(ours.steps) == len(theirs.steps):
        return Comparison(Relation.SAME, place)
    longer = len(ours.steps) < len(theirs.steps)
    return Comparison(Relation.CONTINUES if longer else Relation.OLDER, place)


def _common(ours: Sequence[Written], theirs: Sequence[Written], *, later: bool = False) -> int:
    """Return how many items two versions have in common at the beginning.

    With ``later``, entries added later to all but the last step make no difference.
    """
    count = min(len(ours), len(theirs))
    for place, (mine, their) in enumerate(zip(ours, theirs, strict=False)):
        if mine.entries != their.entries:
            shorter = min(len(mine.entries), len(their.entries))
            begun = mine.entries[:shorter] == their.entries[:shorter]
            if not (later and begun and place < count - 1):
                return place
    return count


def _ends_there(short: Sequence[Written], long: Sequence[Written], common: int) -> bool:
    """Return whether a version is the beginning of another one, possibly within its last item."""
    if len(short) == common:
        return True
    if len(short) > common + 1 or len(long) == common:
        return False
    begun, whole = short[common].entries, long[common].entries
    return whole[: len(begun)] == begun


_COMMENT = re.compile(r"(?:^|\s)#(.*)$", re.MULTILINE)
_MADE_BY_US = "Porto game record."


def comments_missing(own: Replay, other: Replay) -> list[str]:
    """Return our comments, and our title, that another version does not have.

    Those that this program writes itself do not count.
    """
    made = {_words(step_remark) for step_remark in _remarks(own)}
    lost = Counter(_comments(own)) - Counter(_comments(other))
    missing = [text for text in lost if text not in made and not text.startswith(_MADE_BY_US)]
    if own.record.title and own.record.title != other.record.title:
        missing.insert(0, own.record.title)
    return missing


def _remarks(replay: Replay) -> list[str]:
    return [replay.game.remark(step.events, replay.config) for step in replay.steps]


def _comments(replay: Replay) -> list[str]:
    found = _COMMENT.finditer(replay.record.text)
    return [words for comment in found if (words := _words(comment[1]))]


def _words(text: str) -> str:
    return " ".join(text.split())


class _Decision(NamedTuple):
    """A move in a record; ``move`` is ``None`` for an undo."""

    seat: int
    move: Move
    came_up: tuple[tuple[str, str], ...]
    """The entries with what came up after it."""


class _Placed(NamedTuple):
    decision: _Decision
    before: State
    line: int
    """Its line in the record."""


def merge(own: Replay, other: Replay) -> Replay | None:
    """Return a game with the moves of both versions, in canonical order; ``None`` if they fork.

    What people wrote into our own record is kept where possible.
    """
    if own.chain is not None or other.chain is not None:
        return None
    mine, theirs = _placed(own), _placed(other)
    common = _common_decisions([one.decision for one in mine], [one.decision for one in theirs])
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
            # As this program would write it: what comes up can be written in other ways.
            came_up = tuple(step.entries[first + 1 : end])
            decision = _Decision(step.seat, one.move, came_up)
            found.append(_Placed(decision, one.before, item.places[first][0]))
    return found


def _common_decisions(ours: Sequence[_Decision], theirs: Sequence[_Decision]) -> int:
    pairs = enumerate(zip(ours, theirs, strict=False))
    shorter = min(len(ours), len(theirs))
    return next((nth for nth, (one, other) in pairs if one != other), shorter)


def _is_secret(game: Replay, one: _Decision) -> bool:
    return game.game.is_secret(one.move)


def _is_of_a_bot(game: Replay, one: _Decision) -> bool:
    """A bot's move follows from all moves before it, so it cannot be moved."""
    bots = game.record.bots
    return bots is not None and one.seat in bots.seats


def _start(
    own: Replay, mine: Sequence[_Placed], common: int, parted: Sequence[_Decision]
) -> int | None:
    """Return the index of the first move whose order is made canonical: where the first of these
    secret moves could have been made, but not before an undo. ``None`` if there are none.

    At a real table, where a choice made long ago is typed in at the end, it is where the last group
    of secret moves before them begins.
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
    """Return the secret move of each seat; ``None`` if a seat has made two different ones."""
    found: dict[int, _Decision] = {}
    for one in given:
        if _is_secret(game, one) and found.setdefault(one.seat, one) != one:
            return None
    return dict(sorted(found.items()))


def _turns(game: Replay, given: Sequence[_Decision]) -> list[_Decision]:
    return [one for one in given if not _is_secret(game, one)]


def _longer(ours: list[_Decision], theirs: list[_Decision]) -> list[_Decision] | None:
    """Return the longer of two lists of turns; ``None`` unless it begins with the other."""
    if _common_decisions(ours, theirs) < min(len(ours), len(theirs)):
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
            found = game.game.read_chance(key, text)
            if found:
                stream, things = found
                streams[stream] = streams.get(stream, b"") + things
        chance = TypedChance(game.game.meta.unordered, **streams)
    return play(game, [one.move], one.seat, chance, remark=True)


def _with_comments(merged: Replay, begun: Replay, sources: Sequence[Replay]) -> Replay:
    """Return the merged game with its items as written in the versions, with comments, if it is
    still the same game then.
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
