"""Two copies of a game: whether one continues the other or they fork, and merging.

What counts is what is played: the header without its title, and every turn as this program would
write it, those taken back and undos included. Comments, the title and the layout of the text make
no difference.

Two copies of a game that is not sealed can be merged if they differ only in secret moves, like the
choice of private contracts, and in orders. Neither depends on other players' moves, and no other
move depends on it, so that several players may make one at the same time, each in their own copy.
The merged record has one sequence for each set of items: every secret move comes as early as it is
legal, every order after as many turns as in the copy in which it was given, and those of several
players in seat order. A copy that has everything in the other one stays as it is. So copies agree
whatever sequence messages arrive in. Everything else is a real fork: two different turns, different
orders of one player, and secret moves beside the undo of one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from porto_cli.core.message import PortoError
from porto_cli.game import Move, State
from porto_cli.match.items import SEAT, Declaration, Digester, Written
from porto_cli.match.match import Match, loads, opened
from porto_cli.match.record import OPEN, SEALED, Record, load
from porto_cli.match.replay import decisions, typed_chance


class Verdict(StrEnum):
    """How another version of a record compares with our own, or with all local copies of its game;
    the first five are those of :func:`compare`.
    """

    SAME = "same"
    CONTINUES = "continues"
    """It has everything in ours, and more."""
    OLDER = "older"
    """Ours has everything in it, and more."""
    FORK = "fork"
    """They differ from some turn on."""
    OTHER_GAME = "other-game"
    """It is of another game than the file that was named."""
    NEW = "new"
    """There is no local copy."""
    UNCLEAR = "unclear"
    """Several local copies are equally far, and it continues all of them."""
    MERGED = "merged"
    """Both continue with moves whose order does not matter, so they can be merged."""
    REPLACED = "replaced"
    """It replaces the local copy; some steps are to be signed again on top of it."""
    STAYS = "stays"
    """The local copy stays; the authors of some steps sign them again."""
    OVERRULED = "overruled"
    """It takes back a turn that another player has answered in the local copy."""
    SETTLED = "settled"
    """It forks from the local copy, but there is nothing left to decide."""


class Comparison(NamedTuple):
    """How two versions compare, and the first item of ``turns`` that differs."""

    relation: Verdict
    place: int = 0
    """The index of the first item that one of them lacks, or has only in part or differently. The
    items before it are the same."""


def digest_of_game(record: Record) -> str:
    """Return what identifies a game: its digest before the first turn."""
    return Digester(record).digest(())


def compare(own: Match, other: Match) -> Comparison:
    """Return how another version of a record compares with our own.

    A decision that an item still waits for is added to that item; so the last item of the shorter
    version may be the beginning of one.
    """
    if digest_of_game(own.record) != digest_of_game(other.record):
        return Comparison(Verdict.OTHER_GAME)
    both, is_signed = (own, other), own.chain is not None and other.chain is not None
    if not is_signed:
        ours, theirs = ([entry for one in each.written for entry in one.entries] for each in both)
    elif own.chain.game != other.chain.game:
        return Comparison(Verdict.OTHER_GAME)
    else:
        # What came up after a turn is added to it later, which makes no difference.
        ours, theirs = (each.chain.contents for each in both)
    return Comparison(related(ours, theirs), _common(own.written, other.written, later=is_signed))


def related(ours: Sequence[Any], theirs: Sequence[Any]) -> Verdict:
    """Return how a sequence compares with our own one."""
    if common_length(ours, theirs) < min(len(ours), len(theirs)):
        return Verdict.FORK
    if len(ours) == len(theirs):
        return Verdict.SAME
    return Verdict.CONTINUES if len(ours) < len(theirs) else Verdict.OLDER


def common_length(ours: Sequence[Any], theirs: Sequence[Any]) -> int:
    """Return how much two sequences have in common at the beginning."""
    pairs = enumerate(zip(ours, theirs, strict=False))
    shorter = min(len(ours), len(theirs))
    return next((nth for nth, (one, other) in pairs if one != other), shorter)


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


_COMMENT = re.compile(r"(?:^|\s)#(.*)$", re.MULTILINE)
_MADE_BY_US = "Porto game record."


def comments_missing(own: Match, other: Match) -> list[str]:
    """Return our comments, and our title, that another version does not have.

    Those that this program writes itself do not count.
    """
    made = {_words(step_remark) for step_remark in _remarks(own)}
    if own.declarations:
        from porto_cli.match.ordered import MARK

        made |= {MARK, *(f"{MARK}; {remark}" for remark in made)}
    lost = Counter(_comments(own)) - Counter(_comments(other))
    missing = [text for text in lost if text not in made and not text.startswith(_MADE_BY_US)]
    if own.record.title and own.record.title != other.record.title:
        missing.insert(0, own.record.title)
    return missing


def _remarks(replay: Match) -> list[str]:
    return [replay.game.remark(step.events, replay.config) for step in replay.steps]


def _comments(replay: Match) -> list[str]:
    found = _COMMENT.finditer(replay.record.text)
    return [words for comment in found if (words := _words(comment[1]))]


def _words(text: str) -> str:
    return " ".join(text.split())


_MOST_MERGED = 2000
"""Items that are played again. No real game has so many; one that was made to take long forks."""


class _Decision(NamedTuple):
    """A move in a record; ``move`` is ``None`` for an undo, which is secret if that move was."""

    seat: int
    move: Move
    came_up: tuple[tuple[str, str], ...]
    """The entries with what came up after it."""
    is_secret: bool


class _Placed(NamedTuple):
    one: _Decision | Declaration
    before: State
    line: int
    """Its line in the record."""


def merge(own: Match, other: Match) -> Match | None:
    """Return a game with the moves and orders of both versions, in canonical sequence; ``None`` if
    they fork. A version that has everything in the other one is returned itself.

    What people wrote into our own record is kept where possible.
    """
    if SEALED in (own.record.secrecy, other.record.secrecy):
        return None
    mine, theirs = _placed(own), _placed(other)
    common = common_length([each.one for each in mine], [each.one for each in theirs])
    parted = [each.one for each in (*mine[common:], *theirs[common:])]
    secret = [one for one in parted if isinstance(one, _Decision) and one.is_secret]
    start = _start(own, mine[:common], secret)
    ours, yours = (_strands([each.one for each in side[start:]]) for side in (mine, theirs))
    both = _union(ours, yours)
    if both is None:
        return None
    if both in (ours, yours):
        return own if both == ours else other
    if any(map(_is_undo, secret)) or (secret and any(_is_of_a_bot(own, one) for one in parted)):
        return None
    if sum(map(len, both.values())) > _MOST_MERGED:
        return None
    try:
        begun = _beginning(own.record, mine[start].line if start < len(mine) else 0)
        merged = opened(begun)
        if not _play(merged, both, sum(_is_turn(each.one) for each in mine[:start])):
            return None
        return _with_comments(merged, begun, (own, other))
    except PortoError:
        return None


def _placed(game: Match) -> list[_Placed]:
    """Return the moves and orders of a game one by one, undos included."""
    found: list[_Placed] = []
    turns, before = 0, game.opening
    for step in game.written:
        item = game.record.items[step.item]
        if isinstance(step, Declaration):
            # Where it was given is how many turns come before it; secret moves are no turns.
            order = step._replace(item=0, place=turns)
            # Who plays meanwhile is no part of an order.
            order = order if order.order is None else order._replace(seats=())
            found.append(_Placed(order, before, item.places[0][0]))
            continue
        before = step.after
        if step.takes_back is not None:
            is_secret = any(map(game.game.is_secret, game.steps[step.takes_back].moves))
            undo = _Decision(step.seat, None, (), is_secret)
            found.append(_Placed(undo, step.before, item.places[0][0]))
            turns += not is_secret
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
            is_secret = game.game.is_secret(one.move)
            decision = _Decision(step.seat, one.move, came_up, is_secret)
            found.append(_Placed(decision, one.before, item.places[first][0]))
            turns += not is_secret
    return found


def _is_turn(one: _Decision | Declaration) -> bool:
    return isinstance(one, _Decision) and not one.is_secret


def _is_undo(one: _Decision | Declaration) -> bool:
    return isinstance(one, _Decision) and one.move is None


def _is_of_a_bot(game: Match, one: _Decision | Declaration) -> bool:
    """A bot's move follows from all moves before it, so no secret move can pass it."""
    return one.seat in game.bot_seats


def _start(own: Match, common: Sequence[_Placed], secret: Sequence[_Decision]) -> int:
    """Return the index of the first item whose place is made canonical: after the last turn that
    both have, or where the first of these secret moves could have been made before that, but not
    before an undo.

    At a real table a choice made long ago is typed in at the end.
    """
    undos = [nth + 1 for nth, each in enumerate(common) if _is_undo(each.one)]
    turns = [nth + 1 for nth, each in enumerate(common) if _is_turn(each.one)]
    first, last = max([0, *undos]), max([0, *undos, *turns])
    for nth in range(first if own.record.secrecy == OPEN else last, last):
        state = common[nth].before
        chosen = (one for one in secret if not _is_undo(one))
        if any(not own.game.violations(state, one.move, one.seat) for one in chosen):
            return nth
    return last


class _Strand(NamedTuple):
    """What has one sequence in all versions: the turns, and of each seat the secret moves and the
    orders.
    """

    seat: int = -1
    is_secret: bool = False


_Strands = dict[_Strand, list[Any]]
_TURNS = _Strand()


def _strands(items: Sequence[_Decision | Declaration]) -> _Strands:
    found: _Strands = {}
    for one in items:
        strand = _TURNS
        if not _is_turn(one):
            strand = _Strand(one.seat, isinstance(one, _Decision))
        found.setdefault(strand, []).append(one)
    return found


def _union(ours: _Strands, yours: _Strands) -> _Strands | None:
    """Return the longer one of each two strands; ``None`` unless it begins with the other one."""
    found: _Strands = {}
    for strand in sorted({*ours, *yours}):
        one, other = ours.get(strand, []), yours.get(strand, [])
        if common_length(one, other) < min(len(one), len(other)):
            return None
        found[strand] = max(one, other, key=len)
    return found


def _beginning(record: Record, line: int) -> Record:
    """Return a record that ends before a line."""
    text = "".join(record.text.splitlines(keepends=True)[: line - 1]) if line else record.text
    return load(text, record.file)


def _play(game: Match, both: _Strands, turns: int) -> bool:
    """Play turns, each secret move as soon as it is legal, and each order after as many turns as it
    was given; return whether every secret move was legal at some time. The game has had a number of
    turns.
    """
    rest = {strand: one for strand, one in both.items() if strand != _TURNS}
    waiting = [one for strand, each in rest.items() if strand.is_secret for one in each]
    given = [one for strand, each in rest.items() if not strand.is_secret for one in each]
    for nth, turn in enumerate((*both.get(_TURNS, ()), None), turns):
        for one in list(waiting):
            if not game.game.violations(game.state, one.move, one.seat):
                waiting.remove(one)
                _decide(game, one)
        for one in given:
            if one.place == nth:
                _declare(game, one)
        if turn is not None:
            _decide(game, turn)
    return not waiting


def _declare(game: Match, one: Declaration) -> None:
    if one.order is None:
        game.seat_to(one.entries[0][1].removeprefix(SEAT), one.seat)
        return
    from porto_cli.match.ordered import with_order

    game.replay = with_order(game, one.order, one.seat)


def _decide(game: Match, one: _Decision) -> None:
    if _is_undo(one):
        game.replay = game.undone(one.seat, game.past())
        return
    came_up = [game.game.read_chance(key, text) for key, text in one.came_up]
    game.make([one.move], one.seat, typed_chance(game.game, came_up))


def _with_comments(merged: Match, begun: Record, sources: Sequence[Match]) -> Match:
    """Return the merged game with its items as written in the versions, with comments, if it is
    still the same game then.
    """
    record = merged.record
    blocks = [_blocks(source.record) for source in reversed(sources)]
    known = {item: block for each in blocks for item, block in each.items()}
    lines = _lines(begun.human)
    for item, block in list(_blocks(record).items())[len(begun.items) :]:
        lines += known.get(item, block)
    end = "\r\n" if "\r\n" in record.text else "\n"
    try:
        again = loads("".join(line + end for line in lines), record.file)
    except PortoError:
        return merged
    return again if again.digest == merged.digest else merged


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").splitlines()


def _blocks(record: Record) -> dict[tuple[object, int], list[str]]:
    """Return the lines of each item, with the comments below it, by its entries and how often these
    have been there before.
    """
    lines = _lines(record.human)
    starts = [item.places[0][0] - 1 for item in record.items]
    ends = [*starts[1:], len(lines)]
    seen: Counter[object] = Counter()
    found: dict[tuple[object, int], list[str]] = {}
    for item, start, end in zip(record.items, starts, ends, strict=True):
        found[item.entries, seen[item.entries]] = lines[start:end]
        seen[item.entries] += 1
    return found
