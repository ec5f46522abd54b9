"""Analyses: each choice is judged as before it was made, by what its player could see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from random import Random

import pytest

import porto_cli
from porto_cli.cli.finale import finale_of
from porto_cli.core.chance import TypedChance
from porto_cli.games.porto.engine import HIDDEN, PRIVATE, VALUE_OF
from porto_cli.games.porto.engine.cards import Claim, Draw, Keep
from porto_cli.games.porto.engine.play import Build
from porto_cli.games.porto.engine.state import State
from porto_cli.games.porto.game import PORTO
from porto_cli.games.porto.players import PLAYERS
from porto_cli.match.match import Match, new_game
from porto_cli.match.replay import Replay, after_turn, decisions
from porto_cli.paper import described, put
from porto_cli.players import CONFIDENCE, choose
from porto_cli.players import analysis as analyzing
from porto_cli.players.analysis import (
    Analysis,
    Answer,
    Question,
    Turn,
    analysis_of,
    answers,
    mark_of,
    questions,
)
from porto_cli.players.review import analysis_rows
from porto_cli.seam import OVER
from porto_cli.term import Screen, plain, width_of
from tests.conftest import ROOT
from tests.porto.coaching import ShortSighted
from tests.porto.tables import NAMES
from tests.shares import for_each, one_in

RECORDS = ROOT / "records" / "porto"


@pytest.fixture(autouse=True)
def coach(monkeypatch: pytest.MonkeyPatch) -> ShortSighted:
    """Whom the analyses of this module ask."""
    one = ShortSighted()
    monkeypatch.setattr(analyzing, "coach_of", lambda game_id: one if game_id == "porto" else None)
    return one


def analyzed(replay: Replay, looker: int | None = None, only: int | None = None) -> Analysis:
    course = questions(replay, looker)
    return analysis_of(course, list(answers(course.questions))[:only])


def greedy_game(players: int, turns: int = 400, seed: str = "tram") -> Match:
    """Play a game of level 1 for so many turns, or to its end."""
    match = new_game(NAMES[:players], seed=seed, first=NAMES[0])
    rng = Random(1)
    while not match.over and match.state.turn < turns:
        seat = match.state.seat
        move = choose(PLAYERS["greedy"], match.game, match.state, seat, rng)
        match.play(move, player=seat)
    return match


@cache
def greedy(players: int, turns: int = 400) -> Replay:
    """Return such a game for tests that do not play on."""
    return greedy_game(players, turns).replay


@cache
def record(name: str) -> Replay:
    return porto_cli.load(RECORDS / f"{name}.yaml").replay


@cache
def analysis_of_record(name: str) -> Analysis:
    return analyzed(record(name))


def judged(turns: Sequence[Turn]) -> list[object]:
    """Return what is said of the choices of some turns, without how they turned out."""
    return [
        (turn["move"], turn["lost"], turn["error"], turn["mark"], turn["better"]) for turn in turns
    ]


# --- what is judged


@pytest.mark.long
@pytest.mark.parametrize("file", sorted(path.stem for path in RECORDS.glob("*.yaml")))
def test_every_turn_of_a_record_is_there_once_and_in_order(file: str) -> None:
    replay = record(file)
    turns = analysis_of_record(file)["turns"]
    numbers = [turn["turn"] for turn in turns if turn["turn"] is not None]
    assert numbers == list(range(1, replay.state.turn + 1))
    for asked, turn in zip(questions(replay).turns, turns, strict=True):
        step = replay.steps[asked.step]
        assert (turn["player"], step.undone) == (replay.config.players[step.seat], False)


def test_decisions_lead_from_the_table_before_a_step_to_the_one_after() -> None:
    for file in ("two-players", "solo-won", "real-table"):
        replay = record(file)
        several = 0
        for step in replay.turns():
            parts = decisions(replay, step)
            assert tuple(part.move for part in parts) == step.moves
            assert (parts[0].before, parts[-1].after) == (step.before, step.after)
            assert sum((part.events for part in parts), ()) == step.events
            for one, other in pairwise(parts):
                assert one.after == other.before
                several += 1
        assert several


def test_what_was_taken_back_is_not_judged() -> None:
    match = greedy_game(2, turns=6)
    before = analyzed(match.replay, 1)
    match.play(match.legal_moves()[0])
    match.undo(player=0)
    assert analyzed(match.replay, 1) == before


def test_a_build_and_its_contracts_are_one_turn_even_if_somebody_keeps_between() -> None:
    replay = record("two-players")
    course, found = questions(replay), analyzed(replay)
    place = next(nth for nth, turn in enumerate(found["turns"]) if "contract" in turn["move"])
    first, second = found["turns"][place]["move"].split("; ")
    assert (first.split()[0], second.split()[0]) == ("build", "contract")
    steps = list(replay.steps)
    at = course.turns[place].step
    (step,) = [step for step in steps if step == steps[at]]
    build, claim = decisions(replay, step)
    apart = (
        *steps[:at],
        step._replace(after=build.after, moves=(build.move,), events=build.events),
        step._replace(before=claim.before, moves=(claim.move,), events=claim.events),
        *steps[at + 1 :],
    )
    again = analyzed(replay._replace(steps=apart))["turns"]
    assert [one["move"] for one in again] == [one["move"] for one in found["turns"]]


@pytest.mark.long
def test_a_move_without_a_choice_is_not_judged() -> None:
    passes = [turn for turn in analysis_of_record("forced-pass")["turns"] if turn["move"] == "pass"]
    assert passes
    assert all(
        (turn["lost"], turn["mark"], turn["better"]) == (None, None, None) for turn in passes
    )


# --- what it is judged by


@pytest.mark.parametrize("looker", [0, None])
def test_no_view_of_a_running_game_shows_what_somebody_else_hides(
    coach: ShortSighted, looker: int | None
) -> None:
    analyzed(greedy(3, turns=9), looker)
    assert coach.seen
    for view in coach.seen:
        for seat, kept in enumerate(view.table.kept):
            assert seat == looker == view.seat or set(kept) <= {HIDDEN}


@pytest.mark.long
def test_in_a_finished_game_everybody_is_judged_by_what_they_knew(coach: ShortSighted) -> None:
    analyzed(greedy(2))
    own = set()
    for view in coach.seen:
        if view.table.phase == OVER:
            continue
        assert set(view.table.kept[1 - (view.seat or 0)]) <= {HIDDEN}
        own |= set(view.table.kept[view.seat or 0])
    assert own - {HIDDEN}


def with_other_secrets(replay: Replay, seat: int) -> Replay:
    """The same game, had the others been dealt other private contracts."""

    def changed(state: State) -> State:
        new = state.copy()
        for name in ("dealt", "kept"):
            piles = getattr(state, name)
            setattr(
                new,
                name,
                tuple(
                    pile if other == seat else bytes((card + 1) % len(PRIVATE) for card in pile)
                    for other, pile in enumerate(piles)
                ),
            )
        return new

    steps = tuple(
        step._replace(before=changed(step.before), after=changed(step.after))
        for step in replay.steps
    )
    return replay._replace(
        state=changed(replay.state), opening=changed(replay.opening), steps=steps
    )


def test_what_others_hide_makes_no_difference() -> None:
    replay = greedy(2, turns=12)
    other = with_other_secrets(replay, 0)
    assert other != replay
    assert analyzed(other, 0) == analyzed(replay, 0)


@pytest.mark.long
def test_what_comes_up_later_makes_no_difference() -> None:
    """At a real table it can be anything; after it both games go on in their own way."""
    whole = record("real-table")
    start = after_turn(whole, 20)
    start = start._replace(record=start.record._replace(items=start.record.items[:20]))
    seat = start.state.seat
    draw = start.game.legal_moves(start.state, seat)[0]
    deck = sorted(set(start.state.deck), key=VALUE_OF.__getitem__)
    found = []
    for card in (deck[0], deck[-1]):
        chance = TypedChance(cards=bytes([card]))
        other = start.replay
        other.make([draw], seat, chance)
        found.append(analyzed(other))
    one, other = (each["turns"] for each in found)
    assert one[-1]["luck"] != other[-1]["luck"]
    assert judged(one) == judged(other)
    assert one[:-1] == other[:-1]
    assert judged(analyzed(whole)["turns"])[:20] == judged(one)[:20]


def test_luck_is_what_came_up_and_nothing_else() -> None:
    """P-DRAW-2, P-PUBLIC-3: cards come up after a draw, contracts after some were fulfilled."""
    asked = questions(greedy(2, turns=30), 0).questions
    for question in asked:
        comes_up = isinstance(question.move, Draw | Claim)
        assert bool(question.before) == comes_up
        assert comes_up or not any(answers_to(question).luck)
    assert {Draw, Build, Claim, Keep} == {type(question.move) for question in asked}


def answers_to(question: Question) -> Answer:
    return next(answers([question], samples=8))


# --- what is better


def test_a_move_that_is_about_equal_has_nothing_better(coach: ShortSighted, monkeypatch) -> None:
    """Those named as about as good are closer than the trials could tell."""
    monkeypatch.setattr("porto_cli.players.hint.CLOSE", 99.0)
    coach.misjudged = 3 / CONFIDENCE
    turns = analyzed(record("two-players"))["turns"]
    assert min(turn["lost"] or 0 for turn in turns if turn["better"]) > 3
    assert any(turn["mark"] for turn in turns)
    for turn in turns:
        assert bool(turn["better"]) == bool(turn["lost"])
        named = {turn["better"]} if turn["better"] else set(turn["move"].split("; "))
        assert named & set(turn["equal"] or named)
    assert any(turn["equal"] and not turn["lost"] for turn in turns)


@pytest.mark.long
def test_moves_that_are_about_equal_are_listed_as_porto_moves_lists_them(
    coach: ShortSighted,
) -> None:
    coach.misjudged = 2.0
    replay = greedy(2)
    pairs = zip(questions(replay).turns, analyzed(replay)["turns"], strict=True)
    asked, longest = max(pairs, key=lambda pair: len(pair[1]["equal"]))
    table, equal = replay.steps[asked.step].before, longest["equal"]
    listed = [PORTO.format_move(move, table) for move in PORTO.legal_moves(table, asked.seat)]
    assert len(equal) > 3
    assert equal == [move for move in listed if move in equal]


def test_of_several_decisions_the_one_that_lost_most_is_shown() -> None:
    course = questions(record("two-players"))
    place = next(nth for nth, asked in enumerate(course.turns) if len(asked.moves) == 2)
    found = []
    for question in course.questions:
        one = answers_to(question)
        if one.turn == place:
            lost = 1.0 if isinstance(question.move, Build) else 5.0
            said = {**one.said, "better": course.turns[place].moves[lost == 5.0]}
            one = one._replace(behind=lost, error=0.3, said=said)
        found.append(one)
    turn = analysis_of(course, found)["turns"][place]
    assert (turn["lost"], turn["mark"]) == (6.0, "?")
    assert turn["better"].startswith("contract ")
    assert turn["error"] == pytest.approx(0.3 * 2**0.5, abs=0.001)


def test_of_several_decisions_none_of_which_lost_anything_those_about_equal_are_shown() -> None:
    course = questions(record("two-players"))
    place = next(nth for nth, asked in enumerate(course.turns) if len(asked.moves) == 2)
    found = []
    for question in course.questions:
        claims = not isinstance(question.move, Build)
        equal = (course.turns[place].moves[1],) * 2 if question.turn == place and claims else ()
        said = {"better": None, "equal": equal, "why": (), "why_not": ()}
        found.append(answers_to(question)._replace(behind=0.0, said=said))
    equal = analysis_of(course, found)["turns"][place]["equal"]
    assert [move.split()[0] for move in equal] == ["contract", "contract"]


# --- marks


@for_each(
    ("behind", "mark"),
    [(1.99, ""), (2.0, "?!"), (3.99, "?!"), (4.0, "?"), (6.99, "?"), (7.0, "??")],
)
def test_a_mark_needs_enough_vp(behind: float, mark: str) -> None:
    assert mark_of(behind) == mark


# --- who works it out


def test_the_analysis_is_the_same_however_many_work_it_out() -> None:
    replay = greedy(2, turns=10)
    course = questions(replay, 0)
    with ThreadPoolExecutor(3) as executor:
        elsewhere = analysis_of(course, answers(course.questions, executor=executor))
    assert elsewhere == analyzed(replay, 0) == analyzed(replay, 0)


@pytest.mark.long
def test_a_part_of_it_is_the_beginning_of_the_whole() -> None:
    replay = greedy(2)
    whole, part = analyzed(replay), analyzed(replay, only=20)
    assert (part["partial"], whole["partial"]) == (True, False)
    assert part["turns_in_all"] == len(whole["turns"])
    assert 0 < len(part["turns"]) < len(whole["turns"])
    assert whole["turns"][: len(part["turns"])] == part["turns"]


def test_one_that_is_stopped_before_its_first_turn_judges_nobody() -> None:
    found = analyzed(greedy(2), only=0)
    assert (found["turns"], found["partial"]) == ([], True)
    rows = [*analysis_rows(found, greedy(2))]
    for shown in (described(rows), map(plain, put(rows, Screen(79)))):
        text = " ".join(" ".join(shown).split())
        assert "Stopped: only the first 0 of" in text
        assert "clearly worse" not in text
        assert "nothing to choose" not in text
        assert "How they played" not in text


# --- text


@pytest.mark.parametrize("players", one_in(4, [1, 2, 3, 4]))
def test_the_text_fits(players: int) -> None:
    found = analyzed(greedy(players))
    rows = [*analysis_rows(found, greedy(players), every_move=True)]
    for width in (43, 59, 79, 120):
        drawn = put(rows, Screen(width))
        assert max(map(width_of, drawn)) <= width
        text = "\n".join(map(plain, drawn))
        for name in NAMES[:players]:
            assert name in text


@pytest.mark.long
def test_sixty_columns_have_a_chart_of_the_whole_game() -> None:
    found = analyzed(greedy(2))
    shown = [plain(line) for line in put(analysis_rows(found, greedy(2)), Screen(59))]
    (top,) = [nth for nth, line in enumerate(shown) if line.startswith("100%")]
    drawn = shown[top : top + 10]
    assert drawn[-1].startswith("  0%")
    columns = [sum(row[6 + nth : 7 + nth] == "█" for row in drawn) for nth in range(53)]
    assert columns[0] == round(found["wins"][0] * 10 + 0.01)
    assert len("".join(drawn).strip()) > 50
    assert shown[top + 10].split()[:3] == ["turn", "10", "20"]


@pytest.mark.long
def test_a_screen_reader_gets_sentences() -> None:
    found = analyzed(greedy(2))
    text = "\n".join(described(analysis_rows(found, greedy(2))))
    assert "█" not in text
    assert "lost:" not in text, "no column has this head"
    assert "At the start: Inês" in text
    assert f"After turn {found['turns'][-1]['turn']}:" in text


def told(analysis: Analysis, replay: Replay, **more: bool) -> str:
    """Return the analysis of a game as text, in one line."""
    drawn = put(analysis_rows(analysis, replay, **more), Screen(79))
    return " ".join(" ".join(map(plain, drawn)).split())


def test_where_people_made_no_mistakes_those_of_bots_and_the_best_turns_are_told() -> None:
    person, bot = NAMES[:2]
    match = new_game([person, bot], first=person, bots={bot: "random"}, private_contracts=False)
    match.play(match.legal_moves()[-1], player=person)
    porto_cli.play_bots(match)
    found = analyzed(match.replay, 0)
    turns = [
        {**turn, "lost": 5.0, "error": 0.5, "mark": "?" if turn["player"] == bot else None}
        for turn in found["turns"]
    ]
    text = told({**found, "turns": turns}, match.replay)
    assert "Your mistakes No turn of yours was clearly a mistake." in text
    unmoved = [turn for turn in turns if turn["player"] == bot]
    assert "Your mistakes You have not moved yet." in told(
        {**found, "turns": unmoved}, match.replay
    )
    assert re.search(rf"{bot} \S+ 1 [+-]?\d", text)
    assert f"Biggest mistakes of the bots 1. Turn 2, round 1: {bot}: draw " in text
    wins = {**found, "turns": [{**turn, "wins": [0.9, 0.1]} for turn in turns], "wins": [0.4, 0.6]}
    best = "Your best turns 1. Turn 1, round 1: draw "
    assert best in told(wins, match.replay)
    assert "The chance of winning rose from 40% to 90%." in told(wins, match.replay)


@pytest.mark.parametrize(("error", "is_mistake"), [(0.5, True), (5.0, False)])
def test_what_is_within_the_accuracy_is_not_called_a_mistake(
    error: float, is_mistake: bool
) -> None:
    found = analyzed(greedy(2, turns=10), 0)
    doubtful: list[Turn] = [
        {**turn, "lost": 2.4, "error": error, "mark": "?!", "better": "pass"}
        for turn in found["turns"]
    ]
    text = told({**found, "turns": doubtful}, greedy(2, turns=10), every_move=True)
    meaning = "?!: turns that gave away 2 to 4 VP."
    assert (meaning in text) == (" ?! " in text.partition("All moves")[2]) == is_mistake
    assert ("?! luck" in text) == is_mistake, "a column"
    none = f"No turn of {' or '.join(NAMES[:2])} was clearly a mistake. Small differences"
    assert (none in text) != is_mistake
    assert all(turn["mark"] == "?!" for turn in doubtful), "the document stays as it is"


@pytest.mark.parametrize(
    ("seed", "brought", "without"),
    [
        ("s1", "Joana 8 VP and Inês 1", "Inês would have been 3 VP ahead"),
        ("s50", "Joana 4 VP and Inês 0", "Joana and Inês would have been tied"),
    ],
)
def test_private_contracts_without_which_the_winner_would_not_have_won_decided_a_game(
    seed: str, brought: str, without: str
) -> None:
    """No turn did, then: what they bring is public only at the end."""
    told, _ = finale_of(greedy_game(2, seed=seed).replay).course
    said = f"The private contracts decided it: they brought {brought}. Without them, {without}."
    assert (told, "private" in str(finale_of(record("solo-won")).course)) == (said, False)


def test_only_the_marks_in_use_are_explained() -> None:
    found = analyzed(greedy(2, turns=10), 0)
    marked: list[Turn] = [{**turn, "lost": 9.0, "mark": "??"} for turn in found["turns"]]
    text = told({**found, "turns": marked}, greedy(2, turns=10))
    assert "??: turns that gave away at least 7 VP. luck: " in text
    assert "?!" not in text


def test_a_game_that_was_never_in_doubt_has_a_sentence_instead_of_a_chart() -> None:
    game = greedy(1, turns=10)
    found = analyzed(game, 0)
    sure: list[Turn] = [{**turn, "wins": (0.98,)} for turn in found["turns"]]
    found = {**found, "wins": (0.97,), "turns": sure}
    sentence = f"{NAMES[0]}'s chance of winning was never below 97%."
    assert sentence in told(found, game)
    assert "100%" not in told(found, game).partition("Chances of winning are")[0]
    assert sentence in described(analysis_rows(found, game))
    assert "█" in told({**found, "wins": (0.96,)}, game)


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("It scores 10 VP now: floors 4.", "The move played scores 10 VP: floors 4."),
        ("Inês would have no cards.", "The move played: Inês would have no cards."),
        ("Risk: Joana could draw red-3.", "After the move played, Joana could draw red-3."),
    ],
)
def test_what_a_mistake_brings_is_said_of_the_move_itself(reason: str, sentence: str) -> None:
    game = greedy(2, turns=4)
    found = analyzed(game, 0)
    bad: Turn = {**found["turns"][-1], "lost": 9.0, "error": 0.1, "mark": "??", "better": "pass"}
    bad = {**bad, "why": (), "why_not": (reason,)}
    assert sentence in told({**found, "turns": [*found["turns"][:-1], bad]}, game)
