"""Orders: what a player will do when a decision waits, in the notation of the game.

    settler take quarry, else take coffee if Joana plays role captain
    role role builder, then builder build hacienda, else pass

An order is for a kind of decision of a game, and lists choices: the first one that is legal when
the decision waits is made. With ``then`` another one follows it. porto-order(1) specifies the
language; what a game brings to it is :class:`porto_cli.abilities.Orders`.

Orders are declared by items of a record that change nothing on the table
(:mod:`porto_cli.match.items`). Whoever's program makes the move before executes them: the
move is an ordinary item then, so that a record never depends on its orders. What they decide
follows from the table as everybody sees it, so that all programs decide the same.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.abilities import OrderKind, Orders
from porto_cli.core import InvalidMoveError, enumerated, quoted, refuse, shown
from porto_cli.games import Game
from porto_cli.match import seat_named
from porto_cli.match.items import SEAT, Instruction, Order, stands
from porto_cli.match.replay import (
    Decision,
    Replay,
    after_steps,
    decisions,
    path_of,
    place_after_last_turn,
)
from porto_cli.seam import OVER, SENSIBLE, Config, Move, State

if TYPE_CHECKING:
    from porto_cli.words import Completion

ORDER, ONCE, ALWAYS, NONE = "order", "once", "always", "none"
ELSE, THEN, IF, PLAYS = ", else ", ", then ", "if", "plays"
PASS, MOST_VP = "pass", "most-vp"
LONGEST = 2000
"""Characters of an order."""
MARK = "ordered"
"""The comment of a move that an order decided."""
_SEAT = "\0"
"""What stands before the number of a seat in place of a name."""
_TURN = "turn"
"""The kind that orders of older versions had for every decision."""


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
    move = _read_move(said, kind, game, config)
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


def _read_move(text: str, kind: str, game: Game, config: Config) -> str:
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


# -- What orders do: which of them stand, what they decide, and why one does not fit


def given(replay: Replay, text: str, seat: int) -> Order:
    """Return the order that a player gives now. Raises InvalidMoveError, RefusedError."""
    demand_orders(replay)
    if replay.state.phase == OVER:
        refuse("The game is over, so nothing can be ordered.")
    order, player = read_order(text, replay.game, replay.config), replay.config.players[seat]
    if seat in replay.bot_seats:
        refuse(f"{player} is a bot.")
    if replay.seats[seat].out:
        refuse(
            f"{player} has left the game: what is ordered for {player} now never counts, as it "
            "ends when they come back. To come back first:",
            suggestions=[f"porto {SEAT}{path_of(replay)} {quoted(player)} --back"],
        )
    return order


def can_order(replay: Replay) -> bool:
    """Return whether moves can be ordered ahead in a game."""
    return replay.game.orders is not None and not replay.record.machine


def demand_orders(replay: Replay) -> None:
    """Require a game with orders. Raises InvalidMoveError, RefusedError."""
    orders_of(replay.game)
    if not can_order(replay):
        refuse("Nothing can be ordered ahead in a game whose turns are signed.")


def in_force(replay: Replay, seat: int) -> dict[str, Order]:
    """Return what is left of the orders of a player, by the kinds of the decisions that they wait
    for.
    """
    return {one.order.kind: one.order for one in _standing(replay, seat)}


class _Standing(NamedTuple):
    """What is left of an order: ``since`` how many steps there were when it was given, and on which
    ``occasion`` it was used first.
    """

    order: Order
    since: int
    occasion: Hashable = None


def _standing(replay: Replay, seat: int) -> list[_Standing]:
    """Return the orders of a player that stand, each for other kinds of decisions.

    A later order for the same kind replaces an earlier one. An undo of the player takes back all
    that were given before it; so does a change of who plays the seat.
    """
    given = [one for one in reversed(replay.declarations) if one.seat == seat]
    found: list[_Standing] = []
    for place in range(given[-1].place if given else len(replay.steps), len(replay.steps) + 1):
        while given and given[-1].place == place:
            order = given.pop().order
            if order is None or not order.kind:
                found = []
            if order is not None:
                found = [one for one in found if not order.kinds & one.order.kinds]
                found += [_Standing(order, place)] * bool(order.choices or order.unknown)
        step = replay.steps[place] if found and place < len(replay.steps) else None
        if step is None or step.seat != seat:
            continue
        if step.takes_back is not None:
            found = []
        elif not step.undone:
            for made, one in enumerate(decisions(replay, step)):
                left = (_left(each, replay, place, made, one) for each in found)
                found = [each for each in left if each is not None]
    now = orders_of(replay.game).occasion(replay.state) if found else None
    return [one for one in found if one.order.always or one.occasion in (None, now)]


def _left(
    one: _Standing, replay: Replay, place: int, made: int, decided: Decision
) -> _Standing | None:
    """Return what is left of an order after a decision of its player, that of a move of a step;
    ``None`` once its time is over.

    One for once covers the next occasion at which its player decides something of its kind. If it
    has ``then``, it ends with that decision, and the rest stands if one of its choices was made.
    """
    orders, state = orders_of(replay.game), decided.before
    kind, occasion = orders.kind(state), orders.occasion(state)
    waits_for = {one.order.kind} if one.order.kind in orders.kinds else orders.kinds.keys()
    if state.seat != replay.steps[place].seat or kind not in waits_for or one.order.always:
        return one
    if one.order.then is None:
        return one._replace(occasion=occasion) if one.occasion in (None, occasion) else None
    ordered = _chosen(before(replay, place, made), one)
    is_done = not isinstance(ordered, list) and replay.game.is_same(state, ordered, decided.move)
    return _Standing(one.order.then, one.since) if is_done else None


def due(replay: Replay) -> Move | None:
    """Return the move that an order of who is to move decides now; ``None`` if none does."""
    found = _tried(replay)
    return None if isinstance(found, list) else found


def replaced(replay: Replay, order: Order, seat: int) -> list[str]:
    """Say which orders of a player a new one replaces, before it is given."""
    return [
        f"This replaces your order: {one.text}"
        for one in in_force(replay, seat).values()
        if order.choices and order.kinds & one.kinds
    ]


def _tried(replay: Replay) -> Move | list[str] | None:
    """Return what the order for the decision that waits leads to, if there is one; or why it does
    not fit, a sentence a choice.
    """
    if all(one.order is None for one in replay.declarations) or replay.state.phase == OVER:
        return None
    seat, kind = replay.state.seat, orders_of(replay.game).kind(replay.state)
    standing = _standing(replay, seat) if kind else []
    return next((_chosen(replay, one) for one in standing if one.order.kind == kind), None)


def _chosen(replay: Replay, one: _Standing) -> Move | list[str]:
    """Return the move that an order leads to now, or why it does not fit, a sentence a choice."""
    order = one.order
    reasons = explained(order, replay.game, ()) if order.unknown else []
    for choice in order.choices:
        found = _decided(replay, order.kind, one.since, choice)
        if not isinstance(found, str):
            return found
        reasons.append(f"{shown(choice.text)}{found}")
    return reasons


def _decided(replay: Replay, kind: str, since: int, choice: Instruction) -> Move | str:
    """Return the legal move that a choice leads to, or why there is none now, as the end of a
    sentence about it; ``since`` is how many steps there were when it was ordered.
    """
    state, orders = replay.state, orders_of(replay.game)
    if choice.words and not _was_played(replay, since, choice):
        return f": the condition {shown(choice.condition)} does not hold."
    if choice.move == MOST_VP:
        # What can be done besides, like moving a guest before the production, is of another kind.
        verbs = {verb for verb in orders.kinds[kind].verbs if verb != PASS}
        listed = orders.listed(state, state.seat) or ()
        fitting = [one for one in listed if one["move"].split()[0] in verbs]
        if not fitting:
            return ": no such move is possible."
        most = max(fitting, key=lambda one: one["vp"])
        return replay.game.parse_move(most["move"], state, state.seat)
    if choice.move in (SENSIBLE, orders.kinds[kind].written):
        move = orders.sensible(state, state.seat)
        return " leaves this decision to you." if move is None else move
    try:
        move, _, violations = replay.game.read_move(choice.move, state, state.seat)
    except InvalidMoveError as error:
        return f": {error.sentence}"
    return f": {violations[0].sentence}" if violations else move


def _was_played(replay: Replay, since: int, choice: Instruction) -> bool:
    """Return whether somebody has made the move that a choice needs, for everybody to see."""
    game = replay.game
    return any(
        words_of(game.format_move(one.move, one.before)).issuperset(choice.words)
        for step in replay.steps[since:]
        if step.seat == choice.seat and stands(step)
        for one in decisions(replay, step)
        if not game.is_secret(one.move)
    )


# -- Looking at what orders have done


def before(replay: Replay, place: int, made: int = 0) -> Replay:
    """Return a game as it was before a step, or when the step had only so many of its moves."""
    step, then = replay.steps[place], after_steps(replay, place)
    if not made:
        return then
    state = decisions(replay, step)[made].before
    begun = step._replace(after=state, moves=step.moves[:made], undone=False)
    return then._replace(state=state, steps=(*then.steps, begun))


def was_ordered(replay: Replay, place: int, since: int = 0) -> bool:
    """Return whether all moves of a step, or those since one of them, are what the orders of its
    player decided then.
    """
    step = replay.steps[place]
    if all(one.seat != step.seat for one in replay.declarations):
        return False
    for made, move in list(enumerate(step.moves))[since:]:
        then = before(replay, place, made)
        decided = due(then)
        if decided is None or not replay.game.is_same(then.state, decided, move):
            return False
    return bool(step.moves)


def not_fitting(replay: Replay, seat: int) -> list[str]:
    """Say to a player who is to move why the order for that does not fit; nothing to others."""
    found = _tried(replay) if replay.state.seat == seat and can_order(replay) else None
    if not isinstance(found, list) or not found:
        return []
    kind = orders_of(replay.game).kind(replay.state)
    return [f"Your order for {shown(kind)} stopped, so the game waits for you:", *found]


def place_after_last_act(replay: Replay, seat: int) -> int:
    """Return the index in ``replay.steps`` after what a player did last: a turn that no order has
    decided, or an order.
    """
    given = max(
        (one.place for one in replay.declarations if one.seat == seat and one.order), default=0
    )
    place = place_after_last_turn(replay, seat)
    while place > given and was_ordered(replay, place - 1):
        earlier = replay._replace(steps=replay.steps[: place - 1])
        place = place_after_last_turn(earlier, seat)
    return max(place, given)
