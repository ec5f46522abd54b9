"""Puerto Rico's moves as people type them: the part ``words``. The legal moves themselves are in
:mod:`porto_cli.games.puerto_rico.options`, which is imported only where they are needed, as most
commands say a whole move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from porto_cli.core.message import enumerated
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.components import (
    COST,
    GOODS,
    PLACES,
    ROLES,
    TILES,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.setup import kinds_allowed
from porto_cli.games.puerto_rico.engine.state import (
    DRAFT_PHASE,
    MAYOR_PHASE,
    ROLE_PHASE,
    State,
)
from porto_cli.games.puerto_rico.notation import NAMES, find_building, is_a_word, means
from porto_cli.language import Language, Typed
from porto_cli.words import Completion, Option

if TYPE_CHECKING:
    from porto_cli.core.message import Violation
    from porto_cli.move_list import MoveGroup

_ADD, _LEAVE, _FROM, _FIRST = "add", "leave", "from", "first"


def _discards(state: State) -> bytes:
    """They can come up when the stack is used up (PR-SETTLER-6)."""
    return bytes(tile for tile in range(len(GOODS)) if state.discards[tile])


def _places(state: State, words: Sequence[str]) -> Iterator[Completion]:
    """Offer the places with circles, with who is there; ``add``, ``leave`` and ``from`` as well."""
    player = state.players[state.seat]
    first = words[0] if words else ""
    if not words:
        yield (_ADD, "all colonists stay, and the new ones go to these places")
        yield (_LEAVE, "all circles are filled but these")
        yield (_FIRST, "these circles are filled first, in this order, then all others")
    if first == _ADD and len(words) > 1 and _FROM not in words:
        yield (_FROM, "and those of these places move as well")
    leaving = _FROM in words
    for place, circles in enumerate(player.circles):
        there = player.colonists[place]
        wanted = there if leaving else circles - there if first == _ADD else circles
        if wanted and PLACES[place] not in words:
            yield (PLACES[place], f"{there} of {circles} occupied")


def _violet(typed: Typed) -> Iterator[Completion]:
    """Offer the violet buildings that can be in the game with those already typed."""
    chosen = 0
    for word in str(typed.options.get("violet") or "").replace(",", " ").split():
        chosen |= 1 << find_building(word)
    for place in buildings_in(kinds_allowed(chosen)):
        yield (PLACES[place], phrases.doubloons(COST[place]))


class PuertoRicoWords(Language):
    """See :class:`porto_cli.language.Language` for what each member means."""

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
            from porto_cli.games.puerto_rico.promises import in_short

            yield from in_short(state)
        lying = [
            f"{ROLES[role]} {state.role_doubloons[role]}"
            for role in state.config.box.roles
            if state.role_doubloons[role]
        ]
        if lying and state.phase == ROLE_PHASE:
            yield f"Doubloons lie on {enumerated(lying)}."

    def moves_json(self, state: State, seat: int | None) -> dict[str, Any]:
        """Return the legal moves, or what one of too many has to satisfy."""
        from porto_cli.games.puerto_rico.options import moves_json

        return moves_json(state, seat)

    def move_groups(self, state: State, seat: int, *, private: bool) -> Sequence[MoveGroup]:
        """Return what there is to choose in a phase; of placements some."""
        from porto_cli.games.puerto_rico.options import HEADINGS, PAID_IN_KIND
        from porto_cli.move_list import offered

        if state.phase == MAYOR_PHASE:
            from porto_cli.games.puerto_rico.promises import placements

            known = self.rules.view(state, seat if private else None).table
            return [placements(state, known, HEADINGS[state.phase])]
        found = self.shown_to(state, seat, private=private)
        if state.phase == DRAFT_PHASE:
            # A menu narrows by cost; here all are named at once.
            found = [one._replace(parts=one.parts[-1:]) for one in found]
        # What pays in kind is too much to be told by its parts.
        found = [one._replace(parts=()) if one.heading == PAID_IN_KIND else one for one in found]
        return offered(found)

    def not_now(self, state: State, verb: str, seat: int) -> Sequence[Violation]:
        """Return why it is not the time for a verb, or that there is no guest to move."""
        broken = super().not_now(state, verb, seat)
        return [one for one in broken if one.rule == "PR-TURN-1" or verb == "guest"][:1]

    def nearest(self, state: State, text: str, seat: int) -> list[str]:
        """Return up to five legal moves, the most similar first."""
        from porto_cli.games.puerto_rico.options import suggestions

        return suggestions(state, text, seat)

    def complete(self, what: str, typed: Typed) -> Iterable[Completion]:
        """Return the next word of a verb's move, or the values of a kind of option."""
        if what == "violet-buildings":
            return _violet(typed)
        if typed.state is None:
            return ()
        state: State = typed.state
        if what == "face-down-tiles":
            return (TILES[tile] for tile in dict.fromkeys(state.stack + _discards(state)))
        if what == "place":
            is_now = state.phase == MAYOR_PHASE and typed.seat == state.seat
            return _places(state, typed.words) if is_now else ()
        return super().complete(what, typed)

    def thing_name(self, stream: str, thing: int) -> str:
        """Return the name of a plantation."""
        return TILES[thing]
