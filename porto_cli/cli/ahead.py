"""Orders as people meet them: explained by kind, completed, and asked for at the keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from porto_cli.core.message import PortoError, enumerated, shown
from porto_cli.match.match import Match
from porto_cli.match.ordered import in_force
from porto_cli.match.orders import (
    ALWAYS,
    ELSE,
    IF,
    NONE,
    ONCE,
    PLAYS,
    THEN,
    example_condition,
    examples,
    explained,
    kind_of,
    next_of_move,
    orders_of,
    policies,
    possible_kinds,
    read_order,
    short_moves,
)

if TYPE_CHECKING:
    from porto_cli.term.prompt import Above, Asker, Rules, Text
    from porto_cli.words import Completion


# -- What an order can say


def what_can_be_said(match: Match, kind: str) -> list[str]:
    """Explain what an order for a kind of decision can say."""
    held = orders_of(match.game).kinds[kind]
    moves = list(examples(match.game, match.config, kind))
    if not moves:
        return ["There is no such decision in this game."]
    several = ELSE.join([*[*policies(held)][:1], *moves])
    condition = example_condition(match.game, match.config)
    return [
        held.when,
        f"A move, like {enumerated(moves, 'or')}; {shown(held.verbs[0])} can be left out.",
        *(f"{one}: {meaning}" for one, meaning in policies(held).items()),
        f"Several choices, of which the first possible one is made: {several}.",
        f"A choice for the case that somebody has made a move since: {moves[0]} if {condition}.",
        f"What to do the time after, once each: {moves[0]}{THEN}{moves[-1]}.",
    ]


_ELSE, _THEN = ELSE.strip(", "), THEN.strip(", ")


def next_of_order(match: Match, typed: Sequence[str]) -> list[Completion]:
    """Return the words that can follow the beginning of an order, with what they mean."""
    kinds = orders_of(match.game).kinds
    words = [word.lower().rstrip(":,") for word in typed]
    scopes = words[:1] if words[:1] in ([ONCE], [ALWAYS]) else []
    words = words[len(scopes) :]
    kind = ""
    for nth, word in enumerate(words):
        if not nth or words[nth - 1] == _THEN:
            kind = kind_of(word, kind, match.game)
    choice = _after(_THEN, words)
    offered: list[Completion] = []
    if not choice:
        possible = possible_kinds(match.game, match.config)
        offered += ((one, kinds[one].when.rstrip(":")) for one in possible)
    if not words:
        return [*offered, NONE, *(() if scopes else (ONCE, ALWAYS))]
    if not kind:
        return []
    choice = _after(_ELSE, choice[choice[:1] == [kind] :])
    verbs, joints = kinds[kind].verbs, (_ELSE,) if scopes == [ALWAYS] else (_ELSE, _THEN)
    if IF in choice:
        return [*_next_of_condition(match, _after(IF, choice), joints)]
    if choice:
        move = choice if choice[0] in verbs else [verbs[0], *choice]
        return [IF, *joints, *next_of_move(match.game, match.config, kind, move)]
    offered += (*policies(kinds[kind]).items(), *verbs, *([NONE] if words == [kind] else []))
    return [*offered, *next_of_move(match.game, match.config, kind, verbs[:1])]


def _after(word: str, words: list[str]) -> list[str]:
    """Return the words after the last one that is a certain word; all if none is."""
    places = [nth + 1 for nth, one in enumerate(words) if one == word]
    return words[max(places, default=0) :]


def _next_of_condition(match: Match, begun: Sequence[str], joints: Sequence[str]) -> Iterable[str]:
    """Return the words that can follow the beginning of a condition."""
    if PLAYS in begun:
        verbs = (verb for one in orders_of(match.game).kinds.values() for verb in one.verbs)
        return [*joints, *verbs, *sorted(match.game.words.names)]
    return [PLAYS] if begun else match.players


# -- At the keyboard


_WHAT_AN_ORDER_IS = (
    "An order says what you will do when a decision waits for you. When your turn comes, the "
    "first of its choices that is possible is made for you at once, by the program of the "
    "player who moves before you. If none of them is possible, the game waits for you."
)
_MANY = 12
"""Choices of which more are searched by words."""

Show = Callable[[Sequence[str]], None]
"""Shows sentences above the next question."""


def asked_order(match: Match, seat: int, asker: Asker, above: Above, table: Text) -> str:
    """Ask a player for an order, or which one to take back, and return it as text.

    ``above`` is what else is shown. Raises CancelledError if there is nothing more to order.
    """
    from porto_cli.term.prompt import CancelledError, Told, labeled

    def show(notes: Sequence[str]) -> None:
        asker.put_above(Told(notes, above), table)

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
    choices = [labeled(label, text) for text, label in labels.items()]
    question = f"For which decision does {player} order ahead?"
    while True:
        show(notes or [f"{player} has no orders."])
        chosen = asker.choose(question, choices, rules=[_WHAT_AN_ORDER_IS])
        if NONE in chosen.split():
            return chosen
        with suppress(CancelledError):
            return _asked_for(chosen, match, asker, show)


def _asked_for(kind: str, match: Match, asker: Asker, show: Show) -> str:
    """Ask for the choices of an order for a kind, and how long it stands, once it is explained.

    Raises CancelledError, if nothing is typed as well.
    """
    from porto_cli.term.prompt import CancelledError, labeled

    rules = what_can_be_said(match, kind)
    faults: Sequence[str] = ()
    text, in_words = _picked(kind, match, asker, show, rules)
    while True:
        if in_words:
            show([*rules, *faults])
            text = asker.write(f"{kind}: what do you do then?", lambda typed: None, text)
            if not text:
                raise CancelledError
        try:
            order, faults = read_order(f"{kind} {text}", match.game, match.config), ()
        except PortoError as error:
            faults = error.sentences
            continue
        if not order.choices:
            return order.text
        *meaning, _ = explained(order, match.game, match.players)
        show(meaning)
        scopes = [labeled("Order this for the next time only", order.text)]
        if not order.then:
            scopes.append(labeled("Order this until I take it back", f"{ALWAYS} {order.text}"))
        with suppress(CancelledError):
            return asker.choose("Is that meant?", scopes)
        if not in_words:
            text, in_words = _picked(kind, match, asker, show, rules)


def _picked(kind: str, match: Match, asker: Asker, show: Show, rules: Rules) -> tuple[str, bool]:
    """Let one choice after the other be picked from a menu, ``rules`` being the help with it;
    return the order's text, and whether the rest of it is to be written in words.

    A menu has the policies, and the moves of at most two words. Raises CancelledError.
    """
    from porto_cli.term.prompt import CancelledError, labeled

    wait, write = "wait", "write"
    held, picks = orders_of(match.game).kinds[kind], list[str]()
    offered = {name: f"{name}: {meaning}" for name, meaning in policies(held).items()}
    for verb in held.verbs if held.is_listed else ():
        offered |= {move: move for move in short_moves(match.game, match.config, kind, verb)}
    while True:
        labels = {pick: label for pick, label in offered.items() if pick not in picks}
        labels[write] = "Write it in words"
        question = f"{kind}: what do you do then?"
        if picks:
            labels = {wait: "Nothing else: then the game waits", **labels}
            question = f"{ELSE.join(picks)}: and if that is not possible?"
        choices = [labeled(label, pick) for pick, label in labels.items()]
        show([held.when])
        try:
            pick = asker.choose(question, choices, rules=rules, search=len(choices) > _MANY)
        except CancelledError:
            if not picks:
                raise
            picks.pop()
            continue
        if pick == wait:
            return ELSE.join(picks), False
        if pick == write:
            return "".join(one + ELSE for one in picks), True
        picks.append(pick)
