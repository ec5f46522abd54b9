"""Orders: what a player will do when a decision waits, in the notation of the game.

    settler take quarry, else take coffee if Joana plays role captain
    role role builder, then builder build hacienda, else pass

An order is for a kind of decision of a game, and lists choices: when the decision is due, the first
legal one is made. After ``then`` comes what to do the next time. porto-order(1) specifies the
language; what a game contributes is :class:`porto_cli.abilities.Orders`.

Orders are items of a record that change nothing on the table (:mod:`porto_cli.match.items`). The
program of the player who moves before them carries them out; the move is then an ordinary item, so
a record never depends on its orders. What they decide follows from what everybody sees, so all
programs decide the same.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.abilities import OrderKind, Orders
from porto_cli.core import InvalidMoveError, cited, enumerated, refuse
from porto_cli.core.shell import quoted
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
"""Maximum number of characters of an order."""
MARK = "ordered"
"""The comment of a move that an order decided."""
_SEAT = "\0"
"""The mark before a seat number that replaces a name."""
_TURN = "turn"
"""The kind for every decision, in orders of older versions."""


def orders_of(game: Game) -> Orders:
    """Return what can be ordered in a game. Raises InvalidMoveError if nothing can."""
    if game.orders is None:
        raise InvalidMoveError(f"In {game.meta.title} nothing can be ordered ahead.")
    return game.orders


def policies(kind: OrderKind) -> dict[str, str]:
    """Return the policies that a kind allows besides moves, each with its explanation."""
    found = {SENSIBLE: kind.sensible} if kind.sensible else {}
    if kind.is_listed:
        found[MOST_VP] = (
            "The move that brings the most VP at once, but not pass; of equal ones, the first that "
            "'porto moves --format json' lists."
        )
    return found


# -- Reading


def recorded_order(text: str, game: Game, config: Config) -> Order:
    """Return the order of an item, given without the word ``order``; any text is valid.

    An order with ``then`` keeps its text as written, as it does in versions that do not know the
    word: the digest covers it. Raises InvalidMoveError if it is too long, or if nothing can be
    ordered in the game.
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
    """Return the order that somebody types, without the word ``order``.

    A colon after the kind is allowed, and the words of a name may be separate. The kind can be left
    out if the first choice is a move other than ``pass``: the order is then for the first kind of
    decision that has moves with that verb. Raises InvalidMoveError for what cannot be an order of
    the game, and for words that are in no move (in a record they merely never match).
    """
    _demand_short(text)
    text = _with_names_as_one_word(text, config.players)
    words = re.sub(r",(?= (?:else|then)\b)", "", text, flags=re.IGNORECASE).split()
    order = _read(" ".join(game.words.joined(words)), game, config)
    _demand_short(order.text)
    # A mistyped word of a condition must not change what an order means.
    verbs = {verb for kind in orders_of(game).kinds.values() for verb in kind.verbs}
    known = words_of(" ".join((*verbs, *game.words.names)))
    for word in (word for part in order.parts for choice in part.choices for word in choice.words):
        hidden = word in game.meta.verbs and word not in verbs
        if hidden or not (word in known or word.isdigit() or game.words.is_a_word(word)):
            raise InvalidMoveError(
                f"{cited(word)} is not a word of any move of {game.meta.title} that everybody sees."
            )
    return order


def _demand_short(text: str) -> None:
    if len(text) > LONGEST:
        raise InvalidMoveError(f"An order has at most {LONGEST} characters, not {len(text)}.")


def _with_names_as_one_word(text: str, players: Sequence[str]) -> str:
    """Return a text in which each full name in ``if NAME plays`` is replaced by its seat number, as
    a name can contain words that mean something in an order.
    """
    text = " ".join(text.split())
    names = {" ".join(player.split()): seat for seat, player in enumerate(players)}
    for name in sorted(names, key=len, reverse=True):
        condition = re.compile(rf"(?<!\S){IF} {re.escape(name)} {PLAYS}(?!\S)", re.IGNORECASE)
        text = condition.sub(f"{IF} {_SEAT}{names[name]} {PLAYS}", text)
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
        raise InvalidMoveError("An order with 'then' applies once; leave out 'always'.")
    *earlier, order = parts
    for part in reversed(earlier):
        order = part._replace(text=f"{part.text}{THEN}{order.text}", then=order)
    return order._replace(text=f"{ALWAYS} {order.text}", always=True) if always else order


def _part(text: str, before: str, game: Game, config: Config) -> Order:
    """Return one part of an order; ``before`` is the kind of the part before it, empty for the
    first. Raises InvalidMoveError.
    """
    first, _, rest = text.partition(" ")
    word = first.lower().rstrip(":")
    kind = kind_of(word, before, game)
    if not kind:
        kinds = possible_kinds(game, config)
        if not kinds:
            raise InvalidMoveError("In this game nothing can be ordered ahead.")
        example = next(chain.from_iterable(examples(game, config, one) for one in kinds))
        raise InvalidMoveError(
            f"No order in {game.meta.title} begins {f'with {cited(first)}' if first else 'so'}; "
            f"an order begins with a move, like {example}, or with what you will have to decide: "
            f"{enumerated(kinds, 'or')}.",
            kinds,
            first,
        )
    choices = re.split(r",? else(?: |$)", rest if word == kind else text, flags=re.IGNORECASE)
    read = tuple(_choice(one, kind, game, config) for one in choices)
    return Order(f"{kind} {ELSE.join(one.text for one in read)}", kind, read)


def kind_of(word: str, before: str, game: Game) -> str:
    """Return the kind of decision of an order that begins with a word: the kind itself, or that of
    the part ``before`` if it fits, or else the first that has moves with this verb. Empty if there
    is none.
    """
    orders = orders_of(game)
    if word in orders.kinds:
        return word
    if before and (word not in orders.verbs or word in orders.kinds[before].verbs):
        return before
    verbs_of = ((name, kind.verbs) for name, kind in orders.kinds.items() if word != PASS)
    return next((name for name, verbs in verbs_of if word in verbs), "")


def _choice(text: str, kind: str, game: Game, config: Config) -> Instruction:
    typed, *condition = _split(f"{IF}(?: |$)", text)
    if not typed:
        raise InvalidMoveError("A choice is missing: a move, like those of 'porto moves'.")
    move = _read_move(typed, kind, game, config)
    if not condition:
        return Instruction(move)
    name, *played = _split(f"{PLAYS} ", condition[0])
    words = tuple(" ".join(played).lower().split())
    # Orders of older versions could have several conditions.
    if not words or "and" in words:
        raise InvalidMoveError(
            "After 'if' say what another player has to play, like: if "
            f"{example_condition(game, config)}."
        )
    seat = int(name[1:]) if name.startswith(_SEAT) else seat_named(config.players, name)
    # Several spaces in a name count as one, as in all moves of a record.
    return Instruction(move, seat, words, " ".join([*config.players[seat].split(), PLAYS, *words]))


def _split(word: str, text: str) -> list[str]:
    """Return the text before and after the first occurrence of a word, ignoring case; the whole
    text if there is none.
    """
    return [part.strip() for part in re.split(f" {word}", text, maxsplit=1, flags=re.IGNORECASE)]


def _read_move(text: str, kind: str, game: Game, config: Config) -> str:
    """Return a move in full, or a policy, as written in records."""
    orders = orders_of(game)
    held = orders.kinds[kind]
    policy = SENSIBLE if text.lower() == held.written else text.lower()
    if policy in policies(held):
        return held.written if policy == SENSIBLE else policy
    return orders.move(config, kind, text)


_NUMBERED = re.compile(r"([a-z]+)-[0-9]+")


def words_of(move: str) -> set[str]:
    """Return the words of a move in lower case, and of each one with a number, like red-3, also the
    part before the number.
    """
    words = set(move.lower().split())
    return words | {found[1] for found in map(_NUMBERED.fullmatch, words) if found}


# -- What an order can be


def possible_kinds(game: Game, config: Config) -> list[str]:
    """Return the kinds of decisions that can occur in a game with this configuration."""
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
    """Yield the moves of a kind that have at most one word after their verb."""
    for words in ("", *sorted(game.words.names)):
        with suppress(InvalidMoveError):
            yield orders_of(game).move(config, kind, f"{verb} {words}".strip())


def next_of_move(game: Game, config: Config, kind: str, begun: Sequence[str]) -> Iterator[str]:
    """Yield the words that can follow the beginning of a move, legal now or not.

    If more words have to follow, the end of the verb's example fills in for them.
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
    """Return an example of a condition."""
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
    for index, word in enumerate(words):
        if index == 0 or words[index - 1] == _THEN:
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
    """Return the words after the last occurrence of one; all if there is none."""
    places = [index + 1 for index, one in enumerate(words) if one == word]
    return words[max(places, default=0) :]


# -- Explaining


def explained(order: Order, game: Game, players: Sequence[str]) -> list[str]:
    """Return what an order means, in sentences: when it applies, its choices, and for how long."""
    if order.unknown:
        return [
            "This order is in the words of another version of porto, so it does nothing: give it "
            "again, or take it back."
        ]
    if not order.kind:
        return ["All of your orders are taken back."]
    if not order.choices:
        return [f"Your order for {cited(order.kind)} is taken back."]
    lines = list[str]()
    for part in order.parts:
        kind = orders_of(game).kinds[part.kind]
        lines.append(f"After that, {kind.when[0].lower()}{kind.when[1:]}" if lines else kind.when)
        for nth, choice in enumerate(part.choices, start=1):
            policy = SENSIBLE if choice.move == kind.written else choice.move
            line = f"{nth}. {policies(kind).get(policy, f'{choice.move}, if that is legal.')}"
            if choice.words:
                player, played = players[choice.seat], cited(" ".join(choice.words))
                line += f" Only if {player} has made a move with {played} by then."
            lines.append(line)
    lines.append("If none of this is possible, the game waits for you.")
    if order.then:
        lines.append("Each part applies once; if you do something else, the rest is dropped.")
    elif order.always:
        lines.append("This applies until you take it back.")
    else:
        lines.append("This applies once.")
    return lines


def what_can_be_said(game: Game, state: State, kind: str) -> list[str]:
    """Explain what an order for a kind of decision can say, with examples that are legal now if the
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
        f"A move, like {enumerated(moves, 'or')}; {cited(held.verbs[0])} can be left out.",
        *(f"{one}: {meaning}" for one, meaning in policies(held).items()),
        f"Several choices, of which the first possible one is made: {several}.",
        f"A choice that depends on somebody's move in the meantime: {moves[0]} if {condition}.",
        f"What to do the next time, and the time after: {moves[0]}{THEN}{moves[-1]}.",
    ]


# -- What orders do: which of them stand, what they decide, and why one does not fit


def given(replay: Replay, text: str, seat: int) -> Order:
    """Return the order that a player types now. Raises InvalidMoveError, RefusedError."""
    demand_orders(replay)
    if replay.state.phase == OVER:
        refuse("The game is over, so nothing can be ordered.")
    order, player = read_order(text, replay.game, replay.config), replay.config.players[seat]
    if seat in replay.bot_seats:
        refuse(f"{player} is a bot.")
    if replay.seats[seat].out:
        refuse(
            f"{player} has left the game: an order for {player} now would have no effect, as it "
            "would end when they come back. To come back first:",
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
    """Return what is left of a player's orders, by the kind of decision that each waits for."""
    return {standing.order.kind: standing.order for standing in _standing(replay, seat)}


class _Standing(NamedTuple):
    """What is left of an order.

    ``since``     how many steps there were when it was given
    ``occasion``  the one on which it was first used; ``None`` before that
    """

    order: Order
    since: int
    occasion: Hashable = None


def _standing(replay: Replay, seat: int) -> list[_Standing]:
    """Return the orders of a player that stand, each for different kinds of decisions.

    A later order for the same kind replaces an earlier one. When the player undoes a move, or the
    seat changes hands, all earlier orders are dropped.
    """
    given = [one for one in reversed(replay.declarations) if one.seat == seat]
    standing: list[_Standing] = []
    for place in range(given[-1].place if given else len(replay.steps), len(replay.steps) + 1):
        while given and given[-1].place == place:
            order = given.pop().order
            if order is None or not order.kind:
                standing = []
            if order is not None:
                standing = [one for one in standing if not order.kinds & one.order.kinds]
                standing += [_Standing(order, place)] * bool(order.choices or order.unknown)
        step = replay.steps[place] if standing and place < len(replay.steps) else None
        if step is None or step.seat != seat:
            continue
        if step.takes_back is not None:
            standing = []
        elif not step.undone:
            for made, decision in enumerate(decisions(replay, step)):
                left = (_left(one, replay, place, made, decision) for one in standing)
                standing = [one for one in left if one is not None]
    now = orders_of(replay.game).occasion(replay.state) if standing else None
    return [one for one in standing if one.order.always or one.occasion in (None, now)]


def _left(
    standing: _Standing, replay: Replay, place: int, made: int, decision: Decision
) -> _Standing | None:
    """Return what is left of an order after its player's decision, which is move ``made`` of the
    step at ``place``; ``None`` once the order has expired.

    An order for once covers the next occasion on which its player makes a decision of its kind. One
    with ``then`` ends with that decision, and the rest stands if one of its choices was made.
    """
    orders, state, order = orders_of(replay.game), decision.before, standing.order
    kind, occasion = orders.kind(state), orders.occasion(state)
    waits_for = {order.kind} if order.kind in orders.kinds else orders.kinds.keys()
    if state.seat != replay.steps[place].seat or kind not in waits_for or order.always:
        return standing
    if order.then is None:
        is_same = standing.occasion in (None, occasion)
        return standing._replace(occasion=occasion) if is_same else None
    ordered = _chosen(before(replay, place, made), standing)
    is_done = not isinstance(ordered, list) and replay.game.is_same(state, ordered, decision.move)
    return _Standing(order.then, standing.since) if is_done else None


def due(replay: Replay) -> Move | None:
    """Return the move that an order of the player to move decides now; ``None`` if none does."""
    found = _tried(replay)
    return None if isinstance(found, list) else found


def replaced(replay: Replay, order: Order, seat: int) -> list[str]:
    """Return which orders of a player a new one will replace, in sentences."""
    return [
        f"This replaces your order: {one.text}"
        for one in in_force(replay, seat).values()
        if order.choices and order.kinds & one.kinds
    ]


def _tried(replay: Replay) -> Move | list[str] | None:
    """Return the move of the order for the decision that the game waits for, or why it does not
    fit, one sentence per choice; ``None`` if there is no such order.
    """
    if all(one.order is None for one in replay.declarations) or replay.state.phase == OVER:
        return None
    seat, kind = replay.state.seat, orders_of(replay.game).kind(replay.state)
    standing = _standing(replay, seat) if kind else []
    return next((_chosen(replay, one) for one in standing if one.order.kind == kind), None)


def _chosen(replay: Replay, standing: _Standing) -> Move | list[str]:
    """Return the move of an order now, or why it does not fit, one sentence per choice."""
    order = standing.order
    reasons = explained(order, replay.game, ()) if order.unknown else []
    for choice in order.choices:
        found = _decided(replay, order.kind, standing.since, choice)
        if not isinstance(found, str):
            return found
        reasons.append(f"{cited(choice.text)}{found}")
    return reasons


def _decided(replay: Replay, kind: str, since: int, choice: Instruction) -> Move | str:
    """Return the legal move that a choice leads to, or why there is none now, as the end of a
    sentence; ``since`` is how many steps there were when it was ordered.
    """
    state, orders = replay.state, orders_of(replay.game)
    if choice.words and not _was_played(replay, since, choice):
        return f": the condition {cited(choice.condition)} does not hold."
    if choice.move == MOST_VP:
        # Other moves that are legal now, like moving a guest before production, are another kind.
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
    """Return whether the move that a choice depends on was made where everybody sees it."""
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
    """Return a game as it was before a step, or after the first ``made`` of its moves."""
    step, then = replay.steps[place], after_steps(replay, place)
    if not made:
        return then
    state = decisions(replay, step)[made].before
    begun = step._replace(after=state, moves=step.moves[:made], undone=False)
    return then._replace(state=state, steps=(*then.steps, begun))


def was_ordered(replay: Replay, place: int, since: int = 0) -> bool:
    """Return whether all moves of a step, or those from the index ``since`` on, are what the orders
    of its player decided.
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
    """Return why the order of the player to move does not fit, in sentences; nothing for others."""
    found = _tried(replay) if replay.state.seat == seat and can_order(replay) else None
    if not isinstance(found, list) or not found:
        return []
    kind = orders_of(replay.game).kind(replay.state)
    return [f"Your order for {cited(kind)} stopped, so the game waits for you:", *found]


def place_after_last_act(replay: Replay, seat: int) -> int:
    """Return the index in ``replay.steps`` after a player's last own act: giving an order, or a
    turn that no order decided.
    """
    given = max(
        (one.place for one in replay.declarations if one.seat == seat and one.order), default=0
    )
    place = place_after_last_turn(replay, seat)
    while place > given and was_ordered(replay, place - 1):
        earlier = replay._replace(steps=replay.steps[: place - 1])
        place = place_after_last_turn(earlier, seat)
    return max(place, given)
