"""The end of a game at the keyboard: what is seen of it, and what can be done then."""

from __future__ import annotations

import io
import random
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import porto_cli
from porto_cli.cli import ending, hint, lobby, new_game_prompts, output
from porto_cli.cli.finale import Finale, finale_of
from porto_cli.cli.new_game_prompts import next_file
from porto_cli.cli.output import show_result
from porto_cli.cli.results import todays_seed
from porto_cli.cli.session import Session, StoppedError
from porto_cli.match.match import play_again
from porto_cli.pages import score
from porto_cli.paper import Document, Heading, Node, sentences
from porto_cli.players import choose
from porto_cli.players.named import play_bots, players_of
from porto_cli.players.review import what_decided
from porto_cli.seam import Glance
from porto_cli.settings import Settings
from porto_cli.term import Screen, plain, width_of
from tests.conftest import ROOT
from tests.only_rules import plainly
from tests.porto.asking import BACK, Scripted
from tests.shares import one_in
from tests.tables import table_at

RECORDS = ROOT / "records"
PORTO, SOLO_WON, SOLO_LOST = "porto/three-players", "porto/solo-won", "porto/solo-lost"
FOUR = "porto/four-players-seat-first"
PUERTO_RICO, FIVE = "puerto-rico/two-players", "puerto-rico/five-players-random"
QUESTION = "What would you like to do now?"
LARGE = [pytest.param(one, marks=pytest.mark.long) for one in (PUERTO_RICO, FIVE)]
BELOW = 7
"""Rows below the result, for a gap, the question, and most of what can be done."""


def match_of(record: str) -> porto_cli.Match:
    return porto_cli.load(RECORDS / f"{record}.yaml")


@cache
def found(record: str) -> Finale:
    """Return how a game from records/ ended."""
    return finale_of(match_of(record).replay)


def last_moves(record: str, to: Path) -> porto_cli.Match:
    """Return a game from records/ as it was before the moves that ended it."""
    for left in range(2, 9):
        match = table_at(record, -left, to)
        if not match.over:
            return match
    raise AssertionError(record)


def play(match: porto_cli.Match, *answers: str, sure: bool = True) -> tuple[Session, Scripted]:
    """Take the first choices to the end of the game, then these, and stop."""
    left = list(answers)

    def answer(asker: Scripted, question: str, labels: list[str]) -> Any:
        if question != QUESTION:
            return None
        return left.pop(0) if left else "Stop"

    asker = Scripted(then=answer)
    asker.unsure = not sure
    session = Session(match, asker)
    with suppress(StoppedError):
        session.run()
    return session, asker


# -- What is seen.


def assert_it_fits(record: str, size: tuple[int, int], snapshot: SnapshotAssertion) -> None:
    width, rows = size[0], size[1] - BELOW
    lines = found(record).lines(Screen(width), rows)
    assert len(lines) <= rows
    assert max(map(width_of, lines)) <= width
    assert "\n".join(map(plain, lines)) == snapshot


EVERY_SIZE = pytest.mark.parametrize("size", [(80, 24), (60, 20)], ids=str)


@EVERY_SIZE
@pytest.mark.parametrize("record", [PORTO, FOUR, SOLO_WON, SOLO_LOST])
def test_the_result_fits_above_the_question(
    record: str, size: tuple[int, int], snapshot: SnapshotAssertion
) -> None:
    assert_it_fits(record, size, snapshot)


# Another test, as the snapshots of one that runs must all be used.
@pytest.mark.long
@EVERY_SIZE
@pytest.mark.parametrize("record", [PUERTO_RICO, FIVE])
def test_the_result_of_a_large_game_fits_above_the_question(
    record: str, size: tuple[int, int], snapshot: SnapshotAssertion
) -> None:
    assert_it_fits(record, size, snapshot)


@pytest.mark.parametrize("record", [PORTO, *LARGE])
def test_however_little_room_there_is_who_has_won_is_seen(record: str) -> None:
    """And no heading without what it is above."""
    for rows in range(1, 12):
        lines = [plain(line) for line in found(record).lines(Screen(80), rows)]
        assert len(lines) <= rows
        assert "The game is over:" in lines[0], rows
        assert lines[-1].strip() != "Final scores", rows


@pytest.mark.parametrize("more", [[], [Heading("Zé")]], ids=["nothing", "a heading"])
def test_scores_may_have_no_rows_or_begin_with_a_heading(more: list[Node]) -> None:
    nodes = [Heading("Zé wins."), Heading("Final scores"), *more]
    lines = [*map(plain, Finale(Document("", nodes)).lines(Screen(80), 20))]
    assert [line.strip() for line in lines if line] == ["Zé wins.", *(["Zé"] if more else [])]


@pytest.mark.parametrize("record", [PUERTO_RICO, FIVE, "puerto-rico/four-players-draft"])
def test_the_parts_of_a_score_of_puerto_rico_add_up(record: str) -> None:
    """What chips were for, each building, and what large ones count."""
    left: list[int] = []
    for said in sentences(score(match_of(record).replay, None)):
        if total := re.fullmatch(r".+: (\d+) VP", said):
            left.append(int(total[1]))
        elif said.startswith(("Chips: ", "Buildings: ", "Bonus: ")):
            left[-1] -= sum(map(int, re.findall(r" (-?\d+)", said)))
    assert left == [0] * len(match_of(record).players)


def test_a_screen_reader_gets_the_result_without_the_details() -> None:
    sentences = [*map(str, found(PORTO).sentences())]
    assert sentences[0] == "The game is over: Afonso wins with 76 VP, 9 ahead of Inês."
    assert sentences[1:3] == ["The 8th roof ended the game.", "Final scores"]
    assert sentences[3].startswith("1. Afonso, 76 VP: floors 31, ")
    assert not any("Private contracts of" in sentence for sentence in sentences)


def test_the_readers_own_contracts_come_first_and_what_is_left_out_is_offered() -> None:
    ending = found(PORTO)._replace(reader="Joana")

    def shown(rows: int) -> list[str]:
        return [plain(line).strip() for line in ending.lines(Screen(120), rows)]

    heads = [line for line in shown(60) if line.startswith("Private contracts of")]
    assert [head.split()[3].strip(":") for head in heads] == ["Joana", "Afonso", "Inês"]
    rest = "Where the points came from, in full: press =, 3, Enter."
    assert (rest in shown(60), rest in shown(29), rest in shown(18)) == (False, True, True)
    # On the terminal's first screen no key shows more.
    assert not any(
        "press =" in plain(line) for line in ending._replace(fills=False).lines(Screen(80), 17)
    )


def test_what_others_did_since_the_last_turn_of_who_looks_is_told() -> None:
    """Bots may have ended the game by moves that nobody has seen: those that brought VP are told,
    and none that only filled the time.
    """

    def told(record: str, seat: int | None) -> str:
        return [*finale_of(match_of(record).replay, seat=seat).sentences()][-1]

    assert told(SOLO_WON, None) == "In the last turn you built 1 green floor on R2 for 8 VP."
    once = "for good: Inês built 2 purple floors on L4 for 6 VP."
    assert told("porto/real-table", 0).endswith(once), "what took the lead is not told again"
    loads = r"Since your last turn: Inês loaded 5 tobacco for 5 VP\."
    assert re.fullmatch(loads, told("puerto-rico/real-table", 0))
    assert not any(" lost " in told(FIVE, seat) for seat in range(5))


def test_it_is_told_whose_full_city_ended_the_game() -> None:
    match = match_of(FIVE)
    seen = match.game.shown.view(match.state, None)
    full = [{**one, "city_spaces": int(one["name"] != "Zé")} for one in seen["players"]]
    ended = {**seen, "players": full, "end_triggered": ["city", "vp"]}
    why = "The last VP of the pool and Zé's full city ended the game."
    assert match.game.shown.panes.why_over(ended) == why
    full = [{**one, "name": "bot 2"} if one["name"] == "Zé" else one for one in full]
    ended = {**ended, "players": full, "end_triggered": ["city"]}
    assert match.game.shown.panes.why_over(ended) == "bot 2's full city ended the game."


def test_a_game_that_only_has_rules_says_who_has_won() -> None:
    """The defaults, here on the state of another game."""
    match = match_of(PUERTO_RICO)
    found = finale_of(plainly(match.replay))
    assert plain(found.lines(Screen(80), 9)[0]) == " The game is over. Won by: Inês."


def test_a_move_that_ends_a_game_shows_on_a_terminal_where_the_vp_came_from() -> None:
    match = match_of(PORTO)
    stream = io.StringIO()
    show_result(match.replay, stream)
    won, _, heading, heads, *rows = stream.getvalue().splitlines()
    assert won == "The game is over: Afonso wins with 76 VP, 9 ahead of Inês."
    assert (heading, heads.split()[:2]) == ("Final scores", ["floors", "neighbors"])
    assert [row.split()[1] for row in rows[:3]] == ["Afonso", "Inês", "Joana"]
    assert not any("Private contracts of" in row for row in rows)


def test_whoever_has_set_plain_reads_sentences_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "settings", lambda: Settings(plain=True))
    match = match_of(PORTO)
    stream = io.StringIO()
    show_result(match.replay, stream)
    _, _, first, *_ = stream.getvalue().splitlines()
    assert first.startswith("1. Afonso, 76 VP: floors 31, ")


@pytest.mark.parametrize("terminal", [True, False])
def test_only_a_terminal_shows_that_after_a_command(
    porto: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    match = last_moves(PORTO, tmp_path / "friday.yaml")
    while True:
        move, twin = match.text(match.legal_moves()[0]), porto_cli.load(tmp_path / "friday.yaml")
        twin.play(move)
        if twin.over:
            break
        match.play(move)
        match.save()
    report = io.StringIO()
    monkeypatch.setattr(report, "isatty", lambda: terminal)
    monkeypatch.setattr(ending, "report_stream", lambda path: report)
    verb, *words = move.split()
    assert porto(verb, tmp_path / "friday.yaml", *words).code == 0
    text = report.getvalue()
    assert ("(private contract" in text, "neighbors" in text) == (True, terminal)
    assert text.count("The game is over: Afonso wins with ") == text.count("The game is over") == 1


# -- How it was decided.

TOOK = r"{} led by {} VP after round {}\. In round {} {name} took the lead for good: {name} {}\."
DECIDED = [
    (FOUR, TOOK.format("Joana", 5, 13, 14, r"built 3 purple floors on R6 for 14 VP", name="Rui")),
    ("porto/forced-pass", r"Joana led from round 3 on, by up to 87 VP\."),
    (PUERTO_RICO, r"Inês led from round 3 on, by up to 10 VP\."),
    (
        FIVE,
        TOOK.format(
            "Rui", 5, 14, 15, r"\w+ 3 tobacco for 4 VP and \w+ 2 indigo for 2 VP", name="Zé"
        ),
    ),
]


@pytest.mark.parametrize(("record", "said"), DECIDED)
def test_it_is_told_from_when_on_the_winner_led_and_what_brought_the_vp(record, said) -> None:
    assert re.fullmatch(said, what_decided(match_of(record).replay))
    assert any(re.fullmatch(said, one) for one in found(record).sentences())


def demand_that_the_log_has(told: str, match: porto_cli.Match) -> bool:
    """Require that what is told has a deed, with the VP of the log; whether there was any."""
    took = re.search(r"In round (\d+) (.+) took the lead for good: \2 (\S.*)\.$", told)
    if not took:
        assert not told or re.fullmatch(r".* led from round \d+ on, by up to [1-9]\d* VP\.", told)
        return False
    turns = [match.game.turn(step, None, over=True) for step in match.turns()]
    its = [one for one in turns if one.facts.get("round", int(took[1])) == int(took[1])]
    news = {short.text for one in its for short in one.news}
    for deed in re.split(r"(?:(?<=VP)|(?<=VP\)))(?: and |, )", took[3]):
        deed = re.sub(r" \(\d+ VP\)$", "", deed)
        assert any(deed in one for one in news), told
    if all("vp" in one.facts for one in its):
        brought = sum(one.facts["vp"] for one in its if one.facts["player"] == took[2])
        assert sum(map(int, re.findall(r"(\d+) VP", took[3]))) == brought, told
    return True


def test_what_took_the_lead_is_in_the_log() -> None:
    """What the end reveals is no turn's: not even the last one's."""
    for file in sorted(RECORDS.glob("p*/*.yaml")):
        match = porto_cli.load(file).known
        demand_that_the_log_has(what_decided(match), match)


@pytest.mark.parametrize("numbers", one_in(2, [range(40), range(40, 200)]), ids=str)
def test_what_took_the_lead_in_a_random_game_is_in_its_log(numbers: range) -> None:
    count = 0
    for number in numbers:
        choice = random.Random(number).choice
        names = ["Ana", "Rui", "Eva"][: choice((2, 3))]
        match = porto_cli.new_game(names, seed=f"s{number}", private_contracts=True)
        while not match.over:
            (seat, *_) = match.game.to_move(match.state)
            moves = match.legal_moves(seat)
            builds = [move for move in moves if match.text(move).startswith("build")]
            match.make([choice(builds or moves)], seat)
        count += demand_that_the_log_has(what_decided(match.replay), match)
    assert count > len(numbers) / 2


def test_what_brings_vp_without_saying_so_is_told_with_them(monkeypatch) -> None:
    """Like a building; and a lead that was a tie before."""
    match, seats = match_of(FIVE), range(5)
    zé = match.players.index("Zé")
    deeds = (one for one in match.steps if one.seat == zé and one.before.round > 8 and one.moves)
    late = next(one.after.turn for one in deeds if match.text(one.moves[0]).startswith("build "))

    def glance(state, seat) -> Glance:
        return Glance(state.round, tuple(4 * (one == zé and state.turn >= late) for one in seats))

    monkeypatch.setattr(match.game, "glance", glance)
    told = what_decided(match.replay)
    assert told.startswith("There was a tie for the lead after round ")
    assert re.search(r" for good: Zé built [\w-]+ for \d doubloons? \(4 VP\)\.$", told)


def test_nothing_decides_a_game_alone_one_that_goes_on_or_one_without_rounds(tmp_path) -> None:
    going_on = last_moves(PORTO, tmp_path / "g.yaml").replay
    for replay in (match_of(SOLO_WON).replay, match_of(SOLO_LOST).replay, going_on):
        assert not what_decided(replay)
    assert not what_decided(plainly(match_of(PUERTO_RICO).replay))


def test_the_only_reader_is_spoken_to() -> None:
    """Alone, and where a seat is named; a table of people reads names."""
    won, *_ = found(SOLO_WON).sentences()
    assert str(won).startswith("The game is over: you win with 60 VP")
    replay = match_of("porto/real-table").replay
    own = [*finale_of(replay, seat=0).sentences()]
    assert own[0] == "The game is over: Inês wins with 70 VP, 2 ahead of you."
    assert any(one.startswith("You led by 4 VP after round 23. ") for one in own)
    assert not any("you" in one for one in finale_of(replay).sentences())


# -- What can be done then.


def test_enter_alone_only_looks_and_begins_nothing(tmp_path: Path) -> None:
    session, asker = play(last_moves(PORTO, tmp_path / "friday.yaml"))
    assert session.match.over
    assert asker.questions[-1] == QUESTION
    assert "The game is over: " in asker.seen[-1]
    assert asker.seen[-1].rpartition(QUESTION)[2].splitlines()[1].startswith("Look: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["friday.yaml"]


@pytest.mark.parametrize("private", [False, True])
def test_where_the_points_came_from_is_offered_only_if_it_says_more(private: bool) -> None:
    game = porto_cli.new_game(["Ann"], seed="tram", private_contracts=private)

    def is_offered() -> bool:
        pages = output.to_look_at(game.replay, 0, plain=False)
        # The end names its place.
        return "Where the points came from" in [title for title, *_ in pages][2:3]

    assert is_offered(), "the game goes on"
    while not game.over:
        game.play(game.legal_moves()[0])
    assert is_offered() == private


@pytest.mark.parametrize("record", one_in(2, [SOLO_WON, FIVE]))
def test_the_same_players_can_play_again(tmp_path: Path, record: str) -> None:
    old = last_moves(record, tmp_path / "friday.yaml")

    def answer(asker: Scripted, question: str, labels: list[str]) -> Any:
        return "Play again" if question == QUESTION else None

    new = Session(old, Scripted(then=answer)).run()
    assert new.path == tmp_path / "friday-2.yaml"
    assert porto_cli.load(tmp_path / "friday.yaml").over
    assert not new.over
    assert sorted(new.players) == sorted(old.players)
    assert new.game.config_lines(new.config) == old.game.config_lines(old.config)
    assert new.record.seed != old.record.seed


@pytest.mark.parametrize(
    ("bot", "own", "better"),
    [("level-1", "level-2", "level 2"), ("level-1", "random", ""), ("random", "level-2", "")],
)
def test_after_a_victory_over_bots_better_ones_are_offered(
    bot: str, own: str, better: str, tmp_path: Path
) -> None:
    """If there is a level above theirs; not after a defeat."""
    match = porto_cli.new_game(["Ana", "Rui"], seed="a", bots={"Rui": bot}, private_contracts=False)
    strategy = players_of("porto")[own]
    while not match.over:
        play_bots(match)
        if not match.over:
            match.play(
                choose(strategy, match.game, match.state, match.state.seat, random.Random(1))
            )
    match.save(tmp_path / "friday.yaml")
    entries = lobby.others(Scripted(), match)
    more = [f"Play again, a level up: against {better}"] if better else []
    assert [label for label, _ in entries] == ["Play again: the same players, a new deal", *more]
    assert [{*begin().bots.values()} for _, begin in entries][1:] == [{"level-2"}] * bool(better)


@pytest.mark.parametrize("seed", ["learn-40", todays_seed()], ids=["lesson", "day"])
def test_after_a_lesson_or_a_deal_of_the_day_a_game_with_an_ordinary_name_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: str
) -> None:
    """And after a lesson a full one, against whom one likes."""
    monkeypatch.chdir(tmp_path)
    old = porto_cli.new_game(["Ann"], seed=seed, private_contracts=False)
    while not old.over:
        old.play(old.legal_moves()[0])
    old.save(f"{seed}.yaml")
    is_lesson = seed == "learn-40"

    def answer(asker: Scripted, question: str, labels: list[str]) -> Any:
        if question == QUESTION:
            return "Play a full game" if is_lesson else "Play again"
        return "Alone against bots" if question == "How many people are playing?" else None

    new = Session(old, Scripted(then=answer)).run()
    assert new.path is not None
    assert not new.path.stem.startswith((seed, "learn"))
    assert (bool(new.bots), new.config.private_contracts) == (is_lesson, is_lesson)


@pytest.mark.parametrize("fault", ["The folder", "The bot"])
def test_why_no_other_game_can_begin_is_said_and_the_result_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    old = last_moves(PORTO, folder / "friday.yaml")

    def no_bot(match: porto_cli.Match, name: str) -> porto_cli.Match:
        raise ValueError("There is no bot 'mine'.")

    def answer(asker: Scripted, question: str, labels: list[str]) -> Any:
        if question != QUESTION:
            return BACK if question.startswith("Which file") else None
        if asker.questions.count(QUESTION) > 1:
            return "Stop"
        if fault == "The folder":
            shutil.rmtree(folder)
        else:
            monkeypatch.setattr(new_game_prompts, "play_again", no_bot)
        return "Play again"

    asker = Scripted(then=answer)
    session = Session(old, asker)
    with pytest.raises(StoppedError):
        session.run()
    assert "The game is over: " in asker.seen[-1]
    assert session.match.over
    told = {"The folder": "cannot be written:", "The bot": "There is no bot 'mine'."}
    assert any(told[fault] in " ".join(text.split()) for text in asker.seen)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("friday.yaml", "friday-2.yaml"),
        ("friday-2.yaml", "friday-3.yaml"),
        ("friday-99.yaml", "friday-2.yaml"),
        ("Game-2026.yaml", "Game-2026-2.yaml"),
        ("Inês.yaml", "Inês-2.yaml"),
    ],
)
def test_the_next_game_is_counted_and_a_year_is_no_count(
    tmp_path: Path, old: str, new: str
) -> None:
    for name in ("friday.yaml", old):
        (tmp_path / name).touch()
    assert next_file(tmp_path / old) == tmp_path / new


def test_bots_hints_and_options_play_again_as_well() -> None:
    old = porto_cli.new_game(
        ["Inês", "Rui"], bots={"Rui": "greedy"}, hints="told", private_contracts=False
    )
    for _ in range(5):
        new = play_again(old, "again.yaml")
        assert new.bots == {"Rui": "greedy"}
        assert new.record.hints == "told"
        assert not new.config.private_contracts


def test_real_cards_are_not_dealt_again_by_the_program(tmp_path: Path) -> None:
    session, asker = play(last_moves("puerto-rico/real-table", tmp_path / "friday.yaml"))
    assert session.match.over
    assert "Play again" not in asker.seen[-1]


def test_the_story_is_written_as_a_page_and_replaced_only_on_request(tmp_path: Path) -> None:
    page = tmp_path / "friday.html"
    play(last_moves(PORTO, tmp_path / "friday.yaml"), "Write the story")
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
    page.write_text("mine", "utf-8")
    for sure, text in ((False, "mine"), (True, "<!DOCTYPE html>")):
        play(last_moves(PORTO, tmp_path / "friday.yaml"), "Write the story", sure=sure)
        assert page.read_text("utf-8").startswith(text)


@pytest.mark.long
def test_the_analysis_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: Callable[..., Any] = hint.analyzed
    monkeypatch.setattr(hint, "analyzed", lambda game, looker: judged(game, looker, 1, 1))
    match = last_moves(SOLO_LOST, tmp_path / "friday.yaml")
    _, asker = play(match, "Analyze")
    assert "Your biggest mistakes" in "\n".join(asker.seen + asker.said)
