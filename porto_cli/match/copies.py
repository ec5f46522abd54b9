"""Two copies of a game: whether one continues the other or they fork, and merging them.

What counts is what was played: the header without its title, and every turn as this program would
write it, including undos and turns that were taken back. Comments, the title and the layout of the
text make no difference.

Two copies of a game that is not sealed can be merged if they differ only in secret moves, like the
choice of private contracts, and in orders. These do not depend on other players' moves, and no
other move depends on them, so several players may make one at the same time, each in their own
copy. The same set of items always merges into the same sequence: every secret move comes as soon as
it is legal, every order after as many turns as in the copy in which it was given, and those of
several players come in seat order. A copy that has everything in the other one stays as it is. So
copies agree regardless of the sequence in which messages arrive. Everything else is a real fork:
two different turns, different orders of one player, secret moves next to the undo of one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from porto_cli.core import PortoError
from porto_cli.match.items import Declaration, Digester, Written
from porto_cli.match.match import Match, loads, opened
from porto_cli.match.orders import MARK
from porto_cli.match.record import OPEN, SEALED, Entries, Record, load
from porto_cli.match.replay import decisions, typed_chance
from porto_cli.seam import Move, State
from porto_cli.words import grouped


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
    """It continues several local copies that are equally far along."""
    MERGED = "merged"
    """Both continue with moves whose order does not matter, so they can be merged."""
    REPLACED = "replaced"
    """It replaces the local copy; some steps have to be signed again on top of it."""
    STAYS = "stays"
    """The local copy stays; the authors of some steps sign them again."""
    OVERRULED = "overruled"
    """It takes back a turn that another player has answered in the local copy."""
    SETTLED = "settled"
    """It forks from the local copy, but there is nothing left to decide."""


class Comparison(NamedTuple):
    """How two versions compare, and where they begin to differ."""

    relation: Verdict
    place: int = 0
    """The index of the first item of ``turns`` that differs, or that one of them lacks or has only
    in part."""


def digest_of_game(record: Record) -> str:
    """Return the digest before the first turn, which identifies a game."""
    return Digester(record).digest(())


def compare(own: Match, other: Match) -> Comparison:
    """Return how another version of a record compares with our own.

    The last item of the shorter version may be the beginning of an item of the longer one, as a
    decision that an item is waiting for is added to it.
    """
    if digest_of_game(own.record) != digest_of_game(other.record):
        return Comparison(Verdict.OTHER_GAME)
    both, is_signed = (own, other), own.chain is not None and other.chain is not None
    if own.chain is None or other.chain is None:
        ours, theirs = ([entry for one in each.written for entry in one.entries] for each in both)
        verdict = related(ours, theirs)
    elif own.chain.game != other.chain.game:
        return Comparison(Verdict.OTHER_GAME)
    else:
        # What came up after a turn is added to it later, which makes no difference.
        verdict = related(own.chain.hashes, other.chain.hashes)
    return Comparison(verdict, _common(own.written, other.written, later=is_signed))


def related(ours: Sequence[object], theirs: Sequence[object]) -> Verdict:
    """Return how a sequence compares with our own."""
    if common_length(ours, theirs) < min(len(ours), len(theirs)):
        return Verdict.FORK
    if len(ours) == len(theirs):
        return Verdict.SAME
    return Verdict.CONTINUES if len(ours) < len(theirs) else Verdict.OLDER


def common_length(ours: Sequence[object], theirs: Sequence[object]) -> int:
    """Return the length of the beginning that two sequences have in common."""
    pairs = enumerate(zip(ours, theirs, strict=False))
    shorter = min(len(ours), len(theirs))
    return next((index for index, (one, other) in pairs if one != other), shorter)


def _common(ours: Sequence[Written], theirs: Sequence[Written], *, later: bool = False) -> int:
    """Return the number of items at the beginning that two versions have in common.

    With ``later``, entries that were added later make no difference, except in the last step.
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
    """Return those of our comments, and our title, that another version lacks.

    Comments that this program writes do not count.
    """
    made = {_words(own.game.remark(step.events, own.config)) for step in own.steps}
    if own.declarations:
        made |= {MARK, *(f"{MARK}; {remark}" for remark in made)}
    lost = Counter(_comments(own)) - Counter(_comments(other))
    missing = [text for text in lost if text not in made and not text.startswith(_MADE_BY_US)]
    if own.record.title and own.record.title != other.record.title:
        missing.insert(0, own.record.title)
    return missing


def _comments(replay: Match) -> list[str]:
    found = _COMMENT.finditer(replay.record.text)
    return [words for comment in found if (words := _words(comment[1]))]


def _words(text: str) -> str:
    return " ".join(text.split())


_MOST_MERGED = 2000
"""Maximum number of items that are replayed to merge copies. No real game has that many; a record
made to waste our time counts as a fork."""


class _Part(NamedTuple):
    """A move, an undo or a declaration."""

    kind: str
    seat: int
    entries: Entries
    """In canonical form: for a move what came up after it, for a declaration everything."""
    move: Move | None = None
    """``None`` for an undo, which is secret if the move was, and for a declaration."""
    place: int = 0
    """For a declaration, how many turns come before it."""

    @property
    def strand(self) -> tuple[str, int]:
        """The key of the parts whose sequence is the same in all versions: all turns, the secret
        moves of each seat, and the declarations of each seat.
        """
        return self.kind, -1 if self.kind == _TURN else self.seat

    @property
    def is_undo(self) -> bool:
        """Whether this is an undo."""
        return self.move is None and self.kind != _DECLARED


_SECRET, _DECLARED, _TURN = "secret", "declared", "turn"
_Strands = dict[tuple[str, int], list[_Part]]


class _Placed(NamedTuple):
    part: _Part
    before: State
    line: int
    """Its line in the record."""


def merge(own: Match, other: Match) -> Match | None:
    """Return a game with the moves and orders of both versions, in canonical sequence; ``None`` if
    they fork. If one version has everything in the other, that one is returned.

    What people wrote into our own record is kept where possible.
    """
    if SEALED in (own.record.secrecy, other.record.secrecy):
        return None
    mine, theirs = _placed(own), _placed(other)
    common = common_length([each.part for each in mine], [each.part for each in theirs])
    parted = [each.part for each in (*mine[common:], *theirs[common:])]
    secret = [part for part in parted if part.kind == _SECRET]
    start = _start(own, mine[:common], secret)
    ours, yours = (
        grouped((each.part for each in side[start:]), lambda part: part.strand)
        for side in (mine, theirs)
    )
    both = _union(ours, yours)
    if both is None:
        return None
    if both in (ours, yours):
        return own if both == ours else other
    # A bot's move depends on all moves before it, so no secret move can be put before it.
    if any(part.is_undo for part in secret):
        return None
    if secret and any(part.seat in own.bot_seats for part in parted):
        return None
    if sum(map(len, both.values())) > _MOST_MERGED:
        return None
    try:
        kept = own.record.text.splitlines(keepends=True)
        end = mine[start].line - 1 if start < len(mine) else len(kept)
        begun = load("".join(kept[:end]), own.record.file)
        merged = opened(begun)
        if not _play(merged, both, sum(each.part.kind == _TURN for each in mine[:start])):
            return None
        return _with_comments(merged, begun, (own, other))
    except PortoError:
        return None


def _placed(game: Match) -> list[_Placed]:
    """Return the moves, undos and declarations of a game one by one."""
    found: list[_Placed] = []
    turns, before, rules = 0, game.opening, game.game
    for step in game.written:
        item = game.record.items[step.item]
        if isinstance(step, Declaration):
            part = _Part(_DECLARED, step.seat, step.entries, place=turns)
            found.append(_Placed(part, before, item.places[0][0]))
            continue
        before = step.after
        moved = step if step.takes_back is None else game.steps[step.takes_back]
        kind = _SECRET if any(map(rules.is_secret, moved.moves)) else _TURN
        if moved is not step:
            part = _Part(kind, step.seat, ())
            found.append(_Placed(part, step.before, item.places[0][0]))
            turns += kind == _TURN
            continue
        first = 0
        for one in decisions(game, step):
            kind = _SECRET if rules.is_secret(one.move) else _TURN
            part = _Part(kind, step.seat, one.entries[1:], one.move)
            found.append(_Placed(part, one.before, item.places[first][0]))
            first += len(one.entries)
            turns += kind == _TURN
    return found


def _start(own: Match, common: Sequence[_Placed], secret: Sequence[_Part]) -> int:
    """Return the index from which parts are put into canonical sequence: after the last turn that
    both versions have, or earlier where the first of these secret moves could have been made, but
    not before an undo.

    At a real table a choice made long ago is typed in at the end.
    """
    undos = [index + 1 for index, each in enumerate(common) if each.part.is_undo]
    turns = [index + 1 for index, each in enumerate(common) if each.part.kind == _TURN]
    first, last = max([0, *undos]), max([0, *undos, *turns])
    chosen = [part for part in secret if not part.is_undo]
    for index in range(first if own.record.secrecy == OPEN else last, last):
        state = common[index].before
        if any(not own.game.violations(state, part.move, part.seat) for part in chosen):
            return index
    return last


def _union(ours: _Strands, yours: _Strands) -> _Strands | None:
    """Return the longer strand of each two with the same key; ``None`` if in one case the longer
    does not begin with the shorter.
    """
    found: _Strands = {}
    for strand in sorted({*ours, *yours}):
        short, long = sorted((ours.get(strand, []), yours.get(strand, [])), key=len)
        if long[: len(short)] != short:
            return None
        found[strand] = long
    return found


def _play(game: Match, both: _Strands, turns: int) -> bool:
    """Continue a game that has had a number of turns: play the turns, each secret move as soon as
    it is legal, and each order after as many turns as when it was given. Return whether every
    secret move became legal.
    """
    parts = [part for strand in both.values() for part in strand]
    waiting = [part for part in parts if part.kind == _SECRET]
    given = [part for part in parts if part.kind == _DECLARED]
    made = [part for part in parts if part.kind == _TURN]
    for number, turn in enumerate((*made, None), turns):
        for choice in list(waiting):
            if not game.game.violations(game.state, choice.move, choice.seat):
                waiting.remove(choice)
                _decide(game, choice)
        for declaration in given:
            if declaration.place == number:
                game.declare(declaration.entries[0][1], declaration.seat)
        if turn is not None:
            _decide(game, turn)
    return not waiting


def _decide(game: Match, part: _Part) -> None:
    if part.is_undo:
        game.become(game.undone(part.seat, game.past()))
        return
    came_up = [game.game.read_chance(key, text) for key, text in part.entries]
    game.make([part.move], part.seat, typed_chance(game.game, came_up))


def _with_comments(merged: Match, begun: Record, sources: Sequence[Match]) -> Match:
    """Return the merged game with its items as written in the versions, comments included, if that
    is still the same game; otherwise as it is.
    """
    known: dict[tuple[object, int], list[str]] = {}
    for source in reversed(sources):
        known |= _blocks(source.record)
    items = list(_blocks(merged.record).items())[len(begun.items) :]
    lines = chain(*begun.blocks(), *(known.get(item, block) for item, block in items))
    try:
        again = loads("".join(lines), merged.record.file)
    except PortoError:
        return merged
    return again if again.digest == merged.digest else merged


def _blocks(record: Record) -> dict[tuple[object, int], list[str]]:
    """Return the lines of each item, with the comments below it. The key is its entries, and how
    often the same entries came before.
    """
    seen: Counter[object] = Counter()
    found: dict[tuple[object, int], list[str]] = {}
    for item, block in zip(record.items, record.blocks()[1:], strict=True):
        found[item.entries, seen[item.entries]] = block
        seen[item.entries] += 1
    return found
