"""Orders as people meet them: asked for at the keyboard, completed, explained by kind, and given
as the settings say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from porto_cli.core.message import InvalidMoveError, PortoError, Sentence, enumerated, say
from porto_cli.match.match import Match
from porto_cli.match.ordered import Standing, in_force
from porto_cli.match.orders import (
    AND,
    ANY,
    BUT,
    ELSE,
    IF,
    MOST_VP,
    NONE,
    PLAYS,
    TURN,
    Order,
    Scope,
    example_conditions,
    examples,
    explained,
    meaning_of,
    next_of_move,
    orders_of,
    picks_for,
    possible_kinds,
    read_order,
)
from porto_cli.match.record import SEALED
from porto_cli.match.replay import path_of
from porto_cli.user_ui import user_of

if TYPE_CHECKING:
    from porto_cli.term.prompt import Above, Asker, Rules, Text
    from porto_cli.ui_values import Completion


WHENEVER = say("Whenever it is your turn:")


def order_policies(
    match: Match, seat: int, policies: Sequence[str], *, dry_run: bool
) -> list[Sentence]:
    """Order policies for every turn of a player who has just moved, and say so.

    Only for the user, in a game with other people, and not where an order for every turn stands,
    or one was ever taken back. In a sealed game an order stands for one turn only.
    """
    orders, replay = match.game.orders, match.replay
    if orders is None or match.over or len(match.people) < 2 or user_of(replay) != seat:
        return []
    if replay.record.secrecy == SEALED:
        return []
    known = [policy for policy in policies if policy in orders.policies]
    declared = (one for one in replay.declarations if one.seat == seat and not one.sits)
    given: list[Order] = [one.what for one in declared]
    refused = any(not one.choices and one.kind in ("", TURN) for one in given)
    if not known or refused or TURN in in_force(replay, seat):
        return []
    order = match.order(f"{Scope.ALWAYS} {TURN} {ELSE.join(known)}", seat, dry_run=dry_run)
    return [say("Ordered, as your settings say: {order}.", order=order.text(match.players))]


# -- What an order can say


def what_can_be_said(match: Match, kind: str) -> list[Sentence]:
    """Explain what an order for a kind of decision can say, but for what conditions can count."""
    orders, held = orders_of(match.game), orders_of(match.game).kinds.get(kind)
    moves = list(examples(match.game, match.config, kind))
    policies, listed = picks_for(kind, orders)
    lines = [held.when if held else WHENEVER]
    if held and moves:
        facts = {"moves": enumerated(moves, "or"), "verb": held.verbs[0]}
        lines.append(say("A move, like {moves}; {verb!r} can be left out.", **facts))
    lines += (
        say("{name}: {meaning}", name=one, meaning=meaning_of(one, kind, orders))
        for one in policies
    )
    word = (moves[0].split()[1:] or [""])[0] if moves else ""
    if listed:
        with_words = [f"{ANY} {word}", f"{MOST_VP} but {word}"] if word else []
        lines.append(
            say(
                "The first of the possible moves, or the one that brings most VP; with words in "
                "it, or without: {examples}.",
                examples=enumerated([*listed, *with_words]),
            )
        )
    picks = [*moves[:1], *policies, *listed, ""]
    counted, played = example_conditions(match.game, match.config, kind)
    example = f"{picks[0]} if {counted}"
    example += f"{ELSE}{picks[1]}" * bool(picks[1])
    lines += [
        say("Several choices, and conditions: {example}.", example=example),
        say("What a player has done since the order is a condition, too: {played}.", played=played),
    ]
    return lines


_SHOWN = 4
"""Facts with one meaning that are listed by name; of more of them the first and the last."""


def what_can_be_counted(match: Match) -> list[Sentence]:
    """Explain the facts of conditions."""
    by_meaning: dict[str, list[str]] = {}
    for fact, meaning in orders_of(match.game).facts.items():
        by_meaning.setdefault(str(meaning), []).append(fact)
    return [
        say("What a condition can count:"),
        *(
            say(
                "{facts}: {meaning}",
                facts=", ".join(names if len(names) <= _SHOWN else [*names[:2], "…", names[-1]]),
                meaning=meaning,
            )
            for meaning, names in by_meaning.items()
        ),
    ]


def next_of_order(match: Match, typed: Sequence[str]) -> list[Completion]:
    """Return the words that can follow the beginning of an order, with what they mean."""
    orders, scopes = orders_of(match.game), list(Scope)
    words = [word.lower().rstrip(":,") for word in typed]
    is_scoped = bool(words) and words[0] in scopes
    kind, *choice = words[is_scoped:] or [""]
    is_first = _ELSE not in choice
    choice = _behind(choice, [_ELSE])
    held = orders.kinds.get(kind)
    verbs = held.verbs if held else ()
    found: Iterable[str] = (IF, _ELSE)
    if not kind:
        found = (*orders.kinds, TURN, NONE, *(() if is_scoped else scopes))
    elif IF in choice:
        found = _next_of_condition(match, _behind(choice, [IF, AND]))
    elif not choice:
        policies, listed = picks_for(kind, orders)
        found = (*policies, *listed, *verbs, *([NONE] if is_first else []))
        found = (*found, *(next_of_move(match.game, match.config, kind, verbs[:1]) if held else ()))
    elif choice[0] in (ANY, MOST_VP):
        behind = (
            word for verb in verbs for word in next_of_move(match.game, match.config, kind, [verb])
        )
        found = (BUT, *found, *verbs, *behind)
    elif held:
        move = choice if choice[0] in verbs else [verbs[0], *choice]
        found = (*found, *next_of_move(match.game, match.config, kind, move))
    meanings = ((word, _meaning(match, word, kind or TURN)) for word in found)
    return [(word, meaning) if meaning else word for word, meaning in meanings]


_ELSE = ELSE.strip(", ")


def _behind(words: Sequence[str], between: Sequence[str]) -> list[str]:
    """Return the words behind the last one of some words."""
    places = [nth + 1 for nth, word in enumerate(words) if word in between]
    return [*words[max(places, default=0) :]]


def _next_of_condition(match: Match, begun: Sequence[str]) -> Iterable[str]:
    """Return the words that can follow the beginning of a condition."""
    orders = orders_of(match.game)
    if not begun:
        return [*orders.facts, *match.players]
    if PLAYS in begun:
        verbs = (verb for one in orders.kinds.values() for verb in one.verbs)
        return [AND, _ELSE, *verbs, *sorted(match.game.ui.names)]
    if " ".join(begun) in [" ".join(name.lower().split()) for name in match.players]:
        return [PLAYS]
    if len(begun) == 1 and begun[0] in orders.facts:
        return ["at", "is"]
    return {"at": ["least", "most"], "is": ["there", "gone"]}.get(begun[-1], [AND, _ELSE])


def _meaning(match: Match, word: str, kind: str = TURN) -> str:
    """Return what a kind, a policy for a kind, or a fact means; empty for other words."""
    orders = orders_of(match.game)
    if word == TURN:
        return str(WHENEVER).rstrip(":")
    if word in orders.kinds:
        return str(orders.kinds[word].when).rstrip(":")
    if word in orders.policies:
        return str(meaning_of(word, kind, orders))
    return str(orders.facts.get(word, ""))


# -- At the keyboard


def asked_order(match: Match, seat: int, asker: Asker, above: Above, table: Text) -> str:
    """Ask a player for an order, or which one to take back, and return it as text.

    ``above`` is what else is shown. Raises CancelledError if there is nothing more to order.
    """
    from porto_cli.term.prompt import CancelledError, Told, labeled

    standing = in_force(match.replay, seat)
    notes = [_in_short(match, one) for one in standing.values()]
    if not notes:
        notes = [say("{player} has no orders.", player=match.replay.holders[seat])]
    choices = [
        labeled(say("{kind}: {when}", kind=kind, when=_meaning(match, kind)), kind)
        for kind in possible_kinds(match.game, match.config)
    ]
    for kind, one in standing.items():
        label = say("Take back: {order}", order=one.order.text(match.players))
        choices.append(labeled(label, f"{kind} {NONE}"))
    if len(standing) > 1:
        choices.append(labeled(say("Take back all orders"), NONE))
    question = say(
        "For which decision does {player} order ahead?", player=match.replay.holders[seat]
    )
    while True:
        asker.put_above(Told(notes, above), table)
        chosen = asker.choose(question, choices, rules=[_WHAT_AN_ORDER_IS])
        if NONE in chosen.split():
            return chosen
        with suppress(CancelledError):
            return _written(match, chosen, asker, above, table)


_WHAT_AN_ORDER_IS = say(
    "An order says what you will do when a decision waits for you. When your turn comes, the first "
    "of its choices that is possible is made for you at once, by the program of the player who "
    "moves before you. If none of them is possible, the game waits for you."
)


def _in_short(match: Match, one: Standing) -> Sentence:
    meaning = " ".join(map(str, explained(one.order, match.game, match.players)))
    return say("{order}: {meaning}", order=one.order.text(match.players), meaning=meaning)


_WAIT, _WRITE = "wait", "write"
_MANY = 12
"""Choices of which more are searched by words."""


def _picked(
    match: Match, kind: str, asker: Asker, above: Above, table: Text, rules: Rules
) -> tuple[str, bool]:
    """Let one choice after the other be picked from a menu, ``rules`` being the help with it;
    return the order's text, and whether the rest of it is to be written in words.

    Raises CancelledError.
    """
    from porto_cli.term.prompt import CancelledError, Choice, Told, labeled

    offered, picks = list(_offers(match, kind)), list[str]()
    while True:
        choices: list[Choice[str]] = [labeled(label, pick) for pick, label in offered]
        choices = [one for one in choices if one.value not in picks]
        choices.append(labeled(say("Write it in words, with conditions"), _WRITE))
        question = say("{kind}: what do you do then?", kind=kind)
        if picks:
            choices.insert(0, labeled(say("Nothing else: then the game waits"), _WAIT))
            question = say("{order}: and if that is not possible?", order=ELSE.join(picks))
        asker.put_above(Told([say("{when}:", when=_meaning(match, kind))], above), table)
        try:
            pick = asker.choose(question, choices, rules=rules, search=len(choices) > _MANY)
        except CancelledError:
            if not picks:
                raise
            picks.pop()
            continue
        if pick == _WAIT:
            return ELSE.join(picks), False
        if pick == _WRITE:
            return "".join(one + ELSE for one in picks), True
        picks.append(pick)


def _offers(match: Match, kind: str) -> Iterator[tuple[str, str]]:
    """Yield the choices for a kind that a menu offers: policies, moves of at most two words, in
    the order of the facts, and the move with most VP.
    """
    orders = orders_of(match.game)
    held = orders.kinds.get(kind)
    policies, listed = picks_for(kind, orders)
    yield from ((name, f"{name}: {meaning_of(name, kind, orders)}") for name in policies)
    if held is None or not listed:
        return
    place = {name: nth for nth, name in enumerate(orders.facts)}
    names = sorted(match.game.ui.names, key=lambda name: (place.get(name, len(place)), name))
    moves: list[str] = []
    for verb in held.verbs:
        for words in ("", *names):
            with suppress(InvalidMoveError):
                moves.append(orders.move(match.config, kind, f"{verb} {words}".strip()))
    yield from ((move, move) for move in dict.fromkeys(moves))
    yield MOST_VP, str(say("{word}: what brings most VP at once", word=MOST_VP))


def _written(match: Match, kind: str, asker: Asker, above: Above, table: Text) -> str:
    """Ask for the choices of an order for a kind, and how long it stands, once it is explained.

    Raises CancelledError, if nothing is typed as well.
    """
    from porto_cli.term.prompt import CancelledError, Told, labeled

    command = f"porto order {path_of(match.replay)} {kind}"
    counted = say("What a condition can count is listed by: {command}", command=command)
    help_with_it = [*what_can_be_said(match, kind), counted]
    question = say("{kind}: what do you do then?", kind=kind)
    scopes = [
        labeled(say("Order this for the next time only"), Scope.ONCE),
        labeled(say("Order this for the rest of this round"), Scope.ROUND),
        labeled(say("Order this until I take it back"), Scope.ALWAYS),
    ]
    is_sealed = match.record.secrecy == SEALED
    faults = tuple[Sentence, ...]()
    text, in_words = _picked(match, kind, asker, above, table, help_with_it)
    while True:
        if in_words:
            asker.put_above(Told([*help_with_it, *faults], above), table)
            text, faults = asker.write(question, lambda typed: None, text), ()
            if not text:
                raise CancelledError
        try:
            order = read_order(f"{kind} {text}", match.game, match.config, given=True)
        except PortoError as error:
            faults = error.sentences
            continue
        if not order.choices:
            return order.text(match.players)
        *meaning, _ = explained(order, match.game, match.players)
        asker.put_above(Told(meaning, above), table)
        with suppress(CancelledError):
            scope = asker.choose(say("Is that meant?"), scopes[: 1 if is_sealed else None])
            return order._replace(scope=scope).text(match.players)
        if not in_words:
            text, in_words = _picked(match, kind, asker, above, table, help_with_it)
