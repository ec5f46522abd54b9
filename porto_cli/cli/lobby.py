"""The first screen of ``porto play``: what to play, how to learn it, games that begin at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from porto_cli.cli import results
from porto_cli.cli.common import cut_off, keys_here, similar_to
from porto_cli.cli.lesson import games_taught, guide_of, how_to_play
from porto_cli.cli.new_game_prompts import (
    Plan,
    again,
    begun,
    begun_again,
    bot_names,
    free_file,
    last_game,
    next_file,
    own_name,
    set_up,
    with_levels,
)
from porto_cli.cli.output import drawn, in_lines
from porto_cli.core import FileError, PortoError, enumerated, usage
from porto_cli.core.characters import printable
from porto_cli.core.files import folder_fault, is_worth_a_look
from porto_cli.core.shell import file_word
from porto_cli.games import DEFAULT, GAMES
from porto_cli.installed import is_lesson, lessons_of
from porto_cli.match.match import Match, load
from porto_cli.match.record import (
    OPEN,
    RECORD,
    NotReadyError,
    kind_of,
    meant,
    records_of,
    with_suffix,
)
from porto_cli.match.seats import in_words, levels_among
from porto_cli.settings import settings
from porto_cli.term.prompt import BACK_KEY, QUIT, Asker, CancelledError, Choice, Told, labeled
from porto_cli.user import me, seat_of_user

if TYPE_CHECKING:
    from porto_cli.cli.receive import Fetched

Entry = Choice[Callable[[], Match | None]]
"""A line of the first screen: what it does, and the game to play after it, if there is one."""
MOST_FILES = 30
"""Maximum number of files of a folder that are searched for running games."""
FEW = 2
"""Maximum number of records that cannot be played of which each is named."""
SHOWN = 5
"""Maximum number of them that are offered, so that all choices have digits."""


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
            return _opened(asker, known)
        path = with_suffix(path)
        fault = folder_fault(path)
        if fault:
            raise FileError(fault)
    notes: list[str] = []
    similar = similar_to(path) if path else None
    games, unread = ([], _tried(similar)[1] if similar else []) if path else saved_games(Path())
    if fetched is not None and not path:
        waiting = [load(one, keys_here) for one in sorted(fetched.over)]
        waiting += [one for one in games if state_of(one, fetched) in ("own", "sent on")]
        if len(waiting) == 1 and not fetched.problems:
            return whole(asker, waiting[0])
        games = [*waiting, *(one for one in games if one not in waiting)]
        notes += fetched.problems or fetched.nothing_new
    if len(games) > SHOWN:
        notes.append(f"Here are {len(games)} games; 'porto games' lists all of them.")
    if similar:
        notes.append(printable(f"There is no file {path}; a new game would get that name."))
        similar = None if unread else similar
    if len(unread) > FEW:
        unread = [f"{len(unread)} records cannot be played; 'porto games' says why."]
    return _first_screen(asker, path, similar, games[:SHOWN], [*notes, *unread], fetched)


def whole(asker: Asker, match: Match) -> Match:
    """Return a match; if its file may be cut off, only if that is to be played all the same.

    Raises CancelledError.
    """
    if told := cut_off(match):
        asker.put_above(Told(told))
        if not asker.confirm("Play on with what is there?"):
            raise CancelledError
    return match


def read_again(asker: Asker, match: Match) -> Match:
    """Return the match that its file has now. Raises PortoError, CancelledError."""
    assert match.path is not None
    found = _opened(asker, match.path)
    if (found.game, found.players) != (match.game, match.players):
        raise FileError(
            f"{match.path} holds another game now, with {', '.join(found.players)}. Stop here, and "
            "start it with 'porto play'."
        )
    return found.known


def _first_screen(
    asker: Asker,
    path: Path | None,
    similar: Path | None,
    games: Sequence[Match],
    notes: Sequence[str],
    fetched: Fetched | None,
) -> Match:
    """Ask what to play until something is chosen, and return it."""
    last = last_game()
    saved: list[Entry] = []
    for nth, one in enumerate(games, 1):
        line: Entry = labeled(_running(one, fetched), partial(whole, asker, one), str(nth))
        # The line names all players; cut off, the last of them would be missing.
        saved.append(line._replace(enter=printable(f"Enter: continue {one.path}")))
    if similar:
        open_it = partial(_opened, asker, similar)
        saved.append(labeled(printable(f"Open {similar}"), open_it))
    if last:
        like: Entry = labeled(again(last), partial(begun_again, asker, last, path or Path()))
        key = str(len(saved) + 1)
        saved.append(like._replace(key=key, enter="Enter: the same as last time"))
    taught, lessons = games_taught("how_to_play"), games_taught("lesson")
    daily = ", ".join(GAMES[game].title for game in _daily_games())
    brief = "How to play {}, in brief"
    lesson = "Learn {} by playing: a guided first game"
    new = _of_each("n", "{}: a new game", [*GAMES], partial(set_up, asker, path))
    learn = _of_each("l", lesson, lessons, partial(a_lesson, asker))
    # Somebody who is here for the first time learns first.
    first = [*saved, *new, *learn] if saved or results.known() else [*learn, *new]
    choices: list[Entry] = [
        *first,
        *_of_each("h", brief, taught, lambda game: asker.show(partial(how_to_play, game))),
        labeled(f"Today's deal ({daily}), the same for all", partial(_deal_of_which, asker), "t"),
        labeled("Results: your best games alone, and against bots", partial(_show, asker), "r"),
        labeled(QUIT, _quit, BACK_KEY),
    ]
    question = "What would you like to play?"
    if path:
        choices = [*saved, *new]
    if path and not similar:
        question = f"There is no file {path} here. It will be a new game. Which one?"
    if len(choices) == 1 and (found := choices[0].value()):
        return found
    while True:
        asker.put_above(Told([f"Porto and Puerto Rico in your terminal. {asker.keys}", *notes]))
        chosen = asker.choose(question, choices, rules=("begin",))
        if chosen is _quit:
            raise CancelledError
        with suppress(CancelledError):
            if found := chosen():
                asker.put_above(None)
                return found


def others(asker: Asker, old: Match) -> list[tuple[str, Callable[[], Match]]]:
    """Return how to go on after a game without real cards or seals, and what begins that: after a
    lesson a game of which all is asked; else one like the old one, which has an ordinary name even
    if that has the deal of a day, and after a victory over bots one against better ones.
    """
    game, seed = old.game.meta, str(old.record.seed)
    if old.record.secrecy != OPEN:
        return []
    if is_lesson(game.id, seed):
        full = partial(set_up, asker, None, game.id)
        return [("Play a full game: you choose against whom", full)]
    path = next_file(old.path) if old.path and not seed.startswith(results.DAILY) else Path()
    found = [(f"Play again: {'the same players, ' * (len(old.players) > 1)}a new deal", old)]
    better, outcome = dict(pairwise(levels_among(game.bots))), old.game.outcome(old.state)
    levels = {better.get(one.bot, "") for one in old.record.seats if one.bot}
    if levels and all(levels) and outcome and any(outcome.won[seat] for seat in old.people):
        seats = tuple(one._replace(bot=better.get(one.bot, "")) for one in old.record.seats)
        harder = old._replace(record=old.record._replace(seats=seats))
        against = " and ".join(map(in_words, sorted(levels)))
        found.append((f"Play again, a level up: against {against}", harder))
    return [(label, partial(begun_again, asker, like, path)) for label, like in found]


def _opened(asker: Asker, path: Path) -> Match:
    return whole(asker, load(path, keys_here))


def _quit() -> None:
    """Do nothing more."""


def _of_each(
    letter: str, label: str, games: Sequence[str], does: Callable[[str], Match | None]
) -> list[Entry]:
    """Return a line about each of some games. Where there are several, each has its number in the
    key, which stays the same, however many saved games are above it.
    """
    return [
        labeled(label.format(meta.title), partial(does, game), letter + str(nth) * (len(games) > 1))
        for nth, (game, meta) in enumerate(GAMES.items(), 1)
        if game in games
    ]


def _show(asker: Asker) -> None:
    """Show what the user has reached so far: without games of this folder that go on again."""
    results.take_back(match.replay for match in saved_games(Path())[0])
    asker.show(drawn([*results.rows(results.known())], plain=asker.plain))


# -- Games that begin without questions: who sits here plays, or goes on with what was begun.


def a_lesson(asker: Asker, game: str) -> Match:
    """Return the guided first game of a game; that of this folder goes on if it is not over."""
    lesson, path = lessons_of(game)["lesson"], Path(f"learn-{game}.yaml")
    if path.exists():
        with suppress(PortoError):
            match = load(path, keys_here)
            if guide_of(match).expected:
                return whole(asker, match)
    bots = lesson.get("bots", ())
    plan = _plan(game, bots, Path(free_file(path.stem, Path())))
    return begun(asker, plan._replace(options=lesson["options"]), seed=lesson["seed"])


def _deal_of_which(asker: Asker) -> Match:
    games = [labeled(GAMES[game].title, game) for game in _daily_games()]
    return todays_deal(asker, asker.choose("Today's deal of which game?", games))


def todays_deal(asker: Asker, game: str) -> Match:
    """Return the deal of this day, alone or against the bots of the lesson, whose moves follow from
    the seed as well; the one of this folder if it was begun.
    """
    seed = results.todays_seed()
    path = Path(f"{seed}.yaml" if game == DEFAULT else f"{seed}-{game}.yaml")
    if not path.exists():
        return begun(asker, _plan(game, _bots_of_the_day(game), path), seed=seed)
    match = _opened(asker, path)
    if outcome := match.game.outcome(match.state):
        told = f"You have {'won' if outcome.won[0] else 'played'} today's deal"
        asker.show(in_lines([f"{told}: {outcome.scores[0]} VP. The next one comes tomorrow."]))
    return match


def start_of(
    flag: str, path: Path | None, game: str | None, level: int | None
) -> Callable[[Asker], Match]:
    """Return what begins the game of an option of ``porto play``, without a question but for
    ``--game`` alone, which asks who plays.

    Exits with 2 where the game has no such thing.
    """
    bots = []
    if flag == "--game":
        meant = game or DEFAULT
        return partial(set_up, path=with_suffix(path) if path else None, game=meant)
    if flag == "--level":
        meant, bots = game or DEFAULT, [f"level-{level}"]
        if bots[0] not in GAMES[meant].bots:
            levels = ", ".join(map(in_words, levels_among(GAMES[meant].bots))) or "none"
            usage(f"{GAMES[meant].title} has no bot of level {level}; it has: {levels}.")
    else:
        taught = games_taught("lesson") if flag == "--learn" else _solo_games()
        games = _daily_games() if flag == "--daily" else taught
        meant = game or games[0]
        if meant not in games:
            usage(
                f"{GAMES[meant].title} has no {flag}; games that have it: {', '.join(games)}.",
                suggestions=[f"porto play --game {meant}", f"porto play {flag} --game {games[0]}"],
            )
    if flag in ("--learn", "--daily"):
        return partial(a_lesson if flag == "--learn" else todays_deal, game=meant)
    path = with_suffix(path) if path else Path()
    return lambda asker: begun(asker, _plan(meant, bots, path))


def _solo_games() -> list[str]:
    return [game for game, meta in GAMES.items() if 1 in meta.players]


def _daily_games() -> list[str]:
    return [game for game in GAMES if game in _solo_games() or _bots_of_the_day(game)]


def _bots_of_the_day(game: str) -> Sequence[str]:
    """Return who plays today's deal of a game against one person: nobody if one can play alone."""
    if 1 in GAMES[game].players:
        return ()
    bots: Sequence[str] = lessons_of(game).get("lesson", {}).get("bots", ())
    return bots


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
    matches, unread = list[Match](), list[str]()
    for path in islice(filter(is_worth_a_look, records_of(folder)), MOST_FILES):
        match, why_not = _tried(path)
        matches += [match] if match and not match.over else []
        unread += why_not
    return matches, unread


def _tried(path: Path) -> tuple[Match | None, list[str]]:
    """Return the game of a record; if it is no game yet, or cannot be read, what to do about it."""
    try:
        return load(path, keys_here), []
    except NotReadyError as error:
        why_not = f"{path} waits for {error.player}: 'porto join {file_word(str(path))}'."
    except PortoError:
        why_not = f"{path} cannot be read: 'porto verify {file_word(str(path))}' says why."
    return None, [printable(why_not)] if kind_of(path) == RECORD else []


def state_of(match: Match, fetched: Fetched | None = None) -> str:
    """Return what a game waits for, in a word or two."""
    own = seat_of_user(match)
    if match.over:
        return "over"
    if own in match.game.to_move(match.state):
        return "own"
    if fetched and match.path in fetched.played:
        return "sent on"
    is_waiting = own is not None and settings().mail.server and is_unsent(match, own)
    return "sent on" if is_waiting else "others"


def is_unsent(match: Match, seat: int) -> bool:
    """Return whether a player could mail a game now, and has not, see
    :func:`porto_cli.mail.posting.is_to_be_sent`. Who mails nothing does not load what mails.
    """
    from porto_cli.mail.posting import is_to_be_sent

    return is_to_be_sent(match, seat)


def readers_of(match: Match, seat: int) -> str:
    """Return who would get a mail with a game; without a mail server nothing is loaded."""
    with suppress(PortoError):
        if settings().mail.server:
            from porto_cli.mail.posting import would_get_it

            return ", ".join(would_get_it(match, seat))
    return ""


def _running(match: Match, fetched: Fetched | None) -> str:
    others = enumerated(match.to_move())
    state = state_of(match, fetched)
    told = {"sent on": f"to be sent to {others}", "over": "the game is over"}
    # Who has not said who they are plays what has one person.
    is_own = state == "own" or (state == "others" and len(match.people) == 1 and not me().names)
    how = "your turn" if is_own else told.get(state, f"{others}'s turn")
    players = with_levels(match.players, match.bots)
    number = 0 if match.over else match.game.glance(match.state, None).round
    unit = "turn" if len(match.players) == 1 else "round"
    when = f"{unit} {number}, " if number else ""
    file = printable(str(match.path))
    return f"Continue {match.game.meta.title}: {players}; {when}{how} ({file})"
