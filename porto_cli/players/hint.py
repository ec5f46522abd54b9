"""Hints: which moves look best, and why, as the document of ``porto hint --format json``, see
porto-json(5), and as rows of it; and in the same words what a judged turn lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from porto_cli.core import enumerated, plural
from porto_cli.core.values import document
from porto_cli.match.replay import Replay
from porto_cli.paper import BOLD, DIM, PLAIN, Drawing, Gap, Heading, Node, Paragraph
from porto_cli.players import (
    Against,
    Aside,
    Coach,
    InterruptedThoughtError,
    Judgment,
    Merits,
    Promise,
    Prospect,
    Weighty,
    Worse,
    as_listed,
)
from porto_cli.players.named import coach_of
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
        why[one.move] += _of_what_follows(one, merits[one.move], merits[equal[0]], others)
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
            yield Follows("In the long run that evens out.")
    elif one.lower is not None and (more > 0 or _by_others(one) > one.behind / 2):
        later = _later(one, more, others)
        yield Follows(f"{later[0].upper()}{later[1:]}.")


def _by_others(one: Judgment) -> float:
    """Return by how many VP a move is worse because of what others score; 0 if that is unknown."""
    return 0.0 if one.lower is None else one.behind - one.lower


def _later(one: Judgment, more: int, others: Sequence[str]) -> str:
    """Say what makes a move worse that brings so much ``more`` VP at first, from its trials."""
    theirs, own = _by_others(one), one.behind - _by_others(one) + more
    who = f"{others[0]} then scores" if len(others) == 1 else "the others then score"
    says = [f"it brings about {own:.0f} VP less later"] * (theirs <= one.behind / 2)
    if theirs >= CLOSE or not says:
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
        later = _later(other, its.vp - best.vp, others) if other.lower is not None else ""
        so = "" if far == _EQUAL else f", as {later or 'it brings less later'}"
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


# -- As rows

INDENT = 3


def percent(share: float) -> str:
    """Return a chance as people read it; no estimate makes it certain."""
    if 0 < share < 0.01:
        return "under 1%"
    if 0.99 < share < 1:
        return "over 99%"
    return f"{share:.0%}"


def indented(sentences: Sequence[str], style: str = PLAIN) -> list[Node]:
    """Return a paragraph below a heading; nothing if there are no sentences."""
    if not sentences:
        return []
    return [Paragraph(sentences, style, first=[" " * INDENT], indent=INDENT)]


NOTHING = "It makes little difference: no other move does better on average."
"""What is said of the best move if nothing speaks for it."""
ONLY = "It is the only move."
"""Why a move without a choice is named."""
STILL = "Even so, no other move does better on average."
"""Why a move is recommended that looks bad."""
MOST, FEW = 4, 2
"""Reasons that a hint tells of the move that it recommends, and of another one; all are in JSON."""
_EQUAL = "about as good"
"""Said of a move that may be as good as the best one."""
_BRIEFLY, _ROOM = 40, 130
"""Columns in which moves about as good are named, in brief and in full."""
_LIKELY, _UNLIKELY = 0.75, 0.1
"""The chances of winning from which on a close game is as good as won, or as lost."""
_SHARE = 0.6
"""The part of an even share up to which it is as good as lost with several others."""
_COURSES = {
    False: (
        "finish {} VP ahead of {}",
        "finish {} VP behind {}",
        "lose narrowly",
        "the game is close",
    ),
    True: (
        "pass the goal by {} VP",
        "miss the goal by {} VP",
        "miss the goal narrowly",
        "the goal is near",
    ),
}
"""What a game is on course for, with others and alone: ahead and behind, by how much, and of whom;
lost by little; level."""


def in_brief(hint: Hint, say: Say = as_typed, named: str | None = None) -> str:
    """Return a hint in a few lines: one move, why, the next one if it is about as good, and what
    can be expected if that is clear. The move can be ``named`` otherwise; not at all by an empty
    text, where it is in sight.
    """
    best = hint.moves[0]
    # A comparison with a move that is as good is told by naming it.
    why = [
        one for one in best.reasons if not (isinstance(one, Compared) and one.move in hint.equal)
    ]
    doubts = [one for one in why if isinstance(one, Weighty)]
    close = [say(one.move, best.move) for one in hint.moves[1:] if one.move in hint.equal]
    compared = [one for one in why if isinstance(one, Compared)]
    pros = [one for one in speaking(why) if one not in compared][:FEW]
    why = [ONLY] if hint.only_move else [*pros, *compared, *doubts[:1]]
    equal = about_equal_to(close, _BRIEFLY)
    if len(hint.equal) >= max(3, hint.choices):
        equal = ["It hardly matters here: all choices do about as well."]
        why = [one for one in why if one != NOTHING]
    # Numbers in detail are in the full hint.
    why = [one if one in compared else re.sub(r" \([^()]*\d[^()]*\)", "", one) for one in why]
    # At first a forecast is of no use, unless it is clear.
    is_clear = not _UNLIKELY < hint.win < _LIKELY
    heading = _heading(hint) if is_clear else ""
    forecast = f"{heading[0].upper()}{heading[1:]}." if heading else ""
    move = say(best.move) if named is None else named
    told = [f"{move}." if move else "", *why, *equal, forecast]
    return " ".join(["Hint:", *to_you(hint.player, [*filter(None, told)])])


_TO_YOU = {
    "has": "have",
    "then has": "then have",
    "gets": "get",
    "wins": "win",
    "loses": "lose",
    "sits": "sit",
}
"""Verbs after the name of a player that are others after "you"."""
_COMMON = (
    " a after all an and as at best better by can coffee corn drawing even for from in indigo is "
    "it its lost no nobody nothing now of on one or otherwise probably scoring sugar that the them "
    "then there they this to tobacco what with worth you your "
)
"""Words of sentences about players that could be taken for the name of one."""


def to_you(name: str, sentences: Sequence[str]) -> list[str]:
    """Return sentences about a player as they are said to that player; unchanged if the name is a
    word that they may also be written with, like ``It``.
    """
    if f" {name.casefold()} " in _COMMON:
        return [*sentences]

    def you(found: re.Match[str]) -> str:
        begins, whose, verb = found.start() == 0 or found[1], found[2], found[3]
        _, _, before = found.string[: found.start()].rstrip().rpartition(" ")
        if not begins and before.istitle():
            # It is the end of a longer name.
            return found[0]
        said = "your" if whose else f"you {_TO_YOU[verb]}" if verb else "you"
        return f"{found[1]}{said.capitalize() if begins else said}"

    verbs = rf"(?:('s)| ({'|'.join(_TO_YOU)}))?(?![\w-])"
    named = re.compile(rf"(\. |)(?<![\w-]){re.escape(name)}{verbs}")
    return [named.sub(you, text) for text in sentences]


def about_equal_to(close: Sequence[str], room: int = _ROOM, said: str = _EQUAL) -> list[str]:
    """Say which moves are about as good, in a sentence if there are any: the first of them, as many
    as there is ``room`` for.
    """
    told, named = "", 0
    for ways in in_groups(close):
        # One is named in any case.
        fits = [at for at, way in enumerate(ways) if not (told or at) or len(told + way) <= room]
        if not fits:
            break
        told += f"{'; ' if told else ''}{ways[fits[-1]]}"
        named += fits[-1] + 1
    more = len(close) - named
    others = f"; and {plural(more, 'other move')}" if more else ""
    return [f"{said.capitalize()}: {told}{others}."] if told else []


_SHORT = 2
"""Words of a move up to which several are told by their last words."""
_NUMBERED = "-space ship"
_WORDS = re.compile(rf"(?<=^build )[a-z ]+$|an? .+|the [0-9]+{_NUMBERED}|(?:the|no|[0-9]+) \S+|\S+")
"""A number or an article belongs to its word, and a tile or building can have a name of two."""


def in_groups(close: Sequence[str]) -> Iterator[list[str]]:
    """Yield moves that differ only in their last words, like ``take quarry or corn``: the first of
    them, the first two in one text, and so on. ``No`` and ``nothing`` would seem to go for all.
    """
    groups = dict[str, list[str]]()
    for move in close:
        *begin, last = _WORDS.findall(move)
        is_long = len(begin) >= _SHORT and not last.endswith(_NUMBERED)
        is_alone = is_long or last.startswith("no")
        key, word = (move, "") if is_alone else (" ".join(begin), last)
        groups.setdefault(key, []).append(word)
    for text, words in groups.items():
        yield [f"{text} {enumerated(words[: n + 1], 'or')}".strip() for n in range(len(words))]


def hint_rows(hint: Hint, say: Say = as_typed, *, with_commands: bool = True) -> Iterator[Node]:
    """Yield a hint: the move that is recommended and why, what is close and what to expect; the
    next moves with what is different there; maybe the commands that play them.
    """
    best, *others = hint.moves
    name = hint.player
    only = f"The only move for you, {name}" if hint.only_move else f"Best for you, {name}"
    # What may be as good, though nothing speaks for it, is for programs.
    useful = [
        one
        for one in others
        if one.move in hint.equal or not (one.about_equal and is_useless(one.reasons))
    ]
    yield Heading(f"{only}: {say(best.move)}.")
    follow = [one.move for one in useful]
    # How far behind those are that follow is said there.
    why = [one for one in best.reasons if not (isinstance(one, Compared) and one.move in follow)]
    if not hint.only_move:
        yield Paragraph(to_you(name, _main(why, MOST)))
    if with_commands:
        yield _command(best.command)
    same = [one for one in useful if one.move in hint.equal and _core(one) == _core(best)]
    alike = [say(one.move, best.move) for one in same]
    yield from _each(about_equal_to(alike, said=f"{_EQUAL}, for the same reasons"))
    is_first = not any(move in hint.equal for move in follow)
    # Far below the best move it would not be clear what they are like.
    close = [
        say(move, best.move if is_first else "")
        for move in hint.equal
        if move not in (best.move, *follow)
    ]
    equal = about_equal_to(close, said=f"{_EQUAL} as the first" if is_first else f"also {_EQUAL}")
    shown = [one for one in useful if one not in same]
    yield from _alternatives(hint, shown, equal, say, with_commands=with_commands)
    if hint.rest:
        first, *more = (f"{say(one.move)} ({one.behind} VP)" for one in hint.rest)
        verb = f"{first.partition(' ')[0]} "
        rest = enumerated([first, *(one.removeprefix(verb) for one in more)])
        yield Paragraph([f"Also tried, but worse: {rest}."])
    elif others and not (useful or close or any(map(_no_other_is_better, why))):
        yield Paragraph(["No other move looks better."])
    yield Paragraph(to_you(name, [_forecast(hint)]))
    if hint.interrupted:
        yield from (Gap(), Paragraph(["It was stopped before it had finished thinking."]))


def _no_other_is_better(reason: str) -> bool:
    return reason.endswith((NOTHING, STILL))


def _each(sentences: Sequence[str]) -> list[Node]:
    return [Paragraph([one]) for one in sentences]


def _alternatives(
    hint: Hint, shown: Sequence[Hinted], equal: Sequence[str], say: Say, *, with_commands: bool
) -> Iterator[Node]:
    """Yield other moves with what is different there, and in front of those that are worse what is
    said of all that are about ``equal``.
    """
    best, left = hint.moves[0], [*equal]
    told = {*best.reasons}
    for one in shown:
        is_close = one.move in hint.equal
        if left and not is_close:
            yield from [Gap(), *_each(left)]
            left = []
        yield Gap()
        far = distance(0.0 if is_close else one.behind, is_sure=not one.about_equal)
        yield Paragraph([f"Or {say(one.move, best.move)}: {far}."], BOLD)
        own = _of_another(one.reasons, told)
        told.update(reason for reason in own if isinstance(reason, Against))
        yield from indented(to_you(hint.player, own), DIM)
        if with_commands:
            yield _command(one.command)
    yield from [Gap(), *_each(left)]


def _core(hinted: Hinted) -> set[str]:
    """Return the reasons by which a move is another one."""
    return {one for one in hinted.reasons if not isinstance(one, Aside | Compared)}


_RISK = "Risk: "


def _main(reasons: Sequence[str], most: int) -> list[str]:
    """Return the main reasons, at most so many: those for a move, but up to half of them those that
    say most against it.
    """
    pros = speaking(reasons)
    # Those for it come first.
    against = reasons[len(pros) :][: most // 2]
    return [*pros[: most - len(against)], *against]


def _of_another(reasons: Sequence[str], told: Container[str]) -> list[str]:
    """Return the main reasons for and against another move, so that moves can be compared, and at
    last what follows later. A risk that several moves have is told once.
    """
    risks = [one for one in reasons if one.startswith(_RISK) and one in told]
    own = _main([one for one in reasons if not (one in risks or isinstance(one, Follows))], FEW)
    if speaking(own) == own and risks:
        # No other move seems to be without.
        own.append("The risk is the same.")
    return [*own, *(one for one in reasons if isinstance(one, Follows))]


def distance(behind: float, *, is_sure: bool) -> str:
    """Say how many VP a move is behind the best one, and whether trials can tell them apart."""
    if is_sure:
        return f"{behind:.1f} VP worse on average"
    return _EQUAL if behind < CLOSE else f"perhaps {behind:.1f} VP worse"


def _aim(hint: Hint) -> str:
    """Return what a solo game is on course for once a win is safe."""
    coach = coach_of(hint.game) if hint.alone else None
    return coach.aim(Prospect(hint.margin, hint.win)) if coach else ""


def _heading(hint: Hint) -> str:
    """Say where a game is heading: ``on course to …``, or that it is close."""
    if aim := _aim(hint):
        return f"on course for {aim}"
    margin, win = hint.margin, hint.win
    ahead, behind, lost, level = _COURSES[hint.alone]
    rivals = len(hint.others)
    # Who is behind on average can win more often than not, but nobody would expect it.
    if abs(margin) <= 0.5 or (margin < 0) == (win > 0.5):
        few = _SHARE / (1 + rivals) if rivals > 1 else _UNLIKELY
        close = "win narrowly" if win >= _LIKELY else lost if win <= few else ""
        return f"on course to {close}" if close else level
    whom = hint.others[0] if rivals == 1 else "the others on average"
    far = (ahead if margin > 0 else behind).format(f"about {abs(margin):.0f}", whom)
    return f"on course to {far}"


def _forecast(hint: Hint) -> str:
    """Say in full where a game is heading, and how many of such games are won."""
    # Rounded it may look certain, but the game goes on.
    chance, rivals = percent(min(max(hint.win, 0.001), 0.999)), len(hint.others)
    even = f" (an even share is {percent(1 / (1 + rivals))})" if rivals > 1 else ""
    wins = f"{hint.player} wins {chance} of games like this{even}"
    at_a_glance = f"At a glance: {_heading(hint)}."
    return at_a_glance if _aim(hint) else f"{at_a_glance} {wins}."


def judgment(turn: dict[str, Any]) -> list[str]:
    """Return what a turn of an analysis lost, what would have been better, and why; for one with a
    mark also what the move itself does that the better one does not do.
    """
    better, lost, why, why_not = (turn[key] for key in ("better", "lost", "why", "why_not"))
    best = better or turn["move"]
    close = [move for move in turn["equal"] if move != best]
    equal = about_equal_to(close, _BRIEFLY)
    if lost is None:
        return ["No other choice is known.", *equal]
    if not better and close and not {*turn["equal"]}.intersection(turn["move"].split("; ")):
        return ["No move is clearly better.", *about_equal_to(close, _BRIEFLY, "perhaps better")]
    if not better:
        return ["One of the best moves." if turn["equal"] else "The best move.", *equal]
    # What does not speak for a move comes last.
    against = [one for one in why_not if one not in why][-1:] if turn["mark"] else []
    objections = map(_of_the_move_played, against)
    reasons = [*[reason for reason in why if reason not in why_not][:2], *equal, *objections]
    return [f"Lost {lost:.1f} VP.", f"Better: {better}.", *reasons]


def _of_the_move_played(reason: str) -> str:
    """Return a reason such that it is clear which move it is about."""
    if reason.startswith(_RISK):
        return f"After the move played, {reason.removeprefix(_RISK)}"
    its = reason.replace(" VP now", " VP", 1)
    return f"The move played: {its}".replace("played: It ", "played ", 1)


def _command(command: str) -> Node:
    """Return a command on a line that is never broken, so that it can be copied."""
    lines = [[(" " * INDENT + command, PLAIN)]]
    return Drawing(lines=lambda screen: lines, spoken=[f"To play it: {command}"])
