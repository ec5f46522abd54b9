"""What is typed of Porto's moves: options and numbers as the words that they stand for, names, and
what can follow. The legal moves themselves are in :mod:`porto_cli.games.porto.words`, which is
imported only where they are needed, as most commands say a whole move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from porto_cli.core.message import (
    InvalidMoveError,
    Violation,
    command,
    unnamed,
    usage,
    whole_number,
)
from porto_cli.games.porto.editions import names as editions
from porto_cli.games.porto.engine.build import TOKEN, Build
from porto_cli.games.porto.engine.claim import CLAIM_NONE
from porto_cli.games.porto.engine.components import CARDS, EMPTY, HOUSES
from porto_cli.games.porto.engine.draw import draw_of
from porto_cli.games.porto.engine.keep import KEEPS, may_keep
from porto_cli.games.porto.engine.names import (
    NONE,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    card_names,
    is_a_component,
    parse_card,
    parse_private,
    parse_public,
)
from porto_cli.games.porto.engine.play import Move, check
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, TIMER, State
from porto_cli.language import Command, Language, Typed
from porto_cli.words import Completion, Option, completions, fitting, worth_of

if TYPE_CHECKING:
    from porto_cli.move_list import MoveGroup

CONTRACT = "contract"


def means(word: str, name: str) -> bool:
    """Return whether a word that was typed is a name, or short for it."""
    if word.casefold() == name.casefold():
        return True
    for names, parse in _NAMES:
        if name in names:
            try:
                return bool(names[parse(word)] == name)
            except InvalidMoveError:
                return False
    return False


_NAMES: tuple[tuple[Sequence[str], Callable[[str], int]], ...] = (
    (CARDS, parse_card),
    (PUBLIC_NAMES, parse_public),
    (PRIVATE_NAMES, parse_private),
)


def with_who_keeps(typed: Command) -> Command:
    """Say who keeps private contracts, so that no one chooses for another player by mistake."""
    state, players = typed.state, typed.state.config.players
    able = [name for seat, name in enumerate(players) if may_keep(state, seat)]
    if not able or len(players) == 1:
        return typed
    if not typed.asker:
        by_number = state.dealt and not state.is_revealing
        move = " ".join(["keep", *(typed.words or ("123" if by_number else ["NAME"] * 3))])
        unnamed(
            "Who keeps these contracts? Say it with --as; these players still can: "
            f"{', '.join(able)}.",
            suggestions=[command(move, typed.path, name) for name in able],
        )
    from porto_cli.term.prompt import which_player

    return typed._replace(seat=players.index(which_player(typed.asker(), able, ("P-SETUP-5",))))


def in_words(
    verb: str, words: Sequence[str], options: Mapping[str, Any], state: State
) -> tuple[list[str], list[str]]:
    """Return the words of a move, and the claim that goes with a build as a move, from words and
    options: the roof of a token, contracts, numbers of spaces.
    """
    if verb == "draw":
        return [_card_in_space(word, state.cards) for word in words], []
    if verb != "build":
        return list(words), []
    token, contracts = options.get(TOKEN), options.get(CONTRACT)
    words, claim = list(words), list[str]()
    lower = [word.lower() for word in words]
    is_claimed = CONTRACT in lower
    if is_claimed:
        end = lower.index(CONTRACT)
        words, claim = words[:end], words[end + 1 :]
    if token:
        if len(words) > 3:
            usage("The house for the token is named twice: leave out --token or the word.")
        words = [*words, TOKEN, token]
    if contracts:
        if is_claimed:
            usage("The contracts are named twice: leave out --contract or the word.")
        claim = [word for text in contracts for word in text.replace(",", " ").split()]
    return words, [" ".join([CONTRACT, *claim])] if is_claimed or contracts else []


def by_name(words: Sequence[str], state: State) -> list[str]:
    """Return a draw, or a choice of public contracts, by names instead of spaces; other moves as
    they are, also where nothing lies in a space, or names and spaces are mixed.
    """
    verb, *rest = words
    rows = {"draw": (state.cards, CARDS), CONTRACT: (state.contracts, PUBLIC_NAMES)}
    row, names = rows.get(verb, (b"", ()))
    spaces = [whole_number(word) - 1 for word in rest]
    if not all(0 <= space < len(row) and row[space] != EMPTY for space in spaces):
        return list(words)
    if verb == "draw":
        return [verb, *(_card_in_space(word, row) for word in rest)]
    return [verb, *(names[row[space]] for space in spaces)]


def _card_in_space(word: str, row: bytes) -> str:
    """Return the face-up card of a number that is typed; any other word as it is."""
    space = whole_number(word)
    if space < 0:
        return word
    if not 1 <= space <= len(row) or row[space - 1] == EMPTY:
        usage(f"No card lies in space {space} of the row.")
    return f"{CARDS[row[space - 1]]}@{space}"


def not_now(state: State, verb: str, seat: int) -> list[Violation]:
    """Return the rules that forbid every move of a verb now, whatever it says."""
    example, phases = _WHEN[verb]
    broken = check(state, example, seat)
    if verb == "keep":
        return broken if state.dealt and not state.is_revealing else []
    return broken if seat != state.seat or state.phase not in phases else []


_WHEN: dict[str, tuple[Move, tuple[str, ...]]] = {
    "draw": (draw_of((0,)), (ACT,)),
    "build": (Build(0, 0, 0), (ACT, TIMER)),
    CONTRACT: (CLAIM_NONE, (CONTRACTS,)),
    "keep": (KEEPS[0], ()),
}
"""A move of each kind, and the phases in which one of its kind can be legal."""


def values(what: str, typed: Typed, options: Sequence[Option]) -> Iterable[Completion]:
    """Return the values of a kind of option: what is in the legal moves that have all words which
    were typed, or what can come up on a real table.
    """
    assert typed.state is not None
    state: State = typed.state
    if what == "face-up-contracts":
        return [PUBLIC_NAMES[card] for card in state.contracts if card != EMPTY]
    if what == "face-down-cards":
        return card_names(state.deck + state.discards)
    if what == "face-down-contracts":
        return [PUBLIC_NAMES[card] for card in state.contract_deck]
    if typed.verb == "build":
        options = fitting(options, ["build", *typed.words], means)
    if what == "playable-cards":
        return [card for one in options if one.facts for card in one.facts["cards"]]
    if what == "contracts-of-build":
        claims = [claim for one in options for claim in one.then]
        claimed = " ".join(typed.options.get(CONTRACT) or ()).lower().replace(",", " ").split()
        return completions(claims, [CONTRACT, *claimed], means)
    found: dict[str, list[Option]] = {}
    for one in options:
        house = one.facts and one.facts["house" if what == "houses" else TOKEN]
        if house:
            found.setdefault(house, []).append(one)
    return [(house, worth_of(found[house], house)) for house in sorted(found)]


class PortoWords(Language):
    """See :class:`porto_cli.language.Language` for what each member means."""

    means = staticmethod(means)
    by_name = staticmethod(by_name)
    not_now = staticmethod(not_now)

    def options(self, state: State, seat: int | None, *, asking: bool = False) -> list[Option]:
        """Return the legal moves, those that score best first; to ask what the timer builds, those
        that hurt least.
        """
        from porto_cli.games.porto.words import by_harm, options

        found = options(state, seat)
        return by_harm(state, found) if asking and state.phase == TIMER else found

    def moves_json(self, state: State, seat: int | None) -> dict[str, Any]:
        """Return the legal moves, those that score best first."""
        from porto_cli.games.porto.options import moves_json

        return moves_json(state, seat)

    def fits(self, options: Mapping[str, Any]) -> Callable[[dict[str, Any]], bool]:
        """Return what says whether a move is on a house, for a contract, with some cards."""
        from porto_cli.games.porto.words import fits

        return fits(**options)

    def move_groups(self, state: State, seat: int, *, private: bool) -> Sequence[MoveGroup]:
        """Return draws, and builds by house; which private contracts to keep, with draws."""
        if state.phase != KEEP or not state.dealt:
            return super().move_groups(state, seat, private=private)
        from porto_cli.games.porto.words import keeps_in_mail

        return keeps_in_mail(state, seat) if private else []

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all cards, houses and contracts."""
        names = (*CARDS, *HOUSES, *PUBLIC_NAMES, *PRIVATE_NAMES)
        return frozenset(name.lower() for name in names)

    def is_a_word(self, word: str) -> bool:
        """Return whether a word names a card, a house or a contract, or is used with those."""
        return word in (NONE, TOKEN) or is_a_component(word)

    def read_command(self, command: Command) -> tuple[int, list[str]]:
        """Return the moves of a command: a build maybe with the contracts that it fulfills."""
        if command.verb == "keep" and command.seat is None:
            command = with_who_keeps(command)
        state, mover = command.state, command.mover
        words, claim = in_words(command.verb, command.words, command.options, state)

        def options() -> Sequence[Option]:
            found = self.options(state, mover)
            settled = bool(claim) or command.dry_run
            return [one._replace(then=()) for one in found] if settled else found

        return mover, [*self.moves_of(command._replace(words=words), options), *claim]

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return what can follow."""
        if what == "editions":
            return editions()
        state: State | None = typed.state
        if state is None:
            return ()
        if what != typed.verb:
            # Only what lies face up is completed without the moves.
            face_up = what.startswith("face-")
            return values(what, typed, () if face_up else self.options(state, typed.seat))
        if what == "keep" and (not state.dealt or state.is_revealing):
            from porto_cli.games.porto.words import unrevealed

            # At a real table only its player knows a deal.
            return [name for name in unrevealed(state) if name not in typed.words]
        token, words = typed.options.get(TOKEN), typed.words
        if typed.verb == "build" and token and len(words) == 3:
            words = [*words, TOKEN, token]
        if typed.verb == "build" and typed.options.get(CONTRACT):
            # What it fulfills is said already.
            builds = [one._replace(then=()) for one in self.options(state, typed.seat)]
            return completions(builds, ["build", *words], self.means)
        return super().complete(what, typed._replace(words=words))

    def thing_name(self, stream: str, thing: int) -> str:
        """Return the name of a card or public contract."""
        return PUBLIC_NAMES[thing] if stream == "contracts" else card_names([thing])[0]
