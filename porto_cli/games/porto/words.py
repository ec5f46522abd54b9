"""Porto's moves as people type them: the part ``words``. The legal moves themselves are in
:mod:`porto_cli.games.porto.options`, which is imported only where they are needed, as most commands
say a whole move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from porto_cli.core import InvalidMoveError, Violation, usage, whole_number
from porto_cli.games.porto.engine import (
    CARDS,
    EMPTY,
    HOUSES,
    NONE,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    card_names,
    names_of,
    parse_card,
    parse_house,
    parse_private,
    parse_public,
)
from porto_cli.games.porto.engine.build import TOKEN
from porto_cli.games.porto.engine.cards import KEEPS
from porto_cli.games.porto.engine.play import VERBS
from porto_cli.games.porto.engine.state import KEEP, TIMER, State
from porto_cli.games.porto.record_keys import names as editions
from porto_cli.seam import Command, MoveGroup, Typed, later
from porto_cli.words import (
    Completion,
    Language,
    completions,
    fitting,
    grouped,
    split_words,
    worth_of,
)

CONTRACT = "contract"
_NAMES: tuple[tuple[Sequence[str], Callable[[str], int]], ...] = (
    (CARDS, parse_card),
    (PUBLIC_NAMES, parse_public),
    (PRIVATE_NAMES, parse_private),
    (HOUSES, parse_house),
)


def _named(word: str, names: Sequence[str], parse: Callable[[str], int]) -> str:
    """Return the name that a word is, or is short for; nothing if it is none of these."""
    try:
        return names[parse(word)]
    except InvalidMoveError:
        return ""


class Words(Language):
    """See :class:`porto_cli.words.Language` for what each member means."""

    options = later("porto_cli.games.porto.options:options")
    moves_json = later("porto_cli.games.porto.options:moves_json")
    fits = later("porto_cli.games.porto.options:fits")
    keeps_in_mail = later("porto_cli.games.porto.options:keeps_in_mail")
    unrevealed = later("porto_cli.games.porto.phrases:unrevealed")

    def move_groups(self, state: State, seat: int, *, private: bool) -> Sequence[MoveGroup]:
        """Return draws, and builds by house; which private contracts to keep, with draws."""
        if state.phase != KEEP or not state.dealt:
            return super().move_groups(state, seat, private=private)
        return self.keeps_in_mail(state, seat) if private else []

    names = frozenset(name.lower() for names, _ in _NAMES for name in names)
    """The names of all cards, houses and contracts."""

    def is_a_word(self, word: str) -> bool:
        """Return whether a word names a card, a house or a contract, or is used with those."""
        card, _, _ = word.partition("@")
        return word in (NONE, TOKEN) or any(
            _named(card if names is CARDS else word, names, parse) for names, parse in _NAMES
        )

    def means(self, word: str, name: str) -> bool:
        """Return whether a word that was typed is a name, or short for it."""
        return word.casefold() == name.casefold() or any(
            name in names and _named(word, names, parse) == name for names, parse in _NAMES
        )

    def by_name(self, words: Sequence[str], state: State) -> list[str]:
        """Return a draw, or a choice of public contracts, by names instead of spaces; other moves
        as they are, also where nothing lies in a space, or names and spaces are mixed.
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
        for nth, word in enumerate(words if command.verb == "draw" else ()):
            if whole_number(word) >= 0:
                _, words[nth] = self.by_name(["draw", word], command.state)
                if words[nth] == word:
                    usage(f"No card lies in space {whole_number(word)} of the row.")
        return super().read_command(command._replace(words=words))

    def to_know(self, state: State) -> Iterator[str]:
        """Say what the timer builds with."""
        if state.phase == TIMER:
            yield f"The timer has drawn {' and '.join(card_names(state.turned))}."

    def not_now(self, state: State, verb: str, seat: int) -> Sequence[Violation]:
        """Return the rules that forbid every move of a verb now, whatever it says."""
        if verb == "keep":
            # At a real table it is not listed what can be kept. Of a deal that is sealed here, what
            # everybody else knows of a choice is listed, which cannot be typed.
            is_listed = state.dealt and not state.is_revealing
            return self.rules.violations(state, KEEPS[0], seat) if is_listed else ()
        # Where a verb has words, those of an example would not say why no others are legal either.
        has_words = verb in VERBS and self.rules.commands.verbs[verb].words
        in_time = has_words and seat == state.seat and state.phase in VERBS[verb].phases
        return () if in_time else super().not_now(state, verb, seat)

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return what can follow."""
        if what == "editions":
            return editions()
        state: State | None = typed.state
        if state is None:
            return ()
        if what != typed.verb:
            return self._values(what, typed, state)
        if what == "keep" and (not state.dealt or state.is_revealing):
            # At a real table only its player knows a deal.
            return [name for name in self.unrevealed(state) if name not in typed.words]
        return super().complete(what, typed)

    def _values(self, what: str, typed: Typed, state: State) -> Iterable[Completion]:
        """Return the values of a kind of option: what is in the legal moves that have all words
        which were typed, or what lies face up, or can come up on a real table.
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
        found = grouped(options, lambda one: one.facts[key] if one.facts else None)
        return [(house, worth_of(found[house], house)) for house in sorted(filter(None, found))]

    def thing_name(self, stream: str, thing: int) -> str:
        """Return the name of a card or public contract."""
        return names_of(stream)[thing]
