"""Two versions of a record: which goes on, which is older, and where they part."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import porto_cli
from porto_cli.mail.copies import Version, judge
from porto_cli.match.copies import Verdict, comments_missing, compare
from porto_cli.match.match import Match
from tests.mail.test_receive import play_on

GAMES = [("porto", ["Inês", "Joana", "Rui"]), ("puerto-rico", ["Inês", "Joana", "Rui"])]
BOTH = pytest.mark.parametrize(("game", "players"), GAMES, ids=["porto", "puerto-rico"])


def started(game: str, players: list[str], **more: str) -> Match:
    return porto_cli.new_game(players, game=game, seed="tram", first="Inês", **more)


def again(match: Match, text: str | None = None) -> Match:
    return porto_cli.loads(text or match.record.text)


def relation(own: Match, other: Match) -> tuple[str, int]:
    found = compare(own.replay, other.replay)
    return str(found.relation), found.place


@BOTH
def test_one_goes_on_where_the_other_stops(game: str, players: list[str]) -> None:
    old = play_on(started(game, players), 5)
    new = play_on(old, 3)
    assert relation(old, old) == ("same", 5)
    assert relation(old, new) == ("continues", 5)
    assert relation(new, old) == ("older", 5)


@BOTH
def test_they_part_where_the_first_turn_differs(game: str, players: list[str]) -> None:
    common = play_on(started(game, players), 4)
    mine, theirs = play_on(common, 2), play_on(common, 3, nth=1)
    assert relation(mine, theirs) == ("fork", 4)
    assert relation(theirs, mine) == ("fork", 4)


@BOTH
def test_another_seed_title_or_order_is_another_game_or_none(game: str, players: list[str]) -> None:
    here = started(game, players)
    assert relation(here, started(game, players, title="Friday"))[0] == "same"
    assert relation(here, started(game, [*players[1:], players[0]]))[0] == "same", "Inês begins"
    other = porto_cli.new_game(players, game=game, seed="boat", first="Inês")
    assert relation(here, other)[0] == "other-game"
    assert relation(here, porto_cli.new_game(players, game=game, seed="tram", first="Rui"))[0] == (
        "other-game"
    )


@BOTH
def test_what_was_taken_back_counts(game: str, players: list[str]) -> None:
    old = play_on(started(game, players), 4)
    undone = again(old)
    undone.undo(undone.replay.steps[-1].seat)
    assert relation(old, undone) == ("continues", 4)
    assert relation(undone, play_on(old, 1)) == ("fork", 4)


def test_a_turn_that_waits_for_a_decision_goes_on_in_its_item() -> None:
    path = Path(__file__).parents[2] / "records" / "porto" / "three-players.yaml"
    lines = path.read_text("utf-8").splitlines()
    nth = next(nth for nth, line in enumerate(lines) if line.startswith("  contract:"))
    waiting = porto_cli.loads("\n".join(lines[:nth]) + "\n")
    rest = next(n for n in range(nth, len(lines)) if lines[n].startswith("- "))
    decided = porto_cli.loads("\n".join(lines[:rest]) + "\n")
    here = len(waiting.replay.steps) - 1
    assert relation(waiting, decided) == ("continues", here)
    assert relation(decided, waiting) == ("older", here)
    other = again(waiting)
    other.play("contract none")
    assert relation(other, decided) == ("fork", here)


@BOTH
def test_comments_and_form_make_no_difference(game: str, players: list[str]) -> None:
    plain = play_on(started(game, players), 4)
    text = plain.record.text.replace("turns:\n", "turns:   # begun on Friday\n\n")
    noted = again(plain, text.replace(", ", ",  ").replace("\n", "\r\n"))
    assert relation(plain, noted) == ("same", 4)
    assert comments_missing(noted.replay, plain.replay) == ["begun on Friday"]
    assert comments_missing(plain.replay, noted.replay) == []


def test_comments_of_the_program_are_no_loss_and_a_title_is() -> None:
    titled = play_on(started("porto", ["Inês", "Joana"], title="Friday night"), 12)
    bare = again(
        titled,
        "\n".join(
            line.partition("  #")[0]
            for line in titled.record.text.splitlines()
            if not line.startswith(("#", "title:"))
        )
        + "\n",
    )
    assert relation(titled, bare)[0] == "same"
    assert comments_missing(titled.replay, bare.replay) == ["Friday night"]


@pytest.mark.long
@given(st.data())
def test_relations_are_those_of_beginnings(data: st.DataObject) -> None:
    game, players = data.draw(st.sampled_from(GAMES))
    common = play_on(started(game, players), data.draw(st.integers(0, 6)))
    one = play_on(common, data.draw(st.integers(0, 3)), nth=data.draw(st.integers(0, 1)))
    other = play_on(common, data.draw(st.integers(0, 3)), nth=data.draw(st.integers(0, 1)))
    here = [step.entries for step in one.replay.steps]
    there = [step.entries for step in other.replay.steps]
    found = compare(one.replay, other.replay)
    if found.relation is Verdict.SAME:
        assert one.digest == other.digest
    elif found.relation is Verdict.CONTINUES:
        assert there[: len(here)] == here or there[len(here) - 1][: len(here[-1])] == here[-1]
    elif found.relation is Verdict.OLDER:
        assert here[: len(there)] == there or here[len(there) - 1][: len(there[-1])] == there[-1]
    else:
        assert found.relation is Verdict.FORK
        assert here[: found.place] == there[: found.place]
        assert here[found.place] != there[found.place]


# -- Which local copy is meant


def meant(new: Match, copies: list[Match]) -> tuple[Verdict, Match | None]:
    """Return what a version is to the local copy that it belongs to, and that copy."""
    found = judge(Version(new.record, new), [Version(one.record, one) for one in copies])
    return found.verdict, found.own and found.own.match


def test_an_older_copy_beside_the_real_one_does_not_count() -> None:
    old = play_on(started(*GAMES[0]), 3)
    current = play_on(old, 2)
    new = play_on(current, 1)
    for copies in ([old, current], [current, old]):
        assert meant(new, copies) == (Verdict.CONTINUES, current)


def test_an_old_copy_does_not_hide_that_the_real_one_parts() -> None:
    old = play_on(started(*GAMES[0]), 3)
    mine, theirs = play_on(old, 2), play_on(old, 2, nth=1)
    for copies in ([old, mine], [mine, old]):
        assert meant(theirs, copies) == (Verdict.FORK, mine)


def test_each_version_goes_on_by_itself_once_two_lie_side_by_side() -> None:
    old = play_on(started(*GAMES[0]), 3)
    mine, theirs = play_on(old, 2), play_on(old, 2, nth=1)
    assert meant(play_on(theirs, 1), [mine, theirs]) == (Verdict.CONTINUES, theirs)
    assert meant(theirs, [mine, theirs]) == (Verdict.SAME, theirs)


def test_two_copies_that_are_equally_far() -> None:
    old = play_on(started(*GAMES[0]), 3)
    assert meant(play_on(old, 1), [old, again(old)]) == (Verdict.UNCLEAR, None)
