"""Programs that hold seats in ordinary games: they move by themselves, fairly, always alike."""

from __future__ import annotations

import hashlib
import os
import re
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any

import pytest

import porto_cli
from porto_cli.core.yaml import InvalidFileError
from porto_cli.games import GAMES
from porto_cli.match.items import IllegalMoveError
from porto_cli.match.match import Match
from porto_cli.match.replay import due
from porto_cli.pages import last_turn, news
from porto_cli.players import named as players_bots
from porto_cli.players.named import (
    bot_decisions,
    expected,
    play_a_bot,
    play_bots,
    players_of,
)
from tests.documents import validated
from tests.porto import test_another_program as another_program
from tests.shares import for_each

ANA = "Ana"


def begun(
    bots: dict[str, str], *people: str, game: str = "porto", first: str = ANA, **options
) -> Match:
    """A game with bots, who sit behind the people."""
    names = [*(people or (ANA,)), *bots]
    return porto_cli.new_game(names, game=game, seed="tram", first=first, bots=bots, **options)


def play_first(match: Match) -> None:
    """Make the first legal move of who is to move, and let the bots answer it."""
    match.play(match.game.legal_moves(match.state, match.state.seat, 1)[0], player=match.state.seat)
    play_bots(match)


def answered(match: Match, turns: int) -> Match:
    """Play a game on for some turns of people, and return it."""
    play_bots(match)
    for _ in range(turns):
        if not match.over:
            play_first(match)
    return match


def mover(match: Match) -> str:
    return match.to_move()[0]


# -- What they do


@pytest.mark.parametrize("first", [ANA, "Rui"])
def test_bots_move_until_a_person_is_to_move(first: str) -> None:
    match = begun({"Rui": "level-2", "Bea": "level-3"}, first=first)
    play_bots(match)
    assert mover(match) == ANA
    for _ in range(10):
        play_first(match)
        assert mover(match) == ANA


def test_bots_keep_their_private_contracts_at_once(porto) -> None:
    match = begun({"Rui": "level-3", "Bea": "greedy"})
    turns = play_bots(match)
    assert [(turn.player, turn.moves) for turn in turns] == [("Rui", ("keep",)), ("Bea", ("keep",))]
    assert match.to_move() == [ANA]
    assert match.game.secret_movers(match.state) == (match.seat(ANA),)


def test_a_build_and_its_contracts_are_one_turn_of_a_bot() -> None:
    match = begun({"Rui": "level-3"})
    play_bots(match)
    whole = None
    while not match.over and whole is None:
        match.play(match.legal_moves()[0], player=match.state.seat)
        turns = play_bots(match)
        whole = next((turn for turn in turns if len(turn.moves) > 1), None)
    assert whole
    assert [move.split()[0] for move in whole.moves] == ["build", "contract"]
    step = match.replay.steps[-1]
    assert len(step.moves) == 2
    assert porto_cli.loads(match.record.text).digest == match.digest


def test_one_decision_after_the_other() -> None:
    match, other = (begun({"Rui": "level-3", "Bea": "level-2"}, first="Bea") for _ in range(2))
    count = 0
    while play_a_bot(match):
        count += 1
    play_bots(other)
    assert count == 3
    assert match.digest == other.digest


# -- Their random numbers


def test_the_same_record_leads_to_the_same_moves() -> None:
    one, other = (answered(begun({"Rui": "random", "Bea": "level-2"}), 12) for _ in range(2))
    assert one.record.text == other.record.text


def test_an_undo_gives_no_second_roll() -> None:
    match = answered(begun({"Rui": "random", "Bea": "random"}), 4)
    move = match.legal_moves()[0]
    match.play(move)
    first = [turn.moves for turn in play_bots(match)]
    for _ in range(2):
        match.undo()
        match.play(move)
        assert [turn.moves for turn in play_bots(match)] == first


def test_a_bot_is_given_a_view_and_never_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun({"Rui": "level-3"})
    seen = []

    def looker(view, moves, rng):
        seen.append(view)
        return moves[0]

    monkeypatch.setattr(players_bots, "players_of", lambda game: {"level-3": looker})
    answered(match, 6)
    assert len(seen) > 4
    rui, ana = match.seat("Rui"), match.seat(ANA)
    for view in seen:
        assert view.seat == rui
        assert view.table.dealt[rui] == match.state.dealt[rui]
        assert view.table.dealt[ana] != match.state.dealt[ana]
        assert view == match.game.view(match.game.resample(view, Random(1)), rui)


KNOWN = {
    "porto": {
        "random": "d3ecc307",
        "greedy": "ffb1e372",
        "level-1": "ffb1e372",
        "level-2": "51366e22",
        "level-3": "5c3bdeb8",
        "level-4": "0e2b01e6",
        "level-5": "4b182672",
    },
    "puerto-rico": {
        "random": "8d1c5dbf",
        "greedy": "629b1105",
        "priced": "0f7119ea",
        "level-1": "629b1105",
        "level-2": "0f7119ea",
        "level-3": "6582811d",
        "level-4": "80abcdbd",
        "level-5": "4f1c6345",
    },
}
"""What the players of this version do in a game, as a digest of their moves.

If a test says that this has changed, then ``bots_version`` of the game (in ``game.py``) has to grow
with the next release, unless it has grown already: else ``porto verify --bots`` accuses people of
what was a change of the program. Then note the new digests here.
"""


def moves_of(game: str, name: str) -> str:
    """The digest of what a bot does in a game against who takes the first legal move."""
    match = answered(begun({"Rui": name}, game=game), 3 if name == "level-5" else 12)
    lines = [line for line in match.record.text.splitlines() if line.startswith("- Rui")]
    lines = [line.partition("  # ")[0] for line in lines]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]


def every_bot() -> list[Any]:
    """Each game with each of its bots; those that are another name of one before, for long runs."""
    found = []
    for game, meta in GAMES.items():
        players = players_of(game)
        for nth, name in enumerate(meta.bots):
            again = players[name] in [players[other] for other in meta.bots[:nth]]
            found.append(pytest.param(game, name, marks=[pytest.mark.long] * again))
    return found


@pytest.mark.long_for(
    "porto-level-4",
    "porto-level-5",
    "puerto-rico-search",
    "puerto-rico-level-4",
    "puerto-rico-level-5",
)
@pytest.mark.parametrize(("game", "name"), every_bot())
def test_a_change_of_a_player_is_a_new_version(game: str, name: str) -> None:
    assert KNOWN[game].get(name) == moves_of(game, name)


# -- The head of a record


def test_a_record_says_who_is_a_bot() -> None:
    match = begun({"Rui": "level-4", "Bea": "random"}, first="Bea")
    assert "bots: {Bea: random, Rui: level-4}\nbots-version: 1\n" in match.record.text
    again = porto_cli.loads(match.record.text)
    assert again.bots == {"Bea": "random", "Rui": "level-4"} == match.bots
    assert again.digest == match.digest
    assert again.people == [again.seat(ANA)]
    other = porto_cli.loads(match.record.text.replace("level-4", "level-3"))
    assert other.digest != match.digest


def test_a_name_that_yaml_could_misread_is_quoted() -> None:
    match = porto_cli.new_game([ANA, "no"], seed="tram", bots={"no": "greedy"})
    assert 'bots: {"no": greedy}' in match.record.text
    assert porto_cli.loads(match.record.text).bots == {"no": "greedy"}


@for_each(
    ("old", "new", "line", "said"),
    [
        (
            "{Rui: level-2}",
            "{Tom: level-2}",
            5,
            "There is no player 'Tom'",
        ),
        ("{Rui: level-2}", "{Rui: level-9}", 5, "does not know the level 'level-9'"),
        ("{Rui: level-2}", "{Rui: '2'}", 5, "does not know the level '2'"),
        ("{Rui: level-2}", "{Rui: level-2, Ana: greedy}", 5, "at least one who is a person"),
        ("{Rui: level-2}", "{}", 5, "name at least one player"),
        ("{Rui: level-2}", "Rui", 5, "should contain keys with values"),
        ("{Rui: level-2}", "{Rui: [level-2]}", 5, "a single text"),
        ("bots-version: 1\n", "", 5, "'bots' and 'bots-version' go together"),
        ("bots-version: 1", "bots-version: 0", 6, "a whole number from 1"),
        ("bots: {Rui: level-2}\n", "", 5, "'bots' and 'bots-version' go together"),
        ("secrecy: open\nseed: tram\n", "secrecy: table\n", 5, "'secrecy: open'"),
    ],
)
def test_a_head_is_read_strictly(old: str, new: str, line: int, said: str) -> None:
    text = begun({"Rui": "level-2"}, private_contracts=False).record.text
    assert old in text
    with pytest.raises(InvalidFileError, match=re.escape(said)) as caught:
        porto_cli.loads(text.replace(old, new))
    assert caught.value.place.line == line


def test_a_record_of_a_newer_version_of_the_players_is_played_on() -> None:
    text = begun({"Rui": "level-2"}).record.text.replace("bots-version: 1", "bots-version: 2")
    match = answered(porto_cli.loads(text), 3)
    assert "bots-version: 2" in match.record.text
    assert porto_cli.loads(match.record.text).digest == match.digest


@pytest.mark.parametrize(
    ("bots", "options", "said"),
    [
        ({"Tom": "level-1"}, {}, "There is no player 'Tom'"),
        ({"Rui": "level-9"}, {}, "There is no bot 'level-9'"),
        ({"Rui": "level-1", ANA: "random"}, {}, "at least one who is a person"),
    ],
)
def test_python_refuses_bots_that_cannot_be(bots, options, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        porto_cli.new_game([ANA, "Rui"], bots=bots, **options)


# -- Taking back


def test_an_undo_takes_back_the_bots_as_well() -> None:
    match = answered(begun({"Rui": "level-2", "Bea": "level-3"}), 3)
    before = match.state
    play_first(match)
    match.undo(ANA)
    assert match.state == before
    assert match.record.text.endswith("- Bea: undo\n- Rui: undo\n- Ana: undo\n")
    assert porto_cli.loads(match.record.text).digest == match.digest
    assert play_bots(match) == []


def test_undo_by_undo_back_to_the_beginning() -> None:
    match = begun({"Rui": "level-2"}, first="Rui")
    play_bots(match)
    opening = match.state
    answered(match, 4)
    for _ in range(4):
        match.undo()
    assert match.state == opening
    with pytest.raises(IllegalMoveError, match="no turn of a person"):
        match.undo()
    assert porto_cli.loads(match.record.text).digest == match.digest


def test_nobody_takes_back_for_a_bot() -> None:
    match = answered(begun({"Rui": "level-2"}), 3)
    with pytest.raises(IllegalMoveError, match="Rui is a bot"):
        match.undo("Rui")


def test_only_the_person_who_moved_last_takes_back() -> None:
    match = begun({"Rui": "greedy"}, ANA, "Bea")
    play_bots(match)
    match.play("keep 1 2 3", player=ANA)
    match.play("keep 1 2 3", player="Bea")
    play_first(match)
    assert mover(match) == "Bea"
    with pytest.raises(IllegalMoveError, match="the last to move was Ana"):
        match.undo("Bea")
    play_first(match)
    assert mover(match) == ANA, "Rui has moved behind Bea"
    with pytest.raises(IllegalMoveError, match="the last to move was Bea"):
        match.undo(ANA)
    match.undo("Bea")
    assert mover(match) == "Bea"
    with pytest.raises(IllegalMoveError, match="Bea's turn has already been taken back"):
        match.undo(ANA)


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ("- Ana: undo\n", "The later turn of Rui has to be taken back first."),
        ("- Rui: undo\n- Rui: undo\n", "The later turn of Ana has to be taken back first."),
    ],
)
def test_a_record_takes_back_one_turn_after_the_other(items: str, said: str) -> None:
    text = answered(begun({"Rui": "greedy"}, private_contracts=False), 3).record.text
    with pytest.raises(InvalidFileError, match=re.escape(said)):
        porto_cli.loads(text + items)
    match = porto_cli.loads(text + "- Rui: undo\n- Ana: undo\n- Rui: undo\n- Ana: undo\n")
    assert match.to_move() == [ANA]


def test_a_bot_moves_again_where_only_its_turn_was_taken_back() -> None:
    match = answered(begun({"Rui": "random"}, private_contracts=False), 3)
    again = porto_cli.loads(match.record.text + "- Rui: undo\n")
    assert due(again.replay) == again.seat("Rui")
    play_bots(again)
    assert again.state == match.state


@pytest.mark.long
def test_another_program_agrees_about_a_game_with_bots(tmp_path: Path) -> None:
    """Their turns, and those taken back with one of a person, are items as all are."""
    match = answered(begun({"Rui": "level-2"}), 0)
    while not match.over:
        play_first(match)
        if not match.over and len(match.replay.steps) % 3 == 0:
            match.undo()
            play_first(match)
    path = tmp_path / "bots.yaml"
    match.save(path)
    record = another_program.load(path)
    assert record["bots"] == {"Rui": "level-2"}
    assert any("undo" in item.values() for item in record["turns"])
    another_program.test_chance_gives_what_came_up(path)
    another_program.test_the_fingerprint_is_that_of_the_canonical_form(path)


# -- Whole games through the commands


def person_plays(porto, file: str, rng: Random, *, most: int = 10_000) -> None:
    """Make random moves for the one person of a game, until it is over."""
    for _ in range(most):
        match = porto_cli.load(file)
        if match.over:
            return
        assert match.to_move() == [ANA]
        legal = match.game.legal_moves(match.state, match.state.seat, 200)
        verb, *words = match.text(rng.choice(legal)).split()
        done = porto(verb, file, *words, "-q")
        assert (done.code, done.out, done.err) == (0, "", "")
        if not match.over and rng.random() < 0.15:
            assert porto("undo", file, "-q").code == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("bots", "options"),
    [
        (["Rui 3", "Bea 2"], []),
        pytest.param(["Rui greedy"], ["--game", "puerto-rico"], marks=pytest.mark.long),
        pytest.param(["Rui 4"], [], marks=pytest.mark.long),
        pytest.param(
            *(["Rui 2", "Bea greedy", "Tó random"], ["--first-game"]), marks=pytest.mark.long
        ),
        pytest.param(
            *(["Rui random", "Bea 2"], ["--game", "puerto-rico", "--buildings", "draft"]),
            marks=pytest.mark.long,
        ),
    ],
    ids=str,
)
def test_a_person_plays_a_whole_game_against_bots(porto, bots, options) -> None:
    words = [word for bot in bots for word in ("--bot", bot)]
    new = porto("new", "game.yaml", ANA, *words, *options, "--seed", "ribeira-1", "-q")
    assert (new.code, new.err) == (0, "")
    person_plays(porto, "game.yaml", Random(7))
    match = porto_cli.load("game.yaml")
    assert match.over
    assert [expected(match.replay, one) for one in bot_decisions(match.replay)].count(None) > 20
    done = porto("verify", "--bots", "game.yaml")
    assert (done.code, done.err) == (0, "")
    assert "decisions of bots are genuine" in done.out


@pytest.mark.long
def test_a_person_plays_the_end_of_a_game_against_bots(porto) -> None:
    match = answered(begun({"Rui": "greedy"}, game="puerto-rico"), 45)
    assert not match.over
    match.save("game.yaml")
    person_plays(porto, "game.yaml", Random(7))
    assert porto_cli.load("game.yaml").over
    done = porto("verify", "--bots", "game.yaml")
    assert (done.code, done.err) == (0, "")
    assert "decisions of bots are genuine" in done.out


def test_a_new_game_says_who_is_a_bot_and_what_it_did(porto) -> None:
    done = porto("new", "game.yaml", ANA, "--bot", "Rui 4", "--seed", "tram", "--first", "Rui")
    assert done.code == 0
    lines = done.out.splitlines()
    assert "Played by the program: Rui (bot 4)." in lines
    place = lines.index("Rui (bot 4) moves:")
    assert lines[place + 1] == "Rui chose three private contracts."
    assert any(line.startswith("Rui drew ") for line in lines)
    assert any(line.startswith("It is Ana's turn") for line in lines)


def test_a_move_is_reported_with_what_the_bots_did(porto) -> None:
    porto("new", "game.yaml", ANA, "--bot", "Rui 3", "--bot", "Bea 2", "--seed", "tram", "-q")
    assert porto("keep", "game.yaml", 1, 2, 3).code == 0, "Ana alone can be meant"
    text = porto_cli.load("game.yaml").observe(ANA)["moves"][0]["move"]
    verb, *words = text.split()
    done = porto(verb, "game.yaml", *words)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines.index("Rui (bot 3) moves:") < lines.index("Bea (bot 2) moves:")
    assert lines[0].startswith("Ana drew ")
    report = validated("report", porto("undo", "game.yaml", "--format", "json").out)
    assert [(turn["player"], turn["bot"], turn["moves"]) for turn in report["bots"]] == [
        ("Bea", "level-2", ["undo"]),
        ("Rui", "level-3", ["undo"]),
    ]
    report = validated("report", porto(verb, "game.yaml", *words, "--format", "json").out)
    assert [turn["player"] for turn in report["bots"]] == ["Rui", "Bea"]
    assert report["to_move"] == [ANA]
    assert report["bots"][0]["events"][0]["player"] == "Rui"
    assert report["events"][0]["player"] == ANA
    done = porto("undo", "game.yaml")
    assert done.out.splitlines()[0].startswith("Ana took back: draw")
    assert done.out.splitlines()[1].startswith("With it goes what Rui and Bea did then: Rui: ")


def test_what_a_bot_keeps_is_shown_to_nobody(porto) -> None:
    porto("new", "game.yaml", ANA, "--bot", "Rui 3", "--seed", "tram", "--first", ANA, "-q")
    file = Path("game.yaml")
    text = re.sub(r"- Rui: keep.*\n", "", file.read_text("utf-8"))
    file.write_text(text, "utf-8")
    report = validated("report", porto("keep", file, 1, 2, 3, "--format", "json").out)
    assert [turn["moves"] for turn in report["bots"]] == [["keep"]]


def test_a_dry_run_lets_no_bot_move(porto) -> None:
    options = ("--seed", "tram", "--first", ANA, "--first-game", "-q")
    porto("new", "game.yaml", ANA, "--bot", "Rui 3", *options)
    before = Path("game.yaml").read_text("utf-8")
    done = porto("draw", "game.yaml", "red-2", "--dry-run")
    assert done.code == 0
    assert "Rui" not in done.out.splitlines()[0]
    assert "bot" not in done.out
    assert Path("game.yaml").read_text("utf-8") == before
    report = validated(
        "report", porto("draw", "game.yaml", "red-2", "--dry-run", "--format", "json").out
    )
    assert (report["bots"], report["to_move"]) == ([], ["Rui"])


def test_a_dry_run_tells_no_fingerprint_that_no_record_will_have(porto) -> None:
    match = answered(begun({"Rui": "level-3"}, private_contracts=False), 1)
    builds = []
    while not builds:
        play_first(match)
        texts = [match.text(move) for move in match.legal_moves()]
        builds = [text for text in texts if text.startswith("build")]
    match.save("game.yaml")
    verb, *words = builds[0].split()
    report = validated(
        "report", porto(verb, "game.yaml", *words, "--dry-run", "--format", "json").out
    )
    assert report["fingerprint"] is None


@pytest.mark.parametrize("words", [("draw", "red-2"), ("undo",), ("pass",), ("play",)])
def test_nobody_moves_for_a_bot(porto, words, monkeypatch) -> None:
    porto("new", "game.yaml", ANA, "--bot", "Rui 3", "--seed", "tram", "--first-game", "-q")
    before = Path("game.yaml").read_text("utf-8")
    verb, *rest = words
    done = porto(verb, "game.yaml", *rest, "--as", "Rui")
    assert done.code == (2 if verb == "play" else 1), "play asks for a terminal first"
    if verb != "play":
        assert done.err.startswith("Rui (bot 3) moves by itself;")
    assert Path("game.yaml").read_text("utf-8") == before


def test_who_is_called_like_a_bot_is_not_taken_for_it(porto, monkeypatch) -> None:
    options = ("--seed", "tram", "--first", ANA, "--first-game", "-q")
    porto("new", "game.yaml", ANA, "--bot", "Rui 3", *options)
    monkeypatch.setenv("PORTO_PLAYER", "Rui")
    assert porto("draw", "game.yaml", "red-2").code == 0
    porto("new", "secret.yaml", ANA, "--bot", "Rui 3", "--seed", "tram", "--first", ANA, "-q")
    shown = porto("show", "secret.yaml").out
    assert shown != porto("show", "secret.yaml", "--as", "Rui").out
    monkeypatch.setenv("PORTO_PLAYER", "")
    assert shown == porto("show", "secret.yaml").out


# -- A record that was stopped or edited


@pytest.fixture
def stopped(porto) -> Path:
    """A game in which a bot is to move: its last turn was cut off."""
    options = ("--seed", "tram", "--first", "Rui", "--first-game", "-q")
    porto("new", "game.yaml", ANA, "--bot", "Rui 3", *options)
    file = Path("game.yaml")
    text = file.read_text("utf-8")
    file.write_text(text[: text.index("- Rui")], "utf-8")
    return file


def test_show_says_that_a_bot_is_to_move(porto, stopped) -> None:
    done = porto("show", stopped)
    assert "It is the turn of Rui (bot 3), who moves on its own" in done.out
    assert "porto play game.yaml" in done.out


def test_a_mail_has_the_command_that_lets_it_move_only_for_who_can_type_it(porto, stopped) -> None:
    plain = ("address", ANA, "ana@example.org")
    for words, is_told in (((), True), (("--no-program",), False)):
        porto(*plain, *words)
        mail = porto("mail", stopped, "--to", ANA, "-o", "-").out
        assert ("    porto play game.yaml" in mail) == is_told
        assert ("who moves on its own" in mail) == is_told


def test_the_next_move_lets_a_bot_move_first(porto, stopped) -> None:
    match = porto_cli.load(stopped)
    play_bots(match)
    verb, *words = match.text(match.legal_moves()[0]).split()
    done = porto(verb, stopped, *words)
    assert done.code == 0
    assert done.out.startswith("Rui (bot 3) moves:\nRui drew")
    assert [step.seat for step in porto_cli.load(stopped).replay.steps] == [0, 1, 0]


def test_a_move_that_is_refused_then_says_why_and_writes_nothing(porto, stopped) -> None:
    before = stopped.read_text("utf-8")
    done = porto("draw", stopped, "yellow-3", "yellow-3")
    assert done.code == 1
    assert "P-DRAW-1" in done.err
    assert "In the file it is still the turn of Rui" in done.err
    assert stopped.read_text("utf-8") == before


def test_stopping_a_bot_that_thinks_loses_nothing_but_the_command(porto, monkeypatch) -> None:
    options = ("--seed", "tram", "--first", ANA, "--first-game", "-q")
    porto("new", "game.yaml", ANA, "--bot", "Rui 3", *options)
    before = Path("game.yaml").read_text("utf-8")

    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(players_bots, "choice", press)
    done = porto("draw", "game.yaml", "red-2")
    assert done.code == 130
    assert "nothing was written" in done.err
    assert Path("game.yaml").read_text("utf-8") == before
    assert porto("new", "other.yaml", ANA, "--bot", "Rui 3", "--first", "Rui").code == 130
    assert not Path("other.yaml").exists()


def test_standard_input_and_output(porto) -> None:
    new = porto("new", "-", ANA, "--bot", "Rui 3", "--first", "Rui", "--first-game", "-q")
    assert new.code == 0
    assert new.out.count("- Rui: draw") == 1
    match = porto_cli.loads(new.out)
    verb, *words = match.text(match.legal_moves()[0]).split()
    done = porto(verb, "-", *words, stdin=new.out)
    assert done.code == 0
    assert porto_cli.loads(done.out).to_move() == [ANA]
    assert "Rui (bot 3) moves:" in done.err


# -- What cannot be


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([ANA, "--bot", "Rui"], "--bot takes a name and a level"),
        (
            [ANA, "--bot", "Rui 9"],
            "'9' is not a level. The levels of Porto are random, greedy, 1, 2, 3, 4, 5; 1 is weak",
        ),
        ([ANA, "--bot", " 3"], "--bot takes a name and a level"),
        (["--bot", "Rui 3"], "At least one player must be a person"),
        ([ANA, "--bot", "ana 3"], "If ana is a bot, leave ana out of the players."),
        ([ANA, "--bot", "Rui 3", "--bot", "Rui 4"], "called 'Rui'; give them different names."),
        ([ANA, *["--bot", "Rui 3"] * 4], "Two players are called 'Rui'"),
        ([ANA, "Bea", "Eva", "Tom", "--bot", "Rui 3"], "Porto has 1 to 4 players, not 5"),
        (
            [f"--bot={name} 3" for name in ("Bea", "Eva", "Tom", "Rui")],
            "Porto has 1 to 4 players, not 5",
        ),
        ([ANA, "--bot", "Rui 3", "--secrecy", "table"], "--secrecy open, not table"),
        ([ANA, "--bot", "Rui 3", "--secrecy", "sealed"], "--secrecy open, not sealed"),
        ([ANA, "--bot", "Rui 6", "--game", "puerto-rico"], "The levels of Puerto Rico are"),
        ([ANA, "--bot", "Rui 3", "--timer", "26"], "Only the solo game has a timer"),
    ],
)
def test_a_game_with_bots_that_cannot_be_is_refused(porto, words, said: str) -> None:
    done = porto("new", "game.yaml", *words)
    assert done.code == 2
    assert said in done.err
    assert not Path("game.yaml").exists()


def test_a_level_can_be_typed_in_full_and_a_name_have_blanks(porto) -> None:
    done = porto("new", "game.yaml", ANA, "--bot", "Dona Bea LEVEL-3", "--bot", "Rui Greedy", "-q")
    assert done.code == 0
    assert porto_cli.load("game.yaml").bots == {"Dona Bea": "level-3", "Rui": "greedy"}


# -- Verify


@pytest.fixture
def played(porto) -> Path:
    """A game that has gone on for a while."""
    match = answered(begun({"Rui": "level-3"}, first="Rui"), 6)
    match.undo()
    answered(match, 3)
    match.save("game.yaml")
    return Path("game.yaml")


def tampered(file: Path) -> int:
    """Change the last draw of the bot to another legal one, and return its line."""
    match = porto_cli.load(file)
    last = match.replay.steps[-1]
    text = match.record.text[: match.record.text.rindex("- Rui")]
    match = porto_cli.loads(text)
    other = next(move for move in match.legal_moves() if move != last.moves[0])
    match.play(other, player="Rui")
    file.write_text(match.record.text, "utf-8")
    return match.record.place(last.item).line


def test_verify_finds_a_move_that_a_bot_has_not_made(porto, played) -> None:
    assert porto("verify", "--bots", played).code == 0
    line = tampered(played)
    assert porto("verify", played).code == 0, "it is a legal game"
    done = porto("verify", "--bots", played)
    assert done.code == 3
    first, last = done.err.splitlines()
    assert first.startswith(f"game.yaml:{line}:")
    assert "Rui (bot 3) has 'draw" in first
    assert "1 of " in last
    found = validated("verify", porto("verify", "--bots", played, "--format", "json").out)
    (report,) = found["files"]
    assert report["valid"]
    assert [one["line"] for one in report["bots_differ"]] == [line]
    assert report["bots_checked"] > 6
    quiet = validated("verify", porto("verify", "--bots", "-q", played, "--format", "json").out)
    assert quiet == found


def test_verify_does_not_tell_what_a_bot_keeps(porto, played) -> None:
    text = played.read_text("utf-8")
    kept = re.search(r"- Rui: (keep .*)", text)
    assert kept
    other = "keep 1 2 3" if kept[1] != "keep 1 2 3" else "keep 1 2 4"
    played.write_text(text.replace(kept[0], f"- Rui: {other}"), "utf-8")
    done = porto("verify", "--bots", played)
    assert done.code == 3
    assert "would choose differently here" in done.err
    assert "keep" not in done.err
    assert kept[1] not in porto("verify", "--bots", played, "--format", "json").out


def test_verify_accuses_nobody_of_another_version(porto, played) -> None:
    tampered(played)
    text = played.read_text("utf-8").replace("bots-version: 1", "bots-version: 7")
    played.write_text(text, "utf-8")
    done = porto("verify", "--bots", played)
    assert done.code == 0
    said = "the moves of Rui (bot 3) cannot be checked: its version 7 is newer than this porto."
    assert said in done.out
    assert "genuine" not in done.out
    found = validated("verify", porto("verify", "--bots", played, "--format", "json").out)
    assert found["files"][0]["bots_checked"] == 0


def test_verify_says_what_it_has_not_checked(porto, played) -> None:
    assert "add --bots" in porto("verify", played).out
    match = porto_cli.new_game([ANA, "Rui"], seed="tram")
    match.save("other.yaml")
    assert "it has no bots" in porto("verify", "--bots", "other.yaml").out
    assert "bot" not in porto("verify", "other.yaml").out


# -- Who is named, and who gets mail


def test_show_and_games_name_the_bots(porto, played) -> None:
    assert "Played by the program: Rui (bot 3)." in porto("show", played, "--plain").out
    assert "Rui (bot 3) has " in porto("show", played, "--plain").out
    assert re.search(r"Rui \(bot 3\) +\d+ VP", porto("show", played).out)
    assert validated("show", porto("show", played, "--format", "json").out)["bots"] == {
        "Rui": "level-3"
    }
    done = porto("games")
    assert "Rui (bot 3) " in " ".join(done.out.split())
    assert "It has been Ana's turn" in done.out
    (game,) = validated("games", porto("games", "--format", "json").out)["games"]
    assert game["bots"] == {"Rui": "level-3"}
    assert game["to_move"] == [ANA]


def test_a_bot_is_distinguished_from_a_person_of_its_name(porto) -> None:
    match = begun({"Rui": "greedy"}, private_contracts=False)
    while not match.over:
        answered(match, 1)
    match.save("game.yaml")
    done = porto("games")
    assert re.search(r"Rui \(bot greedy\): (won|lost) with \d+ VP\.", done.out)
    players = validated("games", porto("games", "--format", "json").out)["players"]
    assert {(one["player"], one.get("bot")) for one in players} == {(ANA, None), ("Rui", "greedy")}


def test_since_last_tells_what_the_bots_did(porto, played) -> None:
    done = porto("log", played, "--since", "last", "--as", ANA)
    assert done.code == 0
    assert "Rui" in done.out


def test_nobody_writes_to_a_bot(porto) -> None:
    options = ("--seed", "tram", "--first", ANA, "--first-game", "-q")
    porto("new", "game.yaml", ANA, "Joana", "--bot", "Rui 3", *options)
    porto("draw", "game.yaml", "red-2", "-q")
    done = porto("mail", "game.yaml", "--cc")
    assert "No e-mail address is stored for Joana." in done.err
    mail = done.out
    assert "Joana is to move" in mail
    assert "Played by the program: Rui (bot 3)." in mail
    assert porto("mail", "game.yaml", "--to", "Rui").code == 2
    assert porto("mail", "game.yaml", "--as", "Rui").code == 2
    match = porto_cli.load("game.yaml")
    verb, *words = match.text(match.legal_moves()[0]).split()
    porto(verb, "game.yaml", *words, "-q")
    mail = porto("mail", "game.yaml").out
    assert "Ana is to move" in mail, "Joana has moved last; what Rui did since is news"
    assert "Rui drew" in mail


ANSWER = """\
From: Ana <ana@example.org>
Subject: Re: Porto
In-Reply-To: <x@example.org>

{move}
"""


def test_a_move_that_comes_by_mail_is_answered_by_the_bots(porto) -> None:
    options = ("--seed", "tram", "--first", ANA, "--first-game", "-q")
    porto("new", "game.yaml", ANA, "--bot", "Rui 3", *options)
    porto("address", ANA, "ana@example.org")
    Path("answer.eml").write_text(ANSWER.format(move="draw red-2"), "utf-8")
    before = Path("game.yaml").read_text("utf-8")
    dry = porto("receive", "answer.eml", "--into", "game.yaml", "--yes", "--dry-run")
    assert dry.code == 0
    assert Path("game.yaml").read_text("utf-8") == before
    done = porto("receive", "answer.eml", "--into", "game.yaml", "--yes")
    assert done.code == 0, done.err
    assert "Ana plays: draw red-2." in done.out
    assert "Rui drew" in done.out
    match = porto_cli.load("game.yaml")
    assert match.to_move() == [ANA]
    assert len(match.replay.steps) == 2
    porto("undo", "game.yaml", "-q")
    report = porto("receive", "answer.eml", "--into", "game.yaml", "--yes", "--format", "json").out
    assert validated("receive", report)["messages"][0]["moves"] == ["draw red-2"]
    forged = ANSWER.format(move="draw red-2").replace("Ana <ana", "Rui <rui")
    Path("forged.eml").write_text(forged, "utf-8")
    done = porto("receive", "forged.eml", "--into", "game.yaml", "--from", "Rui", "--yes")
    assert done.code == 1
    assert "Rui is a bot" in done.err


# -- What others pay for it


def test_completion_offers_levels_behind_a_name(complete) -> None:
    new = ("new", "x.yaml", "Ana")
    assert complete(*new, "--bot", "Rui") == []
    assert complete(*new, "--bot", "'Rui ") == [
        f"Rui {level}" for level in ("random", "greedy", *"12345")
    ]
    assert complete(*new, "--bot", "'Rui g") == ["Rui greedy"]
    assert "Rui priced" in complete(*new, "--game", "puerto-rico", "--bot", "'Rui ")


# -- Players of one's own


MINE = """\
from pathlib import Path

Path(__file__).with_name("was-run").touch()


def choose(seen):
    return seen["moves"][-1]["move"]
"""


@pytest.fixture
def mine(porto, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A player in the folder of the settings, and settings that name it."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("PORTO_HOME", str(home))
    (home / "mine.py").write_text(MINE, "utf-8")
    (home / "config.yaml").write_text("players: {mine: mine.py:choose}\n", "utf-8")
    for file in home.iterdir():
        file.chmod(0o600)
    return home


@pytest.mark.long
def test_a_player_of_the_settings_holds_a_seat(porto, mine: Path) -> None:
    words = ("--seed", "tram", "--first", ANA, "--first-game")
    assert porto("new", "x.yaml", ANA, "--bot", "Rui mine", *words).code == 0
    assert "bots: {Rui: mine}\n" in Path("x.yaml").read_text("utf-8")
    assert porto("draw", "x.yaml", "blue-1").code == 0
    assert "- Rui: " in Path("x.yaml").read_text("utf-8")
    assert porto("verify", "--bots", "x.yaml").code == 0
    assert porto("simulate", "mine", "greedy", "-n", 1, "-j", 1).code == 0
    # Where the settings do not have it, the record says what is missing.
    (mine / "config.yaml").unlink()
    done = porto("show", "x.yaml")
    assert done.code == 3
    assert "name it under 'players' in your config.yaml" in done.err


def test_a_name_of_a_game_is_not_taken_by_the_settings(porto, mine: Path) -> None:
    (mine / "config.yaml").write_text("players: {greedy: mine.py:choose}\n", "utf-8")
    assert porto("new", "x.yaml", ANA, "--bot", "Rui greedy").code == 0
    assert porto("draw", "x.yaml", "gold-9").code == 2
    assert porto("simulate", "greedy", "random", "-n", 1, "-j", 1).code == 0
    assert not (mine / "was-run").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no permissions to look at")
@pytest.mark.parametrize("open_to_others", ["config.yaml", "mine.py", "."])
def test_a_player_that_others_could_write_is_not_run(
    porto, mine: Path, open_to_others: str
) -> None:
    (mine / open_to_others).chmod(0o777)
    done = porto("simulate", "mine", "greedy", "-n", 1, "-j", 1)
    assert done.code == 4
    assert "Other users of this computer can change" in done.err
    assert not (mine / "was-run").exists()


def test_a_file_with_code_is_not_written_into_a_record(porto, mine: Path) -> None:
    code = f"{mine / 'mine.py'}:choose"
    done = porto("new", "x.yaml", ANA, "--bot", f"Rui {code}")
    assert done.code == 2
    assert "like: players: {mine: ~/players.py:choose}" in done.err
    assert not Path("x.yaml").exists()
    assert not (mine / "was-run").exists()
    with pytest.raises(ValueError, match="There is no bot"):
        begun({"Rui": code})


@pytest.mark.parametrize("by", ["path", "name", "module"])
def test_a_record_that_arrives_runs_no_code(porto, mine: Path, by: str) -> None:
    """Not that of a file that came with it, nor that of a module, nor that of one's own file."""
    match = begun({"Rui": "level-2"}, private_contracts=False)
    match.save("friday.yaml")
    (mine / "config.yaml").unlink()
    Path("mine.py").write_text(MINE, "utf-8")
    code = {"path": f"'{mine / 'mine.py'}:choose'", "name": "'mine.py:choose'"}.get(by, "'mine:x'")
    text = match.record.text.replace("Rui: level-2", f"Rui: {code}")
    Path("friday.yaml").write_text(text, "utf-8")
    mail = EmailMessage()
    mail["From"] = "rui@example.org"
    for name, part in (("other.yaml", text), ("mine.py", MINE)):
        mail.add_attachment(part.encode(), "application", "octet-stream", filename=name)
    Path("in.eml").write_bytes(mail.as_bytes())
    for words in ("show", "log", "verify --bots", "verify", "moves", "score", "hint"):
        command, *options = words.split()
        done = porto(command, "friday.yaml", *options)
        assert done.code == 3
        assert "does not know the level" in done.err
    assert porto("draw", "friday.yaml", "blue-1").code == 3
    assert porto("receive", "in.eml").code == 3
    assert porto("games").code == 0
    assert not (mine / "was-run").exists()
    assert not Path("was-run").exists()


# --- players that are gone --------------------------------------------------------------------


SEARCH = """\
porto: 1
game: puerto-rico
rules: 1
players: [Ana, Rui]
bots: {Rui: search}
bots-version: 3
options: {buildings: base, rulebook: printed}
secrecy: open
seed: s
setup:
  tiles: sugar tobacco coffee
turns:
- Ana: role settler
- Ana: take sugar
- Rui: pass
  tiles: corn sugar coffee
- Rui: role mayor
- Ana: place indigo
- Ana: role builder
"""
"""The beginning of a game against a player that the program had in former versions."""


@pytest.mark.parametrize("seated", ["search", "level-3"], ids=["from the beginning", "later"])
def test_a_record_with_a_player_that_is_gone_is_read(porto, seated: str) -> None:
    text = SEARCH
    if seated != "search":
        text = text.replace("{Rui: search}", "{Rui: level-3}").replace(
            "- Ana: place", "- Rui: seat bot search version 3\n- Ana: place"
        )
    Path("old.yaml").write_text(text, "utf-8")
    assert porto("show", "old.yaml").code == 0
    assert "Ana placed colonists: indigo." in porto("log", "old.yaml").out
    assert porto("verify", "old.yaml").code == 0


def test_the_moves_of_a_player_that_is_gone_cannot_be_checked(porto) -> None:
    Path("old.yaml").write_text(SEARCH, "utf-8")
    done = porto("verify", "--bots", "old.yaml")
    assert done.code == 0
    said = "the moves of Rui (bot search) cannot be checked: its version 3 is no longer known."
    assert said in done.out
    found = validated("verify", porto("verify", "--bots", "old.yaml", "--format", "json").out)
    assert found["files"][0]["bots_checked"] == 0


def test_the_moves_of_a_player_that_is_known_are_checked_beside_one_that_is_gone(porto) -> None:
    text = SEARCH.replace(
        "- Ana: role builder\n", "- Ana: role builder\n- Rui: seat bot level-1 version 3\n"
    )
    Path("old.yaml").write_text(text, "utf-8")
    assert porto("build", "old.yaml", "small-market").code == 0
    done = porto("verify", "--bots", "old.yaml")
    assert "Rui (bot search) cannot be checked" in done.out
    verified = porto("verify", "--bots", "old.yaml", "--format", "json").out
    (found,) = validated("verify", verified)["files"]
    assert found["bots_checked"] > 1
    assert f"the other {found['bots_checked']} decisions of bots are genuine." in done.out


def test_another_player_plays_on_for_one_that_is_gone(porto) -> None:
    Path("old.yaml").write_text(SEARCH, "utf-8")
    done = porto("build", "old.yaml", "small-market")
    assert (done.code, Path("old.yaml").read_text("utf-8")) == (2, SEARCH)
    assert "There is no player 'search' anymore; 'porto seat' lets another one play" in done.err
    assert porto("seat", "old.yaml", "Rui", "--bot", 3).code == 0
    assert porto("build", "old.yaml", "small-market").code == 0
    for words in (
        ("seat", "old.yaml", "Rui", "--bot", "search"),
        ("new", "x.yaml", "Ana", "--game", "puerto-rico", "--bot", "Rui search"),
    ):
        refused = porto(*words)
        assert refused.code == 2
        assert "random, greedy, priced, 1, 2, 3, 4, 5" in refused.err


def test_an_undo_says_how_many_moves_are_taken_back_with_those_of_bots() -> None:
    bots = {"Rui": "level-1", "Bea": "level-1"}
    match = porto_cli.new_game(["Ana", *bots], game="puerto-rico", seed="x", first="Ana", bots=bots)
    match.play("role builder")
    match.undo()
    assert last_turn(match.replay) == ["Ana took back the last move."]
    match.play("role builder")
    match.play("pass")
    made = len(match.steps)
    porto_cli.play_bots(match)
    after = len(match.steps) - made
    match.undo()
    told = f"took back the last {after + 1} moves."
    assert after > 1
    assert last_turn(match.replay) == [f"Ana {told}"]
    assert [new.full for new in news(match.replay, 0)][-1] == (f"You {told}",)
