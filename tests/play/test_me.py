"""Who the user is: said once, changed without a trace in the rest of the file, and what it does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import porto_cli
from porto_cli import home, settings, user
from tests.documents import validated


@pytest.fixture
def config(porto, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv(home.VARIABLE, str(tmp_path / "home"))
    return tmp_path / "home" / home.SETTINGS


# -- What is written


OTHERS = "# mine\ncolor: never  # at night\n\nmail:\n  from: a@b.org\n"


@pytest.mark.parametrize(
    ("before", "names", "after"),
    [
        ("", ["Ana"], "me: Ana\n"),
        ("# mine", ["Ana"], "# mine\nme: Ana\n"),
        (OTHERS, ["Ana", "Aninha"], OTHERS + "me: [Ana, Aninha]\n"),
        ("me: Ana # I\n" + OTHERS, ["Rui"], "me: Rui # I\n" + OTHERS),
        ("color: never\nme: Ana", ["Rui"], "color: never\nme: Rui"),
        ("me: >-\n  Ana\n# end\n", ["Rui"], "me: Rui\n# end\n"),
        ("me: [Ana, Bia] # both\n", ["Rui"], "me: Rui # both\n"),
        ("me:  # who\n- Ana\n- Bia  # at work\ncolor: auto\n", ["Rui"],
         "# who\nme: Rui  # at work\ncolor: auto\n"),
        ("me:\n  - Ana  # home\n  - Bia\n# end\n", ["Rui", "Rita"],
         "# home\nme: [Rui, Rita]\n# end\n"),
        ("  color: auto\n  me: Ana\n", ["Rui"], "  color: auto\n  me: Rui\n"),
        ("  color: auto\n", ["Rui"], "  color: auto\n  me: Rui\n"),
        ("me: Ana\r\ncolor: auto\r\n", ["Rui"], "me: Rui\r\ncolor: auto\r\n"),
        ("color: auto\r\n", ["Rui"], "color: auto\r\nme: Rui\r\n"),
        ("\ufeffme: Ana\n", ["Rui"], "\ufeffme: Rui\n"),
        ("'me': \"Ana\"\n", ["Rui"], "me: Rui\n"),
        ("---\nme: Ana\n", ["no"], '---\nme: "no"\n'),
        ("me: Ana\n" + OTHERS, [], OTHERS),
        ("color: auto\nme: Ana # I\nplain: true\n", [], "color: auto\n# I\nplain: true\n"),
        ("me:\n- Ana # I\n- Bia\n# end\n", [], "# I\n# end\n"),
        ("me: Ana", [], ""),
        ("color: auto\r\nme: Ana\r\nplain: true\r\n", [], "color: auto\r\nplain: true\r\n"),
        ("  me: Ana\n  color: auto\n", [], "  color: auto\n"),
        ("  me: # I\n  - Ana\n  color: auto\n", [], "  # I\n  color: auto\n"),
        (OTHERS, [], OTHERS),
    ],
)  # fmt: skip
def test_only_the_name_changes(
    porto, config: Path, before: str, names: list[str], after: str
) -> None:
    config.parent.mkdir()
    config.write_bytes(before.encode())
    assert porto("me", *(names or ["--none"])).code == 0
    assert config.read_bytes().decode() == after
    assert settings.settings() == settings.read(before, "c")._replace(me=tuple(names))


def test_a_name_is_written_and_forgotten(porto, config: Path) -> None:
    assert porto("me").out == "Your name is not set. To set it: porto me NAME\n"
    now = f"You are Ana Maria; this is saved in {config}.\n"
    assert porto("me", "Ana Maria").out == now
    assert porto("me").out == f"You are Ana Maria, according to {config}.\n"
    assert settings.settings().me == ("Ana Maria",)
    assert "Aninha in games without Ana" in porto("me", "Ana", "Aninha").out
    assert "Aninha in games without Ana" in porto("me").out
    assert "Your name is not set" in porto("me", "--none").out
    assert settings.settings().me == ()


def test_the_setting_that_wins_is_named(
    porto, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(user.PLAYER, "Rui")
    output = porto("me", "Ana").out
    assert "You are Rui, according to PORTO_PLAYER." in output
    assert "Without PORTO_PLAYER you would be Ana" in output
    monkeypatch.setenv(user.PLAYER, "")
    assert "PORTO_PLAYER is empty" in porto("me").out


def test_it_can_be_asked_by_a_program(porto, config: Path) -> None:
    def asked(*words: str) -> dict[str, object]:
        return validated("me", porto("me", *words, "--format", "json").out)

    nobody = {"porto": 1, "names": [], "source": None, "settings": str(config)}
    assert asked() == nobody
    assert asked("Ana")["source"] == "settings"


@pytest.mark.parametrize("name", ["", " Ana", "result", "A" * 41])
def test_what_cannot_be_a_player_is_refused(porto, config: Path, name: str) -> None:
    assert porto("me", name).code == 2
    assert not config.exists()


def test_a_name_and_none_contradict_each_other(porto, config: Path) -> None:
    assert porto("me", "Ana", "--none").code == 2


def test_settings_that_are_wrong_are_not_touched(porto, config: Path) -> None:
    config.parent.mkdir()
    config.write_text("colors: never\n", "utf-8")
    result = porto("me", "Ana")
    assert (result.code, result.out) == (3, "")
    assert f"{config}:1:1: The key 'colors' is unknown here" in result.err
    assert config.read_text("utf-8") == "colors: never\n"


def test_a_name_that_cannot_be_changed_is_left_to_an_editor(porto, config: Path) -> None:
    config.parent.mkdir()
    config.write_text("? me\n: Ana\n", "utf-8")
    result = porto("me", "Rui")
    assert result.code == 4
    assert "use an editor to change it" in result.err
    assert config.read_text("utf-8") == "? me\n: Ana\n"


# -- What it does


@pytest.fixture
def game(porto, tmp_path: Path) -> Path:
    """Ana and Rui, both of whom still have to keep; it is Ana's turn."""
    path = tmp_path / "game.yaml"
    porto_cli.new_game(["Ana", "Rui"], seed="tram", first="Ana").save(path)
    return path


@pytest.fixture(params=["variable", "file"])
def i_am(request: pytest.FixtureRequest, config: Path, monkeypatch: pytest.MonkeyPatch):
    """Say who the user is, by either way."""

    def say(name: str) -> None:
        if request.param == "variable":
            monkeypatch.setenv(user.PLAYER, name)
        else:
            config.parent.mkdir(exist_ok=True)
            config.write_text(f"me: {name}\n", "utf-8")

    return say


PRIVATE = [
    ["show"],
    ["show", "--plain"],
    ["show", "--format", "json"],
    ["show", "--format", "svg"],
    ["show", "--format", "html"],
    ["score"],
    ["score", "--format", "json"],
    ["moves"],
    ["moves", "--format", "json"],
]


@pytest.mark.long
@pytest.mark.parametrize("name", ["Ana", "Rui"])
def test_what_is_shown_is_what_as_shows(porto, game, i_am, name: str) -> None:
    said = [
        (command, porto(*command, game), porto(*command, game, "--as", name)) for command in PRIVATE
    ]
    i_am(name)
    for command, bystander, wanted in said:
        result = porto(*command, game)
        assert (result.code, result.out) == (wanted.code, wanted.out), command
        assert bool(result.err) == (command[-1] in ("svg", "html")), command
        if command[0] == "show":
            assert wanted.out != bystander.out, command


@pytest.mark.long_for("file")
def test_who_does_not_play_is_a_bystander(porto, game, i_am) -> None:
    wanted = [porto(*command, game) for command in PRIVATE]
    i_am("Zoé")
    for command, expected in zip(PRIVATE, wanted, strict=True):
        assert porto(*command, game) == expected, command


@pytest.mark.parametrize("form", ["svg", "html"])
def test_a_picture_says_that_it_shows_a_secret(porto, game, i_am, form: str) -> None:
    i_am("Rui")
    result = porto("show", game, "--format", form, "-o", "picture")
    assert result.err.startswith("It shows what only Rui may see, because ")
    for_rui = porto("show", game, "--format", form, "-o", "picture", "--as", "Rui")
    assert "It shows what" not in for_rui.err
    porto_cli.new_game(["Ana", "Rui"], private_contracts=False).save("open.yaml")
    assert "It shows what" not in porto("show", "open.yaml", "--format", form, "-o", "picture").err


def test_as_wins(porto, game, i_am) -> None:
    wanted = porto("show", game, "--as", "Rui")
    i_am("Ana")
    assert porto("show", game, "--as", "Rui") == wanted


def test_a_second_keep_is_not_somebody_elses(porto, game, i_am) -> None:
    i_am("Ana")
    assert porto("keep", game, 1, 2, 3).code == 0
    again = porto("keep", game, 1, 2, 3)
    assert again.code == 1
    assert "Ana has already chosen" in again.err
    assert len(porto_cli.load(game).replay.steps) == 1


def test_without_a_name_that_plays_a_keep_has_to_say_whose_it_is(porto, game, i_am) -> None:
    asked = porto("keep", game, 1, 2, 3).err
    i_am("Zoé")
    result = porto("keep", game, 1, 2, 3)
    assert result.code == 2
    assert result.err.splitlines()[0] == asked.splitlines()[0]
    assert "you are Zoé" in result.err
    assert result.err.splitlines()[2:] == asked.splitlines()[1:]


@pytest.fixture
def ruis_turn(game: Path) -> Path:
    match = porto_cli.load(game)
    match.play("keep 1 2 3", player="Ana")
    match.play("keep 1 2 3", player="Rui")
    match.play(match.legal_moves()[0])
    match.save()
    return game


def a_draw(path: Path) -> list[str]:
    match = porto_cli.load(path)
    return match.text(match.legal_moves()[0]).split()[1:]


def test_a_move_for_somebody_else_is_refused_and_says_how(porto, ruis_turn, i_am) -> None:
    words = a_draw(ruis_turn)
    before = ruis_turn.read_bytes()
    i_am("Ana")
    result = porto("draw", ruis_turn, *words)
    assert result.code == 1
    assert "To do it for Rui on purpose, add: --as Rui" in result.err
    assert ruis_turn.read_bytes() == before
    as_json = porto("draw", ruis_turn, *words, "--format", "json")
    error = validated("error", as_json.err)
    assert (as_json.code, error["exit"]) == (1, 1)
    assert "--as Rui" in error["error"]
    assert error["rulings"]
    assert porto("draw", ruis_turn, *words, "--as", "Rui").code == 0


def test_a_word_that_cannot_be_read_tells_whose_turn_it_is_as_well(porto, ruis_turn, i_am) -> None:
    i_am("Ana")
    result = porto("draw", ruis_turn, "gold-9")
    assert result.code == 2
    assert "add: --as Rui" in result.err


def test_moves_of_another_player_are_proposed_with_the_name(porto, ruis_turn, i_am) -> None:
    """Not the same command again."""
    i_am("Ana")
    first, *_, last = porto("moves", ruis_turn).out.splitlines()
    assert first == "Ana cannot move now."
    assert last.endswith(f"porto moves {ruis_turn} --as Rui")


def test_the_own_turn_is_played_without_a_word(porto, ruis_turn, i_am) -> None:
    i_am("Rui")
    assert porto("draw", ruis_turn, *a_draw(ruis_turn)).code == 0


def test_a_refusal_in_the_own_turn_is_the_usual_one(porto, ruis_turn, i_am) -> None:
    wanted = porto("build", ruis_turn, "red-1", "blue-1", "L4")
    i_am("Rui")
    usual = porto("build", ruis_turn, "red-1", "blue-1", "L4")
    assert (wanted.code, wanted.err) == (usual.code, f"It is Rui's turn.\n{usual.err}")


def test_a_turn_of_somebody_else_is_not_taken_back(porto, ruis_turn, i_am) -> None:
    i_am("Rui")
    result = porto("undo", ruis_turn)
    assert result.code == 1
    assert "To do it for Ana on purpose, add: --as Ana" in result.err
    assert porto("undo", ruis_turn, "--as", "Ana").code == 0


def test_the_own_turn_is_taken_back_even_a_secret_one(porto, game, i_am) -> None:
    i_am("Rui")
    assert porto("keep", game, 1, 2, 3).code == 0
    assert porto("undo", game).code == 0


def test_in_puerto_rico_too(porto, tmp_path: Path, i_am) -> None:
    path = tmp_path / "sunday.yaml"
    porto_cli.new_game(["Ana", "Rui", "Bia"], game="puerto-rico", first="Ana").save(path)
    i_am("Rui")
    result = porto("role", path, "settler")
    assert result.code == 1
    assert "To do it for Ana on purpose, add: --as Ana" in result.err


def test_a_simulation_knows_what_the_user_knows(porto, ruis_turn, i_am) -> None:
    command = ["simulate", "random", "--from", ruis_turn, "-n", 3, "--seed", "x", "-j", 1]
    wanted = porto(*command, "--as", "Ana", "--format", "jsonl")
    i_am("Ana")
    assert porto(*command, "--format", "jsonl") == wanted


def test_wrong_settings_are_reported_with_their_place(porto, game, config: Path) -> None:
    config.parent.mkdir()
    config.write_text("me: Ana\npage: pink\n", "utf-8")
    result = porto("show", game)
    assert (result.code, result.out) == (3, "")
    assert result.err == (f"{config}:2:7: 'page' should be one of auto, light, dark, not 'pink'.\n")


# -- What else can be set


def test_colors_can_be_set(porto, game, config: Path) -> None:
    colored, bare = porto("show", game, "--color", "always"), porto("show", game)
    config.parent.mkdir()
    config.write_text("color: always\n", "utf-8")
    assert porto("show", game) == colored
    assert porto("show", game, "--color", "auto") == bare
    assert json.loads(porto("show", game, "--format", "json").out)


@pytest.mark.parametrize("command", ["show", "score"])
def test_plain_sentences_can_be_set(porto, game, config: Path, command: str) -> None:
    drawn, plain = porto(command, game), porto(command, game, "--plain")
    colored = porto(command, game, "--color", "always")
    assert drawn != plain
    config.parent.mkdir()
    config.write_text("plain: true\n", "utf-8")
    assert porto(command, game) == plain
    assert porto(command, game, "--no-plain") == drawn
    assert porto(command, game, "--color", "always") == colored
    assert json.loads(porto(command, game, "--format", "json").out)


def test_plain_sentences_can_be_set_for_the_legal_moves(porto, config: Path) -> None:
    porto("new", "game.yaml", "Ana", "Rui", "--seed", "tram", "--first-game", "--first", "Ana")
    drawn = porto("moves", "game.yaml").out
    config.parent.mkdir()
    config.write_text("plain: true\n", "utf-8")
    told = porto("moves", "game.yaml").out
    # Not one move below the other or in columns, but one after the other.
    assert len(told.splitlines()) < len(drawn.splitlines())
    assert {*told.replace(",", " ").split()} == {*drawn.split()}


def test_plain_sentences_can_be_set_for_simulations(porto, config: Path) -> None:
    words = ("simulate", "greedy", "random", "2", "--seats", 2, "-n", 1, "-j", 1, "--seed", "tram")
    config.parent.mkdir()
    config.write_text("plain: true\n", "utf-8")
    told = porto(*words).out.splitlines()
    assert "random 2 was ahead of greedy 1 in 0.0%, of level-2 3 in 0.0%." in told


@pytest.mark.parametrize("form", ["svg", "html"])
@pytest.mark.parametrize("played", ["porto", "puerto-rico"])
def test_a_page_can_be_light_or_dark(porto, tmp_path: Path, config, form, played) -> None:
    path = tmp_path / "page.yaml"
    porto_cli.new_game(["Ana", "Rui", "Bia"], game=played, seed="tram").save(path)
    either = porto("show", path, "--format", form).out
    assert "prefers-color-scheme:dark" in either
    config.parent.mkdir()
    for light, rule in (("light", "@media not all{"), ("dark", "@media all{")):
        config.write_text(f"page: {light}\n", "utf-8")
        page = porto("show", path, "--format", form).out
        assert "prefers-color-scheme" not in page
        assert "light dark" not in page
        assert rule in page
    config.write_text("page: auto\n", "utf-8")
    assert porto("show", path, "--format", form).out == either


# -- A new game of several people


@pytest.mark.parametrize("game", ["porto", "puerto-rico"])
def test_who_waits_for_the_first_player_is_told_how_to_go_on(
    porto, config: Path, game: str
) -> None:
    """Both ways: at this keyboard, and by mail."""
    porto("me", "Ana")
    told = porto("new", "a.yaml", "Ana", "Rui", "Bia", "--game", game, "--first", "Rui").out
    here, turn, mail = told.splitlines()[-3:]
    assert here == "To play at this keyboard: porto play a.yaml"
    assert turn == "It is Rui's turn."
    assert mail.endswith("to Rui: porto mail a.yaml -o turn.eml")
    assert "--as" not in told


def test_who_moves_first_is_told_the_moves(porto, config: Path) -> None:
    porto("me", "Rui")
    told = porto("new", "a.yaml", "Ana", "Rui", "--first", "Rui").out
    assert "To play at this keyboard: porto play a.yaml\nIt is Rui's turn. To keep" in told
