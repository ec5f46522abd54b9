"""The moves that a mail offers: draws, and builds by house, with what they score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from porto_cli.core.message import both
from porto_cli.games.porto.engine.state import KEEP as KEEP_PHASE
from porto_cli.games.porto.engine.state import State
from porto_cli.games.porto.events import reasons, scores_json
from porto_cli.games.porto.move_list import TITLES, about_house, what_is_built
from porto_cli.games.porto.options import BUILD, CONTRACT, DRAW, KEEP, PASS, Option, options
from porto_cli.games.porto.view import view
from porto_cli.match.replay import Replay
from porto_cli.ui_values import MOST_OFFERED, MoveGroup, MoveOffer

_SIMPLE = (DRAW, CONTRACT, PASS)


def move_groups(replay: Replay, seat: int, *, private: bool) -> list[MoveGroup]:
    """Return the moves of the seat to move, see :meth:`porto_cli.ui.Ui.move_groups`."""
    state: State = replay.state
    if state.phase == KEEP_PHASE:
        return _keeps(replay, seat) if private and state.dealt else []
    found = options(state, seat)
    simple = [_group(TITLES[kind], found, kind) for kind in _SIMPLE]
    return [*simple, *_builds(state, found, MOST_OFFERED - len(simple[0].offers))]


def _group(title: str, found: Sequence[Option], kind: str, *before: str) -> MoveGroup:
    """Return the moves of a kind, which are played after those before."""
    offers = (
        MoveOffer(
            both(option.cards or option.private or [name for name, _ in option.contracts])
            or option.move,
            (*before, option.move),
            _vp(scores_json(option.scores)),
        )
        for option in found
        if option.kind == kind
    )
    return MoveGroup(title, tuple(offers))


def _vp(scores: Sequence[Sequence[Any]]) -> str:
    """Return what a move scores, with the reasons."""
    return f"{sum(vp for _, vp in scores)} VP: {reasons(scores)}" if scores else ""


def _builds(state: State, found: Sequence[Option], room: int) -> list[MoveGroup]:
    """Return the best builds of each house, at most ``room``.

    Of builds that differ only in the roof that gets the token, or in the value of the color card,
    the best one stands for all.
    """
    builds = [option for option in found if option.kind == BUILD]
    by_house: dict[str, dict[tuple[str, str], Option]] = {}
    for option in builds:
        number, color = option.cards
        alike = number, color.partition("-")[0]
        by_house.setdefault(option.house or "", {}).setdefault(alike, option)
    each = max(1, room // max(1, len(by_house)))
    houses = view(state, None)["houses"]
    groups = []
    for name, here in by_house.items():
        roofs = list(dict.fromkeys(one.token for one in builds if one.house == name and one.token))
        title = about_house(name, houses[name], [])
        if roofs:
            title += f" Its token of {houses[name]['ground_token']} VP moves to a roof."
        groups.append(MoveGroup(title, tuple(map(_build, list(here.values())[:each]))))
    if sum(len(group.offers) for group in groups) < len(builds):
        more = (
            "Any other build is written as the number card, the color card and the house, then the "
            "house whose roof gets the token if there is a choice, for example: "
            f"{builds[-1].move}"
        )
        groups[-1] = groups[-1]._replace(more=more)
    return groups


def _build(option: Option) -> MoveOffer:
    """Return a build with all public contracts that it meets."""
    build = option.json()
    token = f" (token {option.token})" if option.token else ""
    label = f"{both(option.cards)}: {what_is_built(build)}{token}"
    claim = (" ".join(["contract", *build["contracts"]]),) if option.contracts else ()
    return MoveOffer(label, (option.move, *claim), _vp(build["scores"]))


def _keeps(replay: Replay, seat: int) -> list[MoveGroup]:
    """Return the most promising choices together with the draw of the same turn, so that one answer
    will do; then all choices alone.
    """
    from porto_cli.games.porto.players import weights_for, worths_of_dealt

    state: State = replay.state
    worths = worths_of_dealt(state, seat, weights_for(state))
    keeps = options(state, seat)
    keeps.sort(key=lambda option: -sum(worths[space - 1] for space in option.spaces))
    groups = []
    for keep in keeps[:_WITH_A_DRAW]:
        move = replay.game.parse_move(keep.move, state, seat)
        after = replay.game.apply(state, move, lambda stream, index, pile: 0, seat)[0]
        title = f"Keep {both(keep.private)}, and draw"
        groups.append(_group(title, options(after, seat), DRAW, keep.move))
    alone = _group("Keep three private contracts, and play your turn later", keeps, KEEP)
    example = groups[0].offers[0].moves[1]
    more = (
        "Your turn can go into the same answer, on a line of its own below what you keep, for "
        f"example: {example}"
    )
    return [*groups, alone._replace(more=more)]


_WITH_A_DRAW = 2
