"""The command by which players leave, and come back: ``porto seat``."""

from __future__ import annotations

from typing import Annotated, NoReturn

import typer

from porto_cli.cli import complete
from porto_cli.cli.bot_turns import bot_sentences, by_itself_json
from porto_cli.cli.common import (
    open_match,
    refuse_to_move_for,
    report_stream,
    save,
    seat_among,
    what_next,
)
from porto_cli.cli.parser import Format, Quiet, RecordFile, Send
from porto_cli.cli.turn import move_bots
from porto_cli.core.characters import option, quoted
from porto_cli.core.documents import document
from porto_cli.core.message import Sentence, refuse, say, unnamed, usage
from porto_cli.match.match import Match
from porto_cli.match.play import sit
from porto_cli.match.record import SEALED
from porto_cli.match.replay import path_of
from porto_cli.match.seats import level_named, seats_of, shortest
from porto_cli.match.sitting import (
    WORD,
    Holder,
    Sitting,
    agreements_in,
    bot_fault,
    canonical_key,
    holders,
    not_agreed,
    plays,
)
from porto_cli.settings import own_seat
from porto_cli.term.tell import tell


def seat(
    file: RecordFile,
    player: Annotated[
        str | None,
        typer.Argument(
            metavar="[PLAYER]",
            help="Whose seat changes hands; the beginning of the name is enough. If left out, "
            "yours.",
            show_default=False,
            autocompletion=complete.players_of_seats,
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="NAME",
            help="From here on, the person of this name plays the seat.",
            show_default=False,
        ),
    ] = None,
    bot: Annotated[
        str | None,
        typer.Option(
            "--bot",
            metavar="LEVEL",
            help="From here on, the program plays the seat, like: --bot 3",
            show_default=False,
            autocompletion=complete.levels,
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            metavar="KEY",
            help="In a signed game, with --to: the public key of that person, who gets it from "
            "'porto key'.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        bool,
        typer.Option(
            "--out", help="From here on, the turns of the seat are left out, if possible."
        ),
    ] = False,
    back: Annotated[
        bool, typer.Option("--back", help="From here on, it is played as at the beginning.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="Say what would happen, write nothing.")
    ] = False,
    send: Send = False,
    quiet: Quiet = False,
    output: Annotated[
        Format, typer.Option("--format", help="Print sentences, or the seats as JSON.")
    ] = Format.text,
) -> None:
    """Say who plays a seat from here on, because somebody leaves or comes back.

    Without options, it is listed who plays which seat. The seat keeps its name and all that belongs
    to it; a line in the record says who plays it, and the orders of who played it before end.
    In a game that is not signed, anybody may do this for anybody; in a signed game, whose seat it
    is, or all others.
    """
    wishes = [wish for wish in (to is not None, bot is not None, out, back) if wish]
    if len(wishes) > 1:
        usage(say("Only one of --to, --bot, --out and --back can be used."))
    if send:
        from porto_cli.cli.mail import demand_to_send, send_turn

        demand_to_send(WORD, file, dry_run=dry_run)
    match = open_match(file)
    if not wishes and key is None:
        _list(match, output)
        return
    whose = _whose(match, player)
    if match.record.secrecy == SEALED:
        _refuse_in_a_sealed_game(match, whose)
    what, by = _wished(match, to, bot, key, out=out), [whose]
    if match.record.signed and whose not in (own := _signers(match)):
        if back:
            refuse(say("Only {player} can come back.", player=match.replay.holders[whose]))
        what, by = (
            what._replace(of=match.players[whose]),
            [one for one in own if one in match.people],
        )
        if not by:
            refuse_to_move_for(match, own[0])
    for one in by:
        if dry_run:
            match.replay = sit(match.replay, what, one)
        else:
            match.seat_to(what, one)
    turns = [] if dry_run else move_bots(match)
    if not dry_run:
        save(match)
    if output is Format.json:
        if not quiet:
            _print(match, **by_itself_json(match, turns))
    elif not quiet:
        lines = _now(match, whose)
        if dry_run:
            lines.append(say("Nothing was written: this was a dry run."))
        else:
            lines += [*bot_sentences(match, turns), *what_next(match)]
            lines.append(say("Fingerprint: {fingerprint}", fingerprint=match.fingerprint))
        tell(*lines, stream=report_stream(match.path))
    if send:
        is_asked = what.of and what.of in (agreements := agreements_in(match.record)).said
        asked = agreements.waiting(what) if is_asked else []
        send_turn(
            match,
            own_seat(match.replay.holders),
            quiet=quiet or output is Format.json,
            to=[match.replay.holders[match.seat(one)] for one in asked],
        )


def _whose(match: Match, named: str | None) -> int:
    """Return the seat of a player, or of who plays for one; exits with 2 if it is unknown."""
    held, players = match.replay.holders, match.players
    if named is not None:
        return seat_among(players if seats_of(players, named) else held, named)
    found = own_seat(held)
    # Who has left is somebody, too: to come back.
    found = own_seat(players) if found is None else found
    if found is None:
        unnamed(
            say("Whose seat? Name one of {players}.", players=", ".join(match.players)),
            suggestions=[f"porto {WORD} {path_of(match.replay)} {quoted(match.players[0])} --out"],
        )
    return found


def _wished(
    match: Match, to: str | None, typed: str | None, key: str | None, *, out: bool
) -> Sitting:
    """Return what the options ask for; exits with 2 if they make no sense."""
    if to is not None and not to.strip():
        usage(say("--to takes the name of the person who plays the seat from here on."))
    if key is not None and (to is None or not match.record.signed):
        usage(say("--key is for --to in a signed game; leave it out."))
    known = "" if key is None else canonical_key(key)
    if to is not None and match.record.signed and not known:
        usage(
            say(
                "Here every turn is signed, so the key of {name} has to be named with --key: the "
                "line that begins with 'porto1', which 'porto key' shows to {name}.",
                name=to,
            )
        )
    if typed is None:
        return Sitting(to=(to or "").strip(), out=out, key=known)
    if match.record.signed:
        refuse(
            say(
                "A bot cannot take a seat here: every turn is signed, and it has no key. A person "
                "can: --to NAME --key KEY"
            )
        )
    meta = match.game.meta
    level = level_named(typed, meta.bots) or typed
    fault = bot_fault(level, match.record)
    if fault:
        usage(
            fault,
            say("The levels are {levels}.", levels=", ".join(map(shortest, meta.bots))),
        )
    return Sitting(bot=level, version=meta.bots_version)


def _signers(match: Match) -> list[int]:
    """Return the seats for which the user signs; exits with 2 if that is not known."""
    own, known = match.own_seats(), own_seat(match.players)
    if not own and known is None:
        unnamed(
            say(
                "Who are you? 'porto me NAME' says that once, for this game one of {players}.",
                players=", ".join(match.players),
            )
        )
    return own or [known or 0]


def _now(match: Match, whose: int) -> list[Sentence]:
    """Say who plays a seat, and who has still to say that it is left out."""
    player = match.players[whose]
    replay = match.replay
    waiting = not_agreed(match.record, replay.declarations, path_of(replay))
    return [plays(player, _held(match)[whose]), *waiting.get(player, ())]


def _refuse_in_a_sealed_game(match: Match, whose: int) -> NoReturn:
    """Say what can be done where nobody else can open what a seat has hidden (exit code 1)."""
    player = match.players[whose]
    refuse(
        say(
            "In a sealed game nobody else can play for {player}: only the key of {player} opens "
            "what {player} was dealt. {player} can make the moves that somebody else proposes, or "
            "give the key itself away with 'porto key export'; it signs for {player} in all other "
            "games, too. If {player} is gone, the others can go on without {player}, when each of "
            "them has said so with:",
            player=player,
        ),
        suggestions=[f"porto reveal {path_of(match.replay)} {option('--without', player)}"],
    )


def _held(match: Match) -> list[Holder]:
    """Return who plays each seat; nobody those of players whom a sealed game goes on without."""
    held, sealed = holders(match.record, match.replay.declarations), match.replay.sealed
    gone = sealed.given_up if sealed else ()
    return [one._replace(out=one.out or seat in gone) for seat, one in enumerate(held)]


def _list(match: Match, output: Format) -> None:
    """Say of each seat who plays it."""
    if output is Format.json:
        _print(match)
        return
    lines = [line for seat in range(len(match.players)) for line in _now(match, seat)]
    tell(*lines, stream=report_stream(match.path))


def seats_json(match: Match) -> list[dict[str, object]]:
    """Return who plays each seat, for documents."""
    found: list[dict[str, object]] = []
    for player, one in zip(match.players, _held(match), strict=True):
        fields: dict[str, object] = {
            "player": player,
            "holder": None if one.bot or one.out else one.name,
            "since_turn": one.turn + 1,
        }
        if one.bot:
            fields |= {"bot": one.bot, "bot_version": one.version}
        found.append(fields | {"out": one.out})
    return found


def _print(match: Match, **more: object) -> None:
    """Print the seats as a document."""
    from porto_cli.cli.output import print_json

    found = document(
        game=match.game.meta.id,
        seats=seats_json(match),
        to_move=match.to_move(),
        fingerprint=match.fingerprint,
        **more,
    )
    print_json(found, report_stream(match.path))
