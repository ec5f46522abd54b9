"""Completion with the Tab key: what the record and the rules allow now.

Each function returns the words that fit what was typed so far, some with a line that explains
them; none if the record cannot be read. Secrets are offered only to the player of ``--as``, or
else to the only one here, or to the user if the settings say who that is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from pathlib import Path

import typer

from porto_cli.core import InvalidMoveError, PortoError
from porto_cli.core.characters import printable
from porto_cli.core.files import STANDARD, expanded, is_worth_a_look
from porto_cli.games import DEFAULT, GAMES, game_of
from porto_cli.match.match import Match, load
from porto_cli.match.record import SUFFIXES, meant
from porto_cli.match.seats import added_players, shortest
from porto_cli.seam import CommandOption, Typed
from porto_cli.user import whose_move

Word = str | tuple[str, str]


def offer_records(incomplete: str) -> list[str]:
    """Offer the records of the folder; if there are none, the shell offers all files.

    Names that would be read as options, or would not reach the shell intact, are left out.
    """
    folder, slash, start = incomplete.rpartition("/")
    try:
        entries = Path(folder + slash).iterdir()
        paths = sorted(path for path in entries if path.suffix in SUFFIXES)
    except OSError:
        return []
    words = {folder + slash + path.name: path for path in paths if path.name.startswith(start)}
    return [
        word
        for word, path in words.items()
        if not word.startswith("-") and printable(word) == word and os.path.isfile(path)
    ]


def offer_players(ctx: typer.Context, incomplete: str) -> list[Word]:
    """Offer the players of the record, or of the game that is being set up."""
    match = read_here(ctx)
    names = match.holders if match else ctx.params.get("players") or ()
    return beginning(incomplete, names)


def of_record(
    words: Callable[[Match, typer.Context], Iterable[Word]],
) -> Callable[[typer.Context, str], list[Word]]:
    """Return a completion function for words that depend on the game of a readable record."""

    def offer(ctx: typer.Context, incomplete: str) -> list[Word]:
        match = read_here(ctx)
        return beginning(incomplete, words(match, ctx)) if match else []

    return offer


def levels(game: str) -> list[str]:
    """Return the bot levels of a game, and the players that other packages add."""
    added: Collection[str] = ()
    with suppress(PortoError):
        added = added_players(game)
    return [*map(shortest, GAMES[game].bots), *sorted(added)]


# Typer passes the earlier words as a second argument to the functions below.


def offer_words_of_a_move(ctx: typer.Context, before: list[str], incomplete: str) -> list[Word]:
    """Offer the next word of the move that is typed after a record."""
    return _offered(str(ctx.info_name), ctx, incomplete)


def offer_values_of(option: CommandOption) -> Callable[[typer.Context, list[str], str], list[Word]]:
    """Return a completion function for the values of an option of a game."""

    def values(ctx: typer.Context, before: list[str], incomplete: str) -> list[Word]:
        own = _offered(option.completion, ctx, incomplete) if option.completion else []
        files = offer_records(incomplete) if option.files else []
        return [*beginning(incomplete, option.choices), *own, *files]

    return values


def _offered(what: str, ctx: typer.Context, incomplete: str) -> list[Word]:
    match = read_here(ctx)
    game = str(ctx.params.get("game") or (match.game.meta.id if match else DEFAULT))
    if game not in GAMES:
        return []
    named = None
    if match:
        with suppress(PortoError):
            named = whose_move(match, ctx.params.get("player"))
    seat = named if named is not None else match.seat() if match else 0
    verb, words = str(ctx.info_name), _words_so_far(ctx)
    if what == verb == "move":
        if match and not words:
            return beginning(incomplete, match.game.meta.verbs)
        what, *words = words or [""]
        verb = what
    if match and what == verb and verb not in match.game.meta.verbs:
        return []
    typed = Typed(match and match.state, verb, words, ctx.params, seat, named is not None)
    try:
        return beginning(incomplete, game_of(game).words.complete(what, typed))
    except InvalidMoveError:
        return []


def read_here(ctx: typer.Context) -> Match | None:
    """Return the game of the typed record, if it can be read. Standard input is not read."""
    typed = ctx.params.get("file")
    if typed is None or str(typed) == STANDARD:
        return None
    path = meant(expanded(Path(typed)))
    if not is_worth_a_look(path):
        return None
    try:
        return load(path).known
    except PortoError:
        return None


def _words_so_far(ctx: typer.Context) -> list[str]:
    """Return the words of a move after the record, without its verb."""
    typed = " ".join(ctx.params.get("words") or ()).replace(",", " ").lower().split()
    return typed[1:] if typed[:1] == [ctx.info_name] else typed


def beginning(incomplete: str, words: Iterable[Word]) -> list[Word]:
    """Return the words that begin with the incomplete one, whatever their case, without repeats.

    The beginning stays as it was typed, or shells would not accept the word as its completion.
    """
    size = len(incomplete)
    fitting: list[Word] = []
    for word in dict.fromkeys(words):
        name, note = (word, "") if isinstance(word, str) else word
        if name[:size].casefold() == incomplete.casefold():
            name = incomplete + name[size:]
            fitting.append((name, note) if note else name)
    return fitting
