"""The first screen of ``porto play``: what to play, how to learn it, games that begin at once, and
what the user has reached.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli import home
from porto_cli.cli.common import keys_here, similar_to
from porto_cli.cli.new_game_prompts import (
    Plan,
    again,
    ask_who_sits_here,
    begun,
    begun_again,
    bot_names,
    folder_fault,
    free_file,
    last_game,
    own_name,
    set_up,
    with_levels,
)
from porto_cli.cli.output import drawn
from porto_cli.core import (
    FileError,
    PortoError,
    enumerated,
    file_word,
    flowing,
    plural,
    printable,
    usage,
)
from porto_cli.core.files import is_worth_a_look
from porto_cli.games import DEFAULT, GAMES
from porto_cli.home import write_own
from porto_cli.installed import lessons_of
from porto_cli.match.items import SHORT
from porto_cli.match.match import Match, load
from porto_cli.match.record import RECORD, NotReadyError, kind_of, meant, records_of, with_suffix
from porto_cli.match.replay import Replay, decisions
from porto_cli.match.seats import in_words, levels_among
from porto_cli.paper import Gap, Heading, Node, Paragraph
from porto_cli.settings import settings
from porto_cli.term import BOLD, Line, Screen, wrapped
from porto_cli.term.prompt import BACK_KEY, Asker, CancelledError, Choice, Told, labeled
from porto_cli.user import own_seat

if TYPE_CHECKING:
    from porto_cli.cli.receive import Fetched

# -- Learning a game: how to play it, on one screen, and a guided first game that one can leave
#
# Both are data of the game (``lessons.toml``, see docs/adding-a-game.md); a game without has
# neither. A game follows the lesson as long as it has its deal and the moves that the lesson
# expects, and its record has no comment that the lesson was ended. That is all there is to know, so
# a lesson goes on when its record is opened again, and one that was ended does not.

ENDED = "The lesson was ended here."
"""The comment in a record whose lesson was ended before its last step."""
NEXT = "Enter alone chooses what the lesson asks for."
"""What is said to who asks for a hint."""
OTHER = (
    "The lesson asks for another move, which Enter alone chooses. To play as you like, first "
    "choose -, which ends the lesson."
)
"""What is said to who chooses another move than the one expected."""


def is_lesson(game: str, seed: object) -> bool:
    """Return whether a game with this seed is a lesson: its deal is known, and so is its play."""
    lesson = lessons_of(game).get("lesson")
    return lesson is not None and seed == lesson["seed"]


def games_taught(what: str) -> list[str]:
    """Return the games that have a table in their lessons: ``how_to_play``, or ``lesson``."""
    return [game for game in GAMES if what in lessons_of(game)]


def how_to_play(game: str, screen: Screen) -> list[Line]:
    """Return what somebody has to know who plays a game for the first time."""
    lines: list[Line] = []
    for label, text in lessons_of(game)["how_to_play"].items():
        first = [(f"{label[0].upper()}{label[1:]}  ", BOLD)]
        lines += wrapped(flowing(text), screen.width - 1, first=first, indent=2)
    return [[(f"How to play {GAMES[game].title}", BOLD)], *lines]


class Guide(NamedTuple):
    """Where a game is in its lesson: what is said now, and the moves that are expected next; none
    once the lesson is over, and neither where there is no lesson.
    """

    says: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()

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
        return tuple(made) != self.expected[: len(made)]


def guide_of(replay: Replay, *, is_first: bool = False) -> Guide:
    """Return what is said in a game besides its table: where it is in its lesson, or what its phase
    is about when that comes for the first time; more of it if this ``is_first`` of all games.
    """
    lessons = lessons_of(replay.game.meta.id)
    if is_lesson(replay.game.meta.id, replay.record.seed):
        if f"# {ENDED}" not in replay.record.human:
            return _place(replay, lessons["lesson"])
    phase, secrets = replay.state.phase, replay.game.secrets
    with_secrets = secrets is not None and secrets.there_are(replay.state)
    meant = {"first": True, "first_with_secrets": with_secrets, "first_evening": is_first}
    says = [lessons.get(table, {}).get(phase, "") for table, there in meant.items() if there]
    if any(says) and not _has_been(replay, phase):
        return Guide((*map(flowing, filter(None, says)),))
    return Guide()


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
        if made != step["moves"][: len(made)]:
            return Guide()
        if len(made) < len(step["moves"]):
            says = [before] * (not made) + [step["before"]]
            return Guide((*map(flowing, filter(None, says)),), (*step["moves"][len(made) :],))
        before = step["after"]
    return Guide() if played else Guide((flowing(before), flowing(lesson["end"])))


# -- What the user has reached: results of finished games against the timer and against bots
#
# They are kept in the user's own folder, each with the digest of its record: 'porto verify'
# recomputes that, so a result can be checked by anybody who gets the file.

FILE = "results.jsonl"
"""The file in the user's own folder: a line for each finished game."""
MOST = 1000
"""Lines that are kept, the newest."""
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
    if earlier:
        won = all(kept.get("won") for kept in (one, *earlier))
        one = {**one, "won": won, "undone": True}
    lines = [line for line, kept in kept_lines if kept not in earlier]
    lines = [*lines, json.dumps(one, ensure_ascii=False)][-MOST:]
    # That this cannot be done stops no game.
    with suppress(PortoError, OSError):
        write_own(home.folder() / FILE, "\n".join(lines) + "\n")
    if is_lesson(one["game"], one.get("seed")):
        return "A lesson does not count among your results."
    if earlier:
        return "This is no best result: the end of the game was taken back before."
    return _compared(one, found)


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
    against = " and ".join(in_words(bot) for bot in one["bots"])
    players = one["setup"][0]
    where = f"against {plural(players - 1, 'bot')} ({against})" if against else "alone"
    if not others:
        alike = (one for one in kept if one.get("setup", [0])[0] == players)
        options = " with these options" if _against(one) in map(_against, alike) else ""
        return f"Your first result {where}{options}: {one['vp']} VP."
    best = max(others, key=lambda kept: int(kept["vp"]))
    found = f"{best['vp']} VP on {printable(best['date'])}"
    if one["vp"] > best["vp"]:
        return (
            f"This is your best result {where}: {one['vp']} VP; the best of the others is {found}."
        )
    return f"Your best result {where} is still {found}."


def _is_like(one: Result, other: Result) -> bool:
    """Return whether two results are of the same game with the same bots, number of players and
    options; what was kept by former versions says nothing of the last two.
    """
    setup = one.get("setup")
    return _against(one) == _against(other) and other.get("setup", setup) == setup


def _against(one: Result) -> tuple[Any, ...]:
    return one["game"], one["bots"]


def _counts(one: Result) -> bool:
    """Return whether a result is among the best: in a lesson the moves are given, and who has taken
    back the end of a game knew what would come.
    """
    return not (one.get("undone") or is_lesson(one["game"], one.get("seed")))


# -- Showing them.


def result_rows(found: Sequence[Result]) -> Iterator[Node]:
    """Yield the best results alone with their ranks, those of today's deal, and how often the user
    has won against which level.
    """
    found = [one for one in found if not is_lesson(one["game"], one.get("seed"))]
    alone = [one for one in found if not one["bots"] and _counts(one)]
    alone.sort(key=lambda one: -one["vp"])
    for game in dict.fromkeys(one["game"] for one in alone):
        best = [one for one in alone if one["game"] == game]
        yield from _best(f"{GAMES[game].title}, alone", best)
        today = [one for one in best if one.get("seed") == todays_seed()]
        yield from _best("Today's deal", today) if today else ()
    against = sorted((one for one in found if one["bots"]), key=_against)
    for (game, bots), games in groupby(against, key=_against):
        won = [bool(one.get("won")) for one in games]
        levels = " and ".join(in_words(bot) for bot in bots)
        counted = f"won {sum(won)}, lost {len(won) - sum(won)}"
        yield Paragraph([printable(f"{GAMES[game].title} against {levels}: {counted}.")])
    nothing = "No game was finished yet, alone or against bots."
    check = "To check one: 'porto verify FILE' prints a digest that begins with its fingerprint."
    yield Paragraph([check if found else nothing])


def _best(heading: str, best: Sequence[Result]) -> Iterator[Node]:
    yield Heading(heading)
    for nth, one in enumerate(best[:SHOWN], 1):
        level = str(one.get("level", "")).replace("-", " ")
        about = [f"{one['vp']} VP", level, one["player"], one["date"], one["file"]]
        text = f"{', '.join(filter(None, about))}, fingerprint {one['digest'][:SHORT]}"
        yield Paragraph([printable(text)], first=[f"{nth}. "], indent=3)
    yield Gap()


# -- The first screen of ``porto play``: what to play, how to learn it; games that begin at once

Entry = Choice[Callable[[], Match | None]]
"""A line of the first screen: what it does, and the game to play after it, if there is one."""
MOST_FILES = 30
"""Maximum number of files of a folder that are searched for running games."""
FEW = 2
"""Maximum number of records that cannot be played of which each is named."""
SHOWN = 5
"""Maximum number of them that are offered, so that all choices have digits."""
FIRST_QUESTION = (
    "Go on with a game of this folder, or begin one. Learn begins a real game and says what to do, "
    "move by move; you can end the lesson at any time and play on."
)


def begin(asker: Asker, path: Path | None, fetched: Fetched | None = None) -> Match:
    """Return the game of a record, or of a new one.

    Without a path it is what is chosen on the first screen: one of the running games of this
    folder, a new one, which can be like the one before, a lesson, today's deal. If mail was
    fetched, it is the only game that waits for the user: to move, to send on a turn that was
    answered in words, or to see how it ended. Raises CancelledError at the first question,
    InvalidFileError, FileError.
    """
    if path is not None:
        known = meant(path)
        if known.exists():
            return load(known, keys_here)
        path = with_suffix(path)
        fault = folder_fault(path)
        if fault:
            raise FileError(fault)
    notes: list[str] = []
    games, unread = ([], []) if path else saved_games(Path())
    if fetched is not None and not path:
        waiting = [load(one, keys_here) for one in sorted(fetched.over)]
        waiting += [one for one in games if state_of(one, fetched) in ("own", "sent on")]
        if len(waiting) == 1 and not fetched.problems:
            return waiting[0]
        games = [*waiting, *(one for one in games if one not in waiting)]
        notes += fetched.problems or fetched.nothing_new
    if len(games) > SHOWN:
        notes.append(f"Here are {len(games)} games; 'porto games' lists all of them.")
    if path and (similar := similar_to(path)):
        similar_one = f"'porto play {file_word(str(similar))}'"
        notes.append(printable(f"There is no file {path}; {similar_one} plays another one."))
    if len(unread) > FEW:
        unread = [f"{len(unread)} records cannot be played; 'porto games' says why."]
    return _first_screen(asker, path, games[:SHOWN], [*notes, *unread], fetched)


def _first_screen(
    asker: Asker,
    path: Path | None,
    games: Sequence[Match],
    notes: Sequence[str],
    fetched: Fetched | None,
) -> Match:
    """Ask what to play until something is chosen, and return it."""
    last = last_game()
    saved: list[Entry] = [labeled(_running(one, fetched), partial(_chosen, one)) for one in games]
    if last:
        saved.append(labeled(again(last), partial(_like, asker, last, path)))
    new = _of_each("n", "{}: a new game", [*GAMES], partial(set_up, asker, path))
    lessons = games_taught("lesson")
    learn = _of_each(
        "l", "Learn {} by playing: a guided first game", lessons, partial(a_lesson, asker)
    )
    # Somebody who is here for the first time learns first.
    first = [*saved, *new, *learn] if saved or results() else [*learn, *new]
    daily = "{}: today's deal, alone; the same for everybody"
    choices: list[Entry] = [
        *first,
        *_of_each(
            "h",
            "How to play {}, on one screen",
            games_taught("how_to_play"),
            lambda game: asker.show(partial(how_to_play, game)),
        ),
        *_of_each("t", daily, _solo_games(), partial(todays_deal, asker)),
        labeled("Results: your best games alone, and against bots", partial(_show, asker), "r"),
        labeled("Quit", _quit, BACK_KEY),
    ]
    question = "What would you like to play?"
    if path:
        question = f"{path} will be a new game. Which game?"
        choices = [*saved, *new]
    if len(choices) == 1 and (found := choices[0].value()):
        return found
    while True:
        asker.put_above(Told([f"Porto and Puerto Rico in your terminal. {asker.keys}", *notes]))
        chosen = asker.choose(question, choices, rules=(FIRST_QUESTION,))
        if chosen is _quit:
            raise CancelledError
        with suppress(CancelledError):
            if found := chosen():
                asker.put_above(None)
                return found


def _like(asker: Asker, last: Match, path: Path | None) -> Match:
    return ask_who_sits_here(asker, begun_again(asker, last, path or Path()))


def _chosen(match: Match) -> Match:
    return match


def _quit() -> None:
    """Do nothing more."""


def _of_each(
    letter: str, label: str, games: Sequence[str], does: Callable[[str], Match | None]
) -> list[Entry]:
    """Return a line about each of some games. Where there are several, each has its number in the
    key, which stays the same, however many saved games are above it.
    """
    numbers = [f"{nth}" if len(games) > 1 else "" for nth in range(1, len(GAMES) + 1)]
    return [
        labeled(label.format(meta.title), partial(does, game), f"{letter}{number}")
        for number, (game, meta) in zip(numbers, GAMES.items(), strict=True)
        if game in games
    ]


def _show(asker: Asker) -> None:
    """Show what the user has reached so far."""
    asker.show(drawn([*result_rows(results())], plain=asker.plain))


# -- Games that begin without questions: who sits here plays, or goes on with what was begun.


def a_lesson(asker: Asker, game: str) -> Match:
    """Return the guided first game of a game; that of this folder goes on if it is not over."""
    lesson, path = lessons_of(game)["lesson"], Path(f"learn-{game}.yaml")
    if path.exists():
        with suppress(PortoError):
            match = load(path, keys_here)
            if guide_of(match).expected:
                return match
    bots = lesson.get("bots", ())
    plan = _plan(game, bots, Path(free_file(path.stem, Path())))
    return begun(asker, plan._replace(options=lesson["options"]), seed=lesson["seed"])


def todays_deal(asker: Asker, game: str) -> Match:
    """Return the deal of this day, for one player; the one of this folder if it was begun."""
    seed = todays_seed()
    path = Path(f"{seed}.yaml")
    if path.exists():
        return load(path, keys_here)
    return begun(asker, _plan(game, (), path), seed=seed)


def start_of(
    flag: str, path: Path | None, game: str | None, level: int | None
) -> Callable[[Asker], Match]:
    """Return what begins the game of an option of ``porto play``, without a question.

    Exits with 2 where the game has no such thing.
    """
    if flag == "--learn":
        return partial(a_lesson, game=_one_of(games_taught("lesson"), game, "no lesson"))
    if flag == "--daily":
        return partial(todays_deal, game=_one_of(_solo_games(), game, "no solo game"))
    if flag == "--solo":
        meant, bots = _one_of(_solo_games(), game, "no solo game"), []
    else:
        meant, bots = game or DEFAULT, [f"level-{level}"]
        if bots[0] not in GAMES[meant].bots:
            levels = ", ".join(map(in_words, levels_among(GAMES[meant].bots))) or "none"
            usage(f"{GAMES[meant].title} has no bot of level {level}; it has: {levels}.")
    path = with_suffix(path) if path else Path()
    return lambda asker: begun(asker, _plan(meant, bots, path))


def _solo_games() -> list[str]:
    return [game for game, meta in GAMES.items() if 1 in meta.players]


def _one_of(games: Sequence[str], game: str | None, lacks: str) -> str:
    """Return the game that is meant, by default the first one that has what is asked for."""
    if game and game not in games:
        usage(f"{GAMES[game].title} has {lacks}; games that have one: {', '.join(games)}.")
    return game or games[0]


def _plan(game: str, bots: Sequence[str], path: Path) -> Plan:
    """Return the plan of a game of who sits here, who is first, with some bots."""
    meta = GAMES[game]
    name = own_name(meta, ()) or "Ann"
    names = bot_names([name], len(bots), meta)
    return Plan(path, game, (name, *names), dict(zip(names, bots, strict=True)), first=name)


def saved_games(folder: Path) -> tuple[list[Match], list[str]]:
    """Return the games of a folder that are not over, the one that was played last first; and of
    records that are no such game yet, or cannot be read, what to do about it.
    """
    matches, unread = [], []
    for path in islice(filter(is_worth_a_look, records_of(folder)), MOST_FILES):
        try:
            match = load(path, keys_here)
        except NotReadyError as error:
            join = f"'porto join {file_word(str(path))}'"
            unread.append(printable(f"{path} waits for {error.player}: {join}."))
        except PortoError:
            if kind_of(path) == RECORD:
                verify = f"'porto verify {file_word(str(path))}'"
                unread.append(printable(f"{path} cannot be read: {verify} says why."))
        else:
            matches += [match] * (not match.over)
    return matches, unread


def state_of(match: Match, fetched: Fetched | None = None) -> str:
    """Return what a game waits for, in a word or two."""
    own = own_seat(match.players)
    if match.over:
        return "over"
    if own in match.game.to_move(match.state):
        return "own"
    if fetched and match.path in fetched.played:
        return "sent on"
    if own is None:
        return "unknown"
    if settings().mail.server:
        from porto_cli.cli.mail import is_to_be_sent

        if is_to_be_sent(match, own):
            return "sent on"
    return "others"


def _running(match: Match, fetched: Fetched | None) -> str:
    others = enumerated(match.to_move())
    state = state_of(match, fetched)
    told = {"sent on": f"to be sent to {others}", "over": "the game is over"}
    is_own = state == "own" or (state == "unknown" and len(match.people) == 1)
    how = "your turn" if is_own else told.get(state, f"{others}'s turn")
    players = with_levels(match.players, match.bots)
    number = 0 if match.over else match.game.glance(match.state, None).round
    unit = "turn" if len(match.players) == 1 else "round"
    when = f"{unit} {number}, " if number else ""
    file = printable(str(match.path))
    return f"Continue {match.game.meta.title}: {players}; {when}{how} ({file})"
