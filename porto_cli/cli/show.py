"""The commands that show a game: the table, the legal moves, the log, and the score; on the
terminal, in files and in the browser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import Any

import typer

from porto_cli.cli import (
    AsPlayer,
    Format,
    FormatOption,
    RecordFile,
    Samples,
    arg,
    opt,
    typed_options,
    typed_with,
)
from porto_cli.cli.common import next_sentences, open_match
from porto_cli.cli.completion import of_record
from porto_cli.cli.output import (
    Color,
    Colors,
    LogFormat,
    Open,
    Output,
    Plain,
    TableFormat,
    display_of,
    write_report,
)
from porto_cli.core import INTERRUPTED, InvalidMoveError, cited, nearest, usage, whole_number
from porto_cli.core.shell import command
from porto_cli.match.match import Match
from porto_cli.match.record import NotReadyError
from porto_cli.match.replay import (
    Replay,
    after_turn,
    path_of,
    place_after_last_turn,
    place_after_turn,
    who_are_bots,
)
from porto_cli.match.said import said_after
from porto_cli.next_step import commands, player_to_name
from porto_cli.pages import log as history
from porto_cli.pages import log_json, score_json, story_html, table, table_html, table_svg
from porto_cli.pages import score as score_of
from porto_cli.paper import Flow, Heading, Node, Paragraph
from porto_cli.seam import OVER
from porto_cli.term import BOLD, PLAIN, Line, remark, text_of, width_of
from porto_cli.user import me, who_types, whose_eyes
from porto_cli.words import Counts, Language, Option, alike, grouped, split_words

# -- The table and the score.

_PICTURES = {TableFormat.svg: table_svg, TableFormat.html: table_html}
_PASSED_ON = (*_PICTURES, TableFormat.reply)
"""The formats often made for others. Text and data are for the user at the keyboard."""


def show(
    file: RecordFile,
    player: AsPlayer = None,
    turn: int | None = opt(None, "N", "The table after N turns; 0 is the setup."),
    output: TableFormat = opt(
        TableFormat.text,
        "--format",
        "Text, JSON for programs, a picture, or a page to click a move on.",
    ),
    plain: Plain = False,
    color: Color = Colors.auto,
    to: Output = None,
    opened: Open = False,
) -> None:
    """Show the table.

    A player's secrets are shown with --as, and to all when the game is over. In a sealed game the
    player to move sees what came up before the others do; files, pages and pictures leave that out
    unless --as says whom they are for.

    On the page of --format reply a player clicks a move, and mails it to you: it needs neither the
    program nor a network. It is for the player of --as, or else for the player to move, and then
    without secrets. A terminal is not filled with a page or a picture: name its file with --output.

    Examples:
      porto show friday.yaml --as Inês
      porto show friday.yaml --format svg -o friday.svg
    """
    look = display_of(output, color, plain=plain, to=to, opened=opened)
    if output is TableFormat.reply and turn is not None:
        usage("A move is made on the table as it is now; leave out --turn.")
    try:
        now = open_match(file)
    except NotReadyError as error:
        if output is not TableFormat.text:
            raise
        from porto_cli.cli.join import terms, warnings

        about = [*error.sentences, *terms(error.record), *warnings(error.record)]
        write_report(look, dict, tuple, last=lambda: about)
        return
    now, seat = _seen(now, player, passed_on=to is not None or output in _PASSED_ON)
    then = _at(now, turn)

    def page() -> str:
        if output is TableFormat.reply:
            from porto_cli.mail.draft import reply_page

            return reply_page(now, None if player is None else seat)
        draw = _PICTURES[output]
        picture = draw(then, seat)
        if player is None and seat is not None and picture != draw(then, None):
            _warn_of_secrets(now, seat)
        return picture

    def last() -> list[str]:
        if turn is not None:
            return []
        sentences = [*who_are_bots(now), *next_sentences(now)]
        if seat is not None and now.declarations and now.state.phase != OVER:
            sentences += _own_orders(now, seat, player)
        return sentences

    write_report(
        look,
        lambda: _with_holders(now.game.shown.table_json(then, seat), then),
        lambda: table(then, seat),
        page=page,
        last=last,
    )


def _own_orders(replay: Replay, seat: int, player: str | None) -> list[str]:
    """Tell a player of their standing orders: how to list them, and why one does not fit now."""
    from porto_cli.match.orders import in_force, not_fitting

    if not in_force(replay, seat):
        return []
    lists = command("order", path_of(replay), player)
    return [*not_fitting(replay, seat), f"You have standing orders. To list them: {lists}"]


def _with_holders(table: dict[str, object], replay: Replay) -> dict[str, object]:
    """Return a table or a score as a document, with any bots and substitutes added."""
    players, bots = replay.config.players, replay.bot_seats
    if bots:
        table |= {"bots": {players[seat]: bot for seat, bot in bots.items()}}
    if replay.has_sittings:
        pairs = zip(players, replay.seats, strict=True)
        table |= {
            "holders": {
                player: None if holder.out else holder.name
                for player, holder in pairs
                if holder.out or holder.name != player
            }
        }
    return table


def _warn_of_secrets(replay: Replay, seat: int) -> None:
    """Warn that a picture shows secrets though --as was not typed: it may be for others."""
    remark(
        f"It shows what only {replay.holders[seat]} may see, because {me().source} says who you "
        f"are: keep it to yourself. A page for all: "
        f"porto log {path_of(replay)} --format html -o all.html"
    )


def _at(replay: Replay, turn: int | None) -> Replay:
    """Return the game after a number of turns, or now (``None``); exits with 2 if there are fewer
    turns.
    """
    if turn is None:
        return replay
    try:
        return after_turn(replay, turn)
    except ValueError:
        last = replay.state.turn
        until = f"a number from 0 to {last}" if last else "only 0, the setup, as nobody has moved"
        usage(
            f"There is no turn {turn}; --turn takes {until}.",
            suggestions=typed_with(str(last), str(turn)),
        )


def score(
    file: RecordFile,
    player: AsPlayer = None,
    output: FormatOption = Format.text,
    plain: Plain = False,
    color: Color = Colors.auto,
) -> None:
    """Show who is ahead and where the VP came from.

    Examples:
      porto score friday.yaml
    """
    look = display_of(output, color, plain=plain)
    game, seat = _seen(open_match(file), player)
    write_report(
        look,
        lambda: _with_holders(score_json(game, seat), game),
        lambda: score_of(game, seat).nodes,
        last=lambda: [
            *(who_are_bots(game) if game.has_sittings else ()),
            *(_own_score(game) if seat is None else ()),
            # The result is shown already.
            *next_sentences(game, result=False),
        ],
    )


def _own_score(game: Match) -> Iterator[str]:
    """Tell a bystander how a player can see the score, if that shows more."""
    open_to_all = score_json(game, None)
    seats = (seat for seat in game.people if score_json(game, seat) != open_to_all)
    for seat in islice(seats, 1):
        shows = command("score", path_of(game), game.holders[seat])
        yield f"What only a player may see is added by --as, for example: {shows}"


def _seen(game: Match, player: str | None, *, passed_on: bool = False) -> tuple[Match, int | None]:
    """Return a game as its viewer knows it, and the viewer's seat; ``None`` for a bystander.

    What may be ``passed_on`` is for everybody, unless --as says whom it is for.
    """
    seat = whose_eyes(game, player)
    if seat is None and not passed_on:
        return game.known, None
    return game.known_to(None if passed_on and player is None else seat), seat


# -- The legal moves.


@of_record
def _words_of_moves(match: Match, ctx: typer.Context) -> Iterable[str]:
    """Return the words of the legal moves."""
    listed = match.game.words.moves(match.state, None, {}).get("moves", ())
    return (word for move in listed for word in move["move"].split())


def moves(
    ctx: typer.Context,
    file: RecordFile,
    words: list[str] | None = arg(
        None,
        "[WORD]…",
        "Only moves with all these words, such as build, L4 or blue-1.",
        autocompletion=_words_of_moves,
    ),
    player: AsPlayer = None,
    output: FormatOption = Format.text,
    color: Color = Colors.auto,
) -> None:
    """List the legal moves, and what they would bring.

    Of many moves those of each kind that score most now are listed; words or options list all that
    have them. With --as, the moves of that player.

    Examples:
      porto moves friday.yaml
    """
    look = display_of(output, color)
    replay, seat = _seen(open_match(file), player)
    typed = typed_options(ctx, replay.game.meta.id)
    language = replay.game.words
    try:
        listed = language.moves(replay.state, seat, typed)
    except InvalidMoveError as error:
        usage(*error.sentences, suggestions=[_all_moves(replay, seat)])
    if words:
        _select(listed, language.joined(split_words(words)), language)
    # Describing hundreds of moves takes most of the time, so it is done once.
    options = cache(lambda: alike(language.options_of(replay.state, seat, listed)))
    best = options if words or typed else cache(lambda: _best(options()))
    write_report(
        look,
        lambda: listed,
        lambda: move_rows(best()),
        last=lambda: _ending(replay, listed, seat, options, best),
    )


_MANY = 40
"""The most rows that are all listed where nothing else is asked for."""
_BEST = 3
"""How many are listed of a kind where there are more."""


def _best(options: Sequence[Option]) -> list[Option]:
    """Return moves for a list of all kinds: of many only those of each kind that score most."""
    if len(options) <= _MANY:
        return [*options]
    kinds = grouped(options, lambda one: one.heading).values()
    return [one for kind in kinds for one in kind[: _BEST if kind[0].vp else None]]


def _all_moves(replay: Replay, seat: int | None) -> str:
    """Return the command that lists all legal moves of a seat, by default the one to move."""
    named = None if seat is None else player_to_name(replay, seat, who_types(replay))
    return command("moves", path_of(replay), named)


def _select(listed: dict[str, Any], words: Sequence[str], language: Language) -> None:
    """Keep only the moves in a document that have all these words, or the names they abbreviate.

    Exits with 2 for an unknown word that is similar to one in these moves.
    """
    if "moves" not in listed:
        usage(f"There are {listed['count']} legal moves, too many to look for words in them.")
    words_of_moves = [move["move"].split() for move in listed["moves"]]
    known = {*language.names, *(name for names in words_of_moves for name in names)}
    for word in words:
        if not any(language.means(word, one) for one in known) and (near := nearest(word, known)):
            usage(
                f"No move has the word {cited(word)}. Did you mean {near}?",
                suggestions=typed_with(near, word),
            )
    listed["moves"] = [
        move
        for move, names in zip(listed["moves"], words_of_moves, strict=True)
        if all(any(language.means(word, name) for name in names) for word in words)
    ]
    listed["count"] = len(listed["moves"])


def _ending(
    replay: Replay,
    listed: Mapping[str, Any],
    seat: int | None,
    options: Callable[[], Sequence[Option]],
    best: Callable[[], Sequence[Option]],
) -> list[str]:
    """Say how to play a move, or why there is none; of all ``options`` the ``best`` are listed."""
    game, state = replay.game, replay.state
    mover = state.seat if seat is None else seat
    count = 0 if state.phase == OVER else game.count_moves(state, mover)
    if not count and seat is not None and state.phase != OVER:
        name = replay.holders[seat]
        return [f"{name} cannot move now.", *next_sentences(replay)]
    if not count:
        return next_sentences(replay)
    if not listed["count"]:
        return [f"None of the {count} legal moves matches. To see all: {_all_moves(replay, seat)}"]
    first = options()[0]
    text = game.words.nearest(state, first.verb, mover)[0] if first.counts else first.move
    example = game.parse_move(text, state, mover)
    (typed,) = commands(replay, [example], mover)
    plays = f"The first one is played with: {typed}"
    if len(best()) < len(options()):
        word = text_of(first.brief).split()[-1]
        all_like_it = f"To see all with {word}: {_all_moves(replay, seat)} {word}"
        which = f"Of {count} legal moves, these are the ones of each kind that score most now."
        return [f"{which} {all_like_it}", plays]
    return [f"{listed['count']} of {count} legal moves. {plays}"]


_INDENT = 2
_WIDEST = 34
"""The widest move, in columns, for which what it brings is still aligned."""


def move_rows(options: Iterable[Option]) -> Iterator[Node]:
    """Yield the moves as rows under their headings; short moves without notes side by side."""
    for heading, group in grouped(options, lambda one: one.heading).items():
        if heading:
            yield Heading(heading)
        rows, blank = alike(group), " " * _INDENT if heading else ""
        is_ranked = any(one.vp for one in rows)
        widest = max(width_of(one.brief) for one in rows)
        if widest <= _WIDEST and not any(one.vp or one.in_full for one in rows):
            yield Flow([one.brief for one in rows], gap=3, first=[blank], indent=len(blank))
        else:
            for one in rows:
                ranked = is_ranked and not one.counts
                lead: Line = [(f"{one.vp:3} VP  ", BOLD) if ranked else (blank, PLAIN)]
                yield _row(one, lead, min(widest, _WIDEST))
        for counts in (one.counts for one in group if one.counts):
            names = [[(one, PLAIN)] for one in _counted(counts)]
            yield Flow(names, gap=3, first=["    "], indent=4)


def _row(option: Option, lead: Line, column: int) -> Node:
    """Return a row with a move and, in the next column, what it does and brings."""
    move, indent = option.brief, width_of(lead)
    if not option.in_full:
        return Flow([move], first=lead, indent=indent)
    gap = " " * (max(0, column - width_of(move)) + 2)
    words = [[(word, style)] for text, style in option.in_full for word in text.split()]
    return Flow(words, gap=1, first=[*lead, *move, (gap, PLAIN)], indent=indent + 2)


def _counted(counts: Counts) -> Iterator[str]:
    """Yield each name with its maximum, and with the number to begin with if there is one."""
    for name, most in counts.names.items():
        yield f"{name} {counts.now[name]} of {most}" if name in counts.now else f"{name} {most}"


_LAST = "last"


# -- The log.


def log(
    file: RecordFile,
    since: str | None = opt(
        None,
        "TURN",
        "Only what happened after turn N, or with 'last', since your last turn.",
        autocompletion=lambda: [_LAST],
    ),
    player: AsPlayer = None,
    analyze: bool = opt(
        False,
        "--analyze",
        "On the page, judge each turn, like 'porto analyze', and show the chances to win.",
    ),
    samples: Samples = None,
    output: LogFormat = opt(
        LogFormat.text, "--format", "Text, JSON for programs, or a page to step through the game."
    ),
    color: Color = Colors.auto,
    to: Output = None,
    opened: Open = False,
) -> None:
    """Print what happened in the game, turn by turn, and where each VP came from.

    Turns that were taken back are included. With --since last it begins after the last turn of the
    player of --as, or else the player who 'porto me' says you are, or else the player to move. A
    page has the whole game and opens there. With --analyze it has the results of 'porto analyze';
    in a running game these use what everyone knows, and with --as also what that player knows.
    Pages and files leave out what only the player to move of a sealed game has seen come up.

    Examples:
      porto log friday.yaml --since last
      porto log friday.yaml --format html -o friday.html
    """
    look = display_of(output, color, to=to, opened=opened)
    if analyze and output is not LogFormat.html:
        usage("--analyze is for --format html; for an analysis as text, use 'porto analyze'.")
    if samples is not None and not analyze:
        usage("--samples is for --analyze; leave it out, or add --analyze.")
    game = open_match(file)
    if player is not None and not analyze and (since is None or since.lower() != _LAST):
        usage("--as names the player of --since last; leave it out, or add --since last.")
    if to is not None or output is LogFormat.html:
        # Files and pages are often passed on.
        game = game.known_to(None)
    else:
        game = game.known if player is None else game.known_to(whose_eyes(game, player))
    place, heading, since_json = (0, [], {}) if since is None else _start(game, since, player)
    analysis = None
    if analyze:
        from porto_cli.cli.hint import analyzed

        # Pages are often passed on, so the user that the settings name makes no difference.
        looker = None if player is None else whose_eyes(game, player)
        game = game.known_to(looker)
        analysis = analyzed(game, looker, samples)
    write_report(
        look,
        lambda: log_json(game, place) | _said(game, place) | since_json,
        lambda: [*heading, *history(game, place).nodes],
        page=lambda: story_html(game, place, analysis),
        last=partial(next_sentences, game, result=False),
    )
    if analysis and analysis["partial"]:
        raise typer.Exit(INTERRUPTED)


def _said(game: Replay, start: int) -> dict[str, object]:
    """Return for a document what players said after the first ``start`` steps; maybe nothing."""
    said = [
        {
            "turn": game.steps[place].after.turn if place >= 0 else 0,
            "player": one.player,
            "text": one.text,
        }
        for place, one in said_after(game)
        if place >= start or not start
    ]
    return {"said": said} if said else {}


def _start(
    game: Replay, since: str, player: str | None
) -> tuple[int, list[Node], dict[str, object]]:
    """Return where the log begins: after how many steps, the heading that says so, and the same for
    JSON; exits with 2 if there is no such turn, or no such player.
    """
    known = None
    if since.lower() != _LAST:
        turn = whole_number(since)
        try:
            place = place_after_turn(game, turn)
        except ValueError:
            right = f"a number from 0 to {game.state.turn}, or 'last'"
            usage(
                f"There is no turn {cited(since)}; --since takes {right}.",
                suggestions=typed_with("last", since),
            )
        when = f"after {f'turn {turn}' if turn else 'the setup'}"
    else:
        known, place, when = _last_turn(game, player)
        turn = game.steps[place - 1].after.turn if place else 0
    is_new = place < len(game.steps)
    heading = f"What happened {when}:" if is_new else f"Nothing has happened {when}."
    who = None if known is None else game.config.players[known]
    return place, [Paragraph([heading])], {"since": {"player": who, "turn": turn}}


def _last_turn(game: Replay, player: str | None) -> tuple[int, int, str]:
    """Return the seat whose last turn is meant, its place in the steps, and the same in words."""
    seat = whose_eyes(game, player)
    waiting = game.game.to_move(game.state)
    if seat is None and len(waiting) != 1:
        log = partial(command, "log --since last", path_of(game))
        usage("Say with --as whose last turn is meant.", suggestions=map(log, game.holders))
    known = waiting[0] if seat is None else seat
    place = place_after_last_turn(game, known)
    if game.declarations:
        from porto_cli.match.orders import place_after_last_act

        place = place_after_last_act(game, known)
    name = game.holders[known]
    since = f"since the last turn of {name}{'' if seat is not None else ', whose turn it is'}"
    return known, place, since if place else f"so far ({name} has not moved yet)"
