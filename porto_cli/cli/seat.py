"""Decisions other than moves: ``porto order`` orders moves ahead, ``porto seat`` hands a seat to
somebody else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NoReturn

import typer

from porto_cli.cli import (
    AsPlayer,
    DryRun,
    Format,
    FormatOption,
    Quiet,
    RecordFile,
    Send,
    arg,
    line_typed,
    opt,
    typed_with,
)
from porto_cli.cli.common import open_match, report_stream
from porto_cli.cli.completion import Word, levels, of_record
from porto_cli.cli.ending import Manner, checked, declare, show_declared
from porto_cli.core import InvalidMoveError, PortoError, cited, refuse, unnamed, usage
from porto_cli.core.shell import command, option, quoted
from porto_cli.match import alike
from porto_cli.match.items import WORD, Order, bot_fault
from porto_cli.match.match import Match
from porto_cli.match.orders import (
    ALWAYS,
    ELSE,
    NONE,
    ONCE,
    ORDER,
    can_order,
    demand_orders,
    explained,
    in_force,
    kind_of,
    next_of_order,
    not_fitting,
    orders_of,
    policies,
    possible_kinds,
    read_order,
    replaced,
    short_moves,
    what_can_be_said,
)
from porto_cli.match.record import SEALED
from porto_cli.match.replay import due, path_of
from porto_cli.match.seats import Holder, level_named
from porto_cli.term import remark, tell
from porto_cli.term.prompt import Asker, CancelledError, Choice, any_text, asked, labeled
from porto_cli.user import own_seat, seat_of_user, whose_move

# -- The command ``porto order``


@of_record
def _next_words(match: Match, ctx: typer.Context) -> Iterable[Word]:
    """Complete the next word of an order."""
    typed = " ".join(ctx.params.get("words") or ()).split()
    return next_of_order(match.game, match.config, typed) if can_order(match) else ()


def order(
    file: RecordFile,
    words: list[str] | None = arg(
        None,
        "ORDER…",
        "What to do when it is your turn, like: take quarry else take coffee. Without it, your "
        "orders are listed; with the word for a decision alone, what can be ordered for it.",
        autocompletion=_next_words,
    ),
    player: AsPlayer = None,
    dry_run: DryRun = False,
    send: Send = False,
    quiet: Quiet = False,
    output: FormatOption = Format.text,
) -> None:
    """Order moves ahead, so that the game does not have to wait for you.

    The program of whoever moves right before you carries your order out. If it does not fit, the
    game waits for you. On your own turn an order that fits is played at once, like a move. Only you
    are shown your orders, but they are in the record.

    Examples:
      porto order sunday.yaml always captain most-vp --as Inês
    """
    manner = checked(Manner(dry_run, quiet, output, send), ORDER, file)
    match = open_match(file)
    demand_orders(match)
    text = " ".join(words or ())
    if text.lower() in orders_of(match.game).kinds:
        _explain(match, text.lower(), output)
        return
    seat = _who_orders(match, player)
    fields = partial(_orders, seat=seat)
    if not text:
        show_declared(match, _listed(match, seat), fields, output)
        return
    after = match.replay
    try:
        order = after.order(text, seat)
    except InvalidMoveError as error:
        again = [line for name in error.meant for line in typed_with(name, error.word)]
        named = (kind_of(word.rstrip(":"), "", match.game) for word in text.lower().split())
        about = [*filter(None, named), *possible_kinds(match.game, match.config)][:1]
        explain = [command(f"{ORDER} {kind}", path_of(match)) for kind in about]
        usage(*error.sentences, suggestions=again or explain)
    meaning = explained(order, match.game, match.players) + replaced(match, order, seat)
    is_next = seat in match.game.to_move(match.state)
    if is_next and order.choices and order.kind == orders_of(match.game).kind(match.state):
        meaning.append("It is your turn now, so what fits is played at once, like a move.")
    declare(
        match,
        after,
        meaning,
        fields,
        manner,
        writer=seat,
        is_for_later=is_next,
        question="Give this order?",
    )


def _explain(match: Match, kind: str, output: Format) -> None:
    """Print what an order for a kind of decision can say; exits with 2 for a document."""
    if output is Format.json:
        usage(
            f"What an order for {cited(kind)} can say is only printed as sentences.",
            suggestions=[f"porto order {path_of(match)} {kind}"],
        )
    tell(*what_can_be_said(match.game, match.state, kind), stream=report_stream(match.path))


def _who_orders(match: Match, named: str | None) -> int:
    """Return the seat of the player whose orders are meant; exits with 2 if it is unknown."""
    seat = whose_move(match, named)
    if seat is None:
        unnamed(
            f"Whose orders? Name one of {', '.join(match.holders)} with --as; "
            "'porto me NAME' says who you are, once and for all.",
            suggestions=[f"{line_typed()} {option('--as', name)}" for name in match.holders],
        )
    return seat


def _listed(match: Match, seat: int) -> list[str]:
    """Return the orders in force of a player, and the one that does not fit now."""
    lines: list[str] = []
    for one in in_force(match, seat).values():
        meaning = explained(one, match.game, match.players)
        lines += [one.text, *(f"   {line}" for line in meaning)]
    kinds = possible_kinds(match.game, match.config)
    now = orders_of(match.game).kind(match.state) or kinds[0]
    return [
        *(lines or [f"{match.holders[seat]} has no orders."]),
        *not_fitting(match, seat),
        f"Decisions that can be ordered: {', '.join(kinds)}. To give an order: porto order "
        f"{path_of(match)} {now} …",
    ]


def _orders(match: Match, seat: int) -> dict[str, object]:
    """Return the orders of a player as fields of a document."""
    held = [
        {
            "order": one.text,
            **_part(one),
            "scope": ALWAYS if one.always else ONCE,
            "explained": explained(one, match.game, match.players),
            **({"then": [*map(_part, one.then.parts)]} if one.then else {}),
        }
        for one in in_force(match, seat).values()
    ]
    stopped = not_fitting(match, seat)
    return {"player": match.players[seat], "orders": held, "stopped": stopped}


def _part(order: Order) -> dict[str, object]:
    """Return a part of an order for a document."""
    return {"kind": order.kind, "choices": [choice.text for choice in order.choices]}


# -- Orders at the keyboard


Show = Callable[[Sequence[str]], object]
"""Shows sentences above the next question."""
_WRITE = "write"
"""The answer of a player who writes the order in words."""


def asked_order(match: Match, seat: int, asker: Asker, show: Show) -> str:
    """Ask a player for an order, or for one to take back, and return it as text.

    Raises CancelledError if there is nothing more to order.
    """
    player, standing = match.holders[seat], in_force(match, seat)
    notes = [
        f"{one.text}: {' '.join(explained(one, match.game, match.players))}"
        for one in standing.values()
    ]
    kinds = orders_of(match.game).kinds
    labels = {
        kind: f"{kind}: {kinds[kind].when.rstrip(':')}"
        for kind in possible_kinds(match.game, match.config)
    }
    for kind, one in standing.items():
        if kind in kinds:
            labels[f"{kind} {NONE}"] = f"Take back: {one.text}"
    if len(standing) > 1 or not standing.keys() <= kinds.keys():
        labels[NONE] = "Take back all orders"

    def chosen(kind: str) -> str:
        return kind if NONE in kind.split() else _asked_for(kind, match, asker, show)

    question = f"For which decision does {player} order ahead?"
    put = partial(show, notes or [f"{player} has no orders."])
    return asked(asker, question, _choices(labels), chosen, rules=["order"], put=put)


def _choices(labels: Mapping[str, str]) -> list[Choice[str]]:
    return [labeled(label, text) for text, label in labels.items()]


def _asked_for(kind: str, match: Match, asker: Asker, show: Show, text: str = "") -> str:
    """Ask for the choices of an order for a kind, one after the other, and for how long it is in
    force; those of a ``text`` are made already.

    A menu has the policies, and the moves of at most two words. Raises CancelledError.
    """
    game, held = match.game, orders_of(match.game).kinds[kind]
    rules, notes = what_can_be_said(game, match.state, kind), [held.when]
    question, before, scopes = f"{kind}: what do you do then?", "", dict[str, str]()
    if text:
        order = read_order(f"{kind} {text}", game, match.config)
        if not order.choices:
            return order.text
        *notes, _ = explained(order, game, match.players)
        question, before = f"{text}: and if that is not possible?", f"{text}{ELSE}"
        scopes[order.text] = "Nothing else: order this for the next time only"
        if not order.then:
            scopes[f"{ALWAYS} {order.text}"] = "Nothing else: order this until I take it back"
    offered = {name: f"{name}: {meaning}" for name, meaning in policies(held).items()}
    for verb in held.verbs if held.is_listed else ():
        offered |= {move: move for move in short_moves(game, match.config, kind, verb)}
    left = {pick: label for pick, label in offered.items() if pick not in text.split(ELSE)}

    def chosen(pick: str) -> str:
        if pick in scopes:
            return pick
        if pick == _WRITE:
            return _written(kind, match, asker, show, before)
        return _asked_for(kind, match, asker, show, f"{before}{pick}")

    choices = _choices({**scopes, **left, _WRITE: "Write it in words"})
    return asked(asker, question, choices, chosen, rules=rules, put=partial(show, notes))


def _written(kind: str, match: Match, asker: Asker, show: Show, text: str) -> str:
    """Ask for the whole text of an order, see :func:`_asked_for`."""
    rules = what_can_be_said(match.game, match.state, kind)
    faults: Sequence[str] = ()
    while True:
        show([*rules, *faults])
        text = asker.write(f"{kind}: what do you do then?", any_text, text, does="order it")
        if not text:
            raise CancelledError
        faults = ()
        try:
            with suppress(CancelledError):
                return _asked_for(kind, match, asker, show, text)
        except PortoError as error:
            faults = error.sentences


# -- The command by which players leave, and come back: ``porto seat``


def seat(
    file: RecordFile,
    player: str | None = arg(
        None,
        "[PLAYER]",
        "Whose seat changes hands; the beginning of the name is enough. If left out, yours.",
        autocompletion=of_record(lambda match, ctx: match.players),
    ),
    to: str | None = opt(
        None, "--to NAME", "From here on, the person of this name plays the seat."
    ),
    bot: str | None = opt(
        None,
        "--bot LEVEL",
        "From here on, the program plays the seat, like: --bot 3",
        autocompletion=of_record(lambda match, ctx: levels(match.game.meta.id)),
    ),
    out: bool = opt(
        False, "--out", "From here on, the turns of the seat are left out, if possible."
    ),
    back: bool = opt(False, "--back", "From here on, it is played as at the beginning."),
    dry_run: DryRun = False,
    send: Send = False,
    quiet: Quiet = False,
    output: FormatOption = Format.text,
) -> None:
    """Say who plays a seat from here on, because somebody leaves or comes back.

    Without options it lists who plays which seat. A seat keeps its name, its table and its score; a
    line in the record says who plays it, and its standing orders end. Anybody may do this for
    anybody.

    Examples:
      porto seat friday.yaml Joana --to Bea
      porto seat friday.yaml Joana --bot 3
    """
    manner = checked(Manner(dry_run, quiet, output, send), WORD, file)
    match = open_match(file)
    meta = match.game.meta
    options = {
        f"to {to}": to is not None,
        f"bot {bot} version {meta.bots_version}": bot is not None,
        "out": out,
        "back": back,
    }
    wished = [text for text, is_wished in options.items() if is_wished]
    if not wished:
        if player is not None:
            _whose(match, player)
        lines = [_now(match, seat) for seat in range(len(match.players))]
        show_declared(match, lines, _seats, output)
        return
    if len(wished) > 1:
        usage("Only one of --to, --bot, --out and --back can be used.")
    whose = _whose(match, player)
    if match.record.secrecy == SEALED:
        _refuse_in_a_sealed_game(match, whose)
    # The line may also name a player of former versions, who could not move anymore.
    fault = None if bot is None else bot_fault(level_named(bot, meta.bots) or bot, match.record)
    if fault:
        usage(fault)
    after = match.replay
    after.seat_to(wished[0], whose)
    lines, question = [_now(after, whose)], ""
    if bot is not None and due(after) is not None:
        waits = f"The game waits for {match.players[whose]}, so the bot moves at once."
        lines, question = [*lines, waits], "Let the bot play?"
    if to is not None:
        table = dict.fromkeys((*after.config.players, *after.holders))
        remark(*(one for name in table for one in alike([name, after.holders[whose]])))
    user = seat_of_user(after)
    writer = user if user in after.people else None
    newcomer = None if to is None else whose
    declare(
        match, after, lines, _seats, manner, writer=writer, newcomer=newcomer, question=question
    )


def _whose(match: Match, named: str | None) -> int:
    """Return the seat of a named player or stand-in, or the user's; exits with 2 if unknown."""
    if named is not None:
        return match.seat_named(named)
    found = seat_of_user(match)
    # The user may have left, and wants to come back.
    found = own_seat(match.players) if found is None else found
    if found is None:
        unnamed(
            f"Whose seat? Name one of {', '.join(match.players)}.",
            suggestions=[f"porto {WORD} {path_of(match)} {quoted(match.players[0])} --out"],
        )
    return found


def _now(match: Match, whose: int) -> str:
    """Return who plays a seat, in words."""
    return _held(match)[whose].plays(match.players[whose])


def _refuse_in_a_sealed_game(match: Match, whose: int) -> NoReturn:
    """Refuse as nobody else has the key to a seat's secrets; say what to do (exit code 1)."""
    player = match.players[whose]
    refuse(
        (
            f"In a sealed game nobody else can play for {player}: only the key of {player} "
            f"opens what {player} was dealt. {player} can make the moves that somebody else "
            "proposes, or give the key itself away with 'porto key export'; it signs for "
            f"{player} in all other games, too. If {player} is gone, the others can go on "
            f"without {player}, when each of them has said so with:"
        ),
        suggestions=[f"porto reveal {path_of(match)} {option('--without', player)}"],
    )


def _held(match: Match) -> list[Holder]:
    """Return who plays each seat; nobody plays those that a sealed game goes on without."""
    held, sealed = match.seats, match.sealed
    gone = sealed.given_up if sealed else ()
    return [one._replace(out=one.out or seat in gone) for seat, one in enumerate(held)]


def _seats(match: Match) -> dict[str, object]:
    """Return the players of the seats as a field of a document."""
    seats: list[dict[str, object]] = []
    for player, one in zip(match.players, _held(match), strict=True):
        fields: dict[str, object] = {
            "player": player,
            "holder": None if one.bot or one.out else one.name,
            "since_turn": one.turn + 1,
        }
        if one.bot:
            fields |= {"bot": one.bot, "bot_version": one.version}
        seats.append(fields | {"out": one.out})
    return {"seats": seats}
