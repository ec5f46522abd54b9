"""What the user has reached: results of finished games against the timer and against bots.

They are kept in the user's own folder, each with the digest of its record: 'porto verify'
recomputes that, so a result can be checked by anybody who gets the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import groupby
from typing import Any

from porto_cli import home
from porto_cli.cli.lesson import is_lesson
from porto_cli.core.files import is_worth_a_look
from porto_cli.core.message import PortoError, printable
from porto_cli.games import GAMES
from porto_cli.home import write_own
from porto_cli.match.items import SHORT
from porto_cli.match.replay import Replay
from porto_cli.match.seats import in_words
from porto_cli.paper import Gap, Heading, Node, Paragraph

FILE = "results.jsonl"
"""The file in the user's own folder: a line for each finished game."""
MOST = 1000
"""Lines that are kept, the newest."""
SHOWN = 5
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
        return ""
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
    where = f"against {against}" if against else "alone"
    if not others:
        return f"Your first result {where}: {one['vp']} VP."
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
