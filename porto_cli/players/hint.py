"""Hints: which moves look best, and why, as the document of ``porto hint --format json``, see
porto-json(5), and as rows of it; and in the same words what a judged turn lost.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import compress
from random import Random
from typing import Any

from porto_cli.core import enumerated, plural
from porto_cli.core.values import document
from porto_cli.games import Game
from porto_cli.match.replay import Replay
from porto_cli.paper import BOLD, DIM, PLAIN, Drawing, Gap, Heading, Node, Paragraph
from porto_cli.players import (
    Against,
    AtARisk,
    Coach,
    InterruptedThoughtError,
    Judgment,
    Promise,
    Prospect,
    Worse,
    as_listed,
)
from porto_cli.players.named import coach_of
from porto_cli.seam import Move, State, View

Say = Callable[[str], str]
"""Returns a move as a hint says it."""
WIDTH = 8
"""Moves that are tried at least, however few are shown."""
CLOSE = 1.0
"""VP: a move that is less behind in trials can be recommended for other reasons."""


def ahead_of(hint: Mapping[str, Any] | None, move: object) -> str:
    """Return the move that a hint names as the next one, if its own move is made."""
    best = hint["moves"][0] if hint else {}
    said = best["reasons"] if best.get("move") == move else ()
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
) -> dict[str, Any]:
    """Return a hint for a player who has a move to choose, by the names of ``porto hint --format
    json``; without moves if they are not known. Its ``moves`` begin with the one that is
    :func:`recommended`, ``equal`` are all that are as good, shown or not, as they are listed. How
    much a move is ``behind`` the best one in trials, and the half width of the 95 % confidence
    interval of that (``doubt``), are VP.

    ``typed`` returns the commands that make some moves, ``say`` a move in a sentence; ``listed`` is
    the move that a list begins with by an estimate, which is compared as well.

    The random numbers of its trials follow from the turn and the player, so that the same question
    has the same answer, unless it has a number of ``seconds`` to think. They do not depend on the
    rest of the record, which has what the player may not know, like the seed and what others have
    kept. On Ctrl-C the hint is what is known by then; if that is nothing, KeyboardInterrupt is
    raised.
    """
    game, state = replay.game, replay.state
    view = game.view(state, seat)
    first = [game.parse_move(listed, state, seat)] if listed else []
    is_interrupted = False

    def judged(
        view: View, also: Sequence[Move] = (), seconds: float | None = None
    ) -> list[Judgment]:
        rng = Random(f"hint/{game.meta.id}/{view.table.turn}/{seat}")
        return coach.judge(view, rng, moves=also, width=max(count, WIDTH), seconds=seconds)

    try:
        found = judged(view, first, seconds)
    except InterruptedThoughtError as stopped:
        found, is_interrupted = stopped.so_far, True
        if not found:
            raise KeyboardInterrupt from None
    now, best = coach.prospect(view), next(iter(found), None)
    top = best.prospect.win if best else 0.0
    equal = recommended(coach, view, found, first)
    # The sort is stable: the others stay in the order of the trials.
    found = sorted(found, key=lambda one: one.move != equal[0])
    reasons = [coach.reasons(view, one.move) for one in found[:count]]
    if found and not is_interrupted:
        try:
            # What the next hint will say takes as long to find out as this one.
            reasons[0] = coach.reasons(
                view, found[0].move, lambda then: recommended(coach, then, judged(then))[0]
            )
        except InterruptedThoughtError:
            is_interrupted = True
    if found:
        reasons[0] = _compared(reasons[0], game, state, found, first, count, say)
    found = found[:count]
    choices = game.count_moves(state, seat)
    texts = typed([one.move for one in found])
    return document(
        game=game.meta.id,
        player=replay.config.players[seat],
        alone=len(replay.config.players) == 1,
        margin=round(now.margin, 1) + 0.0,
        win=round(now.win, 3),
        equal=[game.format_move(move, state) for move in as_listed(game, state, seat, equal)],
        choices=choices,
        only_move=choices == 1,
        interrupted=is_interrupted,
        moves=[
            {
                "move": game.format_move(one.move, state),
                "command": text,
                # A table is worth what its best move is worth.
                "margin": round(now.margin - one.behind, 1) + 0.0,
                "win": round(min(1.0, now.win * one.prospect.win / (top or 1.0)), 3),
                "behind": round(one.behind, 1) + 0.0,
                "doubt": round(0.0 if one is best else one.doubt, 1),
                "about_equal": bool(nth) and one.about_equal,
                "reasons": why,
            }
            for nth, (one, text, why) in enumerate(zip(found, texts, reasons, strict=True))
        ],
    )


def speaking(reasons: Sequence[str]) -> list[str]:
    """Return the reasons that speak for a move."""
    return [one for one in reasons if not isinstance(one, Against)]


def recommended(
    coach: Coach, view: View, judged: Sequence[Judgment], listed: Container[Move] = ()
) -> list[Move]:
    """Return the move to recommend, and after it those to be named as about as good: all that
    trials cannot tell from the best one, without those that are useless at first sight, unless all
    are: nothing speaks for them, or they are :class:`Worse`.

    It is the best one in trials, unless that is left out; or what a list begins with (``listed``).
    For either it is less than ``CLOSE`` behind.
    """
    equal = [one for one in judged if one.about_equal]
    why = (coach.reasons(view, one.move) for one in equal)
    uses = [bool(speaking(said)) and Worse not in map(type, said) for said in why]
    useful = [*compress(equal, uses)] or equal
    close = [one for one in useful if one.behind < CLOSE] or judged[:1]
    first = sorted(close, key=lambda one: one.move not in listed)[:1]
    return [*dict.fromkeys(one.move for one in [*first, *useful])]


def _compared(
    reasons: list[str],
    game: Game,
    state: State,
    found: Sequence[Judgment],
    first: Sequence[Move],
    shown: int,
    say: Say,
) -> list[str]:
    """Return the reasons for the best move, and compare it: with the one that a list begins with
    (``first``), or the best one of another kind, as a build with a draw, unless that is among those
    that are shown; or right after a reason that names a risk, or why another move looks better,
    with that one, as why the best one is recommended all the same.
    """
    texts = [game.format_move(one.move, state) for one in found]
    kinds = [text.partition(" ")[0] for text in texts]
    listed = [nth for nth, one in enumerate(found) if nth and one.move in first]
    unlike = [nth for nth, kind in enumerate(kinds) if kind not in (kinds[0], "pass")]
    nth, *_ = [*listed, *unlike, 0]
    other, text = found[nth], say(texts[nth])
    doubts = (at for at, one in enumerate(reasons, start=1) if isinstance(one, AtARisk | Worse))
    if at := next(doubts, 0):
        behind = "no better" if other.about_equal else f"{other.behind:.1f} VP worse"
        by = f"the alternative ({text}) is {behind}" if nth else "nothing that was tried is better"
        return [*reasons[:at], f"{STILL}{by} on average.", *reasons[at:]]
    if not (end := len(speaking(reasons))):
        reasons, end = [NOTHING, *reasons], 1
    if nth < shown and not listed:
        return reasons
    far = distance(other.behind, other.doubt, equal=other.about_equal)
    said = f"{text}, first in the list," if listed else text
    return [*reasons[:end], f"{COMPARED}, {said} is {far}.", *reasons[end:]]


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


COMPARED = "By comparison"
"""How a sentence about another move begins, among the reasons for the best one."""
NOTHING = "Nothing to gain right now, but no other move that was tried is better on average."
"""What is said of the best move if nothing speaks for it."""
STILL = "Even so, "
"""How the sentence begins that says why a move is recommended that looks bad."""
_BRIEFLY, _ROOM = 70, 130
"""Columns in which moves about as good are named, in brief and in full; the rest are counted."""
_LIKELY, _UNLIKELY = 0.75, 0.1
"""The chances of winning from which on a close game is as good as won, or as lost."""
_COURSES = {
    False: ("finish {} VP ahead", "finish {} VP behind", "lose narrowly", "The game is close"),
    True: ("win by {} VP", "miss the goal by {} VP", "miss the goal narrowly", "Close to the goal"),
}
"""What a game is on course for, with others and alone: ahead, behind, lost by little; and level."""


def in_brief(hint: dict[str, Any], say: Say = str) -> str:
    """Return a hint in a few lines: one move, why, the next ones if they are about as good, what
    can be expected.
    """
    best = hint["moves"][0]
    reasons = best["reasons"]
    still = next((nth for nth, one in enumerate(reasons) if one.startswith(STILL)), 0)
    # What looks bad is not left without why it is recommended.
    doubt = reasons[still - 1 : still + 1] if still else speaking(reasons[1:2])
    why = [] if hint["only_move"] else [*dict.fromkeys([*reasons[:1], *doubt])]
    close = _about_equal(hint, say, why, _BRIEFLY)
    told = [f"Hint: {say(best['move'])}.", *why, *close, _expected(hint)]
    return " ".join(to_you(hint["player"], told))


def _about_equal(hint: dict[str, Any], say: Say, told: Sequence[str], room: int) -> list[str]:
    """Say which moves are about as good as the best one, but for the one with which a sentence
    ``told`` before compares it: in brief only those that come next.
    """
    first, equal = [one["move"] for one in hint["moves"]], hint["equal"]
    close = dict.fromkeys([*first, *(equal if room > _BRIEFLY else ())])
    left = [say(move) for move in close if move in equal and move != first[0]]
    named = " ".join(one.partition(" is ")[0] for one in told if one.startswith((COMPARED, STILL)))
    left = [text for text in left if not re.search(rf"[ (]{re.escape(text)}(?:\)|,|$)", named)]
    return about_equal_to(say(first[0]), left, room)


_TO_YOU = {"has": "have", "gets": "get", "then has": "then have"}
"""Verbs after the name of a player that are others after "you"."""


def to_you(name: str, sentences: Sequence[str]) -> list[str]:
    """Return sentences about a player as they are said to that player."""

    def you(found: re.Match[str]) -> str:
        begins, verb = found.start() == 0 or found[1], found[2]
        _, _, before = found.string[: found.start()].rstrip().rpartition(" ")
        if not begins and before.istitle():
            # It is the end of a longer name.
            return found[0]
        said = f"you {_TO_YOU.get(verb, verb)}" if verb else "your"
        return f"{found[1]}{said.capitalize() if begins else said}"

    verbs = r"(?: (will|can|could|has|gets|then has)\b|'s\b)"
    named = re.compile(rf"(\. |)(?<![\w-]){re.escape(name)}{verbs}")
    return [named.sub(you, text) for text in sentences]


def about_equal_to(best: str, close: Sequence[str], room: int = _BRIEFLY) -> list[str]:
    """Say which moves are about as good, in a sentence if there are any: the first of them, as many
    as there is ``room`` for, and how many more there are.
    """
    told, named, left = "", 0, len(close)
    for ways in _in_groups(best, close):
        fits = [at for at, way in enumerate(ways) if len(f"{told}{way}") <= room]
        if not fits:
            break
        told += f"{ways[fits[-1]]}; "
        named += fits[-1] + 1
    if not named:
        are = "is" if left == 1 else "are"
        return [f"{plural(left, 'other move')} {are} about as good."] if left else []
    rest = f"and {plural(left - named, 'other move')}" if left > named else ""
    return [f"About as good: {f'{told}{rest}'.removesuffix('; ')}."]


_SHORT = 2
"""Words of a move up to which several are told by their last words."""
_WORDS = re.compile(r"(?:the|no|[0-9]+) \S+|(?<=^build )[a-z ]+$|\S+")
"""A number or an article belongs to its word, and a building can have a name of two."""


def _in_groups(best: str, close: Sequence[str]) -> Iterator[list[str]]:
    """Yield moves that differ only in their last words, like ``take quarry or corn``, or in the
    same word from the best one, as a build does in its house: the first of them, the first two in
    one text, and so on.
    """
    groups = dict[tuple[str, str], list[str]]()
    for move in close:
        *begin, last = _WORDS.findall(move)
        key, word = (move, ""), ""
        if len(begin) < _SHORT:
            key, word = (" ".join(begin), ""), last
        elif swap := _swapped(best, move):
            key, word = ("the same with", f" instead of {swap[0]}"), swap[1]
        groups.setdefault(key, []).append(word)
    for (text, end), words in groups.items():
        some = ([*dict.fromkeys(words[: n + 1])] for n in range(len(words)))
        yield [f"{text} {enumerated(each, 'or')}".strip() + end for each in some]


def _swapped(best: str, move: str) -> tuple[str, str] | None:
    """Return the only word of the best move that another one does not have, and what that has in
    its place; in a list places make no difference, and one of what is left out says the opposite.
    ``None`` if they differ otherwise.
    """
    was, words = (_WORDS.findall(re.sub(",| and ", " ", one)) for one in (best, move))
    gone = [*(Counter(was) - Counter(words)).elements()]
    come = [*(Counter(words) - Counter(was)).elements()]
    if len(gone) == len(come) == 1 and ("," in move or was.index(*gone) == words.index(*come)):
        return (come[0], gone[0]) if " but " in best else (gone[0], come[0])
    return None


def hint_rows(
    hint: dict[str, Any], say: Say = str, *, with_commands: bool = True
) -> Iterator[Node]:
    """Yield a hint: the move that is recommended and why, what is close and what to expect; the
    next moves with what is different there; maybe the commands that play them.
    """
    best, *others = hint["moves"]
    name = hint["player"]
    only = f"The only move for you, {name}" if hint["only_move"] else f"Best for you, {name}"
    yield Heading(f"{only}: {say(best['move'])}.")
    why = [] if hint["only_move"] else best["reasons"]
    close = _about_equal(hint, say, why, _ROOM)
    yield Paragraph(to_you(name, [*why, *close, _expected(hint)]))
    if with_commands:
        yield _command(best["command"])
    for one in others:
        yield Gap()
        yield Paragraph([f"{say(one['move'])}."], BOLD)
        equal = one["about_equal"]
        far = distance(one["behind"], one["doubt"], equal=equal)
        yield from indented([f"{far[0].upper()}{far[1:]}."])
        yield from indented(to_you(name, _differences(one, best, equal=equal)), DIM)
        if with_commands:
            yield _command(one["command"])
    if hint["interrupted"]:
        yield from (Gap(), Paragraph(["It was stopped before it had finished thinking."]))


def distance(behind: float, doubt: float, *, equal: bool) -> str:
    """Say how many VP a move is behind the best one, and how sure that is."""
    if equal and not round(behind, 1):
        return "as good as the best"
    far = f"{behind:.1f} VP behind the best" + (f", give or take {doubt:.1f}" if doubt else "")
    return f"{far}: too close to call" if equal else far


def _differences(one: dict[str, Any], best: dict[str, Any], *, equal: bool) -> list[str]:
    """Return the reasons that a move has and the best one has not; of a move without any that is
    behind, the main reason that only the best one has.
    """
    own = [reason for reason in one["reasons"] if reason not in best["reasons"]]
    missing = [
        reason
        for reason in best["reasons"]
        if reason not in one["reasons"] and not reason.startswith((COMPARED, STILL))
    ]
    lacks = [f"True of the best move, but not of this one: {one}" for one in missing[:1]]
    return own or lacks * (not equal)


def _expected(hint: dict[str, Any]) -> str:
    margin, alone = hint["margin"], hint["alone"]
    if alone:
        coach = coach_of(hint["game"])
        if aim := coach.aim(Prospect(margin, hint["win"])) if coach else "":
            return aim
    win, (ahead, behind, lost, level) = hint["win"], _COURSES[alone]
    where = f"On course to {ahead if margin > 0 else behind}".format(f"about {abs(margin):.0f}")
    # Who is behind on average can win more often than not, but nobody would expect it.
    if abs(margin) <= 0.5 or (margin < 0) == (win > 0.5):
        close = "win narrowly" if win >= _LIKELY else lost if win <= _UNLIKELY else ""
        where = f"On course to {close}" if close else level
    # Rounded it may look certain, but the game goes on.
    return f"{where}; {percent(min(max(win, 0.001), 0.999))} chance of winning."


def judgment(turn: dict[str, Any]) -> list[str]:
    """Return what a turn of an analysis lost, what would have been better, and why; for one with a
    mark also what the move itself does that the better one does not do.
    """
    better, lost, why, why_not = (turn[key] for key in ("better", "lost", "why", "why_not"))
    best = better or turn["move"]
    close = [move for move in turn["equal"] if move != best]
    equal = about_equal_to(best, close)
    if lost is None:
        return ["No other choice is known.", *equal]
    if not better:
        return ["About as good as the best." if turn["equal"] else "The best move.", *equal]
    # What does not speak for a move comes last.
    objections = [reason for reason in why_not if reason not in why][-1:] if turn["mark"] else []
    for reason in objections:
        # Make clear that it is about the move that was made.
        its = reason.removeprefix("It ").replace(" VP now", " VP", 1)
        after = f"What it does: {reason}"
        objections[0] = f"The move itself {its}" if reason.startswith("It ") else after
    reasons = [*[reason for reason in why if reason not in why_not][:2], *equal, *objections]
    return [f"Lost {lost:.1f} VP.", f"Better: {better}.", *reasons]


def _command(command: str) -> Node:
    """Return a command on a line that is never broken, so that it can be copied."""
    lines = [[(" " * INDENT + command, PLAIN)]]
    return Drawing(lines=lambda screen: lines, spoken=[f"To play it: {command}"])
