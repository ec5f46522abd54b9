"""The commands of sealed games, each player at an own computer."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Result, run_porto
from tests.documents import validated

pytestmark = pytest.mark.long

Play = Callable[..., Result]


def set_up(at: Play, *options: str) -> Result:
    """Set up a game of Ana and Rui, in which Ana is first."""
    words = ("game.yaml", "Ana", "Rui", "--secrecy", "sealed", "--first", "Ana")
    assert at("Ana", "new", *words, *options).code == 0
    assert at("Rui", "join", "game.yaml", "--as", "Rui").code == 0
    return at("Ana", "join", "game.yaml")


def first_move(at: Play, name: str) -> list[str]:
    """Return the words of a legal move, the record in its place."""
    result = json.loads(at(name, "moves", "game.yaml", "--format", "json").out)
    verb, *words = result["moves"][0]["move"].split()
    return [verb, "game.yaml", *words]


def test_each_step_of_the_setup_names_the_next_player_and_how_far_it_is(at: Play) -> None:
    begun = at("Ana", "new", "game.yaml", "Ana", "Rui", "Bea", "--secrecy", "sealed")
    assert "no other player was named with --as" in begun.out
    assert "game.yaml is still being set up: step 1 of 5 is complete." in begun.out
    assert "Send it to Rui, who continues with: porto join game.yaml --as Rui\n" in begun.out
    assert "A key was made for you" in begun.err
    assert "to Bea" in at("Rui", "join", "game.yaml", "--as", "Rui").out
    assert "to Ana, who continues with: porto join game.yaml --as Ana\n" in (
        at("Bea", "join", "game.yaml", "--as", "Bea").out
    )
    assert "step 4 of 5 is complete" in at("Ana", "join", "game.yaml").out
    done = at("Rui", "join", "game.yaml")
    assert "The setup is complete: the game can begin" in done.out
    again = at("Rui", "join", "game.yaml")
    assert again.code == 1
    assert "The setup is complete; everybody has joined" in again.err


def test_who_is_not_next_cannot_join(at: Play) -> None:
    at("Ana", "new", "game.yaml", "Ana", "Rui", "Bea", "--secrecy", "sealed")
    text = Path("game.yaml").read_text()
    unnamed = at("Rui", "join", "game.yaml")
    assert unnamed.code == 2
    assert "porto join game.yaml --as Rui" in unnamed.err
    assert at("Bea", "join", "game.yaml", "--as", "Bea").code == 1
    assert at("Ana", "join", "game.yaml").code == 1
    assert at("Rui", "join", "game.yaml", "--as", "Eva").code == 2
    assert Path("game.yaml").read_text() == text


@pytest.mark.parametrize(
    "words",
    [
        ("show", "--format", "json"),
        ("moves",),
        ("log",),
        ("score",),
        ("draw", "1"),
        ("keep", "1", "2", "3"),
        ("undo",),
        ("reveal",),
    ],
)
def test_every_command_says_that_the_game_is_being_set_up(at: Play, words: tuple[str, ...]) -> None:
    at("Ana", "new", "game.yaml", "Ana", "Rui", "--secrecy", "sealed")
    result = at("Ana", words[0], "game.yaml", *words[1:])
    assert result.code == 1
    assert "game.yaml is still being set up: step 1 of 3 is complete." in result.err
    assert "porto join game.yaml --as Rui" in result.err
    assert "Traceback" not in result.err


def test_show_and_verify_tell_how_far_a_set_up_is(at: Play) -> None:
    at("Ana", "new", "game.yaml", "Ana", "Rui", "--secrecy", "sealed")
    for command in ("show", "verify"):
        result = at("Eva", command, "game.yaml")
        assert result.code == 0
        assert "step 1 of 3 is complete. Send it to Rui, who continues with: " in result.out
        assert "porto join game.yaml --as Rui" in result.out
    result = validated("verify", at("Eva", "verify", "game.yaml", "--format", "json").out)
    assert result["files"][0]["setup"] == {"done": 1, "stations": 3, "next": "Rui"}


def test_a_game_that_is_set_up_waits_for_who_is_next(at: Play) -> None:
    at("Ana", "new", "game.yaml", "Ana", "Rui", "--secrecy", "sealed")
    for name, heading in (("Rui", "Waiting for you"), ("Ana", "Waiting for others")):
        at(name, "me", name)
        result = at(name, "games")
        assert result.out.startswith(f"{heading}\n  game.yaml\n")
        assert "step 1 of 3 of the setup is complete" in result.out
        assert ("porto join game.yaml" in result.out) == (name == "Rui")
        assert not result.err
    (found,) = validated("games", at("Rui", "games", "--format", "json").out)["games"]
    assert found["mine"]
    assert found["setup"] == {"done": 1, "stations": 3, "next": "Rui"}


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("Ana",), 1, "solo game cannot be sealed"),
        (("Ana", "Rui", "--game", "puerto-rico"), 1, "Puerto Rico cannot be sealed"),
        (("Ana", "Rui", "--seed", "tram"), 2, "--seed is for games with --secrecy open"),
        (("Ana", "Rui", "--as", "Eva"), 2, "There is no player 'Eva'"),
        (("Ana", "ana"), 2, "Two players are called"),
    ],
)
def test_what_cannot_be_sealed_is_refused_with_the_reason(
    at: Play, words: tuple[str, ...], code: int, why: str
) -> None:
    result = at("Ana", "new", "game.yaml", *words, "--secrecy", "sealed")
    assert result.code == code
    assert why in result.err
    assert not Path("game.yaml").exists()


def test_who_begins_sits_first_and_the_others_follow_in_their_order(at: Play) -> None:
    result = at(
        "Rui", "new", "game.yaml", "Ana", "Rui", "Bea", "--secrecy", "sealed", "--as", "Rui"
    )
    assert "Send it to Bea" in result.out
    assert "players: [Rui, Bea, Ana]" in Path("game.yaml").read_text()


def test_who_has_the_key_is_told_of_all_moves_that_only_it_can_know(
    at: Play, tmp_path: Path
) -> None:
    told = "To see the legal moves: porto moves"
    assert told in set_up(at).out
    for command in ("join", "reveal"):
        assert told in at("Ana", command, "game.yaml").err
    (tmp_path / "desk").mkdir()
    shutil.copy("game.yaml", "desk")
    assert at("Ana", "keep", "game.yaml", "1", "2", "3").code == 0
    assert at("Ana", *first_move(at, "Ana")).code == 0
    assert told in at("Rui", "receive", "game.yaml", "--folder", "desk").out


def test_a_choice_that_others_do_not_see_is_proposed_as_it_is_typed(at: Play) -> None:
    """Not as the record has it, whoever asks what can be done next."""
    set_up(at)
    for name in ("Ana", "Rui", "Eva"):
        shown = at(name, "show", "game.yaml").out
        assert ", for example: porto keep game.yaml 1 2 " in shown
        assert "sealed --as" not in shown


def test_nobody_is_told_what_is_missing_of_a_choice_that_only_another_key_can_make(
    at: Play,
) -> None:
    set_up(at)
    refused = at("Rui", "keep", "game.yaml", "--as", "Ana")
    assert refused.code == 1
    assert "P-SETUP-5: Ana's private contracts are sealed" in refused.err


def test_a_sealed_game_is_played_with_the_commands_of_all_games(at: Play) -> None:
    assert "Ana is first" in set_up(at).out
    # The key says who keeps.
    assert at("Ana", "keep", "game.yaml", "1", "2", "5").code == 0
    assert at("Ana", *first_move(at, "Ana")).code == 0
    before = Path("game.yaml").read_text()
    assert at("Rui", "show", "game.yaml").out != at("Ana", "show", "game.yaml").out
    assert Path("game.yaml").read_text() == before
    wrong = at("Ana", "draw", "game.yaml", "1", "--as", "Rui")
    assert wrong.code in (1, 2)
    assert at("Rui", "keep", "game.yaml", "1", "2", "3").code == 0
    result = at("Rui", *first_move(at, "Rui"), "--format", "json")
    assert result.code == 0
    assert validated("report", result.out)["fingerprint"]
    for name in ("Ana", "Rui", "Eva"):
        words = ("--as", name) if name != "Eva" else ()
        validated("show", at(name, "show", "game.yaml", *words, "--format", "json").out)
        validated("moves", at(name, "moves", "game.yaml", "--format", "json").out)
        validated("log", at(name, "log", "game.yaml", "--format", "json").out)
    for words in (
        ("show", "game.yaml"),
        ("show", "game.yaml", "--as", "Ana", "--format", "json"),
        ("show", "game.yaml", "--format", "svg"),
        ("show", "game.yaml", "--format", "html"),
        ("show", "game.yaml", "--turn", "1"),
        ("log", "game.yaml"),
        ("log", "game.yaml", "--format", "html"),
        ("log", "game.yaml", "--format", "json"),
        ("score", "game.yaml"),
        ("moves", "game.yaml"),
        ("verify", "game.yaml"),
    ):
        for name in ("Ana", "Rui", "Eva"):
            result = at(name, *words)
            assert result.code == 0, result.err


def test_a_dry_run_signs_nothing(at: Play) -> None:
    set_up(at)
    assert at("Ana", "keep", "game.yaml", "1", "2", "3", "--dry-run").code == 0
    assert at("Ana", "keep", "game.yaml", "1", "2", "4").code == 0


def keys_at(name: str) -> list[str]:
    """Return the files with secret keys at the computer of a player."""
    folder = Path("homes", name, "keys")
    return sorted(path.name for path in folder.glob("*key*.txt"))


def lose_the_key(at: Play, name: str) -> str:
    """Make a backup of a player's key, lose everything else, and return the public key."""
    assert at(name, "key", "export", f"{name}.txt").code == 0
    public = json.loads(at(name, "key", "--format", "json").out)["public"]
    shutil.rmtree(Path("homes", name))
    return str(public)


def refused_without_the_key(at: Play, name: str, public: str, *words: str) -> None:
    """Demand that a command without the key of the seat says which it is, and makes none."""
    result = at(name, *words)
    assert result.code == 1
    assert f"belongs to the key {public}" in result.err
    assert "'porto key import FILE'" in result.err
    assert "A key was made" not in result.err
    assert keys_at(name) == []


def test_who_has_lost_the_key_goes_on_with_its_backup(at: Play) -> None:
    set_up(at)
    keep = ("keep", "game.yaml", "1", "2", "3", "--as", "Ana")
    assert at("Ana", *keep).code == 0
    public = lose_the_key(at, "Ana")
    for words in ([*first_move(at, "Ana"), "--as", "Ana"], ["undo", "game.yaml", "--as", "Ana"]):
        refused_without_the_key(at, "Ana", public, *words)
    assert at("Ana", "key", "import", "Ana.txt").code == 0
    move = first_move(at, "Ana")
    done = at("Ana", *move, "--as", "Ana")
    assert done.code == 0, done.err
    assert keys_at("Ana") == ["key.txt"]


def test_who_has_lost_the_key_in_a_set_up_goes_on_with_its_backup(at: Play) -> None:
    at("Ana", "new", "game.yaml", "Ana", "Rui", "--secrecy", "sealed", "--as", "Ana")
    at("Rui", "join", "game.yaml", "--as", "Rui")
    public = lose_the_key(at, "Ana")
    refused_without_the_key(at, "Ana", public, "join", "game.yaml")
    refused_without_the_key(at, "Ana", public, "join", "game.yaml", "--as", "Ana")
    assert at("Ana", "key", "import", "Ana.txt").code == 0
    done = at("Ana", "join", "game.yaml")
    assert done.code == 0, done.err
    assert keys_at("Ana") == ["key.txt"]


def test_who_has_another_key_cannot_move(at: Play) -> None:
    set_up(at)
    assert at("Eva", "key", "new").code == 0
    result = at("Eva", "keep", "game.yaml", "1", "2", "3", "--as", "Ana")
    assert result.code == 1
    ana = json.loads(at("Ana", "key", "--format", "json").out)["public"]
    eva = json.loads(at("Eva", "key", "--format", "json").out)["public"]
    assert f"the seat of Ana belongs to the key {ana}" in result.err
    assert f"the key on this computer is {eva}" in result.err
    assert "'porto key import FILE'" in result.err


def test_a_second_version_of_a_turn_is_refused(at: Play) -> None:
    set_up(at)
    text = Path("game.yaml").read_text()
    assert at("Ana", "keep", "game.yaml", "1", "2", "3").code == 0
    Path("game.yaml").write_text(text)
    result = at("Ana", "keep", "game.yaml", "1", "2", "4")
    assert result.code == 1
    assert "another version of step" in result.err
    assert Path("game.yaml").read_text() == text
    assert at("Ana", "keep", "game.yaml", "1", "2", "3").code == 0


def test_a_vanished_player_is_given_up_with_a_command(at: Play) -> None:
    set_up(at)
    at("Ana", "keep", "game.yaml", "1", "2", "3")
    result = at("Ana", "reveal", "game.yaml")
    assert result.code == 1
    assert "the game goes on" in result.err
    result = at("Ana", "reveal", "game.yaml", "--without", "Rui")
    assert result.code == 0
    assert "There is no ranking" in result.out
    for command in ("show", "log", "score", "moves", "verify"):
        result = at("Ana", command, "game.yaml")
        assert result.code == 0, result.err
    result = at("Ana", *first_move(at, "Ana"))
    assert result.code == 1
    assert "ended" in result.err


def test_two_copies_prove_who_signed_two_versions(at: Play) -> None:
    set_up(at)
    text = Path("game.yaml").read_text()
    at("Ana", "keep", "game.yaml", "1", "2", "3")
    Path("one.yaml").write_text(Path("game.yaml").read_text())
    Path("game.yaml").write_text(text)
    for journal in (Path("homes") / "Ana" / "keys" / "journal").rglob("*.txt"):
        journal.unlink()
    warned = at("Ana", "keep", "game.yaml", "1", "2", "4")
    assert "the journal was lost" in warned.err
    result = at("Eva", "verify", "one.yaml", "game.yaml")
    assert result.code == 1
    assert "Ana has signed two versions of step 5" in result.err
    copies = at("Eva", "verify", "one.yaml", "game.yaml", "--format", "json")
    assert "two versions" in validated("verify", copies.out)["files"][1]["two_versions"]


def test_verify_says_who_signed_what_is_proven_and_what_is_not(at: Play) -> None:
    set_up(at)
    output = at("Eva", "verify", "game.yaml").out
    assert "Ana has signed 2 of 4 steps with the key porto1" in output
    assert "Table code: " in output
    assert "Not proven for a sealed game" in output
    document = validated("verify", at("Eva", "verify", "game.yaml", "--format", "json").out)
    assert document["files"][0]["signed_by"][1]["steps"] == 2


def test_a_number_that_no_machine_part_has_is_damage_at_its_place(at: Play) -> None:
    """The other records are checked all the same."""
    set_up(at)
    text = Path("game.yaml").read_text()
    assert '{"first":0,' in text
    Path("bad.yaml").write_text(text.replace('{"first":0,', '{"first":9007199254740993,'))
    result = at("Eva", "verify", "bad.yaml", "game.yaml")
    assert result.code == 3
    assert re.match(r"bad.yaml:\d+:3: The machine part of the record is damaged here", result.err)
    assert "game.yaml: valid" in result.out


def test_a_scenario_has_no_sealed_game_whose_key_is_on_this_computer(at: Play) -> None:
    """A scenario can come from anybody."""
    set_up(at)
    head = "porto: 1\nscenario: A game\nrecord: game.yaml\n"
    Path("case.yaml").write_text(head + "cases:\n- then: {deck: 40}\n")
    result = at("Ana", "scenario", "case.yaml")
    assert result.code == 3
    assert "A sealed game cannot be replayed without its seals." in result.err


def test_records_from_standard_input_go_to_standard_output(
    at: Play, porto, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made = at("Ana", "new", "-", "Ana", "Rui", "--secrecy", "sealed")
    monkeypatch.setenv("PORTO_HOME", str(tmp_path / "homes" / "Rui"))
    joined = porto("join", "-", "--as", "Rui", stdin=made.out)
    assert joined.code == 0
    assert "Send FILE" in joined.err or "Send" in joined.err
    mail = porto("mail", "-", "--format", "text", stdin=joined.out)
    assert mail.code == 0, mail.err
    assert "porto-sealed" in mail.out
    monkeypatch.setenv("PORTO_HOME", str(tmp_path / "homes" / "Ana"))
    done = porto("join", "-", stdin=joined.out)
    assert "\nturns:\nseals: |\n" in done.out


@pytest.fixture
def stations(at: Play, tmp_path: Path) -> list[Path]:
    """Return copies of a record as it was after each station of its setup."""
    players = ("Ana", "Rui", "Bea")
    at("Ana", "new", "game.yaml", *players, "--secrecy", "sealed", "--first", "Ana")
    copies = [tmp_path / "0.yaml"]
    copies[0].write_bytes(Path("game.yaml").read_bytes())
    for nth, name in enumerate(("Rui", "Bea", "Ana", "Rui"), 1):
        assert at(name, "join", "game.yaml", "--as", name).code == 0
        copies.append(tmp_path / f"{nth}.yaml")
        copies[-1].write_bytes(Path("game.yaml").read_bytes())
    return copies


def desk_with(tmp_path: Path, **copies: Path) -> Path:
    """Return a folder that has these records and nothing else."""
    desk = tmp_path / "desk"
    desk.mkdir()
    for name, copy in copies.items():
        (desk / f"{name}.yaml").write_bytes(copy.read_bytes())
    return desk


def test_a_set_up_goes_on_though_a_version_that_parts_from_it_was_kept(
    at: Play, stations: list[Path], tmp_path: Path
) -> None:
    stranger = tmp_path / "stranger.yaml"
    stranger.write_bytes(stations[0].read_bytes())
    at("Eve", "join", str(stranger), "--as", "Rui")
    desk = desk_with(tmp_path, friday=stations[1])
    parts = at("Ana", "receive", str(stranger), "--folder", str(desk))
    assert parts.code == 1
    assert {path.name for path in desk.iterdir()} == {"friday.yaml", "friday-conflict.yaml"}
    goes_on = at("Ana", "receive", str(stations[2]), "--folder", str(desk))
    assert goes_on.code == 0, goes_on.err
    assert (desk / "friday.yaml").read_bytes() == stations[2].read_bytes()
    assert (desk / "friday-conflict.yaml").read_bytes() == stranger.read_bytes()
    assert len(list(desk.iterdir())) == 2


def test_a_version_that_parts_from_the_newest_copy_does_not_replace_an_old_one(
    at: Play, stations: list[Path], tmp_path: Path
) -> None:
    stranger = tmp_path / "stranger.yaml"
    stranger.write_bytes(stations[1].read_bytes())
    at("Eve", "join", str(stranger), "--as", "Bea")
    desk = desk_with(tmp_path, friday=stations[3], backup=stations[0])
    parts = at("Ana", "receive", str(stranger), "--folder", str(desk))
    assert parts.code == 1
    assert (desk / "backup.yaml").read_bytes() == stations[0].read_bytes()
    assert (desk / "friday.yaml").read_bytes() == stations[3].read_bytes()
    assert (desk / "friday-conflict.yaml").read_bytes() == stranger.read_bytes()


def test_a_running_game_goes_on_though_an_old_copy_still_waits_for_its_set_up(
    at: Play, stations: list[Path], tmp_path: Path
) -> None:
    desk = desk_with(tmp_path, friday=stations[4], backup=stations[3])
    assert at("Ana", "keep", "game.yaml", "1", "2", "3", "--as", "Ana").code == 0
    result = at("Rui", "receive", "game.yaml", "--folder", str(desk))
    assert "friday.yaml has one new turn" in result.out
    assert (desk / "friday.yaml").read_bytes() == Path("game.yaml").read_bytes()
    assert (desk / "backup.yaml").read_bytes() == stations[3].read_bytes()


def test_a_damaged_record_in_the_folder_is_no_copy_of_a_game_that_arrives(
    at: Play, stations: list[Path], tmp_path: Path
) -> None:
    desk = desk_with(tmp_path, damaged=stations[1], friday=stations[0])
    damaged = desk / "damaged.yaml"
    damaged.write_text(damaged.read_text().replace('{"first":0,', '{"first":0,,'))
    received = at("Ana", "receive", str(stations[2]), "--folder", str(desk))
    assert received.code == 0, received.err
    assert (desk / "friday.yaml").read_bytes() == stations[2].read_bytes()


def test_a_mail_of_a_setup_names_its_file_once(at: Play) -> None:
    at("Ana", "new", "game.yaml", "Ana", "Rui", "--secrecy", "sealed", "--as", "Ana")
    result = at("Ana", "mail", "game", "--to", "rui@example.org", "--dry-run")
    assert result.err.count("game.yaml is used") == 1


@pytest.mark.parametrize("words", ["draw {card}", "keep 1 2 3", "undo"])
def test_nobody_moves_for_the_reader_of_a_message(at: Play, tmp_path: Path, words: str) -> None:
    set_up(at)
    assert at("Ana", "keep", "game.yaml", "1", "2", "4", "--as", "Ana").code == 0
    _, _, card = first_move(at, "Ana")
    before = Path("game.yaml").read_bytes()
    message = tmp_path / "forged.eml"
    message.write_text(
        f"From: Ana <ana@example.org>\nTo: Ana\nSubject: Re: Porto\n\n{words.format(card=card)}\n"
    )
    result = at("Ana", "receive", str(message), "--into", "game.yaml", "--yes")
    assert result.code == 1
    assert "every move is signed" in result.err
    assert "this answer:" not in result.err
    assert Path("game.yaml").read_bytes() == before


GIVEN_ON = [
    ("show", "--output", "table.txt"),
    ("show", "--plain", "--output", "table.txt"),
    ("show", "--format", "json", "--output", "table.json"),
    ("show", "--format", "svg"),
    ("show", "--format", "html"),
    ("show", "--format", "html", "--output", "table.html"),
    ("log", "--output", "log.txt"),
    ("log", "--format", "html"),
    ("log", "--format", "json", "--output", "log.json"),
    ("scenario", "--from"),
    ("simulate", "level-1", "--games", "2", "--seed", "x", "--format", "json", "--from"),
    ("verify", "--format", "json"),
    ("mail", "--as", "Ana", "--format", "text"),
    ("mail", "--as", "Ana", "--page", "--output", "mail.eml"),
    ("mail", "--as", "Bea", "--cc", "--format", "text"),
    ("mail", "--as", "Bea", "--private", "--to", "Ana", "--format", "text"),
]


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sealed game after its first turn, and the computers of its three players. Only Rui, who is
    to move, can know what has come up, and what Rui was dealt and has kept."""
    folder = tmp_path_factory.mktemp("waiting")
    record = folder / "game.yaml"
    players = ("Ana", "Rui", "Bea")
    with pytest.MonkeyPatch.context() as patch:

        def at(name: str, *words: str) -> Result:
            patch.setenv("PORTO_HOME", str(folder / "homes" / name))
            return run_porto(*words)

        words = (*players, "--secrecy", "sealed", "--first", "Ana")
        assert at("Ana", "new", str(record), *words).code == 0
        for name in ("Rui", "Bea", "Ana", "Rui"):
            assert at(name, "join", str(record), "--as", name).code == 0
        for name in ("Ana", "Rui"):
            assert at(name, "keep", str(record), "1", "2", "5", "--as", name).code == 0
        result = json.loads(at("Ana", "moves", str(record), "--format", "json").out)
        verb, *words = result["moves"][0]["move"].split()
        assert at("Ana", verb, str(record), *words).code == 0
    return folder


@pytest.mark.parametrize("words", GIVEN_ON, ids=" ".join)
def test_what_is_given_on_does_not_tell_what_only_a_key_can_know(
    porto, monkeypatch: pytest.MonkeyPatch, waiting: Path, words: tuple[str, ...]
) -> None:
    made = []
    # Whoever has no key in the game sees what everybody may know.
    for name in ("Rui", "Bea"):
        monkeypatch.setenv("PORTO_HOME", str(waiting / "homes" / name))
        result = porto(*words, str(waiting / "game.yaml"))
        assert result.code == 0, result.err
        files = [file for file in sorted(Path.cwd().iterdir()) if file.is_file()]
        texts = [result.out, *(file.read_text("utf-8") for file in files)]
        for file in files:
            file.unlink()
        made.append([_without_marks(text) for text in texts])
    assert made[0] == made[1]


def _without_marks(text: str) -> str:
    """Return a mail without the time and the marks between its parts, which differ every time."""
    return re.sub(r"(?m)^(Date: .*|.*boundary=.*|--=.*)$", "", text)


@pytest.mark.parametrize(
    "words",
    [("show",), ("show", "--plain"), ("show", "--format", "json"), ("show", "--as", "Rui"),
     ("show", "--as", "Rui", "--output", "table.txt")],
    ids=" ".join,
)  # fmt: skip
def test_who_moves_sees_what_has_come_up(
    porto, monkeypatch: pytest.MonkeyPatch, waiting: Path, words: tuple[str, ...]
) -> None:
    seen = []
    for name in ("Rui", "Bea"):
        monkeypatch.setenv("PORTO_HOME", str(waiting / "homes" / name))
        result = porto(words[0], str(waiting / "game.yaml"), *words[1:])
        file = Path("table.txt")
        seen.append(result.out + (file.read_text("utf-8") if file.exists() else ""))
    assert seen[0] != seen[1]
