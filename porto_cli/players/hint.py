"""Hints: which moves look best, and why, as the document of ``porto hint --format json``, see
porto-json(5).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from porto_cli.core.values import document
from porto_cli.match.replay import Replay
from porto_cli.players import (
    Against,
    Aside,
    Coach,
    InterruptedThoughtError,
    Judgment,
    Merits,
    Promise,
    Worse,
    as_listed,
)
from porto_cli.seam import Move, View
from porto_cli.words import MANY, Option


class Say(Protocol):
    """Says a move as a hint does."""

    def __call__(self, move: str, best: str = "", /) -> str:
        """Return a move in words, or by how it differs from the ``best`` one if that is shorter."""


def as_typed(move: str, best: str = "", /) -> str:
    """Say a move as it is typed."""
    return move


WIDTH = 8
"""Moves that are tried at least, however few are shown."""
MOST_LEFT = 16
"""Moves that are tried at least where a part of the move is chosen."""
CLOSE = 1.0
"""VP: a move that is less behind in trials is about as good."""
FAR = 2.5
"""VP: a move that is more behind is not shown for its reasons in place of a nearer one."""
TEMPTING = 2
"""VP: a move that scores so much more now than the best one is compared with it."""
FEW = 2
"""Reasons that a hint tells of another move than the one that it recommends."""
NOTHING = "It makes little difference: no other move does better on average."
"""What is said of the best move if nothing speaks for it."""
STILL = "Even so, no other move does better on average."
"""Why a move is recommended that looks bad."""
EQUAL = "about as good"
"""Said of a move that may be as good as the best one."""


class Hinted(NamedTuple):
    """A move of a hint, by the names of ``porto hint --format json``.

    ``margin`` and ``win`` are what can be expected after it, ``behind`` how many VP it is worse
    than the best move in trials, and ``doubt`` the half width of the 95 % confidence interval of
    that.
    """

    move: str
    command: str = ""
    margin: float = 0.0
    win: float = 0.0
    behind: float = 0.0
    doubt: float = 0.0
    about_equal: bool = False
    reasons: Sequence[str] = ()


class Behind(NamedTuple):
    """A move that a hint does not show: by how many VP it is worse than the best one in trials."""

    move: str
    behind: float


class Hint(NamedTuple):
    """A hint, by the names of ``porto hint --format json``.

    Its ``moves`` begin with the one that is :func:`recommended`; they are empty if they are not
    known. ``equal`` are all that are about as good, shown or not, as they are listed. ``rest`` are
    the other moves, from the best one on, if there are so few that all were tried.
    """

    game: str
    player: str
    others: Sequence[str]
    alone: bool
    margin: float
    win: float
    equal: Sequence[str]
    choices: int
    only_move: bool
    interrupted: bool
    moves: Sequence[Hinted]
    rest: Sequence[Behind] = ()

    def document(self, **more: object) -> dict[str, Any]:
        """Return it as a document, with what else is known of it."""
        lists = {key: [one._asdict() for one in getattr(self, key)] for key in ("moves", "rest")}
        return document(**self._asdict() | lists, **more)


def ahead_of(hint: Hint, move: str) -> str:
    """Return the move that a hint names as the next one, if its own move is made."""
    best = hint.moves[0]
    said = best.reasons if best.move == move else ()
    return next((one.then for one in said if isinstance(one, Promise)), "")


def find_hint(
    replay: Replay,
    seat: int,
    coach: Coach,
    typed: Callable[[Sequence[Move]], Sequence[str]],
    say: Say,
    *,
    count: int,
    seconds: float | None = None,
    listed: str = "",
    left: Sequence[Option] = (),
) -> Hint:
    """Return a hint for a player who has a move to choose.

    ``typed`` returns the commands that make some moves, ``say`` a move in a sentence; ``listed`` is
    the move that a list begins with by an estimate, which is tried as well. Where a part of the
    move is chosen already, only the moves that are ``left`` are judged.

    The random numbers of its trials follow from the turn and the player, so that the same question
    has the same answer, unless it has a number of ``seconds`` to think. They do not depend on the
    rest of the record, which has what the player may not know, like the seed and what others have
    kept. On Ctrl-C the hint is what is known by then; if that is nothing, KeyboardInterrupt is
    raised.
    """
    game, state = replay.game, replay.state
    view, players = game.view(state, seat), replay.config.players
    first = [game.parse_move(listed, state, seat)] if listed else []
    also = (one.move for one in left[:MOST_LEFT] if not (one.why_not or MANY in one.move))
    tried = [*first, *(game.parse_move(one, state, seat) for one in also)]
    is_interrupted = False

    def text(move: Move) -> str:
        return game.format_move(move, state)

    def is_left(move: Move) -> bool:
        return not left or any(one.can_be(text(move)) for one in left)

    def judged(
        view: View, also: Sequence[Move] = (), seconds: float | None = None
    ) -> list[Judgment]:
        rng = Random(f"hint/{game.meta.id}/{view.table.turn}/{seat}")
        return coach.judge(view, rng, moves=also, width=max(count, WIDTH), seconds=seconds)

    try:
        found = judged(view, tried, seconds)
    except InterruptedThoughtError as stopped:
        found, is_interrupted = stopped.so_far, True
        if not found:
            raise KeyboardInterrupt from None
    found = [one for one in found if is_left(one.move)]
    found = [one._replace(behind=one.behind - found[0].behind) for one in found]
    equal, merits = recommended(coach, view, found, first)
    best = found[0] if found else None
    # The sort is stable: the others stay in the order of the trials.
    found = sorted(found, key=lambda one: one.move not in equal[:1])
    if found and not is_interrupted:
        try:
            # What the next hint will say takes as long to find out as this one.
            merits[equal[0]] = coach.merits(
                view, equal[0], lambda then: recommended(coach, then, judged(then))[0][0]
            )
        except InterruptedThoughtError:
            is_interrupted = True
    why = {move: one.reasons for move, one in merits.items()}
    others = [each for each in players if each != players[seat]]
    if found:
        why[equal[0]] = _of_the_best(found, equal, merits, first, others, text, say)
    shown = _worth_showing(found, why, count)
    for one in shown[1:]:
        later = _of_what_follows(one, merits[one.move], merits[equal[0]], others)
        why[one.move] = [*why[one.move], *later]
    now, choices = coach.prospect(view), game.count_moves(state, seat)
    # To do nothing may not have been worth a trial.
    known = found if len(found) >= choices - 1 else []
    rest = [one for one in known if one not in shown and one.behind >= CLOSE]
    top = best.prospect.win if best else 0.0

    def hinted(one: Judgment, command: str) -> Hinted:
        # A table is worth what its best move is worth.
        return Hinted(
            move=text(one.move),
            command=command,
            margin=round(now.margin - one.behind, 1) + 0.0,
            win=round(min(1.0, now.win * one.prospect.win / (top or 1.0)), 3),
            behind=round(one.behind, 1) + 0.0,
            doubt=round(0.0 if one is best else one.doubt, 1),
            about_equal=one is not found[0] and one.about_equal,
            reasons=why[one.move],
        )

    return Hint(
        game=game.meta.id,
        player=players[seat],
        others=others,
        alone=len(players) == 1,
        margin=round(now.margin, 1) + 0.0,
        win=round(now.win, 3),
        equal=[*map(text, as_listed(game, state, seat, equal))],
        choices=choices,
        only_move=choices == 1,
        interrupted=is_interrupted,
        moves=[*map(hinted, shown, typed([one.move for one in shown]))],
        rest=[Behind(text(one.move), round(one.behind, 1)) for one in rest],
    )


def speaking(reasons: Sequence[str]) -> list[str]:
    """Return the reasons that speak for a move."""
    return [one for one in reasons if not isinstance(one, Against)]


def is_useless(reasons: Sequence[str]) -> bool:
    """Return whether a move is useless at first sight: nothing speaks for it, or another one is
    plainly better (:class:`Worse`).
    """
    return not speaking(reasons) or Worse in map(type, reasons)


def recommended(
    coach: Coach, view: View, judged: Sequence[Judgment], listed: Container[Move] = ()
) -> tuple[list[Move], dict[Move, Merits]]:
    """Return the move to recommend, and after it those to be named as about as good: all that
    trials cannot tell from the best one and that are less than ``CLOSE`` behind, without those that
    are useless at first sight, unless all are. Also return the merits of all moves.

    It is what a list begins with (``listed``), or else the best one in trials, or of those that are
    less than the coach's ``near`` behind the one that scores most now, which is certain, and of
    these the one that allows most next.
    """
    merits = {one.move: coach.merits(view, one.move) for one in judged}
    equal = [one for one in judged if one.about_equal]
    useful = [one for one in equal if not is_useless(merits[one.move].reasons)] or equal
    close = [one for one in useful if one.behind < CLOSE] or judged[:1]

    def rank(one: Judgment) -> tuple[bool, int, int]:
        is_near, own = one.behind < coach.near, merits[one.move]
        return one.move not in listed, -own.vp * is_near, -own.next_vp * is_near

    first = sorted(close, key=rank)[:1]
    return [*dict.fromkeys(one.move for one in [*first, *close])], merits


def _worth_showing(
    found: Sequence[Judgment], why: Mapping[Move, Sequence[str]], count: int
) -> list[Judgment]:
    """Return so many of the moves, in their order. Those whose reasons are all reasons for moves
    before them as well are left out first, and those that are far behind; and before them those
    that are as good, but useless at first sight.
    """
    said, ranks = set[str](), dict[Move, tuple[bool, bool]]()
    for one in found:
        reasons = why[one.move]
        is_useful = not one.about_equal or not is_useless(reasons)
        is_new = not said.issuperset(each for each in reasons if not isinstance(each, Aside))
        is_near = one.behind < FAR
        ranks[one.move] = (True, True) if one is found[0] else (is_useful, is_new and is_near)
        said.update(reasons)
    shown = sorted(ranks, key=lambda move: ranks[move], reverse=True)[:count]
    return [one for one in found if one.move in shown]


class Follows(Against):
    """A reason that says what follows later, which makes a move worse or as good."""


def _of_what_follows(
    one: Judgment, its: Merits, best: Merits, others: Sequence[str]
) -> Iterator[Follows]:
    """Yield what makes a move worse that others score by, or that brings more at first than the
    best one; or that a move which scores much more or less now is as good in the end.
    """
    more = its.vp + its.next_vp - best.vp - best.next_vp
    if one.about_equal and one.behind < CLOSE:
        if abs(its.vp - best.vp) >= TEMPTING:
            yield Follows("Over the game that is worth about as much.")
    elif one.lower is not None and (more > 0 or one.behind - one.lower > one.behind / 2):
        later = _later(one, more, others)
        yield Follows(f"{later[0].upper()}{later[1:]}.")


def _later(one: Judgment, more: int, others: Sequence[str]) -> str:
    """Say what makes a move worse that brings so much ``more`` VP at first, from its trials."""
    if one.lower is None:
        return "it brings less later"
    theirs, own = one.behind - one.lower, one.lower + more
    less = f"about {own:.0f} VP less" if own >= 1 else "less"
    says = [f"it brings {less} later"] * (theirs <= one.behind / 2)
    if theirs >= CLOSE or not says:
        who = f"{others[0]} then scores" if len(others) == 1 else "the others then score"
        says.append(f"{who} about {theirs:.1f} VP more")
    return ", and ".join(says)


class Compared(str):
    """A reason that compares the best move with the one that a player is tempted to make: ``move``,
    as text.
    """

    move = ""


def _of_the_best(
    found: Sequence[Judgment],
    equal: Sequence[Move],
    merits: Mapping[Move, Merits],
    listed: Container[Move],
    others: Sequence[str],
    text: Callable[[Move], str],
    say: Say,
) -> list[str]:
    """Return the reasons for the recommended move, the first one of ``found``: compared with the
    one that a player is tempted to make, and with the one why anybody would take another move that
    it is recommended all the same. If nothing speaks for it, they begin with that little depends
    on it.
    """
    best = merits[found[0].move]
    reasons, pros = best.reasons, speaking(best.reasons)
    if worse := [one for one in reasons if isinstance(one, Worse)]:
        rest = [one for one in reasons if one not in (*pros, worse[0])]
        return [*pros, Worse(f"{worse[0]} {STILL}"), *rest]
    tempting = [
        one
        for one in found[1:]
        if merits[one.move].vp >= best.vp + TEMPTING
        or (one.move in listed and one.move not in equal)
    ]
    for other in sorted(tempting, key=lambda one: -merits[one.move].vp)[:1]:
        its, name = merits[other.move], say(text(other.move))
        far = distance(other.behind, is_sure=not other.about_equal)
        # Who scores first is behind because of what can follow.
        so = "" if far == EQUAL else f", as {_later(other, its.vp - best.vp, others)}"
        compared = Compared(
            f"Scoring {its.vp} VP now ({name}) is {far}{so}."
            if its.vp
            else f"Looking further ahead, what the list puts first ({name}) is {far}."
        )
        compared.move = text(other.move)
        # Before it only what speaks for the best move alone.
        own = [one for one in pros if one not in its.reasons][:FEW]
        reasons = [*own, compared, *(one for one in reasons if one not in own)]
    return reasons if speaking(reasons) else [NOTHING, *reasons]


def distance(behind: float, *, is_sure: bool) -> str:
    """Say how many VP a move is behind the best one, and whether trials can tell them apart."""
    if is_sure:
        return f"{behind:.1f} VP worse on average"
    return EQUAL if behind < CLOSE else f"perhaps {behind:.1f} VP worse"
