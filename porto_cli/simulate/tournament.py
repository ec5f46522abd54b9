"""Tournaments: every player against every other one, the standings, and the file of the games.

    from porto_cli.simulate.tournament import play_games, schedule, standings

    games = schedule(["greedy", "random"], seats=2, deals=100)
    played = list(play_games(Start("porto", config), PLAYERS, "tram", games))
    for one in standings(["greedy", "random"], 2, played).players:
        print(one.player, one.rating.elo)

A *pairing* is two players. At a table for two they play each deal twice, once from each seat. At a
table for three or more one of them plays against the other one in all other seats, and the other
way around, from each seat: there no player is helped or hindered by who sits beside whom, as would
be with different players at a table, and two players are enough. All pairings play the same deals.
What counts is, for each game, who of the two came out ahead of the other one, by places: for more
than two seats the one player is compared with each of the others. A place that is shared counts as
half for both.
"""

from __future__ import annotations

import json
import os
import stat
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager, suppress
from io import FileIO
from itertools import combinations
from pathlib import Path
from typing import Any, BinaryIO

from porto_cli.core.documents import FORMAT, document
from porto_cli.core.message import FileError, Sentence, say
from porto_cli.core.signals import held
from porto_cli.core.value import NamedTuple
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.players import Player
from porto_cli.simulate.elo import Compared, Rating, rate
from porto_cli.simulate.simulation import SURE, Start, play_rotated

GAMES_AHEAD = 256
"""Games that may be waiting for their turn: more than a computer or a usual cluster can play at
once."""


class TournamentGame(NamedTuple):
    """A game of a tournament, by what it follows from, with the seed of the tournament."""

    players: tuple[str, ...]
    """Who plays, in the order of the seats but for where the first one sits."""
    deal: int
    """Counted from 1."""
    seat: int
    """The seat of the first of the players, counted from 1; the others follow."""


class PlayedGame(NamedTuple):
    """How a game ended. The tuples have one entry for each of its players, in their order."""

    game: TournamentGame
    turns: int
    places: tuple[int, ...]
    scores: tuple[int, ...]
    finished: bool
    """False if the game was given up because it did not end; then it counts for nothing."""


class Against(NamedTuple):
    """How a player did against another one.

    ``deals``   how many deals they have played from all seats
    ``games``   how many games of these were played to their end
    ``share``   how often the player was ahead of the other one, 0 to 1
    ``margin``  by how many VP, on average

    Behind them is how far each may be off: with a probability of 95 % no more than that.
    """

    player: str
    opponent: str
    deals: int
    games: int
    share: float
    share_doubt: float
    margin: float
    margin_doubt: float


class Standing(NamedTuple):
    """How a player did against all others; shares and margins are means over those."""

    player: str
    rating: Rating
    games: int
    share: float
    margin: float


class Standings(NamedTuple):
    """The result of a tournament; the best player comes first."""

    players: list[Standing]
    against: dict[tuple[str, str], Against]
    """By the player and the opponent; those who have not met yet are left out."""
    deals: int
    """How many deals were played by at least one pairing."""
    games: int
    """How many games counted."""
    given_up: int
    """Games that did not end; they count for nothing."""
    waiting: int
    """Games of deals that a pairing has not played from all seats yet; they do not count yet."""


def pairings(players: Iterable[str], seats: int) -> list[list[tuple[str, ...]]]:
    """Return who sits at a table with whom: the tables of each pairing.

    The order in which the players are given makes no difference. Raises ValueError for a table
    without an opponent.
    """
    if seats < 2:
        raise ValueError("The tables of a tournament have two or more seats.")
    others = seats - 1
    return [
        [(one, other)] if seats == 2 else [(one, *[other] * others), (other, *[one] * others)]
        for one, other in combinations(sorted(set(players)), 2)
    ]


def is_table(players: tuple[str, ...]) -> bool:
    """Return whether these players, two or more, sit at a table of some tournament."""
    both = {players[0], players[-1]}
    return any(players in tables for tables in pairings(both, len(players)))


def schedule(players: Iterable[str], seats: int, deals: int) -> Iterator[TournamentGame]:
    """Yield the games of a tournament, in an order in which all pairings advance evenly."""
    tables = [table for pairing in pairings(players, seats) for table in pairing]
    for deal in range(1, deals + 1):
        for table in tables:
            for seat in range(1, seats + 1):
                yield TournamentGame(table, deal, seat)


def games_left(
    players: Iterable[str], seats: int, deals: int, played: Iterable[TournamentGame]
) -> dict[tuple[str, ...], int]:
    """Return how many games of a tournament each table still has to play, where any are left."""
    done = Counter(game.players for game in set(played) if game.deal <= deals)
    tables = [table for pairing in pairings(players, seats) for table in pairing]
    left = {table: deals * seats - done[table] for table in tables}
    return {table: number for table, number in left.items() if number}


def play_game(
    start: Start, players: Mapping[str, Player], seed: str, game: TournamentGame
) -> PlayedGame:
    """Play a game of a tournament. What comes up follows from seed, deal and seats alone."""
    table = [players[name] for name in game.players]
    number = (game.deal - 1) * len(table) + game.seat - 1
    result = play_rotated(start, table, seed, number)
    return PlayedGame(game, result.turns, result.places, result.scores, result.finished)


def play_games(
    start: Start,
    players: Mapping[str, Player],
    seed: str,
    games: Iterable[TournamentGame],
    *,
    executor: Executor | None = None,
    ahead: int = GAMES_AHEAD,
) -> Generator[PlayedGame, None, None]:
    """Play games of a tournament and yield how each ended, as soon as it has.

    ``players`` are those that the games name. An ``executor`` (any of :mod:`concurrent.futures`,
    or one whose ``submit`` returns such futures, as that of a Dask client) plays them elsewhere,
    up to ``ahead`` of them at once; then they end in any order. How each ends depends on the seed
    alone. To stop early, close the iterator; games that have not begun are canceled.
    """
    if executor is None:
        for game in games:
            yield play_game(start, players, seed, game)
        return
    playing: set[Future[PlayedGame]] = set()
    try:
        for game in games:
            own = {name: players[name] for name in game.players}
            playing.add(executor.submit(play_game, start, own, seed, game))
            if len(playing) >= ahead:
                yield from _ended(playing)
        while playing:
            yield from _ended(playing)
    finally:
        for future in playing:
            future.cancel()


def _ended(playing: set[Future[PlayedGame]]) -> Iterator[PlayedGame]:
    """Wait until some games have ended, take them out and yield how they did."""
    ended, _ = wait(playing, return_when=FIRST_COMPLETED)
    for future in ended:
        playing.remove(future)
        yield future.result()


# -- Results


class _Sum:
    """How one of two players did in the games of a deal."""

    def __init__(self) -> None:
        self.games = 0
        self.finished = 0
        self.compared = 0
        self.ahead = 0.0
        self.margin = 0

    def add(self, played: PlayedGame, first: str) -> None:
        """Add a game, from the point of view of ``first``."""
        self.games += 1
        self.finished += played.finished
        lone = played.game.players[0]
        for place, score in zip(played.places[1:], played.scores[1:], strict=True):
            if not played.finished:
                return
            ahead = (1 + (played.places[0] < place) - (played.places[0] > place)) / 2
            margin = played.scores[0] - score
            self.compared += 1
            self.ahead += ahead if lone == first else 1 - ahead
            self.margin += margin if lone == first else -margin


def standings(
    players: Sequence[str],
    seats: int,
    played: Iterable[PlayedGame],
    anchor: str | None = None,
) -> Standings:
    """Return the result of games of a tournament, which may be in any order.

    Only deals count that a pairing has played from all seats, so that no player has had the better
    ones. See :func:`~porto_cli.simulate.elo.rate` for the ratings, and for the ``anchor``.
    """
    of_a_deal = sum(len(table) for table in pairings("ab", seats)[0])
    sums: dict[tuple[str, str], dict[int, _Sum]] = defaultdict(lambda: defaultdict(_Sum))
    for game, result in {each.game: each for each in played}.items():
        first, second = sorted({game.players[0], game.players[-1]})
        sums[first, second][game.deal].add(result, first)
    whole = {
        pair: {deal: each for deal, each in of_deals.items() if each.games == of_a_deal}
        for pair, of_deals in sums.items()
        if pair[0] in players and pair[1] in players
    }
    against = {}
    for (one, other), of_deals in whole.items():
        if any(each.compared for each in of_deals.values()):
            found = _against(one, other, list(of_deals.values()))
            against[one, other] = found
            against[other, one] = found._replace(
                player=other, opponent=one, share=1 - found.share, margin=-found.margin
            )
    number = {player: nth for nth, player in enumerate(players)}
    compared = [
        Compared(deal, number[one], number[other], each.compared, each.ahead)
        for (one, other), of_deals in sorted(whole.items())
        for deal, each in sorted(of_deals.items())
        if each.compared
    ]
    ratings = rate(len(players), compared, None if anchor is None else number[anchor])
    table = [
        _standing(player, rating, [one for one in against.values() if one.player == player])
        for player, rating in zip(players, ratings, strict=True)
    ]
    counted = [each for of_deals in whole.values() for each in of_deals.values()]
    all_games = [each for of_deals in sums.values() for each in of_deals.values()]
    return Standings(
        players=sorted(table, key=_rank),
        against=against,
        deals=len({deal for of_deals in whole.values() for deal in of_deals}),
        games=sum(each.finished for each in counted),
        given_up=sum(each.games - each.finished for each in counted),
        waiting=sum(each.games for each in all_games) - sum(each.games for each in counted),
    )


def _against(player: str, opponent: str, deals: Sequence[_Sum]) -> Against:
    compared = sum(each.compared for each in deals)
    share = sum(each.ahead for each in deals) / compared
    margin = sum(each.margin for each in deals) / compared
    off = sum((each.ahead - share * each.compared) ** 2 for each in deals) ** 0.5
    margin_off = sum((each.margin - margin * each.compared) ** 2 for each in deals) ** 0.5
    return Against(
        player,
        opponent,
        deals=len(deals),
        games=sum(each.finished for each in deals),
        share=share,
        share_doubt=SURE * off / compared,
        margin=margin,
        margin_doubt=SURE * margin_off / compared,
    )


def _standing(player: str, rating: Rating, against: Sequence[Against]) -> Standing:
    met = len(against) or 1
    return Standing(
        player,
        rating,
        games=sum(one.games for one in against),
        share=sum(one.share for one in against) / met,
        margin=sum(one.margin for one in against) / met,
    )


def _rank(one: Standing) -> tuple[int, float, str]:
    """Return what players are sorted by: who is above all ratings comes first."""
    rating = one.rating
    if rating.elo is not None:
        return 1, -rating.elo, one.player
    if rating.low is not None:
        return 0, -one.share, one.player
    return (2 if rating.high is not None else 3), -one.share, one.player


# -- The file of a tournament: lines of JSON, one with what is played, and one for each game
#
# Lines are only added. If players or deals are added, the line with what is played is written once
# more, with all players, and the last one holds. A line that was cut off at the end is ignored, and
# removed before another line is added. The games may be in any order.


_HEAD = "tournament"
_LONGEST = 1 << 20
"""Bytes of a line; an edition is part of the first one."""


class Setup(NamedTuple):
    """What a tournament plays: all that its games follow from."""

    game: str
    rules: int
    """The version of the rules."""
    bots_version: int
    """The version of the game's own players: with another one they may make other moves."""
    options: tuple[str, ...]
    """Those of the game, as a record has them."""
    seats: int
    seed: str
    deals: int
    """How many deals each pairing is to play."""
    players: dict[str, str | None]
    """The players, with a digest of the code of those that do not come with the program."""


class Saved(NamedTuple):
    """The contents of a tournament's file."""

    setup: Setup
    played: list[PlayedGame]
    size: int
    """Bytes up to the end of the last whole line."""
    torn: bool
    """Whether a line is cut off behind it."""


def differences(saved: Setup, wanted: Setup) -> list[Sentence]:
    """Return the differences that keep a tournament from being resumed as another one; none if only
    players or deals were added or left out.
    """
    found = [
        say("{what}: {old} in the file, {new} here.", what=what, old=old, new=new)
        for what, old, new in (
            ("Game", saved.game, wanted.game),
            ("Version of the rules", saved.rules, wanted.rules),
            ("Version of the players", saved.bots_version, wanted.bots_version),
            ("Options", " ".join(saved.options), " ".join(wanted.options)),
            ("Seats", saved.seats, wanted.seats),
            ("Seed", saved.seed, wanted.seed),
        )
        if old != new
    ]
    return found + [
        say("Player {player}: the code differs from that of the file.", player=player)
        for player, digest in wanted.players.items()
        if saved.players.get(player, digest) != digest
    ]


# -- Reading


def read_saved(path: Path) -> Saved | None:
    """Return the contents of a tournament's file; ``None`` if there is no file, or an empty one.

    Raises FileError, and InvalidFileError for what is no such file.
    """
    try:
        with path.open("rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileError(say("{file} is not a regular file; name another one.", file=path))
            return _read(file, str(path))
    except FileNotFoundError:
        return None
    except IsADirectoryError:
        raise FileError(say("{file} is a folder; name a file in it.", file=path)) from None
    except OSError as error:
        raise FileError(
            say("{file} cannot be read: {reason}.", file=path, reason=error.strerror)
        ) from None


def _read(file: BinaryIO, name: str) -> Saved | None:
    setup: Setup | None = None
    played: dict[TournamentGame, PlayedGame] = {}
    size = 0
    number = 0
    while line := file.readline(_LONGEST):
        number += 1
        try:
            thing = _parsed(line)
            if thing is None:
                pass
            elif _HEAD in thing:
                setup = _setup(thing)
            elif setup is None:
                raise ValueError
            else:
                one = _game(thing, setup)
                played[one.game] = one
        except (ValueError, KeyError, TypeError, RecursionError):
            if setup is not None and not line.endswith(b"\n") and len(line) < _LONGEST:
                return Saved(setup, list(played.values()), size, True)
            if setup is None:
                sentence = say(
                    "This is not a tournament file; name another one, or one that does not exist "
                    "yet."
                )
            else:
                sentence = say(
                    "This line is not a game of this tournament. Remove the line to continue; the "
                    "game is played again."
                )
            raise InvalidFileError(Place(name, number, 1), sentence) from None
        size += len(line)
    return None if setup is None else Saved(setup, list(played.values()), size, False)


def _parsed(line: bytes) -> dict[str, Any] | None:
    """Return the object in a line; ``None`` for an empty one."""
    text = line.decode("utf-8-sig").strip()
    if not text:
        return None
    thing = json.loads(text)
    if not isinstance(thing, dict):
        raise ValueError
    return thing


def _setup(thing: Mapping[str, Any]) -> Setup:
    players = thing["players"]
    if thing["porto"] != FORMAT or not isinstance(players, dict):
        raise ValueError
    if not all(name.isprintable() and isinstance(players[name], str | None) for name in players):
        raise ValueError
    return Setup(
        game=_text(thing[_HEAD]),
        rules=_number(thing["rules"]),
        bots_version=_number(thing["bots_version"]),
        options=tuple(map(_text, thing["options"])),
        seats=_number(thing["seats"]),
        seed=_text(thing["seed"]),
        deals=_number(thing["deals"]),
        players=dict(players),
    )


def _game(thing: Mapping[str, Any], setup: Setup) -> PlayedGame:
    players = tuple(map(_text, thing["players"]))
    places = tuple(map(_number, thing["places"]))
    scores = tuple(map(_number, thing["scores"]))
    seat, finished = _number(thing["seat"]), thing["finished"]
    sizes = {len(players), len(places), len(scores)}
    if sizes != {setup.seats} or not is_table(players) or not set(players) <= setup.players.keys():
        raise ValueError
    game = TournamentGame(players, _number(thing["deal"]), seat)
    if game.deal < 1 or not 1 <= seat <= setup.seats or not isinstance(finished, bool):
        raise ValueError
    return PlayedGame(game, _number(thing["turns"]), places, scores, finished)


def _text(thing: object) -> str:
    if not isinstance(thing, str):
        raise ValueError
    return thing


def _number(thing: object) -> int:
    if type(thing) is not int:
        raise ValueError
    return thing


# -- Writing


def setup_line(setup: Setup) -> str:
    """Return the line with what is played."""
    facts = setup._asdict()
    return json.dumps(document(tournament=facts.pop("game"), **facts), ensure_ascii=False)


def game_line(played: PlayedGame) -> str:
    """Return the line of a game."""
    facts = played._asdict()
    return json.dumps({**facts.pop("game")._asdict(), **facts}, ensure_ascii=False)


class Appended:
    """A file to which whole lines are added, each of which is written at once."""

    def __init__(self, path: Path, file: FileIO) -> None:
        self._path = path
        self._file = file

    def add(self, line: str) -> None:
        """Add a line. Raises FileError; what was added before stays."""
        data = line.encode() + b"\n"
        try:
            with held():
                while data:
                    data = data[self._file.write(data) :]
        except OSError as error:
            raise _cannot_write(self._path, error) from None


@contextmanager
def appended(path: Path, saved: Saved | None) -> Iterator[Appended]:
    """Open a file to add lines to it, without what is cut off at its end. Raises FileError.

    ``saved`` is what :func:`read` has found. Two programs that add to a file at once play some
    games twice, with the same result; no more than that.
    """
    try:
        # Without a buffer: a line is written when it is added, and nothing is left to be written.
        file = path.open("ab", buffering=0)
    except OSError as error:
        raise FileError(
            say("{file} cannot be written: {reason}.", file=path, reason=error.strerror)
        ) from None
    with file:
        if saved is not None:
            try:
                if saved.torn:
                    file.truncate(saved.size)
                elif not _ends_a_line(path):
                    file.write(b"\n")
            except OSError as error:
                raise _cannot_write(path, error) from None
        yield Appended(path, file)
        # Some file systems cannot.
        with suppress(OSError):
            os.fsync(file.fileno())


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _cannot_write(path: Path, error: OSError) -> FileError:
    return FileError(
        say(
            "{file} cannot be written: {reason}. The games in it are kept; the same command "
            "continues.",
            file=path,
            reason=error.strerror,
        )
    )
