"""What a player has learned and reached: the lesson of a game, how a game ended, and results."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from porto_cli import home
from porto_cli.asking import NOTES, Pane, PaneForm, Scene, fit, said_as
from porto_cli.cli.output import parts_of
from porto_cli.cli.rules import with_labels
from porto_cli.core import PortoError, enumerated, flowing, plural
from porto_cli.core.characters import printable
from porto_cli.core.files import is_worth_a_look
from porto_cli.games import GAMES
from porto_cli.home import write_own
from porto_cli.installed import lessons_of
from porto_cli.match.items import SHORT
from porto_cli.match.match import Match, load
from porto_cli.match.replay import Replay, decisions, last_mover
from porto_cli.match.seats import in_words
from porto_cli.pages import above, score
from porto_cli.paper import Document, Gap, Heading, Node, Paragraph, put, sentences
from porto_cli.players.analysis import what_decided
from porto_cli.term import BOLD, DIM, PLAIN, Line, Screen
from porto_cli.words import Option

# -- Learning a game: how to play it, on one screen, and a guided first game that one can leave
#
# Both are data of the game (``lessons.toml``, see docs/adding-a-game.md); a game without has
# neither. A game follows the lesson as long as it has its deal and the moves that the lesson
# expects, and its record has no comment that the lesson was ended. That is all there is to know, so
# a lesson goes on when its record is opened again, and one that was ended does not.

ENDED = "The lesson was ended here."
"""The comment in a record whose lesson was ended before its last step."""


def is_lesson(game: str, seed: object) -> bool:
    """Return whether a game with this seed is a lesson: its deal is known, and so is its play."""
    lesson = lessons_of(game).get("lesson")
    return lesson is not None and seed == lesson["seed"]


def games_taught(what: str) -> list[str]:
    """Return the games that have a table in their lessons: ``how_to_play``, or ``lesson``."""
    return [game for game in GAMES if what in lessons_of(game)]


def how_to_play(game: str, screen: Screen) -> list[Line]:
    """Return what somebody has to know who plays a game for the first time."""
    texts = lessons_of(game)["how_to_play"]
    lines = with_labels(
        {f"{word[0].upper()}{word[1:]}": texts[word] for word in texts}, screen.width - 1
    )
    return [[(f"How to play {GAMES[game].title}", BOLD)], *lines]


class Guide(NamedTuple):
    """Where a game is in its lesson: what is said now, and the moves that are expected next; none
    once the lesson is over, and neither where there is no lesson. Where the player decides, other
    moves are as welcome (``others``). The sentence that asks for them (``asks``) is among what is
    said.
    """

    says: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    asks: str = ""

    def again(self, *, is_other: bool) -> str:
        """Return what the lesson asks for, and why, to a player who asks for a hint; in short, so
        that the table stays as it is, to one who has chosen another move. Enter alone leads there
        now, see :attr:`Asker.taught`.
        """
        if is_other:
            does = f"Not yet. The lesson plays: {self.expected[0]}."
            return f"{does} Press Enter for it (! says why), or - to play as you like."
        return f"{self.asks} Just press Enter until it is done."

    def is_other_than(self, match: Match, seat: int, moves: Sequence[Any]) -> bool:
        """Return whether these moves do not begin with what is expected; a turn that is played
        again may go on beyond it.

        Raises InvalidMoveError.
        """
        player = match.players[seat]
        made = [
            match.text(match.move(one, player) if isinstance(one, str) else one)
            for one in moves[: len(self.expected)]
        ]
        return tuple(made) != self.expected[: len(made)] and made[0] not in self.others


def guide_of(replay: Replay, *, is_first: Callable[[], bool] = bool) -> Guide:
    """Return what is said in a game besides its table: where it is in its lesson, or what its phase
    is about when that comes for the first time; more of it if this ``is_first`` of all games, which
    is asked only where that matters.
    """
    lessons = lessons_of(replay.game.meta.id)
    if is_lesson(replay.game.meta.id, replay.record.seed):
        if f"# {ENDED}" not in replay.record.human:
            return _place(replay, lessons["lesson"])
    phase = replay.state.phase
    meant: dict[str, Callable[[], bool]] = {
        "first": lambda: True,
        "first_with_secrets": lambda: replay.game.has_secrets(replay.state),
        "first_evening": is_first,
    }
    tables = [table for table in meant if phase in lessons.get(table, {})]
    if not tables or _has_been(replay, phase):
        return Guide()
    return Guide((" ".join(flowing(lessons[table][phase]) for table in tables if meant[table]()),))


def as_said(replay: Replay, options: Sequence[Option]) -> Callable[[str], str]:
    """Return what says a move of this position as the menu of these options does."""
    ways = lessons_of(replay.game.meta.id).get("moves", {})
    return lambda move: said_as(options, move, ways)


def _has_been(replay: Replay, phase: str) -> bool:
    """Return whether people decided something in a phase before, also in the middle of a turn."""
    return any(
        one.before.phase == phase
        for step in replay.steps
        if step.seat not in replay.bot_seats
        for one in decisions(replay, step)
    )


def _place(replay: Replay, lesson: Mapping[str, Any]) -> Guide:
    """Return where a game is in its lesson; nowhere if it has left it, or is past it."""
    played = [
        replay.game.format_move(one.move, one.before)
        for step in replay.steps
        if not step.undone and step.takes_back is None and step.seat not in replay.bot_seats
        for one in decisions(replay, step)
    ]
    before = ""
    for step in lesson["steps"]:
        made, played = played[: len(step["moves"])], played[len(step["moves"]) :]
        others = step.get("or", {})
        if made != step["moves"][: len(made)] and made[0] not in others:
            return Guide()
        if len(made) < len(step["moves"]):
            asks, begins = flowing(step["before"]), step is lesson["steps"][0]
            first = f"{lesson.get('begin', '')} {asks}".strip() if begins else asks
            says = (*filter(None, [flowing(before)] * (not made)), first)
            return Guide(says, (*step["moves"][len(made) :],), (*others,), asks)
        before = others.get(made[0], step["after"])
    return Guide() if played else Guide((flowing(before), flowing(lesson["end"])))


# -- What the user has reached: results of finished games against the timer and against bots
#
# They are kept in the user's own folder, each with the digest of its record: 'porto verify'
# recomputes that, so a result can be checked by anybody who gets the file.

FILE = "results.jsonl"
"""The file in the user's own folder: a line for each finished game."""
MOST = 1000
"""Lines that are kept, the newest."""
LISTED = 5
"""Results that a list shows, the best first."""
DAILY = "daily-"
"""What the seed of a deal of the day begins with; the date follows."""

_SHOWN = dict.fromkeys(("game", "player", "date", "file", "digest"), str) | {
    "bots": list,
    "vp": int,
}
"""What a line needs to be shown, and of which type: anybody may have changed it."""

Result = Mapping[str, Any]


def todays_seed() -> str:
    """Return the seed of today's deal, which is the same for everybody."""
    return f"{DAILY}{date.today().isoformat()}"


def is_todays(replay: Replay) -> bool:
    """Return whether a game has today's deal."""
    return replay.record.seed == todays_seed()


def results() -> list[Result]:
    """Return what is kept of games that are known here, the oldest first; damaged lines are left
    out.
    """
    return [one for _, one in _kept() if one]


def _kept() -> Iterator[tuple[str, Result | None]]:
    """Yield each line that is kept with the result in it; ``None`` for one that is damaged, or of a
    game that is not known here.
    """
    lines = list[str]()
    with suppress(PortoError, OSError, ValueError):
        path = home.folder() / FILE
        lines = path.read_text("utf-8").splitlines() if is_worth_a_look(path) else []
    for line in lines:
        found: Result | None = None
        with suppress(ValueError, RecursionError, TypeError, KeyError):
            one = json.loads(line)
            whole = all(isinstance(one[key], kind) for key, kind in _SHOWN.items())
            # Former versions kept results without it.
            whole = whole and isinstance(one.get("setup", []), list)
            if whole and one["game"] in GAMES and all(isinstance(bot, str) for bot in one["bots"]):
                found = one
        yield line, found


def keep(replay: Replay) -> str:
    """Keep the result of a finished game of one person, alone or against bots: one for each record,
    that of its last end; then say how it compares with the best one of games with the same setup,
    if it is compared at all.

    Whoever takes back the end of a game knows what comes: what follows is no best result, and
    counts as won only if the game was won before, too.
    """
    one = _result_of(replay)
    if one is None:
        return ""
    kept_lines, digests = [*_kept()], frozenset(replay.digests())
    found = [kept for _, kept in kept_lines if kept]
    earlier = [kept for kept in found if kept["digest"] in digests]
    if any(kept["digest"] == one["digest"] for kept in earlier):
        return ""
    if ended := next((kept["file"] for kept in earlier if _still_ends(kept)), ""):
        return f"This game has ended before, in {printable(ended)}: that result counts."
    if earlier:
        won = all(kept.get("won") for kept in (one, *earlier))
        one = {**one, "won": won, "undone": True}
    lines = [line for line, kept in kept_lines if kept not in earlier]
    _write([*lines, json.dumps(one, ensure_ascii=False)])
    if is_lesson(one["game"], one.get("seed")):
        return "A lesson does not count among your results."
    if earlier:
        why = "because the end of the game was taken back before"
        return f"This doesn't count as a best result, {why}."
    return _compared(one, found)


def take_back(running: Iterable[Replay]) -> None:
    """Note of running games whose end was taken back that their results are none of the best, and
    that they are open again. One whose own file still ends is not: another copy goes on.
    """
    undone_ones = [one for one in running if any(step.takes_back is not None for step in one.steps)]
    digests = {digest for replay in undone_ones for digest in replay.digests()}
    kept_lines = [*_kept()] if digests else []
    ended = {line: kept for line, kept in kept_lines if kept and kept["digest"] in digests}
    ended = {line: kept for line, kept in ended.items() if not _still_ends(kept)}
    undone = {line: {**kept, "undone": True, "open": True} for line, kept in ended.items()}
    marked = {line: json.dumps(one, ensure_ascii=False) for line, one in undone.items()}
    if marked:
        _write([marked.get(line, line) for line, _ in kept_lines])


def _still_ends(kept: Result) -> bool:
    """Return whether the record of a result is in this folder, and ends as it did."""
    with suppress(PortoError):
        return bool(load(kept["file"]).digest == kept["digest"])
    return False


def _write(lines: Sequence[str]) -> None:
    """Keep the newest lines. That this cannot be done stops no game."""
    with suppress(PortoError, OSError):
        write_own(home.folder() / FILE, "\n".join(lines[-MOST:]) + "\n")


def _result_of(replay: Replay) -> Result | None:
    """Return what is kept of a finished game of one person; ``None`` of any other."""
    people = [seat for seat in range(len(replay.config.players)) if seat not in replay.bot_seats]
    outcome = replay.game.outcome(replay.state)
    if outcome is None or len(people) != 1:
        return None
    (seat,) = people
    standings = replay.game.shown.standings(replay, None)
    return {
        "game": replay.game.meta.id,
        "date": date.today().isoformat(),
        "player": replay.config.players[seat],
        "vp": outcome.scores[seat],
        "won": outcome.won[seat],
        "level": standings.get("level") or "",
        "bots": sorted(set(replay.bot_seats.values())),
        "setup": [len(replay.config.players), *replay.game.config_lines(replay.config)],
        "seed": replay.record.seed,
        "file": replay.record.file,
        "digest": replay.digest,
    }


def _compared(one: Result, kept: Sequence[Result]) -> str:
    """Say how a result compares with the best one of those kept before with the same setup."""
    others = [other for other in kept if _is_like(one, other) and _counts(other)]
    daily = _is_daily(one)
    against = " and ".join(in_words(bot) for bot in one["bots"])
    players = one["setup"][0]
    where = f"against {plural(players - 1, 'bot')} ({against})" if against else "alone"
    result = "deal of the day" if daily else "result"
    if not others:
        alike = (other for other in kept if other.get("setup", [])[:1] == [players])
        is_other = not daily and _against(one) in map(_against, alike)
        return f"Your first {result} {where}{' with this setup' if is_other else ''}."
    best = max(others, key=lambda kept: int(kept["vp"]))
    found = f"{best['vp']} VP from {_day(best['date'])}"
    if one["vp"] > best["vp"]:
        return f"This is your best {result} {where}; before, it was {found}."
    return f"Your best {result} {where} is still {found}."


def _is_daily(result: Result) -> bool:
    return str(result.get("seed")).startswith(DAILY)


def _day(text: str) -> str:
    """Return a date as people write it: ``Nov 27, 2026``."""
    with suppress(ValueError):
        day = date.fromisoformat(text)
        return f"{day:%b} {day.day}, {day.year}"
    return printable(text)


def _is_like(one: Result, other: Result) -> bool:
    """Return whether two results are of the same game with the same bots, number of players and
    options; what was kept by former versions says nothing of the last two. A deal of the day is
    like another one only.
    """
    setup, is_alike = one.get("setup"), _is_daily(other) or not _is_daily(one)
    return is_alike and _against(one) == _against(other) and other.get("setup", setup) == setup


def _against(one: Result) -> tuple[Any, ...]:
    return one["game"], one["bots"]


def _counts(one: Result) -> bool:
    """Return whether a result is among the best: in a lesson the moves are given, and who has taken
    back the end of a game knew what would come.
    """
    return not (one.get("undone") or is_lesson(one["game"], one.get("seed")))


# -- Showing results


def result_rows(found: Sequence[Result]) -> Iterator[Node]:
    """Yield the best results alone with their ranks, those of today's deal, and how often the user
    has won against which level.
    """
    found = [one for one in found if not is_lesson(one["game"], one.get("seed"))]
    found.sort(key=lambda one: -one["vp"])
    alone = [one for one in found if not one["bots"] and _counts(one)]
    for game in dict.fromkeys(one["game"] for one in alone):
        best = [one for one in alone if one["game"] == game]
        yield from _best(f"{GAMES[game].title}, alone", best)
    today = [one for one in found if one.get("seed") == todays_seed() and _counts(one)]
    for game in dict.fromkeys(one["game"] for one in today):
        best = [one for one in today if one["game"] == game]
        yield from _best(f"{GAMES[game].title}, today's deal", best)
    against = sorted((one for one in found if one["bots"]), key=_against)
    for (game, bots), group in groupby(against, key=_against):
        games = [*group]
        # A win whose end was taken back has to be won again; a loss stays one.
        won = [bool(one.get("won")) for one in games if not (one.get("open") and one.get("won"))]
        levels = " and ".join(in_words(bot) for bot in bots)
        counted = f"won {sum(won)}, lost {len(won) - sum(won)}"
        top = next(filter(_counts, games), None)  # They are sorted.
        most = f"; best result {top['vp']} VP, {_fingerprint(top)}" if top else ""
        yield Paragraph([printable(f"{GAMES[game].title} against {levels}: {counted}{most}.")])
    if not found:
        yield Paragraph(["No finished games yet, alone or against bots."])
    if found:
        yield Paragraph(["To check one: 'porto verify FILE' prints its whole fingerprint."])


def _fingerprint(one: Result) -> str:
    return f"fingerprint {one['digest'][:SHORT]}"


def _best(heading: str, best: Sequence[Result]) -> Iterator[Node]:
    yield Heading(heading)
    for nth, one in enumerate(best[:LISTED], 1):
        level = str(one.get("level", "")).replace("-", " ").title()
        about = [f"{one['vp']} VP", level, one["player"], one["date"], one["file"]]
        text = ", ".join(filter(None, [*about, _fingerprint(one)]))
        yield Paragraph([printable(text)], first=[f"{nth}. "], indent=3)
    yield Gap()


# -- How a game ended

_NARROW = 60
"""Columns up to which a margin would cost a table."""
_QUICK = 2.0
"""Seconds after which the search for the turn that decided a game is given up."""
_SHEET, _WHY, _NAMED, _BLANKS, _DETAILS = -2, -1, 199, 200, 300
"""Ranks before and behind those of what was built, see :class:`~porto_cli.asking.PaneForm`."""
_REST = "Score details for {}: press =."
"""Names those whose details have no room."""


class Ending(NamedTuple):
    """How a game ended, above what can be done then: see :class:`porto_cli.term.prompt.Above`.

    Who has won is always seen, and as much of the rest as there is room for: why the game ended
    (``why``), where the VP came from, what decided it (``course``), what was built, notes, and the
    details, the ``reader``'s own first. Above a question (``fills``) what is left out is named, and
    the rows that the question does not need are for these.
    """

    document: Document
    why: Sequence[str] = ()
    course: Sequence[str] = ()
    table: Scene | None = None
    reader: str = ""
    fills: bool = True

    def lines(self, screen: Screen, rows: int, move: str = "", wanted: int = 0) -> list[Line]:
        """Return as much as fits into the rows, at least who has won."""
        margin = int(screen.width > _NARROW)
        inner = screen._replace(width=screen.width - 2 * margin)

        def form(rank: int, *nodes: Node, above: int = 0) -> PaneForm:
            drawn = [*[Line()] * above, *put(nodes, inner)]
            return PaneForm(rank, len(drawn), lambda screen: drawn)

        nodes = self.document.nodes
        first, *ends = [*parts_of(self.document), len(nodes)]
        parts = nodes[first + 1 : ends[0]]
        details = [
            (head.about, nodes[start:end])
            for start, end in pairwise(ends)
            if isinstance(head := nodes[start], Heading)
        ]
        details.sort(key=lambda one: one[0] != self.reader)

        def detailed(count: int) -> PaneForm:
            left = [about for about, _ in details[count:] if about and self.fills]
            rest = [Paragraph([_REST.format(enumerated(left))], DIM)] * bool(left)
            shown = [*(node for _, some in details[:count] for node in some), *rest]
            return form(_DETAILS if count else _NAMED, *shown, above=int(count > 0))

        def told(said: Sequence[str], *ranks: int) -> Pane:
            some = ([*filter(None, said[: nth + 1])] for nth in range(len(ranks)))
            return [
                form(rank, Paragraph(one)) for rank, one in zip(ranks, some, strict=True) if one
            ]

        blank = [form(_BLANKS, above=1)]
        panes: list[Pane] = [
            told(self.why, _WHY, _WHY),
            blank,
            *([form(NOTES + nth if nth else _SHEET, one)] for nth, one in enumerate(parts)),
            blank if any(self.course) else [],
            told(self.course, _WHY, NOTES),
            [*map(detailed, range(len(details) + 1))] if details else [],
            blank,
            *(self.table.built if self.table else ()),
        ]
        won = put(nodes[:1], inner)[: max(1, rows)]
        found = [*won, *fit(panes, rows - len(won), inner)]
        while not found[-1]:
            found.pop()
        return [[(" " * margin, PLAIN), *line] if line else line for line in found]

    def sentences(self) -> Iterator[str]:
        """Return who has won, why, where the VP came from, without the details, and what decided
        it.
        """
        end = [*parts_of(self.document), None, None][1]
        won, *where = sentences(self.document._replace(nodes=self.document.nodes[:end]))
        return filter(None, (won, *self.why, *where, *self.course))


_LATELY = 4
"""Maximum number of things that are told of those that happened since somebody's last turn."""


def ending_of(replay: Replay, compared: str = "", seat: int | None = None) -> Ending:
    """Return how a game ended and why, how its result is ``compared`` with others, what decided it,
    a turn only if that is quickly found, and what happened since the last turn of a seat, by
    default of who moved last: bots may have ended it.
    """
    reader = (last_mover(replay) if seat is None else seat) or 0
    seen = above(replay, None, reader)
    player = replay.config.players[reader]
    decided = replay.game.decided(replay) or what_decided(replay, _QUICK)
    table = seen if isinstance(seen, Scene) else None
    others = replay.steps and replay.steps[-1].seat != reader
    lately = table.in_short(_LATELY) if table and others else ""
    if lately:
        lately = f"Since {player}'s last turn: {lately}"
    why = table.why if table else ""
    return Ending(score(replay, None), (why, compared), (decided, lately), table, player)
