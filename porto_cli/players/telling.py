"""Hints as rows and in brief, and in the same words what a judged turn lost."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from typing import Any

from porto_cli.core import enumerated, plural
from porto_cli.paper import BOLD, DIM, PLAIN, Drawing, Gap, Heading, Node, Paragraph
from porto_cli.players import Against, Aside, Prospect, Weighty
from porto_cli.players.hint import (
    EQUAL,
    FEW,
    NOTHING,
    STILL,
    Compared,
    Follows,
    Hint,
    Hinted,
    Say,
    as_typed,
    distance,
    is_useless,
    speaking,
)
from porto_cli.players.named import coach_of

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


ONLY = "It is the only move."
"""Why a move without a choice is named."""
MOST = 4
"""Reasons that a hint tells of the move that it recommends; all are in JSON."""
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
    """Return a hint in a few lines: one move, why, those that are about as good, and what can be
    expected if that is clear. The move can be ``named`` otherwise; not at all by an empty
    text, where it is in sight.
    """
    best = hint.moves[0]
    # A comparison with a move that is as good is told by naming it.
    why = [
        one for one in best.reasons if not (isinstance(one, Compared) and one.move in hint.equal)
    ]
    doubts = [one for one in why if isinstance(one, Weighty)]
    shown = (one.move for one in hint.moves if one.move in hint.equal)
    equal = [one for one in dict.fromkeys((*shown, *hint.equal)) if one != best.move]
    close = [say(one, best.move) for one in equal]
    compared = [one for one in why if isinstance(one, Compared)]
    pros = [one for one in speaking(why) if one not in compared][:FEW]
    why = [ONLY] if hint.only_move else [*pros, *compared, *doubts[:1]]
    also = about_equal_to(close, _BRIEFLY)
    if len(hint.equal) >= max(3, hint.choices):
        also = ["It hardly matters here: all choices do about as well."]
        why = [one for one in why if one != NOTHING]
    # Numbers in detail are in the full hint.
    why = [one if one in compared else re.sub(r" \([^()]*\d[^()]*\)", "", one) for one in why]
    # At first a forecast is of no use, unless it is clear.
    is_clear = not _UNLIKELY < hint.win < _LIKELY
    heading = _heading(hint) if is_clear else ""
    forecast = f"{heading[0].upper()}{heading[1:]}." if heading else ""
    move = say(best.move) if named is None else named
    told = [f"{move}." if move else "", *why, *also, forecast]
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


def about_equal_to(close: Sequence[str], room: int = _ROOM, said: str = EQUAL) -> list[str]:
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
"""The end of a name that a number tells from others."""
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
    yield from _each(about_equal_to(alike, said=f"{EQUAL}, for the same reasons"))
    is_first = not any(move in hint.equal for move in follow)
    # Far below the best move it would not be clear what they are like.
    close = [
        say(move, best.move if is_first else "")
        for move in hint.equal
        if move not in (best.move, *follow)
    ]
    equal = about_equal_to(close, said=f"{EQUAL} as the first" if is_first else f"also {EQUAL}")
    shown = [one for one in useful if one not in same]
    yield from _alternatives(hint, shown, equal, say, with_commands=with_commands)
    if hint.rest:
        first, *more = (f"{say(one.move)} ({one.behind} VP" for one in hint.rest)
        verb = f"{first.partition(' ')[0]} "
        rest = enumerated([f"{first} worse)", *(f"{one.removeprefix(verb)})" for one in more)])
        yield Paragraph([f"Also tried: {rest}."])
    elif others and not (useful or close or any(map(_no_other_is_better, why))):
        yield Paragraph(["No other move looks better."])
    yield Paragraph(to_you(name, [_forecast(hint)]))
    if hint.interrupted:
        yield from (Gap(), Paragraph(["It was stopped before it had finished thinking."]))


def _no_other_is_better(reason: str) -> bool:
    return isinstance(reason, Compared) or reason.endswith((NOTHING, STILL))


def _each(sentences: Sequence[str]) -> list[Node]:
    return [Paragraph([one]) for one in sentences]


def _alternatives(
    hint: Hint, shown: Sequence[Hinted], equal: Sequence[str], say: Say, *, with_commands: bool
) -> Iterator[Node]:
    """Yield other moves with what is different there, and in front of those that are worse what is
    said of all that are about ``equal``.
    """
    best, left = hint.moves[0], [*equal]
    told, before = {*best.reasons}, best.move
    for one in shown:
        is_close = one.move in hint.equal
        if left and not is_close:
            yield from [Gap(), *_each(left)]
            left = []
        yield Gap()
        far = distance(0.0 if is_close else one.behind, is_sure=not one.about_equal)
        # Behind a move that is no variant of the best one, it would seem to be one of that.
        said = say(one.move, before)
        before = before if said != say(one.move) else ""
        yield Paragraph([f"Or {said}: {far}."], BOLD)
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
