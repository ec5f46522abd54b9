"""What the user has reached: results of finished games against the timer and against bots.

They are kept in the user's own folder, each with the digest of its record: 'porto verify'
recomputes that, so a result can be checked by anybody who gets the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Any

from porto_cli import home
from porto_cli.core import PortoError, plural
from porto_cli.core.characters import printable
from porto_cli.core.files import is_worth_a_look
from porto_cli.games import GAMES
from porto_cli.home import write_own
from porto_cli.installed import is_lesson
from porto_cli.match.items import SHORT
from porto_cli.match.match import load
from porto_cli.match.replay import Replay
from porto_cli.match.seats import in_words
from porto_cli.paper import Gap, Heading, Node, Paragraph

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
    "setup": list,
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


def known() -> list[Result]:
    """Return what is kept of games that are known here, the oldest first; damaged lines are left
    out.
    """
    return [one for _, one in _entries() if one]


def _entries() -> Iterator[tuple[str, Result | None]]:
    """Yield each line that is kept with the result in it; ``None`` for one that is damaged, or of a
    game that is not known here.
    """
    lines = list[str]()
    with suppress(PortoError, OSError, ValueError):
        path = home.folder() / FILE
        lines = path.read_text("utf-8").splitlines() if is_worth_a_look(path) else []
    for line in lines:
        found: Result | None = None
        with suppress(ValueError, RecursionError, TypeError, LookupError):
            one = json.loads(line)
            whole = all(isinstance(one[key], kind) for key, kind in _SHOWN.items())
            whole = whole and isinstance(one["setup"][0], int)
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
    entries, digests = [*_entries()], frozenset(replay.digests())
    found = [kept for _, kept in entries if kept]
    earlier = [kept for kept in found if kept["digest"] in digests]
    if any(kept["digest"] == one["digest"] for kept in earlier):
        return ""
    if ended := next((kept["file"] for kept in earlier if _still_ends(kept)), ""):
        return f"This game has ended before, in {printable(ended)}: that result counts."
    if earlier:
        won = all(kept.get("won") for kept in (one, *earlier))
        one = {**one, "won": won, "undone": True}
    lines = [line for line, kept in entries if kept not in earlier]
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
    entries = [*_entries()] if digests else []
    ended = {line: kept for line, kept in entries if kept and kept["digest"] in digests}
    ended = {line: kept for line, kept in ended.items() if not _still_ends(kept)}
    undone = {line: {**kept, "undone": True, "open": True} for line, kept in ended.items()}
    marked = {line: json.dumps(one, ensure_ascii=False) for line, one in undone.items()}
    if marked:
        _write([marked.get(line, line) for line, _ in entries])


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
    daily, players = _is_daily(one), one["setup"][0]
    where = "in the daily deal" if daily else _rivals(one)
    if not others:
        alike = (other for other in kept if other["setup"][0] == players)
        is_other = not daily and _against(one) in map(_against, alike)
        return f"Your first result {where}{' with this setup' if is_other else ''}."
    best = max(others, key=lambda kept: int(kept["vp"]))
    found = f"{best['vp']} VP from {_day(best['date'])}"
    if one["vp"] > best["vp"]:
        return f"This is your best result {where}; before, it was {found}."
    return f"Your best result {where} is still {found}."


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
    options. A deal of the day is like another one only.
    """
    is_alike = _is_daily(other) or not _is_daily(one)
    return is_alike and _against(one) == _against(other) and one["setup"] == other["setup"]


def _against(one: Result) -> tuple[Any, ...]:
    return one["game"], one["bots"]


def _rivals(one: Result) -> str:
    """Say against whom a result was: ``against 2 bots (level 2)``."""
    levels = " and ".join(in_words(bot) for bot in one["bots"])
    return f"against {plural(one['setup'][0] - 1, 'bot')} ({levels})" if levels else "alone"


def _counts(one: Result) -> bool:
    """Return whether a result is among the best: in a lesson the moves are given, and who has taken
    back the end of a game knew what would come.
    """
    return not (one.get("undone") or is_lesson(one["game"], one.get("seed")))


def rows(found: Sequence[Result]) -> Iterator[Node]:
    """Yield the best results alone with their ranks, those of today's deal, and how often the user
    has won against which level.
    """
    found = [one for one in found if not is_lesson(one["game"], one.get("seed"))]
    found.sort(key=lambda one: -one["vp"])
    alone = [one for one in found if not one["bots"] and _counts(one)]
    today = [one for one in found if one.get("seed") == todays_seed() and _counts(one)]
    for what, some in (("alone", alone), ("today's deal", today)):
        for game in dict.fromkeys(one["game"] for one in some):
            best = [one for one in some if one["game"] == game]
            yield from _best(f"{GAMES[game].title}, {what}", best)
    against: dict[tuple[str, str], list[Result]] = {}
    for one in (one for one in found if one["bots"]):
        against.setdefault((one["game"], _rivals(one)), []).append(one)
    for (game, rivals), games in sorted(against.items()):
        # A win whose end was taken back has to be won again; a loss stays one.
        won = [bool(one.get("won")) for one in games if not (one.get("open") and one.get("won"))]
        counted = f"won {sum(won)}, lost {len(won) - sum(won)}"
        top = next(filter(_counts, games), None)  # They are sorted.
        most = f"; best result {top['vp']} VP, {_fingerprint(top)}" if top else ""
        yield Paragraph([printable(f"{GAMES[game].title} {rivals}: {counted}{most}.")])
    if taken_back := sum(not (one["bots"] or _counts(one)) for one in found):
        count = plural(taken_back, "game")
        yield Paragraph([f"Not listed, as the end was taken back: {count} alone."])
    if found:
        yield Paragraph(["To check one: 'porto verify FILE' prints its whole fingerprint."])
    else:
        yield Paragraph(["No finished games yet, alone or against bots. Lessons do not count."])


def _fingerprint(one: Result) -> str:
    return f"fingerprint {one['digest'][:SHORT]}"


def _best(heading: str, best: Sequence[Result]) -> Iterator[Node]:
    yield Heading(heading)
    for nth, one in enumerate(best[:LISTED], 1):
        level = str(one.get("level", "")).replace("-", " ").title()
        about = [f"{one['vp']} VP", level, one["player"], _day(one["date"]), one["file"]]
        text = ", ".join(filter(None, [*about, _fingerprint(one)]))
        yield Paragraph([printable(text)], first=[f"{nth}. "], indent=3)
    yield Gap()
