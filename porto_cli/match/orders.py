"""Orders: what a player will do when a decision waits, in the notation of the game.

    settler take quarry, else take coffee if Joana plays role captain
    role role builder, then builder build hacienda, else pass

An order is for a kind of decision of a game, and lists choices: the first one that is legal when
the decision waits is made. With ``then`` another one follows it. porto-order(1) specifies the
language; what a game brings to it is :class:`porto_cli.abilities.Orders`. Which orders stand, and
what they decide, is in :mod:`porto_cli.match.ordered`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.abilities import OrderKind, Orders
from porto_cli.core import InvalidMoveError, enumerated, shown
from porto_cli.game import SENSIBLE, Config, Game, State
from porto_cli.match import seat_named

if TYPE_CHECKING:
    from porto_cli.words import Completion

ORDER, ONCE, ALWAYS, NONE = "order", "once", "always", "none"
ELSE, THEN, IF, PLAYS = ", else ", ", then ", "if", "plays"
PASS, MOST_VP = "pass", "most-vp"
LONGEST = 2000
"""Characters of an order."""
_SEAT = "\0"
"""What stands before the number of a seat in place of a name."""
_TURN = "turn"
"""The kind that orders of older versions had for every decision."""


class Instruction(NamedTuple):
    """What is done: a move, or a policy. It may need another player's move since the order."""

    move: str
    seat: int = -1
    """Who has to have moved; -1 if nobody has to."""
    words: tuple[str, ...] = ()
    """The words of that move."""
    condition: str = ""
    """What has to have happened, as an order has it."""

    @property
    def text(self) -> str:
        """It as an order has it."""
        return f"{self.move} {IF} {self.condition}" if self.condition else self.move


class Order(NamedTuple):
    """What one item orders. Without choices it takes back the order of its kind; without a kind all
    orders of its player.
    """

    text: str
    """It in canonical form, without the word ``order``."""
    kind: str = ""
    choices: tuple[Instruction, ...] = ()
    always: bool = False
    unknown: bool = False
    """It has words of another version: it ends what it replaces, and does nothing."""
    then: Order | None = None
    """What is ordered for the time after one of the choices was made."""

    @property
    def parts(self) -> tuple[Order, ...]:
        """It and what is ordered for after it, one by one."""
        return (self, *(self.then.parts if self.then else ()))

    @property
    def kinds(self) -> set[str]:
        """The kinds of decisions that it is for."""
        return {part.kind for part in self.parts}


def orders_of(game: Game) -> Orders:
    """Return what can be ordered in a game. Raises InvalidMoveError if nothing can."""
    if game.orders is None:
        raise InvalidMoveError(f"In {game.meta.title} nothing can be ordered ahead.")
    return game.orders


def policies(kind: OrderKind) -> dict[str, str]:
    """Return what a choice of a kind can be besides a move, each with what it does."""
    found = {SENSIBLE: kind.sensible} if kind.sensible else {}
    if kind.is_listed:
        found[MOST_VP] = (
            "The move that brings most VP at once, but not pass; among equals the first that "
            "'porto moves --format json' lists."
        )
    return found


# -- Reading


def recorded_order(text: str, game: Game, config: Config) -> Order:
    """Return the order of an item, without the word ``order``; any text is one.

    One with ``then`` is kept as it is written, as versions that do not know the word do: the digest
    covers it. Raises InvalidMoveError if it is too long, or if nothing can be ordered in the game.
    """
    kinds = orders_of(game).kinds
    try:
        order = _read(_with_names_as_one_word(text, config.players), game, config)
        return order._replace(text=text) if order.then else order
    except InvalidMoveError:
        _demand_short(text)
        scope, _, rest = text.lower().partition(" ")
        kind, *_ = (rest if scope in (ONCE, "round", ALWAYS) else text.lower()).split(" ")
        kind = kind if kind in (*kinds, _TURN) else ""
        return Order(text, kind, always=scope == ALWAYS, unknown=True)


def read_order(text: str, game: Game, config: Config) -> Order:
    """Return the order that somebody gives, without the word ``order``.

    A colon after the kind is allowed, and the words of a name can stand apart. The kind can be left
    out if the first choice is a move other than ``pass``: the order is for the first kind of
    decision that has moves with that verb. Raises InvalidMoveError for what no order of the game
    can be, and for words that are in no move: in a record they are only useless.
    """
    _demand_short(text)
    text = _with_names_as_one_word(text, config.players)
    words = re.sub(r",(?= (?:else|then)\b)", "", text, flags=re.IGNORECASE).split()
    order = _read(" ".join(game.words.joined(words)), game, config)
    _demand_short(order.text)
    # A mistyped word of a condition must not change what an order means.
    verbs = {verb for kind in orders_of(game).kinds.values() for verb in kind.verbs}
    known = words_of(" ".join((*verbs, *game.words.names)))
    for word in (word for part in order.parts for one in part.choices for word in one.words):
        hidden = word in game.meta.verbs and word not in verbs
        if hidden or not (word in known or word.isdigit() or game.words.is_a_word(word)):
            raise InvalidMoveError(
                f"{shown(word)} is not a word of the moves of {game.meta.title} that "
                "everybody sees."
            )
    return order


def _demand_short(text: str) -> None:
    if len(text) > LONGEST:
        raise InvalidMoveError(f"An order has at most {LONGEST} characters, not {len(text)}.")


def _with_names_as_one_word(text: str, players: Sequence[str]) -> str:
    """Return a text in which ``if NAME plays`` has the number of a seat for each name in full, as
    a name can have words that mean something in an order.
    """
    text = " ".join(text.split())
    names = {" ".join(player.split()): seat for seat, player in enumerate(players)}
    for name in sorted(names, key=len, reverse=True):
        said = re.compile(rf"(?<!\S){IF} {re.escape(name)} {PLAYS}(?!\S)", re.IGNORECASE)
        text = said.sub(f"{IF} {_SEAT}{names[name]} {PLAYS}", text)
    return text


def _read(text: str, game: Game, config: Config) -> Order:
    """Return the order of a text with single spaces. Raises InvalidMoveError."""
    kinds = orders_of(game).kinds
    scope, _, rest = text.partition(" ")
    always = scope.lower() == ALWAYS
    text = rest if always or scope.lower() == ONCE else text
    if text.lower() == NONE:
        return Order(NONE)
    kind, _, rest = text.lower().partition(" ")
    if rest == NONE and (kind := kind.rstrip(":")) in kinds:
        return Order(f"{kind} {NONE}", kind)
    parts, kind = list[Order](), ""
    for part in re.split(r",? then(?: |$)", text, flags=re.IGNORECASE):
        parts.append(_part(part, kind, game, config))
        kind = parts[-1].kind
    if always and len(parts) > 1:
        raise InvalidMoveError("What follows a 'then' is done once; leave out 'always'.")
    *earlier, order = parts
    for part in reversed(earlier):
        order = part._replace(text=f"{part.text}{THEN}{order.text}", then=order)
    return order._replace(text=f"{ALWAYS} {order.text}", always=True) if always else order


def _part(text: str, before: str, game: Game, config: Config) -> Order:
    """Return what a text orders for one time, after an order for another kind or for none. Raises
    InvalidMoveError.
    """
    first, _, rest = text.partition(" ")
    word = first.lower().rstrip(":")
    kind = kind_of(word, before, game)
    if not kind:
        kinds = possible_kinds(game, config)
        if word in ("", PASS, SENSIBLE, MOST_VP):
            raise InvalidMoveError(
                "Say which decision the order is for, and what to do then; the decisions are "
                f"{enumerated(kinds)}."
            )
        raise InvalidMoveError(
            f"{shown(first)} is neither a decision that can be ordered nor the verb of a "
            f"move; the decisions are {enumerated(kinds)}.",
            kinds,
            first,
        )
    choices = re.split(r",? else(?: |$)", rest if word == kind else text, flags=re.IGNORECASE)
    read = tuple(_choice(one, kind, game, config) for one in choices)
    return Order(f"{kind} {ELSE.join(one.text for one in read)}", kind, read)


def kind_of(word: str, before: str, game: Game) -> str:
    """Return the kind of decision of an order that begins with a word: the kind itself, or that of
    the order ``before`` it, if there is one that fits, or else the first that has moves with this
    verb. Empty if there is none.
    """
    orders = orders_of(game)
    if word in orders.kinds:
        return word
    if before and (word not in orders.verbs or word in orders.kinds[before].verbs):
        return before
    verbs = ((kind, held.verbs) for kind, held in orders.kinds.items() if word != PASS)
    return next((kind for kind, own in verbs if word in own), "")


def _choice(text: str, kind: str, game: Game, config: Config) -> Instruction:
    said, *condition = _split(f"{IF}(?: |$)", text)
    if not said:
        raise InvalidMoveError("A choice is missing: a move, like those of 'porto moves'.")
    move = _move(said, kind, game, config)
    if not condition:
        return Instruction(move)
    name, *played = _split(f"{PLAYS} ", condition[0])
    words = tuple(" ".join(played).lower().split())
    # Orders of older versions could have several conditions.
    if not words or "and" in words:
        raise InvalidMoveError(
            "After 'if' comes what another player plays, like: if "
            f"{example_condition(game, config)}."
        )
    seat = int(name[1:]) if name.startswith(_SEAT) else seat_named(config.players, name)
    # Several spaces in a name are one, as they are in all moves of a record.
    return Instruction(move, seat, words, " ".join([*config.players[seat].split(), PLAYS, *words]))


def _split(word: str, text: str) -> list[str]:
    """Return what is before and after the first of a word in any case; of none the whole text."""
    return [part.strip() for part in re.split(f" {word}", text, maxsplit=1, flags=re.IGNORECASE)]


def _move(text: str, kind: str, game: Game, config: Config) -> str:
    """Return a move in full, or a policy, as records have it."""
    orders = orders_of(game)
    held = orders.kinds[kind]
    policy = SENSIBLE if text.lower() == held.written else text.lower()
    if policy in policies(held):
        return held.written if policy == SENSIBLE else policy
    try:
        return orders.move(config, kind, text)
    except InvalidMoveError as error:
        raise InvalidMoveError(
            f"{error.sentence} What an order for {shown(kind)} can be: porto order FILE {kind}",
            error.names,
            error.word,
        ) from error


_NUMBERED = re.compile(r"([a-z]+)-[0-9]+")


def words_of(move: str) -> set[str]:
    """Return the words of a move in small letters, and for one with a number, such as red-3, also
    what is before the number.
    """
    words = set(move.lower().split())
    return words | {found[1] for found in map(_NUMBERED.fullmatch, words) if found}


# -- What an order can be


def possible_kinds(game: Game, config: Config) -> list[str]:
    """Return the kinds of decisions that a game can have."""
    return [kind for kind in orders_of(game).kinds if any(examples(game, config, kind))]


def examples(game: Game, config: Config, kind: str) -> Iterator[str]:
    """Yield a move for each verb of a kind; none if there is no such decision in the game."""
    orders = orders_of(game)
    for verb in orders.kinds[kind].verbs:
        words = game.commands.verbs[verb].example_words
        with suppress(InvalidMoveError):
            yield orders.move(config, kind, " ".join([verb, *words]))
            continue
        yield from islice(short_moves(game, config, kind, verb), 1)


def short_moves(game: Game, config: Config, kind: str, verb: str) -> Iterator[str]:
    """Yield the moves of a kind that have no word behind their verb, or one."""
    for words in ("", *sorted(game.words.names)):
        with suppress(InvalidMoveError):
            yield orders_of(game).move(config, kind, f"{verb} {words}".strip())


def next_of_move(game: Game, config: Config, kind: str, begun: Sequence[str]) -> Iterator[str]:
    """Yield the words of the notation that can follow the beginning of a move, possible now or
    not.

    Where more has to follow, the end of the verb's example stands for it.
    """
    orders = orders_of(game)
    example = game.commands.verbs[begun[0]].example_words
    for word in sorted({*game.words.names, *(one.lower() for one in example)}):
        for rest in ([], example[len(begun) :]):
            with suppress(InvalidMoveError):
                orders.move(config, kind, " ".join([*begun, word, *rest]))
                yield word
                break


def example_condition(game: Game, config: Config) -> str:
    """Return an example of what another player plays."""
    move = next(chain.from_iterable(examples(game, config, one) for one in orders_of(game).kinds))
    return f"{config.players[-1]} {PLAYS} {move}"


# -- Completing

_ELSE, _THEN = ELSE.strip(", "), THEN.strip(", ")


def next_of_order(game: Game, config: Config, typed: Sequence[str]) -> list[Completion]:
    """Return the words that can follow the beginning of an order, with what they mean."""
    kinds = orders_of(game).kinds
    words = [word.lower().rstrip(":,") for word in typed]
    scopes = words[:1] if words[:1] in ([ONCE], [ALWAYS]) else []
    words = words[len(scopes) :]
    kind = ""
    for nth, word in enumerate(words):
        if not nth or words[nth - 1] == _THEN:
            kind = kind_of(word, kind, game)
    choice = _after(_THEN, words)
    offered: list[Completion] = []
    if not choice:
        possible = possible_kinds(game, config)
        offered += ((one, kinds[one].when.rstrip(":")) for one in possible)
    if not words:
        return [*offered, NONE, *(() if scopes else (ONCE, ALWAYS))]
    if not kind:
        return []
    choice = _after(_ELSE, choice[choice[:1] == [kind] :])
    verbs, joints = kinds[kind].verbs, (_ELSE,) if scopes == [ALWAYS] else (_ELSE, _THEN)
    if IF in choice:
        begun = _after(IF, choice)
        if PLAYS not in begun:
            return [PLAYS] if begun else [*config.players]
        can_play = (verb for one in kinds.values() for verb in one.verbs)
        return [*joints, *can_play, *sorted(game.words.names)]
    if choice:
        move = choice if choice[0] in verbs else [verbs[0], *choice]
        return [IF, *joints, *next_of_move(game, config, kind, move)]
    offered += (*policies(kinds[kind]).items(), *verbs, *([NONE] if words == [kind] else []))
    return [*offered, *next_of_move(game, config, kind, verbs[:1])]


def _after(word: str, words: list[str]) -> list[str]:
    """Return the words after the last one that is a certain word; all if none is."""
    places = [nth + 1 for nth, one in enumerate(words) if one == word]
    return words[max(places, default=0) :]


# -- Explaining


def explained(order: Order, game: Game, players: Sequence[str]) -> list[str]:
    """Say what an order means: when it is for, its choices one by one, and how long it stands."""
    if order.unknown:
        return [
            "This order is in the words of another version of porto, so it does nothing: give it "
            "again, or take it back."
        ]
    if not order.kind:
        return ["All of your orders are taken back."]
    if not order.choices:
        return [f"Your order for {shown(order.kind)} is taken back."]
    lines = list[str]()
    for part in order.parts:
        kind = orders_of(game).kinds[part.kind]
        lines.append(f"After that, {kind.when[0].lower()}{kind.when[1:]}" if lines else kind.when)
        for nth, choice in enumerate(part.choices, start=1):
            policy = SENSIBLE if choice.move == kind.written else choice.move
            line = f"{nth}. {policies(kind).get(policy, f'{choice.move}, if that is legal.')}"
            if choice.words:
                player, played = players[choice.seat], shown(" ".join(choice.words))
                line += f" Only if {player} has made a move with {played} by then."
            lines.append(line)
    lines.append("If none of this is possible, the game waits for you.")
    if order.then:
        lines.append("Each of this is for one time; where you do something else, the rest ends.")
    elif order.always:
        lines.append("This stands until you take it back.")
    else:
        lines.append("This is for the next time only.")
    return lines


def what_can_be_said(game: Game, state: State, kind: str) -> list[str]:
    """Explain what an order for a kind of decision can say, by moves that are legal now if the
    game waits for such a decision.
    """
    orders, config = orders_of(game), state.config
    held = orders.kinds[kind]
    legal = orders.listed(state, state.seat) if orders.kind(state) == kind else None
    best = {one["move"].split()[0]: one["move"] for one in reversed(legal or ())}
    moves = [best.get(one.split()[0], one) for one in examples(game, config, kind)]
    if not moves:
        return ["There is no such decision in this game."]
    several = ELSE.join([*[*policies(held)][:1], *moves])
    condition = example_condition(game, config)
    return [
        held.when,
        f"A move, like {enumerated(moves, 'or')}; {shown(held.verbs[0])} can be left out.",
        *(f"{one}: {meaning}" for one, meaning in policies(held).items()),
        f"Several choices, of which the first possible one is made: {several}.",
        f"A choice for the case that somebody has made a move since: {moves[0]} if {condition}.",
        f"What to do the time after, once each: {moves[0]}{THEN}{moves[-1]}.",
    ]
