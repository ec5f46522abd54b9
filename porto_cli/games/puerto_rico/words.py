"""Puerto Rico's moves as people type them: the part ``words``. The legal moves themselves are in
:mod:`porto_cli.games.puerto_rico.options`, which is imported only where they are needed, as most
commands say a whole move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from porto_cli.core import InvalidMoveError, Violation, enumerated
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import (
    COST,
    PLACES,
    ROLES,
    TILES,
    buildings_in,
    pile_of,
)
from porto_cli.games.puerto_rico.engine.boards import nearest_placement
from porto_cli.games.puerto_rico.engine.moves import Place
from porto_cli.games.puerto_rico.engine.play import kinds_allowed, legal_moves
from porto_cli.games.puerto_rico.engine.state import (
    MAYOR_PHASE,
    ROLE_PHASE,
    State,
)
from porto_cli.games.puerto_rico.notation import (
    ADD,
    FIRST,
    FROM,
    LEAVE,
    NAMES,
    find_building,
    format_move,
    is_a_word,
    means,
    parse_move,
)
from porto_cli.seam import MoveGroup, Typed, later
from porto_cli.words import Completion, Language, Option, nearest, split_words

_MOST_COMPARED = 500
"""Moves among which the nearest are found, where there are more."""


def _places(state: State, words: Sequence[str]) -> Iterator[Completion]:
    """Offer the places with circles, with who is there; ``add``, ``leave`` and ``from`` as well."""
    player = state.players[state.seat]
    first = words[0] if words else ""
    if not words:
        yield (ADD, "all colonists stay, and the new ones go to these places")
        yield (LEAVE, "all circles are filled but these")
        yield (FIRST, "these circles are filled first, in this order, then all others")
    if first == ADD and len(words) > 1 and FROM not in words:
        yield (FROM, "and those of these places move as well")
    leaving = FROM in words
    for place, circles in enumerate(player.circles):
        there = player.colonists[place]
        wanted = there if leaving else circles - there if first == ADD else circles
        if wanted and PLACES[place] not in words:
            yield (PLACES[place], f"{there} of {circles} occupied")


def _violet(typed: Typed) -> Iterator[Completion]:
    """Offer the violet buildings that can be in the game with those already typed."""
    chosen = 0
    for word in split_words(typed.options.get("violet") or ""):
        chosen |= 1 << find_building(word)
    for place in buildings_in(kinds_allowed(chosen)):
        yield (PLACES[place], phrases.doubloons(COST[place]))


class Words(Language):
    """See :class:`porto_cli.words.Language` for what each member means."""

    names = NAMES
    is_a_word = staticmethod(is_a_word)
    means = staticmethod(means)

    def options(self, state: State, seat: int | None, *, asking: bool = False) -> list[Option]:
        """Return the legal moves; of very many, those that differ only in numbers as one."""
        from porto_cli.games.puerto_rico.options import options

        found = options(state, seat, asking=asking)
        # What is typed can be the words of several moves, in any order, which is asked then.
        return [one._replace(ordered=False) for one in found] if asking else found

    def to_know(self, state: State) -> Iterator[str]:
        """Name the doubloons on the role cards that can be taken; say how to place in few words."""
        if state.phase == MAYOR_PHASE:
            yield from self.in_short(state)
        lying = [
            f"{ROLES[role]} {state.role_doubloons[role]}"
            for role in state.config.box.roles
            if state.role_doubloons[role]
        ]
        if lying and state.phase == ROLE_PHASE:
            yield f"Doubloons lie on {enumerated(lying)}."

    in_short = later("porto_cli.games.puerto_rico.promises:in_short")
    moves_json = later("porto_cli.games.puerto_rico.options:moves_json")
    placements = later("porto_cli.games.puerto_rico.options:placements_in_mail")

    def move_groups(self, state: State, seat: int, *, private: bool) -> Sequence[MoveGroup]:
        """Return what there is to choose in a phase; of placements some."""
        if state.phase != MAYOR_PHASE:
            return super().move_groups(state, seat, private=private)
        return [self.placements(state, self.rules.view(state, seat if private else None).table)]

    def not_now(self, state: State, verb: str, seat: int) -> Sequence[Violation]:
        """Return why it is not the time for a verb, or that there is no guest to move."""
        broken = super().not_now(state, verb, seat)
        return [one for one in broken if one.rule == "PR-TURN-1" or verb == "guest"][:1]

    def nearest(self, state: State, text: str, seat: int) -> list[str]:
        """Return up to five legal moves of a seat, those most like a text first; passing only where
        there is nothing else.
        """
        if state.phase == MAYOR_PHASE and seat == state.seat:
            try:
                move = parse_move(text)
            except InvalidMoveError:
                move = None
            wanted = move.colonists if isinstance(move, Place) else None
            return [format_move(nearest_placement(state, wanted))]
        legal = [format_move(move) for move in legal_moves(state, seat, _MOST_COMPARED)]
        return nearest([move for move in legal if move != "pass"] or legal, text)

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return the next word of a verb's move, or the values of a kind of option."""
        if what == "violet-buildings":
            return _violet(typed)
        if typed.state is None:
            return ()
        state: State = typed.state
        if what == "face-down-tiles":
            # What is discarded can come up when the stack is used up (PR-SETTLER-6).
            return (TILES[tile] for tile in dict.fromkeys(state.stack + pile_of(state.discards)))
        if what == "place":
            is_now = state.phase == MAYOR_PHASE and typed.seat == state.seat
            return _places(state, typed.words) if is_now else ()
        return super().complete(what, typed)

    def thing_name(self, stream: str, thing: int) -> str:
        """Return the name of a plantation."""
        return TILES[thing]
