"""The command by which players order moves ahead: ``porto order``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from porto_cli.cli import ask, complete
from porto_cli.cli.common import (
    command_line,
    open_match,
    report_stream,
    seat_of,
)
from porto_cli.cli.ending import Manner, end
from porto_cli.cli.parameters import AsPlayer, Format, Quiet, RecordFile, Send
from porto_cli.cli.turn import move_bots, only_player
from porto_cli.core.characters import FILE, command
from porto_cli.core.documents import document
from porto_cli.core.files import STANDARD
from porto_cli.core.message import PortoError, shown, unnamed, usage
from porto_cli.match.match import Match
from porto_cli.match.ordered import demand_orders, in_force, not_fitting, replaced
from porto_cli.match.orders import ALWAYS, ONCE, ORDER, Order, explained, orders_of, possible_kinds
from porto_cli.match.replay import Replay, path_of
from porto_cli.settings import own_seat
from porto_cli.term.tell import tell

if TYPE_CHECKING:
    from porto_cli.mail.compose import Wish


def order(
    file: RecordFile,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ORDER…",
            help="What to do when it is your turn, like: take quarry else take coffee. Without it, "
            "your orders are listed; with the word for a decision alone, what can be ordered for "
            "it.",
            autocompletion=complete.words_of_an_order,
        ),
    ] = None,
    player: AsPlayer = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="Explain the order, write nothing.")
    ] = False,
    send: Send = False,
    quiet: Quiet = False,
    output: Annotated[
        Format, typer.Option("--format", help="Print sentences, or the orders as JSON.")
    ] = Format.text,
) -> None:
    """Order moves ahead, so that the game does not have to wait for you.

    An order is executed by whoever's program makes the move before. Where it does not fit, the game
    waits for you. Only you are shown your orders, but they are in the record.
    """
    if send:
        from porto_cli.cli.mail import demand_to_send, send_turn

        demand_to_send(ORDER, file, dry_run=dry_run)
    match = open_match(file)
    demand_orders(match.replay)
    if words and " ".join(words).lower() in orders_of(match.game).kinds:
        from porto_cli.cli.ahead import what_can_be_said

        kind = words[0].lower()
        if output is Format.json:
            usage(
                f"What an order for {shown(kind)} can say is only printed as sentences.",
                suggestions=[command_line("order", str(file), kind)],
            )
        tell(*what_can_be_said(match, kind), stream=report_stream(match.path))
        return
    seat = _whose(match, only_player(match) if player is None else player)
    if words:
        given = " ".join(words)
        manner = Manner(dry_run, quiet, output)
        if _give(match, seat, given, manner, send=send) and send:
            send_turn(match, seat, quiet=quiet or output is Format.json)
    elif output is Format.json:
        print_json(match, _orders(match, seat))
    else:
        tell(*_listed(match, seat), stream=report_stream(match.path))


def _whose(match: Match, named: str | None) -> int:
    """Return whose orders are meant; exits with 2 if that is not known."""
    seat = own_seat(match.replay.holders) if named is None else seat_of(match.replay, named)
    if seat is None:
        unnamed(
            f"Whose orders? Name one of {', '.join(match.replay.holders)} with --as; "
            "'porto me NAME' says once who you are."
        )
    return seat


def _give(match: Match, seat: int, text: str, manner: Manner, *, send: bool) -> bool:
    """Explain an order, have it confirmed on a terminal, write it, and say what it led to; return
    whether it was given.
    """
    from porto_cli.mail.compose import Wish

    after = Match(match.replay)
    order = after.order(text, seat)
    meaning = explained(order, match.game, match.players) + replaced(match.replay, order, seat)
    is_next = seat in match.game.to_move(match.state)
    if is_next and order.choices and order.kind == orders_of(match.game).kind(match.state):
        meaning.append("It is your turn: what is possible now is done at once.")
    return declare(
        match,
        after.replay,
        meaning,
        question="Give this order?",
        mail=None if send or is_next else Wish(seat=seat),
        fields=lambda: _orders(match, seat),
        manner=manner,
    )


def declare(
    match: Match,
    after: Replay,
    lines: Sequence[str],
    *,
    question: str,
    mail: Wish | None,
    fields: Callable[[], dict[str, object]],
    manner: Manner,
) -> bool:
    """Write a game with one more item that is no turn, and say what follows; return whether it was
    written, or would be but for a dry run.

    ``lines`` say what the item means. On a terminal the ``question``, if there is one, is asked
    first. ``mail`` is what lets the others know, and ``fields`` are what is declared in the game,
    for a document.
    """
    stream, tells = report_stream(match.path), not manner.quiet and manner.output is Format.text
    if tells and question and not manner.dry_run and ask.can_ask():
        tell(*lines, stream=stream)
        lines = []
        with ask.backing_out():
            if not ask.asker(match.game.meta.id).confirm(question):
                tell("Nothing was written.", stream=stream)
                return False
    match.replay = after
    turns = [] if manner.dry_run else move_bots(match)
    others = [] if manner.dry_run else _how_others_know(match, mail)
    end(match, manner, lines, lambda: _document(match, fields()), turns=turns, mail=others)
    return True


def _how_others_know(match: Match, mail: Wish | None) -> list[str]:
    """Say how the others get to know of it; nothing while that is for a later mail, because it is
    the user's own turn.
    """
    from porto_cli.mail.compose import addressed

    if mail is None or str(match.path) == STANDARD:
        return []
    try:
        addressed(match.replay, mail)
    except PortoError:
        return []
    return [f"The others need this copy: {command('mail', path_of(match.replay))}"]


def _listed(match: Match, seat: int) -> list[str]:
    """Return the orders of a player that stand, and which one does not fit now."""
    lines: list[str] = []
    for one in in_force(match.replay, seat).values():
        meaning = explained(one, match.game, match.players)
        lines += [one.text, *(f"   {line}" for line in meaning)]
    path = FILE if match.path is None else str(match.path)
    kinds = possible_kinds(match.game, match.config)
    now = orders_of(match.game).kind(match.state) or kinds[0]
    return [
        *(lines or [f"{match.replay.holders[seat]} has no orders."]),
        *not_fitting(match.replay, seat),
        f"Decisions that can be ordered: {', '.join(kinds)}. To give an order: porto order {path} "
        f"{now} …",
    ]


def _orders(match: Match, seat: int) -> dict[str, object]:
    """Return the orders of a player as fields of a document."""
    held = [
        {
            "order": one.text,
            "kind": one.kind,
            "scope": ALWAYS if one.always else ONCE,
            "choices": [choice.text for choice in one.choices],
            "explained": explained(one, match.game, match.players),
        }
        | ({"then": _following(one)} if one.then else {})
        for one in in_force(match.replay, seat).values()
    ]
    stopped = not_fitting(match.replay, seat)
    return {"player": match.players[seat], "orders": held, "stopped": stopped}


def _following(order: Order) -> list[dict[str, object]]:
    """Return what follows in an order, for a document."""
    return [
        {"kind": part.kind, "choices": [choice.text for choice in part.choices]}
        for part in order.parts[1:]
    ]


def print_json(match: Match, fields: Mapping[str, object]) -> None:
    """Print what was declared in a game as a document."""
    from porto_cli.cli.output import write_json

    write_json(_document(match, fields), stream=report_stream(match.path))


def _document(match: Match, fields: Mapping[str, object]) -> dict[str, object]:
    game, now = match.game.meta.id, match.fingerprint
    return document(game=game, **fields, to_move=match.to_move(), fingerprint=now)
