"""The end of a sealed game: players reveal, or others say that somebody has vanished.

Every order of that is tried. A place is known by who has revealed, who was given up, and who has
said of whom that they have vanished.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from porto_cli import next_step
from porto_cli.cli import join
from porto_cli.core import REFUSED, PortoError
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match.match import Match, loads
from porto_cli.seam import OVER
from tests.sealed_games import BYSTANDER, FILE, moved, new_journals, played_out

pytestmark = pytest.mark.long


class Action(NamedTuple):
    """What somebody can try: to reveal, or to go on without others."""

    who: str
    without: tuple[str, ...] = ()

    def __call__(self, match: Match) -> object:
        if self.without:
            return match.give_up(*self.without, player=self.who)
        return match.reveal(self.who)


class Place(NamedTuple):
    """Where the end of a game stands, and what can be done there."""

    match: Match
    """As everybody sees it."""
    leads_to: dict[Action, object]
    """The keys of other places."""
    refused: dict[Action, PortoError]


def key_of(match: Match) -> object:
    sealed = match.replay.sealed
    assert sealed is not None
    awaited = frozenset((gone, sayers) for gone, sayers in sealed.awaited.items())
    return frozenset(sealed.revealed), sealed.given_up, awaited


def actions(players: tuple[str, ...]) -> Iterator[Action]:
    for name in players:
        yield Action(name)
        others = [other for other in players if other != name]
        for count in range(1, len(players)):
            yield from (Action(name, gone) for gone in itertools.combinations(others, count))


@cache
def places(players: int) -> dict[object, Place]:
    """Return every place that the end of a game can come to."""
    found: dict[object, Place] = {}
    texts = [played_out(players)]
    while texts:
        text = texts.pop()
        match = loads(text, FILE, BYSTANDER)
        if key_of(match) in found:
            continue
        place = found[key_of(match)] = Place(match, {}, {})
        for action in actions(match.players):
            new_journals()
            try:
                after = moved(text, action, action.who)
            except PortoError as error:
                place.refused[action] = error
                continue
            place.leads_to[action] = key_of(loads(after, FILE, BYSTANDER))
            texts.append(after)
    return found


def names(match: Match, seats: object) -> set[str]:
    return {match.players[seat] for seat in seats}  # type: ignore[attr-defined]


def revealed(match: Match) -> set[str]:
    sealed = match.replay.sealed
    assert sealed is not None
    return names(match, (seat for seat, by in enumerate(sealed.order) if by in sealed.revealed))


def given_up(match: Match) -> set[str]:
    sealed = match.replay.sealed
    assert sealed is not None
    return names(match, sealed.given_up)


def what_next(match: Match) -> list[str]:
    return next_step.what_next(match.replay)


def scores(match: Match) -> dict[str, int]:
    return dict(zip(match.players, match.game.glance(match.state, None).scores, strict=True))


both_sizes = pytest.mark.parametrize("players", [2, 3])


@both_sizes
def test_who_has_still_to_reveal_is_who_can(players: int) -> None:
    for place in places(players).values():
        match = place.match
        left = set(match.players) - revealed(match) - given_up(match)
        assert set(match.to_move()) == left
        can = {action.who for action in place.leads_to if not action.without}
        assert can == left
        for name in left:
            assert any(name in str(sentence) for sentence in what_next(match))


@both_sizes
def test_nobody_reveals_twice(players: int) -> None:
    for place in places(players).values():
        for name in revealed(place.match):
            assert str(place.refused[Action(name)]) == f"{name} has revealed already."


@both_sizes
def test_the_game_is_over_when_nobody_has_to_reveal_any_more(players: int) -> None:
    for place in places(players).values():
        match = place.match
        is_over = set(match.players) == revealed(match) | given_up(match)
        assert (match.state.phase == OVER) == is_over
        if is_over:
            assert not place.leads_to


@both_sizes
def test_what_was_revealed_counts_and_nothing_else_does(players: int) -> None:
    ends = [place.match for place in places(players).values() if place.match.state.phase == OVER]
    whole = scores(next(match for match in ends if not given_up(match)))
    public = scores(loads(played_out(players), FILE, BYSTANDER))
    assert whole != public
    for match in ends:
        for name, score in scores(match).items():
            unknown = name in given_up(match) - revealed(match)
            assert score == (public if unknown else whole)[name]


@both_sizes
def test_verify_says_what_is_proven_and_what_is_not(players: int) -> None:
    for place in places(players).values():
        match = place.match
        result = list(map(str, join.proofs(match.replay)))
        by_seed = next(one for one in result if one.startswith("Proven by what was revealed"))
        unchecked = [one for one in result if one.startswith("Not revealed, so not checked")]
        hidden = set(match.players) - revealed(match)
        for name in match.players:
            assert (name in by_seed) == (name in revealed(match))
            assert any(name in one for one in unchecked) == (name in hidden)
        gone = [one for one in result if "vanished" in one]
        assert {name for name in match.players if any(name in one for one in gone)} == given_up(
            match
        )


@both_sizes
def test_what_cannot_be_done_is_refused_and_no_record_is_blamed(players: int) -> None:
    for place in places(players).values():
        for error in place.refused.values():
            assert not isinstance(error, InvalidFileError)
            assert error.exit_code == REFUSED


def test_players_who_have_yet_to_agree_are_named() -> None:
    for place in places(3).values():
        for sentence in what_next(place.match):
            assert "say so too: ." not in sentence


def test_the_others_can_end_a_game_without_who_has_vanished() -> None:
    """Whoever does nothing more, the others come to an end if they all want it."""
    found = places(3)
    players = found[next(iter(found))].match.players
    for vanished in players:
        ends = {
            key
            for key, place in found.items()
            if place.match.state.phase == OVER
            # Somebody who goes on alone and then vanishes has left nobody to end that copy.
            or set(players) - given_up(place.match) == {vanished}
        }
        while more := {
            key
            for key, place in found.items()
            if key not in ends
            and any(
                after in ends for action, after in place.leads_to.items() if action.who != vanished
            )
        }:
            ends |= more
        assert ends == set(found)
