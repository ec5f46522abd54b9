"""Orders: what a player will do when a decision waits, in the words of the game.

    settler take quarry, else take coffee if doubloons at most 2, else any but indigo

An order is for one kind of decision of a game, and lists choices: the first one whose conditions
hold, and that is legal, is made. porto-order(1) specifies the language; what a game brings to it is
:class:`porto_cli.abilities.Orders`. Which orders stand, and what they decide, is in
:mod:`porto_cli.match.ordered`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import chain, islice
from typing import Any, NamedTuple

from porto_cli.abilities import Orders
from porto_cli.core.message import (
    InvalidMoveError,
    Sentence,
    either,
    enumerated,
    invalid_move,
    say,
)
from porto_cli.game import Config, Game
from porto_cli.match.seats import seats_of

AnyOrders = Orders[Any, Any, Any]
"""What can be ordered in any game."""
ORDER, NONE, ELSE = "order", "none", ", else "
ANY, MOST_VP, BUT = "any", "most-vp", "but"
IF, AND, PLAYS = "if", "and", "plays"
TURN = "turn"
"""The kind of an order for every decision."""
LONGEST, MOST_CHOICES = 2000, 40
"""Characters of an order, and its choices."""


class Scope(StrEnum):
    """How long an order stands."""

    ONCE = "once"
    """For the next occasion of its kind; not written."""
    ROUND = "round"
    ALWAYS = "always"


class Counted(NamedTuple):
    """A condition: there is at least, or at most, a number of something."""

    fact: str
    least: bool
    number: int

    def text(self, players: Sequence[str]) -> str:
        """Return it as an order has it."""
        if (self.least, self.number) in _PLAINLY:
            return f"{self.fact} {_PLAINLY[self.least, self.number]}"
        return f"{self.fact} at {'least' if self.least else 'most'} {self.number}"


_PLAINLY = {(True, 1): "is there", (False, 0): "is gone"}


class Played(NamedTuple):
    """A condition: a player has made a move with these words since the order was given."""

    seat: int
    words: tuple[str, ...]

    def text(self, players: Sequence[str]) -> str:
        """Return it as an order has it."""
        # Several spaces in a name are one, as they are in all moves of a record.
        return " ".join([*players[self.seat].split(), PLAYS, *self.words])


Condition = Counted | Played


class Listed(NamedTuple):
    """A pick: of the listed moves with these words, the first, or the first that scores most."""

    most_vp: bool
    words: tuple[str, ...]
    but: tuple[str, ...]

    def text(self) -> str:
        """Return it as an order has it."""
        but = (BUT, *self.but) if self.but else ()
        return " ".join((MOST_VP if self.most_vp else ANY, *self.words, *but))


Pick = Listed | str
"""Listed moves, a policy of the game, or a move as text."""


class Choice(NamedTuple):
    """What is done, and what has to hold for that."""

    pick: Pick
    conditions: tuple[Condition, ...]

    def text(self, players: Sequence[str]) -> str:
        """Return it as an order has it."""
        pick = self.pick if isinstance(self.pick, str) else self.pick.text()
        conditions = " and ".join(one.text(players) for one in self.conditions)
        return f"{pick} if {conditions}" if conditions else pick


class Order(NamedTuple):
    """What one item orders. Without choices it takes back the order of its kind; without a kind all
    orders of its player.
    """

    scope: Scope
    kind: str
    choices: tuple[Choice, ...]

    def text(self, players: Sequence[str]) -> str:
        """Return it in canonical form, without the word ``order``."""
        scope = "" if self.scope is Scope.ONCE else f"{self.scope} "
        kind = f"{self.kind} " if self.kind else ""
        choices = ELSE.join(one.text(players) for one in self.choices)
        return f"{scope}{kind}{choices or NONE}"


def orders_of(game: Game) -> AnyOrders:
    """Return what can be ordered in a game. Raises InvalidMoveError if nothing can."""
    if game.orders is None:
        raise invalid_move("In {game} nothing can be ordered ahead.", game=game.meta.title)
    return game.orders


def read_order(text: str, game: Game, config: Config, *, given: bool = False) -> Order:
    """Return the order of a text, without the word ``order``; a colon after the kind is allowed.

    When an order is ``given``, articles are left out, the words of a name can stand apart, and
    words that are in no move are refused: in a record they are only useless. Raises
    InvalidMoveError for what no order of the game can be.
    """
    try:
        return _read(text, game, config, given=given)
    except InvalidMoveError as error:
        if not given or len(text) > LONGEST:
            raise
        from porto_cli.match.order_habits import meant

        said = meant(
            text,
            game,
            orders_of(game),
            possible_kinds(game, config),
            lambda one: _read(one, game, config, given=True).text(config.players),
        )
        raise UnreadOrderError(*(said or error.sentences)) from error


class UnreadOrderError(InvalidMoveError):
    """An order that cannot be read: why, and what would be right, in one sentence or more."""

    def __init__(self, *sentences: Sentence) -> None:
        super().__init__(sentences[0])
        self.args = sentences

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What is wrong, and what would be right."""
        return self.args


def _read(text: str, game: Game, config: Config, *, given: bool) -> Order:
    orders = orders_of(game)
    _demand_short(text)
    words = _words(text, config.players)
    scope = Scope.ONCE
    if words and words[0].lower() in list(Scope):
        scope = Scope(words.pop(0).lower())
    if [word.lower() for word in words] == [NONE]:
        return Order(Scope.ONCE, "", ())
    kind = _kind(words.pop(0) if words else "", game, config)
    if [word.lower() for word in words] == [NONE]:
        return Order(Scope.ONCE, kind, ())
    parts = _choices(words)
    if len(parts) > MOST_CHOICES:
        raise invalid_move(
            "An order has at most {most} choices, not {count}.", most=MOST_CHOICES, count=len(parts)
        )
    reader = _Reader(game, orders, config, kind, given=given)
    order = Order(scope, kind, tuple(reader.choice(part) for part in parts))
    if given:
        _demand_short(order.text(config.players))
    return order


def _demand_short(text: str) -> None:
    if len(text) > LONGEST:
        raise invalid_move(
            "An order has at most {most} characters, not {count}.", most=LONGEST, count=len(text)
        )


def _words(text: str, players: Sequence[str]) -> list[str]:
    """Return the words of an order; a player's name with the "plays" after it is one of them, as a
    name can have words that mean something in an order.
    """
    names = sorted(((player.casefold().split(), player) for player in players), reverse=True)
    words, found = text.split(), list[str]()
    while words:
        taken = 1
        if found and found[-1].lower() in (IF, AND):
            typed = [word.casefold() for word in words]
            for name, player in names:
                if typed[: len(name) + 1] == [*name, PLAYS]:
                    taken, words[0] = len(name) + 1, f"{player} {PLAYS}"
                    break
        found.append(words[0])
        words = words[taken:]
    return found


def _kind(word: str, game: Game, config: Config) -> str:
    typed = word.lower().rstrip(":")
    if typed == TURN or typed in orders_of(game).kinds:
        return typed
    names = possible_kinds(game, config)
    if not typed:
        raise invalid_move(
            "Say which decision the order is for, and what to do then; the decisions are {kinds}.",
            kinds=enumerated(names),
        )
    raise invalid_move(
        "{word!r} is not a decision that can be ordered; these are {kinds}.",
        names,
        word=word,
        kinds=enumerated(names),
    )


def possible_kinds(game: Game, config: Config) -> list[str]:
    """Return the kinds of decisions that a game can have, and the word for all of them."""
    return [*(kind for kind in orders_of(game).kinds if any(examples(game, config, kind))), TURN]


def picks_for(kind: str, orders: AnyOrders) -> tuple[list[str], list[str]]:
    """Return what a choice of a kind can say besides a move: policies, and, where all moves are
    listed, the words for one of these.
    """
    policies = [name for name, one in orders.policies.items() if kind in (TURN, *one.kinds)]
    held = orders.kinds.get(kind)
    return policies, [ANY, MOST_VP] if held is None or held.is_listed else []


def examples(game: Game, config: Config, kind: str) -> Iterator[str]:
    """Yield a move for each verb of a kind; none if there is no such decision in the game."""
    orders = orders_of(game)
    for verb in orders.kinds[kind].verbs if kind in orders.kinds else ():
        example = game.commands.verbs[verb].example or ""
        for words in chain([example], islice(next_of_move(game, config, kind, [verb]), 1)):
            with suppress(InvalidMoveError):
                yield orders.move(config, kind, f"{verb} {words}".strip())
                break


_NUMBERED = re.compile(r"([a-z]+)-[0-9]+")


def words_of(move: str) -> set[str]:
    """Return the words of a move in small letters, and for one with a number, such as red-3, also
    what is before the number.
    """
    words = set(move.lower().split())
    return words | {found[1] for found in map(_NUMBERED.fullmatch, words) if found}


def example_conditions(game: Game, config: Config, kind: str) -> list[str]:
    """Return examples of conditions for a kind: one that counts, and one about a player's move."""
    orders = orders_of(game)
    held = orders.kinds.get(kind)
    move = next(chain.from_iterable(examples(game, config, one) for one in orders.kinds), "")
    counted = held.condition if held else ""
    return [
        counted or f"{next(iter(orders.facts), '')} at least 2",
        f"{config.players[-1]} {PLAYS} {move}",
    ]


def next_of_move(game: Game, config: Config, kind: str, begun: Sequence[str]) -> Iterator[str]:
    """Yield the words of the notation that can follow the beginning of a move, possible now or
    not.

    Where more has to follow, the end of the verb's example stands for it.
    """
    orders = orders_of(game)
    example = (game.commands.verbs[begun[0]].example or "").split()
    for word in sorted({*game.ui.names, *(one.lower() for one in example)}):
        for rest in ([], example[len(begun) :]):
            with suppress(InvalidMoveError):
                orders.move(config, kind, " ".join([*begun, word, *rest]))
                yield word
                break


def _choices(words: Sequence[str]) -> list[list[str]]:
    """Return the words of each choice of an order: "a, else b" and "a else b" are two."""
    parts = _parts(words, "else") or [[]]
    for part in parts:
        while part and part[-1].endswith(","):
            part[-1] = part[-1].rstrip(",")
            if not part[-1]:
                part.pop()
    return parts


class _Reader:
    """Reads the choices of orders of one kind."""

    def __init__(
        self, game: Game, orders: AnyOrders, config: Config, kind: str, *, given: bool
    ) -> None:
        self.game, self.orders, self.config, self.kind = game, orders, config, kind
        self.given = given

    def choice(self, words: Sequence[str]) -> Choice:
        """Return the choice of these words. Raises InvalidMoveError."""
        if any("," in word for word in words if not word.endswith(f" {PLAYS}")):
            raise invalid_move("Between two choices there is ', else'.")
        pick, conditions = list(words), list[str]()
        lower = [word.lower() for word in pick]
        if IF in lower:
            place = lower.index(IF)
            pick, conditions = pick[:place], pick[place + 1 :]
            if not conditions:
                raise invalid_move(
                    "After 'if' a condition is missing in {text!r}.", text=" ".join(words)
                )
        if not pick:
            raise invalid_move(
                "A choice is missing: a move, like those of 'porto moves', or any, most-vp or "
                "one of the policies."
            )
        read = _parts(conditions, AND)
        return Choice(self._pick(pick), tuple(self._condition(part) for part in read))

    def _plain(self, words: Sequence[str]) -> list[str]:
        """Return typed words as moves have them: without articles, and each name as one word."""
        if not self.given:
            return [*words]
        return self.game.ui.joined(word for word in words if word.lower() not in _ARTICLES)

    def _pick(self, typed: Sequence[str]) -> Pick:
        words = self._plain(typed) or [*typed]
        if self.given and [word.lower() for word in words[:2]] == MOST_VP.split("-"):
            words[:2] = [MOST_VP]
        first = words[0].lower()
        if first in (ANY, MOST_VP):
            return self._listed([word.lower() for word in words])
        policy = self.orders.policies.get(first)
        if policy is not None and len(words) == 1:
            if first not in self._picks():
                raise invalid_move(
                    "{policy!r} is for the decisions {kinds}, not for {kind!r}.",
                    policy=first,
                    kinds=enumerated(policy.kinds),
                    kind=self.kind,
                )
            return first
        if self.kind == TURN:
            raise invalid_move(
                "An order for every turn takes one of {policies}; for the move {move!r}, say "
                "which decision it is for: {kinds}.",
                policies=enumerated(self._picks(), "or"),
                move=" ".join(words),
                kinds=enumerated(
                    possible_kinds(self.game, self.config)[:-1] or self.orders.kinds, "or"
                ),
            )
        try:
            return self.orders.move(self.config, self.kind, " ".join(words))
        except InvalidMoveError as error:
            besides = say(
                "Besides a move, an order for {kind!r} can say {picks}; 'porto order FILE {kind}' "
                "explains them.",
                kind=self.kind,
                picks=enumerated(self._picks() or [NONE], "or"),
            )
            raise UnreadOrderError(*error.sentences, besides) from error

    def _picks(self) -> list[str]:
        """Return the words for a choice of this kind that is not a move."""
        policies, listed = picks_for(self.kind, self.orders)
        return [*policies, *listed]

    def _listed(self, words: list[str]) -> Listed:
        if words[0] not in self._picks():
            raise invalid_move(
                "For {kind!r} there are too many moves for {word!r}; name the move, or one of "
                "the policies: {policies}.",
                kind=self.kind,
                word=words[0],
                policies=enumerated(self._picks() or [NONE], "or"),
            )
        place = words.index(BUT) if BUT in words else len(words)
        wanted, but = words[1:place], words[place + 1 :]
        if place < len(words) and not but:
            raise invalid_move("After 'but' the words that a move must not have are missing.")
        for word in (*wanted, *but):
            self._demand_a_word(word)
        return Listed(words[0] == MOST_VP, tuple(wanted), tuple(but))

    def _demand_a_word(self, word: str) -> None:
        """Refuse a word that is in no move, so that a mistyped one cannot change the meaning."""
        if (
            not self.given
            or word in self.game.meta.verbs
            or word.isdigit()
            or self.game.ui.is_a_word(word)
            or word in words_of(" ".join(self.game.ui.names))
        ):
            return
        raise invalid_move(
            "{word!r} is not a word of the moves of {game}.", word=word, game=self.game.meta.title
        )

    def _condition(self, words: list[str]) -> Condition:
        lower = [word.lower() for word in words]
        if words and words[0].endswith(f" {PLAYS}"):
            return self._played(words[0].removesuffix(f" {PLAYS}"), lower[1:])
        if PLAYS in lower:
            place = lower.index(PLAYS)
            return self._played(" ".join(words[:place]), lower[place + 1 :])
        counted = _COUNTED.fullmatch(" ".join(self._plain(lower)))
        if counted:
            fact, compared, number, is_there = counted.groups()
            fact = self._fact("cost" if fact == "it costs" else fact)
            if is_there:
                return Counted(fact, is_there == "there", int(is_there == "there"))
            return Counted(fact, compared in _LEAST, int(number))
        raise invalid_move(
            "{text!r} is not a condition; conditions are like: {examples}.",
            text=" ".join(words),
            examples=enumerated(example_conditions(self.game, self.config, self.kind), "or"),
        )

    def _fact(self, word: str) -> str:
        if word in self.orders.facts:
            return word
        raise invalid_move(
            "There is no fact {word!r}; 'porto order FILE {kind}' lists what a condition can "
            "count.",
            [*self.orders.facts],
            word=word,
            kind=self.kind,
        )

    def _played(self, name: str, move: list[str]) -> Played:
        seats = seats_of(self.config.players, name)
        if len(seats) != 1:
            raise invalid_move(
                "{name!r} has to be the name of one of {players}, or its beginning.",
                name=name,
                players=", ".join(self.config.players),
            )
        verbs = {verb for kind in self.orders.kinds.values() for verb in kind.verbs}
        hidden = [word for word in move if word in self.game.meta.verbs and word not in verbs]
        if not move or hidden:
            raise invalid_move(
                "After 'plays' there has to be a move that everybody sees, or a part of it."
            )
        move = self._plain(move)
        for word in move:
            self._demand_a_word(word)
        return Played(seats[0], tuple(move))


_ARTICLES = ("a", "an", "the")
_LEAST = ("at least", ">=", "≥")
_COUNTED = re.compile(
    r"(it costs|\S+) (?:(at least|at most|>=|<=|≥|≤) ([0-9]{1,5})|is (there|gone))"
)
"""A condition that counts, in small letters."""


def _parts(words: Sequence[str], between: str) -> list[list[str]]:
    """Return the parts of a list of words between a word; none of no words."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word.lower() == between:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts if words else []


# -- Explaining


def explained(order: Order, game: Game, players: Sequence[str]) -> list[Sentence]:
    """Say what an order means: when it is for, its choices one by one, and how long it stands."""
    orders = orders_of(game)
    if not order.kind:
        return [say("All of your orders are taken back.")]
    kind = orders.kinds.get(order.kind)
    if not order.choices:
        return [say("Your order for {kind!r} is taken back.", kind=order.kind)]
    lines = [kind.when if kind else say("Whenever it is your turn:")]
    for nth, choice in enumerate(order.choices, start=1):
        lines.append(_explained(nth, choice, order.kind, orders, players))
    lines.append(say("If none of this is possible, the game waits for you."))
    return [*lines, _SCOPES[order.scope]]


_SCOPES = {
    Scope.ONCE: say("This is for the next time only."),
    Scope.ROUND: say("This is for the rest of this round."),
    Scope.ALWAYS: say("This stands until you take it back."),
}


def _explained(
    nth: int, choice: Choice, kind: str, orders: AnyOrders, players: Sequence[str]
) -> Sentence:
    pick = _pick_in_words(choice.pick, kind, orders)
    if not choice.conditions:
        return say("{nth}. {pick}", nth=nth, pick=pick)
    conditions = [_condition_in_words(one, orders, players) for one in choice.conditions]
    return say(
        "{nth}. {pick} Only if {conditions}.",
        nth=nth,
        pick=pick,
        conditions=enumerated(conditions),
    )


def _pick_in_words(pick: Pick, kind: str, orders: AnyOrders) -> Sentence:
    if isinstance(pick, str):
        if pick in orders.policies:
            return meaning_of(pick, kind, orders)
        return say("{move}, if that is legal.", move=pick)
    facts = {"words": " ".join(pick.words), "but": either(pick.but)}
    return say(_LISTED[pick.most_vp, bool(pick.words), bool(pick.but)], **facts)


def meaning_of(policy: str, kind: str, orders: AnyOrders) -> Sentence:
    """Return what a policy chooses in decisions of a kind, or on every turn."""
    meanings = orders.policies[policy].meanings
    if kind in meanings:
        return meanings[kind]
    each = (
        str(say("{when} {meaning}", when=orders.kinds[one].when, meaning=meaning))
        for one, meaning in meanings.items()
    )
    return say("{decisions} It leaves all other decisions open.", decisions=" ".join(each))


_LISTED = {
    (False, False, False): "Any move but pass, the first that 'porto moves' lists.",
    (False, True, False): "Any move with {words}, the first that 'porto moves' lists.",
    (False, False, True): "Any move but pass without {but}, the first that 'porto moves' lists.",
    (False, True, True): "Any move with {words} and without {but}, the first that 'porto moves' "
    "lists.",
    (True, False, False): "The move that brings most VP at once, but not pass; among equals the "
    "first that 'porto moves' lists.",
    (True, True, False): "The move with {words} that brings most VP at once; among equals the "
    "first that 'porto moves' lists.",
    (True, False, True): "The move without {but} that brings most VP at once, but not pass; among "
    "equals the first that 'porto moves' lists.",
    (True, True, True): "The move with {words} and without {but} that brings most VP at once; "
    "among equals the first that 'porto moves' lists.",
}
"""By whether the most VP count, and whether there are words that a move must, or must not, have."""


def _condition_in_words(one: Condition, orders: AnyOrders, players: Sequence[str]) -> str:
    if isinstance(one, Played):
        return str(
            say(
                "{player} has made a move with {words!r} by then",
                player=players[one.seat],
                words=" ".join(one.words),
            )
        )
    facts = {"fact": one.fact, "meaning": orders.facts[one.fact], "number": one.number}
    if (one.least, one.number) in _PLAINLY:
        text = one.text(players)
        return str(say("{condition} (counted: {meaning})", condition=text, **facts))
    if one.least:
        return str(say("{fact} ({meaning}) is at least {number}", **facts))
    return str(say("{fact} ({meaning}) is at most {number}", **facts))
