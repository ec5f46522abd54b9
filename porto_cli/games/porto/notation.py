"""The notation: moves as text and back, and as people type them (the part ``words``); and what
happened, for documents and in sentences.

The legal moves are in :mod:`porto_cli.games.porto.options`, which is imported only when needed, as
most commands contain a complete move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any, NoReturn

from porto_cli.core import InvalidMoveError, Violation, by_verb, enumerated, usage, whole_number
from porto_cli.core.values import event_json
from porto_cli.games.porto.engine import (
    CARDS,
    EMPTY,
    HOUSES,
    NONE,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    card_names,
    parse_card,
    parse_house,
    parse_private,
    parse_public,
)
from porto_cli.games.porto.engine.cards import KEEPS, Claim, Claimed, Draw, Drew, Kept, Revealed
from porto_cli.games.porto.engine.play import (
    MOVES_IN,
    TOKEN,
    VERBS,
    Move,
    Passed,
    Placed,
    RoofPlaced,
    demand_move,
    drawn_by_timer,
)
from porto_cli.games.porto.engine.state import KEEP, TIMER, State, cards_to_build_with
from porto_cli.games.porto.engine.turn import (
    Ended,
    Event,
    Refilled,
    Scored,
    TimerTurned,
    is_final,
    scored_in,
    source_of,
)
from porto_cli.seam import (
    DONE,
    GONE,
    SCORED,
    SEEN,
    UNDO,
    Advice,
    Command,
    MoveGroup,
    Short,
    Step,
    Turn,
    Typed,
    later,
    told_to,
)
from porto_cli.words import (
    Completion,
    Language,
    completions,
    fitting,
    grouped,
    split_words,
    worth_of,
)

if TYPE_CHECKING:
    from porto_cli.abilities import HasPlayers

# -- Moves as text, and back: exact inverses
#
# ``format_move`` returns canonical text. On input, case does not matter and unambiguous
# abbreviations are accepted (``b3`` for ``blue-3``, ``l4``, ``b+r``). Each class of moves reads its
# own words. Parsing does not check the rules: a card that is not there becomes a move that the
# rules reject. Only text that is not a move in any position raises ``InvalidMoveError``.


def short_forms(cards: Iterable[str]) -> str:
    """Return cards with the letters of their colors: ``b3 r1`` for ``blue-3`` and ``red-1``."""
    return " ".join(f"{card[0]}{card[-1]}" for card in cards)


def parse_move(text: str, state: State, seat: int | None = None) -> Move:
    """Read a move of a player (by default the one to move) in the present position.

    Raises InvalidMoveError if the text is not a move, which for a card that does not exist names
    those that can be drawn or played; whether a move is legal is for the rules.
    """
    words, mover = text.split(), state.seat if seat is None else seat
    try:
        return by_verb(words, _READERS, Words.names)(words, state, mover)
    except InvalidMoveError as error:
        if error.names is not CARDS:
            raise
        hand = cards_to_build_with(state) if mover == state.seat else state.hands[mover]
        build, draw = ("cards for a build, which takes two", hand), ("face-up cards", state.cards)
        what, cards = draw if words[0].lower() == "draw" else build
        names = enumerated(card_names(card for card in cards if card != EMPTY))
        there = f"{what}: {names}" if names else f"you have no {what}"
        sentence = f"{error.sentence.partition('; ')[0]}; {there}."
        raise InvalidMoveError(sentence, CARDS, error.word) from None


def _read_undo(words: list[str], state: State, seat: int) -> NoReturn:
    raise InvalidMoveError("Undo is not a move of the rules: it takes back the last turn.")


_READERS: dict[str, Callable[[list[str], State, int], Move]] = {
    **{verb: kind.read for verb, kind in VERBS.items()},
    UNDO: _read_undo,
}


def in_full(text: str) -> str:
    """Return a draw, a build, a choice of public contracts or a pass in canonical words.

    The table need not be known: cards keep the order in which they are named, and contracts have
    names, not spaces. Raises InvalidMoveError.
    """
    words = text.split()
    return str(by_verb(words, _IN_FULL)(words))


_IN_FULL: dict[str, Callable[[list[str]], object]] = {
    verb: getattr(kind, "in_full", kind.read)
    for verb, kind in VERBS.items()
    if kind not in MOVES_IN[KEEP]
}
"""Reads each verb without a table: no private contracts are known before they are dealt."""


def format_move(move: Move, state: State) -> str:
    """Return the canonical text of a move in the present position."""
    demand_move(move)
    # Only what lies at the table has other words there.
    return move.text(state) if isinstance(move, Claim | Draw) else str(move)


# -- Moves as people type them

CONTRACT = "contract"
_NAMES: tuple[tuple[Sequence[str], Callable[[str], int]], ...] = (
    (CARDS, parse_card),
    (PUBLIC_NAMES, parse_public),
    (PRIVATE_NAMES, parse_private),
    (HOUSES, parse_house),
)


def _named(word: str, names: Sequence[str], parse: Callable[[str], int]) -> str:
    """Return the name that a word is or abbreviates; ``""`` if there is none."""
    try:
        return names[parse(word)]
    except InvalidMoveError:
        return ""


class Words(Language):
    """The part ``words`` of Porto; the base class says what each member means."""

    options = later(".options:options")
    moves_json = later(".options:moves_json")
    fits = later(".options:fits")
    keeps_in_mail = later(".options:keeps_in_mail")
    unrevealed = later(".phrases:unrevealed")
    editions = later(".editions:names")

    def move_groups(self, state: State, seat: int, *, private: bool) -> Sequence[MoveGroup]:
        """Return draws, and builds by house; or choices of private contracts, with draws."""
        if state.phase != KEEP or not state.dealt:
            return super().move_groups(state, seat, private=private)
        return self.keeps_in_mail(state, seat) if private else []

    names = frozenset(name.lower() for names, _ in _NAMES for name in names)
    """The names of all cards, houses and contracts."""

    def is_a_word(self, word: str) -> bool:
        """Return whether a word is a card, a house, a contract, or a word used with them."""
        card, _, _ = word.partition("@")
        return word in (NONE, TOKEN) or any(
            _named(card if names is CARDS else word, names, parse) for names, parse in _NAMES
        )

    def means(self, word: str, name: str) -> bool:
        """Return whether a typed word is a name, or short for it."""
        return word.casefold() == name.casefold() or any(
            name in names and _named(word, names, parse) == name for names, parse in _NAMES
        )

    def by_name(self, words: Sequence[str], state: State) -> list[str]:
        """Return a draw, or a choice of public contracts, with names in place of spaces. All other
        moves stay as they are, also if a space is empty, or names and spaces are mixed.
        """
        verb, *rest = words
        rows = {
            "draw": (state.cards, [f"{card}@{{}}" for card in CARDS]),
            CONTRACT: (state.contracts, PUBLIC_NAMES),
        }
        row, names = rows.get(verb, (b"", ()))
        spaces = [whole_number(word) for word in rest]
        if not all(1 <= space <= len(row) and row[space - 1] != EMPTY for space in spaces):
            return [*words]
        return [verb, *(names[row[space - 1]].format(space) for space in spaces)]

    def read_command(self, command: Command) -> tuple[int, list[str]]:
        """Return the moves of a command. A draw can name the spaces of some cards."""
        words = [*command.words]
        for index, word in enumerate(words if command.verb == "draw" else ()):
            if whole_number(word) >= 0:
                _, words[index] = self.by_name(["draw", word], command.state)
                if words[index] == word:
                    usage(f"No card lies in space {whole_number(word)} of the row.")
        return super().read_command(command._replace(words=words))

    def to_know(self, state: State, typed: Callable[[str], str]) -> Iterator[Advice]:
        """Yield the cards that the timer builds with."""
        if state.phase == TIMER:
            yield Advice(f"The timer drew {drawn_by_timer(state)}.")

    def not_now(self, state: State, verb: str, seat: int) -> Sequence[Violation]:
        """Return the rules that forbid every move with this verb now."""
        if verb == "keep":
            # At a real table the choices are not listed. For a deal that is sealed here, the list
            # has the choices as everybody else knows them, which cannot be typed.
            is_listed = state.dealt and not state.is_revealing
            return self.rules.violations(state, KEEPS[0], seat) if is_listed else ()
        # If a verb has words, an example would not show why no other words are legal either.
        has_words = verb in VERBS and self.rules.commands.verbs[verb].words
        in_time = has_words and seat == state.seat and state.phase in VERBS[verb].phases
        return () if in_time else super().not_now(state, verb, seat)

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return the words that can come next."""
        if what == "editions":
            return list[str](self.editions())
        state: State | None = typed.state
        if state is None:
            return ()
        if what != typed.verb:
            return self._values(what, typed, state)
        if what == "keep" and (not state.dealt or state.is_revealing):
            # At a real table a deal is known only to its player.
            return [name for name in self.unrevealed(state) if name not in typed.words]
        return super().complete(what, typed)

    def _values(self, what: str, typed: Typed, state: State) -> Iterable[Completion]:
        """Return the values for an option: from the legal moves that have all the typed words, or
        what is face up, or what can come up on a real table.
        """
        if what == "face-up-contracts":
            return [PUBLIC_NAMES[card] for card in state.contracts if card != EMPTY]
        if what == "face-down-cards":
            return card_names(state.deck + state.discards)
        if what == "face-down-contracts":
            return [PUBLIC_NAMES[card] for card in state.contract_deck]
        options = self.options(state, typed.seat)
        if typed.verb == "build":
            options = fitting(options, ["build", *typed.words], self.means)
        if what == "playable-cards":
            return [card for one in options if one.facts for card in one.facts["cards"]]
        if what == "contracts-of-build":
            claims = [claim for one in options for claim in one.then]
            claimed = split_words(typed.options.get(CONTRACT) or ())
            return completions(claims, [CONTRACT, *claimed], self.means)
        key = "house" if what == "houses" else TOKEN
        by_house = grouped(options, lambda one: one.facts[key] if one.facts else None)
        houses = sorted(filter(None, by_house))
        return [(house, worth_of(by_house[house], house)) for house in houses]


# -- What happened, for documents and in sentences


def scores_json(scores: Iterable[Scored]) -> list[list[Any]]:
    """Return scores as all documents have them: a pair of reason and VP for each."""
    return [[score.reason, score.vp] for score in scores]


def reasons(scores: Iterable[Sequence[Any]]) -> str:
    """Return the sources of VP, and how many each brought, from scores as in documents:
    ``floors 3, contract blue+red 4``.
    """
    return ", ".join(f"{source_of(reason)} {vp}" for reason, vp in scores)


def summary(events: Iterable[Event], config: HasPlayers) -> list[str]:
    """Return what happened in sentences; all that a player scored in a row is one of them."""
    told: list[str] = []
    for _, group in groupby(events, lambda one: one.seat if isinstance(one, Scored) else one):
        alike = [*group]
        scored = [one for one in alike if isinstance(one, Scored)]
        if len(scored) > 1:
            vp, why = sum(one.vp for one in scored), reasons(scores_json(scored))
            told.append(f"{config.players[scored[0].seat]} got {vp} VP ({why}).")
        else:
            told += [one.told(config.players) for one in alike]
    return told


def turn(step: Step, seat: int | None = None, *, over: bool = False) -> Turn:
    """Return a turn, or another item of a record, see :meth:`porto_cli.games.Game.turn`.

    All players see the same: a turn says neither which private contracts are kept, which is secret,
    nor what they score in the end.
    """
    before, config = step.before, step.before.config
    player, kind = config.players[step.seat], _kind(step)
    number = before.turn + 1 if kind not in (KEEP, UNDO, GONE) else None
    events = [event for event in step.events if not is_final(event)]
    scored = scored_in(step.events)
    scores = scores_json(scored)
    vp = sum(vp for _, vp in scores)
    standing = [*step.after.scores]
    for event in step.events:
        if is_final(event):
            standing[event.seat] -= event.vp
    named = told_to(config.players, seat)
    # That the game is over, its result says.
    shown = [event for event in events if not isinstance(event, Scored | Refilled | Ended)]
    own = [*takewhile(lambda event: not isinstance(event, TimerTurned), shown)]
    # Who plays alone sees turns only, which are then the same as rounds.
    part = "" if config.timer or not number else f"Round {before.round}"
    return Turn(
        {
            "turn": number,
            "round": before.round,
            "player": player,
            "kind": kind,
            "moves": _moves(step, kind),
            "undone": step.undone,
            "scores": scores,
            "vp": vp,
            "standing": standing,
            "events": [event_json(event, config) for event in events],
        },
        part=part,
        heading=f"Turn {number}{part and f', {part.lower()}'}: {player}",
        done=summary(own, named),
        gains=summary(scored, named),
        then=summary(shown[len(own) :], named),
        short=[*_in_short(events, named.players, step.seat, seat)],
    )


def _in_short(
    events: Sequence[Event], names: Sequence[str], mover: int, reader: int | None
) -> Iterator[Short]:
    """Yield what happened in few words: what a player did, contracts fulfilled by anybody but the
    reader, and what the timer built and discarded; cards only where it took no contracts.
    """
    vp, timer = sum(one.vp for one in scored_in(events)), "The timer"
    tokens = {one.house: one.token for one in events if isinstance(one, RoofPlaced)}
    for event in events:
        who, told, weight = names[mover], event.told(names), DONE
        match event:
            case Claimed(contracts=contracts) if not contracts or mover == reader:
                continue
            case Placed(by_timer=True, house=house, completed=completed):
                who, weight = timer, SCORED
                lost = f"; its {tokens[house]} VP token left the game" if tokens.get(house) else ""
                told = f"{who} {event.in_brief}{', completing it' * completed}{lost}."
            case Placed():
                told, weight = f"{who} {event.in_brief}{f' for {vp} VP' * (vp > 0)}.", SCORED
            case TimerTurned():
                who = timer
                gone = [PUBLIC_NAMES[one] for one in event.contracts] or card_names(event.cards)
                told = f"{who} discarded {enumerated(gone) or 'nothing'}."
            case Kept():
                weight = SEEN
            case Drew() | Passed() | Claimed() | Revealed():
                pass
            case _:
                continue
        yield Short(told, weight, who)


def _kind(step: Step) -> str:
    if step.takes_back is not None:
        return UNDO
    return str(step.moves[0].verb) if step.moves else GONE


def _moves(step: Step, kind: str) -> list[str]:
    """Return the decisions in a step, without what came up."""
    if kind in (KEEP, GONE):
        return [kind]
    first, *more = step.entries
    verbs = {"contract": "contract", "timer-build": "build"}
    decided = [f"{verbs[key]} {text}" for key, text in more if key in verbs and text != "none"]
    return [first[1], *decided]
