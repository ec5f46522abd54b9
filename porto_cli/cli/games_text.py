"""The games of a folder as text: those that wait for the user first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from time import localtime, strftime

from porto_cli.cli.survey import Found, Tally
from porto_cli.core.message import Sentence, say
from porto_cli.core.printable import printable
from porto_cli.game import GAMES
from porto_cli.match.bots import titled
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, wrapped

_INDENT = 4


def games_text(
    games: Sequence[Found], players: Sequence[Tally], now: float, width: int, *, known: bool
) -> list[Line]:
    """Return the games, in order, by what they wait for, and then the players.

    ``known`` tells whether it is known who the user is.
    """
    lines: list[Line] = []
    for heading, group in groupby(games, lambda one: _heading(one, known)):
        lines += [[]] if lines else []
        lines += wrapped(str(heading), width, style=BOLD)
        for one in group:
            style = BOLD if one.mine else PLAIN
            lines += wrapped(
                printable(one.file), width, first=[("  ", PLAIN)], indent=2, style=style
            )
            if one.title:
                lines += _below([one.title], width, DIM)
            lines += _below(_sentences(one, now), width, PLAIN)
    for (game, alone), row in groupby(players, lambda one: (one.game, one.alone)):
        lines += [[]] if lines else []
        lines += wrapped(str(_table(game, alone)), width, style=BOLD)
        for each in row:
            lines += wrapped(str(_result(each)), width, first=[("  ", PLAIN)], indent=2)
    return lines


def games_sentences(games: Sequence[Found], players: Sequence[Tally], now: float) -> list[str]:
    """Return the same in whole sentences, line by line."""
    lines = []
    for one in games:
        told = " ".join(map(str, _sentences(one, now)))
        if one.title:
            told = str(say("{title}. {told}", title=one.title, told=told))
        lines.append(str(say("{file}: {told}", file=one.file, told=told)))
    lines += [str(_result_in_words(each)) for each in players]
    return lines


def _below(texts: Iterable[object], width: int, style: str) -> list[Line]:
    text = " ".join(map(str, texts))
    blanks: Line = [(" " * _INDENT, PLAIN)]
    return wrapped(text, width, first=blanks, indent=_INDENT, style=style)


def _heading(one: Found, known: bool) -> Sentence:
    if one.over:
        return say("Finished")
    if one.mine:
        return say("Waiting for you")
    return say("Waiting for others") if known else say("Running")


def _sentences(one: Found, now: float) -> list[Sentence]:
    """Say how a game stands."""
    told = _ended(one, now) if one.over else [_stand(one), _waiting(one, now), _scores(one)]
    return told + [
        say(
            "{conflict} is another version of it, and it is not settled which one stands.",
            conflict=conflict,
        )
        for conflict in one.conflicts
    ]


def _stand(one: Found) -> Sentence:
    game = GAMES[one.game].title
    if one.round:
        return say("{game}, round {round}.", game=game, round=one.round)
    return say("{game}, before the first round.", game=game)


def _waiting(one: Found, now: float) -> Sentence:
    players = ", ".join(one.to_move)
    if not _is_known(now - one.changed):
        if not one.to_move:
            return say("Nobody knows when it last changed.")
        if len(one.to_move) > 1:
            return say("{players} are to move.", players=players)
        if one.mine:
            return say("It is your turn.")
        return say("It is {player}'s turn.", player=players)
    time = _time(now - one.changed)
    if not one.to_move:
        return say("Last changed {time} ago.", time=time)
    if len(one.to_move) > 1:
        return say("{players} are to move, for {time}.", players=players, time=time)
    if one.mine:
        return say("It is your turn, for {time}.", time=time)
    return say("It is {player}'s turn, for {time}.", player=players, time=time)


def _is_known(seconds: float) -> bool:
    """Tell whether a time since a file was changed can be true. Where the clock of this computer,
    or of one where the file was before, is wrong, nothing is said of it.
    """
    return -_DAY <= seconds <= _LONGEST


def _scores(one: Found) -> Sentence:
    """Tell the scores, as far as they may be known."""
    seats: Iterable[int] = range(len(one.players))
    if one.places:
        seats = sorted(seats, key=one.places.__getitem__)
    return say(
        "{scores}.",
        scores=", ".join(
            str(_name(one.players[seat], one.bots.get(one.players[seat], "")))
            if one.scores[seat] is None
            else str(
                say(
                    "{player} {vp} VP",
                    player=_name(one.players[seat], one.bots.get(one.players[seat], "")),
                    vp=one.scores[seat],
                )
            )
            for seat in seats
        ),
    )


def _name(player: str, bot: str) -> str:
    """Return a player, with the level of one that is a bot."""
    return str(titled(player, bot)) if bot else player


def _ended(one: Found, now: float) -> list[Sentence]:
    game = GAMES[one.game].title
    winners = [name for name, won in zip(one.players, one.won or (), strict=True) if won]
    if winners:
        result = say("{game}, won by {players}.", game=game, players=", ".join(winners))
    else:
        result = say("{game}, lost.", game=game)
    if not _is_known(now - one.changed):
        return [result, _scores(one)]
    date = strftime("%Y-%m-%d", localtime(one.changed))
    return [result, _scores(one), say("Last changed {date}.", date=date)]


_DAY = 86400
_LONGEST = 20 * 365 * _DAY
_UNITS: tuple[tuple[int, Sentence, Callable[[int], Sentence]], ...] = (
    (_DAY, say("1 day"), lambda count: say("{count} days", count=count)),
    (3600, say("1 hour"), lambda count: say("{count} hours", count=count)),
    (60, say("1 minute"), lambda count: say("{count} minutes", count=count)),
)


def _time(seconds: float) -> Sentence:
    """Say a time in its largest unit. What a wrong clock makes negative is no time."""
    for size, one, many in _UNITS:
        if seconds >= size:
            count = int(seconds // size)
            return one if count == 1 else many(count)
    return say("less than a minute")


def _table(game: str, alone: bool) -> Sentence:
    if alone:
        return say("Finished games of {game} for one player", game=GAMES[game].title)
    return say("Finished games of {game}", game=GAMES[game].title)


def _result(one: Tally) -> Sentence:
    return say(
        "{player}: {wins} of {games} won, {average:.1f} VP on average",
        player=_name(one.player, one.bot),
        wins=one.wins,
        games=one.games,
        average=one.average,
    )


def _result_in_words(one: Tally) -> Sentence:
    facts: dict[str, object] = {
        "player": _name(one.player, one.bot),
        "wins": one.wins,
        "games": one.games,
        "game": GAMES[one.game].title,
        "average": one.average,
    }
    if one.alone:
        return say(
            "Alone, {player} has won {wins} of {games} finished games of {game}, with "
            "{average:.1f} VP on average.",
            **facts,
        )
    return say(
        "{player} has won {wins} of {games} finished games of {game}, with {average:.1f} VP on "
        "average.",
        **facts,
    )
