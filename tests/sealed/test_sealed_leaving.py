"""Players who vanish from a sealed game: those who stay are never stuck, and nothing is signed that
a program would refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations, permutations, product
from pathlib import Path

import pytest

from porto_cli.core import PortoError
from porto_cli.games import game_of
from porto_cli.match.match import Match, loads
from porto_cli.sealed.course import Statements, heard, leaving, left_over, void
from porto_cli.sealed.source import NotNowError
from tests.conftest import Result
from tests.sealed_games import (
    BYSTANDER,
    FILE,
    NAMES,
    as_record,
    chain_of,
    human,
    keys,
    mover,
    new_journals,
    played,
    played_out,
    seen_by,
    set_up,
    with_step,
)
from tests.second_verifier import record as second_verifier

pytestmark = pytest.mark.long

OPEN = {"private_contracts": False}
"""Nothing but what comes up is hidden, so that the setup has no proofs and is quick."""


# -- The rule


State = tuple[frozenset[int], frozenset[tuple[int, int]]]
"""Who plays, and who has named whom."""


def said_in(state: State) -> Statements:
    said: dict[int, frozenset[int]] = {}
    for by, one in state[1]:
        said = heard(said, by, [one])
    return said


def state_of(playing: frozenset[int], said: Statements) -> State:
    return playing, frozenset((by, one) for one, sayers in said.items() for by in sayers)


def spoken(state: State, by: int, gone: frozenset[int]) -> State:
    """Return a state after somebody has named others."""
    playing = state[0]
    said = heard(void(said_in(state), by), by, gone)
    left = leaving(playing, said, by)
    assert by not in left
    assert all((playing - left) <= said[one] for one in left), "who stays has named who leaves"
    return state_of(playing - left, left_over(said, left))


def parts(whole: frozenset[int]) -> Iterator[frozenset[int]]:
    """Return all that is neither nothing nor everything."""
    members = sorted(whole)
    some = (combinations(members, count) for count in range(1, len(members)))
    return map(frozenset, chain.from_iterable(some))


def reachable(players: int) -> set[State]:
    """Return every state that statements and other steps of players, in any order, lead to."""
    begin: State = (frozenset(range(players)), frozenset())
    found, new = {begin}, [begin]
    for state in new:
        playing = state[0]
        for by in playing:
            others = playing - {by}
            after = [spoken(state, by, gone) for gone in (others, *parts(others)) if gone]
            after.append(state_of(playing, void(said_in(state), by)))
            for one in after:
                if one not in found:
                    found.add(one)
                    new.append(one)
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whatever_was_said_those_who_stay_can_go_on_without_all_others(players: int) -> None:
    for state in reachable(players):
        for staying in parts(state[0]):
            gone = state[0] - staying
            assert any(after_all(state, order, gone) == staying for order in permutations(staying))


def after_all(state: State, order: tuple[int, ...], gone: frozenset[int]) -> frozenset[int]:
    """Return who plays when these have named those who are gone, one after the other."""
    for by in order:
        named = gone & state[0]
        if by in state[0] and named:
            state = spoken(state, by, named)
    return state[0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nobody_leaves_by_what_one_says_who_does_not_stay(players: int) -> None:
    """What those say who have vanished makes no difference to those who stay and name them."""
    everybody = frozenset(range(players))
    for gone in parts(everybody):
        staying = everybody - gone
        for named in product([frozenset(), *parts(everybody)], repeat=len(gone)):
            state: State = (everybody, frozenset())
            for by, ones in zip(sorted(gone), named, strict=True):
                # Whoever names everybody else is left alone, in that copy of the game.
                if ones - {by} and ones - {by} != everybody - {by}:
                    state = spoken(state, by, ones - {by})
            if staying <= state[0]:
                for order in permutations(staying):
                    assert after_all(state, order, gone) == staying


# -- In records


def statements(names: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    """Return everything that somebody can say: who says it, and of whom."""
    return [
        (by, named)
        for by in names
        for count in range(1, len(names))
        for named in combinations([name for name in names if name != by], count)
    ]


def demand_saved(text: str, names: tuple[str, ...]) -> None:
    """Demand that nothing is noted as signed that is not a step of the record."""
    signed_game = chain_of(text)
    for name in names:
        own = [
            step.height
            for step in signed_game.steps
            if signed_game.keys.get(step.by) == keys(name).public
        ]
        assert set(keys(name).journal.signed(signed_game.game)) <= set(own)


def after(text: str, act: Callable[[Match], object], name: str) -> str:
    """Return the record after a player has done something, or as it is if that is refused."""
    match = seen_by(text, name)
    try:
        act(match)
    except NotNowError:
        return text
    match.read_back()
    return match.record.text


def both_accept(text: str) -> None:
    """Demand that this program and the one that was written from the pages read a record."""
    loads(text, FILE, BYSTANDER)

    def config(names: object) -> object:
        return game_of("porto").new_config(names, **OPEN)

    second_verifier.check_record(text, config)


@pytest.mark.parametrize(
    ("players", "turns", "length"),
    [(2, 0, 2), (2, 3, 2), (3, 2, 2), pytest.param(3, 1, 3, marks=pytest.mark.slow)],
)
def test_what_is_refused_was_not_signed_and_what_was_signed_can_be_read(
    players: int, turns: int, length: int
) -> None:
    names = NAMES[:players]
    begun = played(set_up(players, 0, **OPEN), turns)
    for said in product(statements(names), repeat=length):
        new_journals()
        text = begun
        for by, named in said:
            text = after(
                text, lambda match, by=by, named=named: match.give_up(*named, player=by), by
            )
            demand_saved(text, names)
        both_accept(text)


def test_all_statements_of_four_lead_to_the_same_in_both_programs() -> None:
    text = played(set_up(4, 0, **OPEN), 2)
    for by, named in [
        ("Ana", ("Bea",)),
        ("Eva", ("Bea", "Ana")),
        ("Rui", ("Bea",)),
        ("Rui", ("Ana",)),
    ]:
        text = after(text, lambda match, by=by, named=named: match.give_up(*named, player=by), by)
        both_accept(text)
    sealed = loads(text, FILE, BYSTANDER).replay.sealed
    assert sealed is not None
    # All others have named Bea, then those who are left name Ana; who has left has no say.
    assert {NAMES[seat] for seat in sealed.given_up} == {"Bea", "Ana"}
    both_accept(played(text, 2))


@pytest.mark.parametrize("file", sorted(Path(__file__).parent.glob("first_rule/*.yaml")))
def test_records_of_the_first_rule_lead_to_what_they_led_to(file: Path) -> None:
    text = file.read_text("utf-8")
    match = loads(text, FILE, BYSTANDER)
    assert match.replay.sealed is not None
    gone = {match.players[seat] for seat in match.replay.sealed.given_up}
    assert (
        gone
        == {
            "alone": {"Rui"},
            "named-together": {"Ana", "Bea"},
            "nobody-leaves": set(),
            "stuck": set(),
            "two-of-four": {"Bea", "Eva"},
        }[file.stem]
    )
    both_accept(text)


def test_who_was_stuck_by_the_first_rule_says_it_again() -> None:
    text = (Path(__file__).parent / "first_rule/stuck.yaml").read_text("utf-8")
    text = after(text, lambda match: match.give_up("Bea", player="Rui"), "Rui")
    sealed = loads(text, FILE, BYSTANDER).replay.sealed
    assert sealed is not None
    assert {NAMES[seat] for seat in sealed.given_up} == {"Bea"}
    both_accept(text)


@pytest.mark.parametrize("rule", [1, 3, "2", 2**40])
def test_another_rule_is_refused(rule: object) -> None:
    text = played(set_up(2, 0, **OPEN), 1)
    content = {"kind": "gone", "without": [1], "entries": [["Ana", "without Rui"]], "rule": rule}
    with pytest.raises(PortoError, match="lacks 'rule'"):
        loads(with_step(text, "Ana", content), FILE, BYSTANDER)


# -- At the end


@pytest.mark.slow
def test_at_the_end_one_goes_on_without_who_reveals_nothing_and_who_has_no_more_to_do() -> None:
    text = played_out(3)
    match = loads(text, FILE, BYSTANDER)
    done = next(name for name in match.players if name not in match.to_move())
    left = match.to_move()
    if len(left) < 2:
        pytest.skip("all but one have revealed")
    honest, silent = left
    text = after(text, lambda match: match.reveal(honest), honest)
    text = after(text, lambda match: match.give_up(silent, player=honest), honest)
    assert not loads(text, FILE, BYSTANDER).over
    # Whoever has revealed may have gone to bed; the word of that player is not needed either.
    text = after(text, lambda match: match.give_up(done, player=honest), honest)
    match = loads(text, FILE, BYSTANDER)
    assert match.over
    assert f"{silent}: unproven" in human(text)
    assert f"{done}: unproven" not in human(text)


# -- With commands


PLAYERS = ("Ana", "Bob", "Cy")


@pytest.fixture
def three(at: Callable[..., Result]) -> Callable[..., Result]:
    """A running game of three, and what runs commands."""
    words = ("new", "game.yaml", *PLAYERS, "--secrecy", "sealed", "--first", "Ana", "--first-game")
    assert at("Ana", *words).code == 0
    for name in ("Bob", "Cy", "Ana", "Bob"):
        assert at(name, "join", "game.yaml", "--as", name).code == 0
    return at


def without(run: Callable[..., Result], by: str, *gone: str) -> Result:
    named = [word for name in gone for word in ("--without", name)]
    return run(by, "reveal", "game.yaml", *named)


def plays_on(run: Callable[..., Result]) -> None:
    """Demand that whoever is to move can move."""
    name = mover(Path("game.yaml").read_text())
    move = seen_first_move(Path("game.yaml").read_text())
    verb, *words = move.split()
    result = run(name, verb, "game.yaml", *words)
    assert result.code == 0, result.err


def seen_first_move(text: str) -> str:
    match = loads(text, FILE, BYSTANDER)
    return match.text(match.legal_moves()[0])


def test_whoever_names_an_honest_player_and_vanishes_stops_nobody(three) -> None:
    assert without(three, "Cy", "Ana").code == 0
    result = without(three, "Ana", "Cy")
    assert result.code == 0
    assert "these have not said so yet: Bob" in result.out
    result = without(three, "Bob", "Cy")
    assert result.code == 0
    assert "have not said so yet" not in result.out
    text = Path("game.yaml").read_text()
    assert loads(text, FILE, BYSTANDER).replay.sealed.given_up == {2}
    plays_on(three)


def test_whoever_names_all_others_goes_on_alone_and_that_is_saved(three) -> None:
    assert without(three, "Cy", "Ana").code == 0
    result = without(three, "Ana", "Cy", "Bob")
    assert (result.code, result.err) == (0, "")
    assert "There is no ranking" in result.out
    assert three("Ana", "verify", "game.yaml").code == 0


def test_three_who_name_each_other_in_a_circle_play_on(three) -> None:
    for by, gone in (("Ana", "Bob"), ("Bob", "Cy"), ("Cy", "Ana")):
        assert without(three, by, gone).code == 0
    before = Path("game.yaml").read_text()
    again = without(three, "Cy", "Ana")
    assert again.code == 1
    assert "Cy has already reported Ana as gone." in again.err
    assert Path("game.yaml").read_text() == before
    plays_on(three)


def test_who_was_named_by_mistake_says_who_is_gone_and_stays(three) -> None:
    assert without(three, "Ana", "Bob").code == 0
    assert without(three, "Bob", "Cy").code == 0
    assert without(three, "Ana", "Cy").code == 0
    text = Path("game.yaml").read_text()
    assert loads(text, FILE, BYSTANDER).replay.sealed.given_up == {2}
    plays_on(three)


@pytest.mark.parametrize("name", ["Bob #2", "Bob: B", "Bob  [x]", '"Bob"', "Bob:", "Böb 鲍勃"])
def test_players_of_any_name_can_vanish(at: Callable[..., Result], name: str) -> None:
    words = ("new", "game.yaml", "Ana", name, "--secrecy", "sealed", "--first", "Ana")
    assert at("Ana", *words, "--first-game").code == 0
    assert at("Bob", "join", "game.yaml", "--as", name).code == 0
    assert at("Ana", "join", "game.yaml").code == 0
    result = without(at, "Ana", name)
    assert (result.code, result.err) == (0, "")
    assert as_record(Path("game.yaml").read_text()).items[-1].entries == (
        ("Ana", f"without {' '.join(name.split())}"),
    )


def test_one_key_says_it_for_all_its_players(at: Callable[..., Result]) -> None:
    words = ("new", "game.yaml", *PLAYERS, "--secrecy", "sealed", "--first", "Ana", "--first-game")
    assert at("Ana", *words).code == 0
    for name, key in (("Bob", "Ana"), ("Cy", "Cy"), ("Ana", "Ana"), ("Bob", "Ana")):
        assert at(key, "join", "game.yaml", "--as", name).code == 0
    assert at("Ana", "reveal", "game.yaml", "--without", "Cy", "--as", "Bob").code == 0
    result = without(at, "Ana", "Cy")
    assert (result.code, result.err) == (0, "")
    assert loads(Path("game.yaml").read_text(), FILE, BYSTANDER).replay.sealed.given_up == {2}
    plays_on(at)
