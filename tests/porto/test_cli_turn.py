"""The commands that play: what they do, say, refuse, and how they end."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core import Violation, enumerated
from porto_cli.games.porto.engine import CARDS, HOUSES, card_names
from porto_cli.games.porto.engine.cards import Draw
from porto_cli.games.porto.engine.play import Build
from porto_cli.match.items import IllegalMoveError
from tests.conftest import ROOT
from tests.porto.test_play import cut

EDITIONS = Path(porto_cli.__file__).parent / "games/porto/editions"


def play_until(path: str | Path, wanted) -> porto_cli.Match:
    """Play first legal moves on a record until ``wanted(match)``."""
    match = porto_cli.load(path)
    while not wanted(match):
        builds = [move for move in match.legal_moves() if isinstance(move, Build)]
        match.play(builds[0] if builds else match.legal_moves()[0], player=match.state.seat)
    match.save()
    return match


@pytest.fixture
def game(porto) -> str:
    """A game between Inês and Joana, without private contracts."""
    args = ("--seed", "tram", "--first", "Inês", "--first-game")
    assert porto("new", "game.yaml", "Inês", "Joana", *args).code == 0
    return "game.yaml"


@pytest.fixture
def solo(porto) -> str:
    """A solo game in which the private contracts are kept."""
    assert porto("new", "solo.yaml", "Inês", "--seed", "tram", "-q").code == 0
    assert porto("keep", "solo.yaml", 1, 2, 3, "-q").code == 0
    return "solo.yaml"


TABLE = (
    *("--secrecy", "table", "--first-game", "--first", "Inês"),
    *("--tokens", "L3=1 L4=1 L5=1 L6=1 L7=1 R1=2 R2=2 R3=2 R4=2 R5=3"),
    *("--cards", "blue-1 blue-2 green-1 green-2 yellow-3"),
    *("--contracts", "1-blue-floor blue+red yellow-house blue+green"),
)


def test_a_draw_says_what_happened_and_what_can_be_done_next(porto, game: str) -> None:
    result = porto("draw", game, "blue-1", "red-2")
    assert result.code == 0
    first, second, *rest = result.out.splitlines()
    assert first == "Inês drew red-2 and blue-1."
    assert second.startswith("New face-up cards: ")
    assert any(line.startswith("It is Joana's turn") for line in rest)
    assert rest[-1] == f"Fingerprint: {porto_cli.load(game).fingerprint}"


def test_a_refused_move_names_its_rule_and_what_would_be_legal(porto, game: str) -> None:
    before = Path(game).read_bytes()
    result = porto("draw", game, "blue-1", "red-2", "purple-2")
    assert (result.code, result.out) == (1, "")
    assert "P-DRAW-1: A draw may add up to at most 3" in result.err
    assert "Legal moves, for example:\n  porto draw game.yaml red-2 blue-1\n" in result.err
    assert Path(game).read_bytes() == before


def test_a_build_typed_twice_is_answered_with_whose_turn_it_is(porto, game: str) -> None:
    build = play_until(
        game, lambda match: any(isinstance(one, Build) for one in match.legal_moves())
    )
    mover, other = (build.holders[seat] for seat in (build.state.seat, 1 - build.state.seat))
    typed = porto("moves", game).out.splitlines()[-1].rpartition("porto ")[2].split()
    assert porto(*typed).code == 0
    again = porto(*typed)
    assert again.code == 1
    assert again.err.splitlines()[0] == f"It is {other}'s turn."
    assert porto(*typed, "--as", mover).err.startswith("P-SETUP-4")


@pytest.mark.parametrize(
    ("sentence", "first"),
    [("i want to draw", "draw game.yaml green-3"), ("please pass", "pass game.yaml")],
)
def test_a_sentence_is_answered_with_whole_moves(porto, game: str, sentence, first) -> None:
    assert porto("move", game, sentence).proposed[0] == f"porto {first}"


def test_roofs_for_a_token_are_not_listed_for_each_house(porto, game: str) -> None:
    play_until(game, lambda match: any(isinstance(one, Build) for one in match.legal_moves()))
    listed = " ".join(porto("moves", game).out.split())
    assert "VP moves to any roof. " in listed
    porto(*listed.rpartition("porto ")[2].split())
    play_until(game, lambda match: any(isinstance(one, Build) for one in match.legal_moves()))
    assert "VP moves to any roof but that of L3. " in " ".join(porto("moves", game).out.split())


def test_an_order_of_another_game_is_answered_with_what_can_be_ordered(porto, game: str) -> None:
    result = porto("order", game, "settler", "--as", "Inês")
    assert result.code == 2
    assert result.err.splitlines()[0] == (
        "No order in Porto begins with 'settler'; an order begins with a move, like draw blue-1 "
        "red-2, or with what you will have to decide: act or contract."
    )
    assert result.proposed == ["porto order game.yaml act"]
    assert "When you draw or build:" in porto("order", game, "act").out


def test_every_broken_rule_is_named_at_once(porto, game: str) -> None:
    result = porto("build", game, "blue-3", "red-1", "R7", "--token", "L3")
    assert result.code == 1
    turn, *rules = [line.split(":")[0] for line in result.err.splitlines()]
    assert (turn, rules[:3]) == ("It is Inês's turn.", ["P-BUILD-1", "P-BUILD-1", "P-SETUP-1"])


LOW = """\
name: low
artificial: true
heights: {L1: 1, L2: 2, L3: 1, L4: 2, L5: 1, L6: 2, L7: 1,
  R1: 1, R2: 2, R3: 1, R4: 2, R5: 1, R6: 2, R7: 1}
cards: {1: 6, 2: 3, 3: 1}
ground-floors: 2
upper-floors: 3
tokens: {1: 5, 2: 4, 3: 3, 4: 2}
"""
TYPED = """\
P-SETUP-5 draw purple-1
P-SETUP-5 keep 1 2 --as Ana
P-SETUP-5 keep 1 1 2 --as Ana
played    keep 1 2 3 --as Ana
P-SETUP-5 keep 2 3 4 --as Ana
played    keep 2 3 4 --as Bea
played    keep 1 3 5 --as Caio
P-SETUP-4 draw purple-1 --as Bea
P-DRAW-1  draw purple-1 red-1 green-2
P-DRAW-1  draw blue-3
P-PASS-1  pass
P-PUBLIC-1 contract none
P-BUILD-1 build red-1 red-1 L4 --token L4
R-UNDO    undo --as Bea
played    draw purple-1 red-1 red-1
played    draw green-2
R-UNDO    undo --as Ana
played    undo
played    draw blue-1 yellow-1 blue-1
played    draw blue-1 yellow-2
P-SETUP-1 build red-1 purple-1 L1
P-TOKEN-1 build red-1 purple-1 L5
played    build red-1 purple-1 L5 --token L6
P-TOKEN-1 build blue-1 blue-1 R2 --token L6
P-TOKEN-1 build blue-1 blue-1 R2 --token L5
played    build blue-1 blue-1 R2 --token R2
P-BUILD-4 build blue-1 yellow-2 R2
P-BUILD-2 build yellow-2 blue-1 R2
P-BUILD-5 build yellow-2 blue-1 R3 --token R3
played    build yellow-2 blue-1 L4 --token L4
played    draw green-1 red-2
played    draw blue-2 green-1
played    draw yellow-2 red-1
played    build red-2 green-1 R6 --token R6
P-PUBLIC-2 draw purple-2
P-PUBLIC-1 contract 3-green-floors
played    contract green+red
P-BUILD-3 build green-1 blue-2 R4 --token R4
"""
"""The moves of a game of three with low houses, and what the rules forbid on the way."""


def test_what_the_rules_forbid_names_its_ruling_and_changes_nothing(porto) -> None:
    Path("low.yaml").write_text(LOW, "utf-8")
    options = ("--edition", "low.yaml", "--seed", "stranger-20", "--first", "Ana")
    assert porto("new", "game.yaml", "Ana", "Bea", "Caio", *options).code == 0
    for line in TYPED.splitlines():
        rule, verb, *words = line.split()
        before = Path("game.yaml").read_bytes()
        done = porto(verb, "game.yaml", *words)
        if rule == "played":
            assert (done.code, done.err) == (0, ""), line
        else:
            assert (done.code, done.out) == (1, ""), line
            assert f"\n{rule}: " in f"\n{done.err}", line
            assert Path("game.yaml").read_bytes() == before, line


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["draw", "game.yaml", "blue-4"], 2, "There is no card 'blue-4'"),
        (["draw", "game.yaml", "blue-1@9"], 2, "is not a space"),
        (["draw", "game.yaml"], 2, "one to three face-up cards"),
        (["build", "game.yaml", "blue-1"], 2, "the color card is missing, but no color card"),
        (["build", "game.yaml", "blue-1", "red-2", "L9"], 2, "the houses are L3 to L7 on the left"),
        (["contract", "game.yaml", "b"], 2, "Did you mean blue+blue, "),
        (["contract", "game.yaml", "blue-floor"], 2, "is not a public contract"),
        (["contract", "game.yaml", "b+b", "b-h", "p+r+y"], 2, "'p+r+y'"),
        (["contract", "game.yaml", "none"], 1, "P-PUBLIC-1"),
        (["pass", "game.yaml"], 1, "P-PASS-1"),
        (["keep", "game.yaml", "palette", "side", "ends-blue"], 1, "P-SETUP-6"),
        (["undo", "game.yaml"], 1, "R-UNDO"),
        (["draw", "game.yaml", "blue-1", "--as", "Joana"], 1, "P-SETUP-4"),
        (["draw", "game.yaml", "blue-1", "--as", "Rui"], 2, "There is no player 'Rui'"),
        (["draw", "game.yaml", "blue-1", "--refill", "red-1"], 2, "the seed decides"),
        (["draw", "game.yaml", "blue-1", "--frob"], 2, "has no option --frob"),
        (["frob", "game.yaml"], 2, "There is no command 'frob'"),
    ],
)
def test_how_wrong_commands_end(porto, game: str, args: list[str], code: int, says: str) -> None:
    before = Path(game).read_bytes()
    result = porto(*args)
    assert result.code == code
    assert says in result.err
    assert "Traceback" not in result.err
    assert Path(game).read_bytes() == before


@pytest.mark.parametrize(
    ("words", "near"),
    [
        ("draw game.yaml bleu-1", "blue-1"),
        ("build game.yaml blue-1 red-2 LL4", "L4"),
        ("contract game.yaml blue-huose", "blue-house"),
        ("keep game.yaml side palete ends-blue", "palette"),
    ],
)
def test_a_mistyped_name_is_told_with_the_one_that_was_meant(
    porto, game: str, words: str, near: str
) -> None:
    result = porto(*words.split())
    assert result.code == 2
    assert f"Did you mean {near}?" in result.err.splitlines()
    assert result.proposed


def test_a_house_before_the_cards_leads_to_the_same_move_in_order(porto, game: str) -> None:
    porto("draw", game, "red-2", "blue-1", "-q")
    porto("draw", game, "green-3", "-q")
    told = porto("build", game, "R1", "red-2", "blue-1")
    assert told.proposed[0] == f"porto build {game} red-2 blue-1 R1 token L3"
    # What is typed for a house is the house, not a roof.
    assert " R1 token " in porto("build", game, "purple-9", "R1").proposed[0]
    assert porto("take", game, "quarry").proposed == [f"porto moves {game}"]


def test_of_a_name_that_cannot_be_used_now_it_is_said_why(porto, game: str) -> None:
    told = porto("build", game, "red-2", "red-2", "L3", "token", "L33").err
    assert "'L33' is not a house.\nDid you mean L3?\nP-BUILD-1: red-2 is not in" in told
    told = porto("build", game, "9", "red-2", "L3").err
    assert "There is no card '9'; you have no cards for a build, which takes two." in told
    assert "Did you mean" not in told


def test_a_verb_in_a_sentence_is_told_with_what_comes_before_it(porto, game: str) -> None:
    told = porto("move", game, "i want to build")
    told.assert_leads_to(told.proposed[0], says="The move begins with build; leave out")
    assert porto("new", "p.yaml", "Ana", "Rui", "--first", "Ana", "-q").code == 0
    told = porto("move", "p.yaml", "i want to draw").err
    assert "P-SETUP-5: Ana must choose three private contracts to keep first." in told


def test_whose_turn_it_is_is_told_once(porto) -> None:
    assert porto("new", "p.yaml", "Ana", "Rui", "--first", "Ana", "-q").code == 0
    told = porto("draw", "p.yaml", "1").err
    assert told.startswith("P-SETUP-5: Ana must choose three private contracts to keep first.")


def test_cards_can_be_drawn_by_the_numbers_of_their_spaces(porto, game: str) -> None:
    """The record has their names."""
    first, *_ = card_names(porto_cli.load(game).state.cards)
    assert porto("draw", game, "1").out.startswith(f"Inês drew {first}.\n")
    assert f"- Inês: draw {first}\n" in Path(game).read_text("utf-8")


@pytest.mark.parametrize(
    "words", [["Blue 1", "red", "2"], ["blue-1/red-2"], ["blue-1+red-2"], ["b1", "RED", "2"]]
)
def test_names_can_be_typed_with_blanks_and_several_in_one_word(porto, words: list[str]) -> None:
    game = porto_cli.new_game(["Inês", "Rui"], first="Inês", seed="tram")
    game.play("keep 1 2 5", player="Inês")
    game.play("draw green-3", player="Inês")
    game.play("keep 1 2 4", player="Rui")
    game.save("friday.yaml")
    assert porto("draw", "friday", *words).out.startswith("Rui drew red-2 and blue-1.\n")


@pytest.mark.parametrize("space", ["0", "6"])
def test_a_number_behind_the_row_is_no_card(porto, game: str, space: str) -> None:
    result = porto("draw", game, space)
    assert result.code == 2
    assert result.err.startswith(f"No card lies in space {space} of the row.\nTry:\n")


def test_a_dry_run_shows_nothing_that_is_face_down(porto, game: str) -> None:
    before = Path(game).read_bytes()
    result = porto("draw", game, "blue-1", "--dry-run")
    assert result.code == 0
    assert "Face up" not in result.out
    assert "Nothing was written" in result.out
    assert Path(game).read_bytes() == before


def test_a_dry_run_of_the_last_turn_reveals_no_private_contract(porto) -> None:
    porto("new", "game.yaml", "Inês", "Joana", "--seed", "tram", "-q")
    before_the_end = play_until("game.yaml", lambda match: match.over)
    last = before_the_end.replay.steps[-1]
    before_the_end.undo()
    before_the_end.save()
    text = before_the_end.text(last.moves[0]).replace("token", "--token")
    verb, *words = text.split()
    result = porto(verb, "game.yaml", *words, "-n", "--format", "json")
    assert result.code == 0
    assert "private" not in result.out
    told = porto(verb, "game.yaml", *words, "-n").out
    assert "The game is over.\nNothing was written" in told
    told = porto("try", "game.yaml", text).out
    assert (told.count("is over"), told.count("The game would be over then.")) == (0, 1)
    assert "private" not in told


def test_a_dry_run_of_a_solo_turn_stops_before_the_timer(porto, solo: str) -> None:
    match = porto_cli.load(solo)
    result = porto("draw", solo, *match.text(match.legal_moves()[0]).split()[1:], "-n")
    assert result.code == 0
    assert "timer" not in result.out


def test_the_json_of_a_move(porto, game: str) -> None:
    facts = json.loads(porto("draw", game, "blue-1", "--format", "json").out)
    assert facts["moves"] == ["draw blue-1"]
    assert facts["events"][0] == {"event": "drew", "player": "Inês", "cards": ["blue-1"]}
    assert facts["events"][1]["event"] == "refilled"
    assert facts["to_move"] == ["Joana"]
    assert facts["fingerprint"] == porto_cli.load(game).fingerprint


def test_the_json_of_a_move_has_the_verbs_of_all_its_moves_as_the_notation_has_them(porto) -> None:
    cut("three-players.yaml", 7, Path("now.yaml"))
    words = "purple-2 yellow-1 L4 TOKEN L6 CONTRACT purple+yellow"
    done = json.loads(porto("build", "now.yaml", *words.split(), "--format", "json").out)
    assert [move.split()[0] for move in done["moves"]] == ["build", "contract"]


def test_quiet_prints_nothing(porto, game: str) -> None:
    result = porto("draw", game, "blue-1", "--quiet")
    assert (result.code, result.out, result.err) == (0, "", "")


def test_a_build_can_claim_its_contracts_at_once(porto, game: str) -> None:
    match = play_until(
        game, lambda match: any(_claims(match, move) for move in match.legal_moves())
    )
    build = next(move for move in match.legal_moves() if _claims(match, move))
    words = match.text(build).replace("token", "--token").split()[1:]
    name = _claims(match, build)[0]
    result = porto("build", game, *words, "--contract", name)
    assert result.code == 0, result.err
    assert f"fulfilled {name}." in result.out
    assert f"  contract: {name}" in Path(game).read_text("utf-8")


def test_the_example_after_a_build_fulfills_all_that_it_meets(porto) -> None:
    cut("three-players.yaml", 7, Path("now.yaml"))
    result = porto("build", "now.yaml", "purple-2", "yellow-1", "L4", "token", "L6")
    assert "fulfills, for example: porto contract now.yaml purple+yellow\n" in result.out


def test_a_solo_game_has_turns_and_no_rounds(porto, solo: str) -> None:
    porto("draw", solo, "1")
    for told in (porto("show", solo).out, porto("log", solo).out):
        assert "Round" not in told
    page = porto("log", solo, "--format", "html", "-o", "story.html")
    assert page.code == 0
    told = Path("story.html").read_text("utf-8")
    assert "<h2>Turn by turn</h2>" in told
    assert "Turn 1: Inês" in told
    assert "ound by round" not in told


def test_two_legal_moves_are_called_both(porto) -> None:
    """After a build that meets one contract it can be fulfilled, or not."""
    cut("three-players.yaml", 7, Path("now.yaml"))
    result = porto("build", "now.yaml", "purple-2", "yellow-1", "L4", "token", "L6")
    assert "To see the legal moves: porto moves now.yaml\n" in result.out


def test_in_a_solo_game_a_build_for_the_timer_is_called_so(porto, solo: str) -> None:
    result = porto("draw", solo, "1")
    assert "Inês's turn. To build for the timer (no VP), for example: porto build" in result.out
    assert "for the timer (no VP)" not in porto("undo", solo).out


@pytest.mark.parametrize("words", ["{move}", "{verb} {move}", "{VERB} {move}"])
@pytest.mark.parametrize("record", ["three-players.yaml", "solo-won.yaml"])
def test_the_notation_can_be_typed_word_for_word(porto, record: str, words: str) -> None:
    """Whatever the record holds is a command too, with or without its verb behind the file."""
    match = porto_cli.load(ROOT / "records" / "porto" / record)
    tried = set()
    for step in match.replay.turns():
        text = step.entries[0][1]
        verb, _, rest = text.partition(" ")
        kind = (verb, "token" in text, step.before.phase)
        if kind in tried:
            continue
        tried.add(kind)
        cut(record, step.item, Path("now.yaml"))
        typed = words.format(move=rest, verb=verb, VERB=verb.upper()).split()
        result = porto(verb, "now.yaml", *typed, "--as", match.players[step.seat], "--dry-run")
        assert (result.code, result.err) == (0, ""), text
    assert {("draw", False, "act"), ("build", True, "act"), ("build", False, "act")} <= tried


@pytest.mark.parametrize(
    "words",
    [
        "purple-2 yellow-1 L4 token L6 contract purple+yellow",
        "purple-2 yellow-1 L4 contract purple+yellow --token L6",
        "purple-2 yellow-1 L4 token L6 --contract purple+yellow",
        "purple-2 yellow-1 L4 --contract purple+yellow --token L6",
    ],
)
def test_a_build_can_name_its_token_and_its_contracts(porto, words: str) -> None:
    """What stands in two lines of a record is one command, in words or options."""
    cut("three-players.yaml", 7, Path("now.yaml"))
    assert porto("build", "now.yaml", *words.split()).code == 0
    assert porto_cli.load("now.yaml").record.items[-1].entries[:2] == (
        ("Afonso", "build purple-2 yellow-1 L4 token L6"),
        ("contract", "purple+yellow"),
    )


@pytest.mark.parametrize(
    ("command", "says", "proposed"),
    [
        (
            "draw now.yaml build b2 b1 L3 token R4",
            "The move begins with build; leave out 'draw'",
            "build now.yaml",
        ),
        ("pass now.yaml L4", "nothing else is expected", "pass now.yaml"),
        ("undo now.yaml draw", "The move begins with draw; leave out 'undo'", "draw now.yaml"),
        ("build b2 b1 L3", "The record is missing", "build now.yaml b2 b1 L3"),
        ("draw draw b2", "The record is missing", "draw now.yaml b2"),
        ("draw draw now.yaml", "The record is missing", "draw now.yaml\n"),
        ("keep 1 2 3", "The record is missing", "keep now.yaml 1 2 3"),
        ("contract none", "The record is missing", "contract now.yaml none"),
        ("build now.yaml b2 b1 L3 token R4 --token R4", "say the same", ""),
        ("build now.yaml b2 b1 L6 contract none --contract none", "say the same", ""),
        ("build now.yaml b2 b1 L6 contract", "contract none", ""),
        ("build now.yaml b2 b1 L3 at R4", "'at' is not 'token': build b2 b1 L3 token R4.", ""),
    ],
)
def test_words_in_the_wrong_place(porto, command: str, says: str, proposed: str) -> None:
    cut("two-players.yaml", 40, Path("now.yaml"))
    result = porto(*command.split())
    assert (result.code, result.out) == (2, "")
    assert says in result.err
    assert proposed == "" or f"\n  porto {proposed}" in result.err


def test_suggestions_name_the_file_as_shells_need_it(porto) -> None:
    cut("two-players.yaml", 40, Path("our game.yaml"))
    result = porto("build", "our game.yaml", "b2", "b1", "L3")
    assert result.code == 1
    commands = [shlex.split(line)[1:] for line in result.err.splitlines() if line[:2] == "  "]
    assert commands[0] == ["build", "our game.yaml", "blue-2", "blue-1", "L3", "token", "R4"]
    for command in commands:
        assert porto(*command, "--dry-run").code == 0


def test_a_rule_that_is_broken_in_the_same_way_twice_is_named_once() -> None:
    violation = Violation("P-DRAW-1", f"Space {2} is empty.")
    other = Violation("P-DRAW-1", f"Space {3} is empty.")
    error = IllegalMoveError([violation, violation, other])
    assert error.violations == [violation, other]
    assert str(error) == "P-DRAW-1: Space 2 is empty.\nP-DRAW-1: Space 3 is empty."


def test_a_build_that_could_claim_waits_for_the_player(porto, game: str) -> None:
    match = play_until(
        game, lambda match: any(_claims(match, move) for move in match.legal_moves())
    )
    build = next(move for move in match.legal_moves() if _claims(match, move))
    words = match.text(build).replace("token", "--token").split()[1:]
    assert porto("build", game, *words).code == 0
    waiting = porto("draw", game, "blue-1")
    assert waiting.code == 1
    assert "P-PUBLIC-2" in waiting.err
    assert porto("contract", game, "none").code == 0
    item = porto_cli.load(game).record.items[-1]
    assert [key for key, _ in item.entries][1] == "contract"


def _claims(match: porto_cli.Match, move: object) -> list[str]:
    from porto_cli.games.porto.engine import PUBLIC_NAMES
    from porto_cli.games.porto.engine.play import as_built
    from porto_cli.games.porto.engine.scoring import met_by

    if not isinstance(move, Build):
        return []
    spaces = met_by(as_built(match.state, move), match.state.contracts)
    return [PUBLIC_NAMES[match.state.contracts[space]] for space in spaces]


def test_a_claim_that_the_build_does_not_meet_stops_the_whole_turn(porto, game: str) -> None:
    match = play_until(
        game,
        lambda match: any(
            isinstance(move, Build) and not _claims(match, move) for move in match.legal_moves()
        ),
    )
    build = next(
        move for move in match.legal_moves() if isinstance(move, Build) and not _claims(match, move)
    )
    words = match.text(build).replace("token", "--token").split()[1:]
    before = Path(game).read_bytes()
    refused = porto("build", game, *words, "--contract", "1")
    assert refused.code == 1
    assert "P-PUBLIC-1" in refused.err
    assert Path(game).read_bytes() == before
    assert porto("build", game, *words, "--contract", "none").code == 0


def test_keeping_needs_no_extra_round(porto) -> None:
    porto("new", "game.yaml", "Inês", "Joana", "Rui", "--seed", "tram", "--first", "Inês", "-q")
    assert porto("draw", "game.yaml", "blue-1").code == 1
    assert porto("keep", "game.yaml", 1, 2, 5, "--as", "Inês").code == 0
    assert porto("keep", "game.yaml", 1, 2, 3, "--as", "rui").code == 0
    again = porto("keep", "game.yaml", 1, 2, 3, "--as", "Rui")
    assert again.code == 1
    assert "P-SETUP-5" in again.err
    assert porto("keep", "game.yaml", 3, 4, 5, "--as", "Joana").code == 0
    match = porto_cli.load("game.yaml")
    assert all(match.state.kept)


def test_nobody_keeps_for_somebody_else_by_mistake(porto) -> None:
    """Rui keeps, changes his mind and keeps again: that is not the choice of Inês, or of Joana."""
    porto("new", "game.yaml", "Inês", "Joana", "Rui", "--seed", "tram", "--first", "Inês", "-q")
    for able in (["Inês", "Joana", "Rui"], ["Inês", "Joana"], ["Inês"]):
        before = Path("game.yaml").read_bytes()
        unclear = porto("keep", "game.yaml", 1, 2, 4)
        assert (unclear.code, unclear.out) == (2, "")
        for name in able:
            assert f"\n  porto keep game.yaml 1 2 4 --as {name}" in unclear.err
        assert Path("game.yaml").read_bytes() == before
        assert porto("keep", "game.yaml", 1, 2, 3, "--as", able[-1]).code == 0
    nobody = porto("keep", "game.yaml", 1, 2, 3)
    assert nobody.code == 1
    assert "P-SETUP-5" in nobody.err


def test_at_a_real_table_contracts_are_kept_by_name(porto) -> None:
    private = [word for word in TABLE if word != "--first-game"]
    assert porto("new", "table.yaml", "Inês", "Joana", *private).code == 0
    result = porto("keep", "table.yaml")
    assert result.code == 2
    assert "  porto keep table.yaml CONTRACT --as Joana\n" in result.err


def test_a_folder_is_no_record(porto, tmp_path: Path) -> None:
    """``games/`` became a file called ``games``."""
    (tmp_path / "here").mkdir()
    result = porto("new", "here/", "Ana", "Bob")
    assert result.code == 2
    assert result.err == (
        "'here/' names no file; name the file of the record.\n"
        "Try:\n  porto new here/ana-bob.yaml Ana Bob\n"
    )
    assert porto("new", "here/ana-bob.yaml", "Ana", "Bob").code == 0


def test_a_file_is_not_proposed_in_a_folder_that_is_missing(porto, tmp_path: Path) -> None:
    result = porto("new", "there/", "Ana", "Bob")
    assert result.code == 2
    assert result.err == (
        "'there/' names no file; name the file of the record.\n"
        "Try:\n  porto new ana-bob.yaml Ana Bob\n"
    )
    assert not (tmp_path / "there").exists()
    assert porto("new", "ana-bob.yaml", "Ana", "Bob").code == 0


def test_a_record_without_a_name_is_refused(porto, tmp_path: Path) -> None:
    result = porto("new", "", "Ana", "Bob")
    assert result.code == 2
    assert result.err == (
        "'' names no file; name the file of the record.\nTry:\n  porto new ana-bob.yaml Ana Bob\n"
    )
    assert not [*tmp_path.glob("*.yaml")]


def test_an_undo_takes_back_no_secret_of_somebody_else_by_mistake(porto) -> None:
    porto("new", "game.yaml", "Inês", "Joana", "--seed", "tram", "--first", "Inês", "-q")
    porto("keep", "game.yaml", 2, 4, 5, "--as", "Inês")
    before = Path("game.yaml").read_bytes()
    for more in ([], ["-n"], ["-n", "--format", "json"]):
        unclear = porto("undo", "game.yaml", *more)
        assert (unclear.code, unclear.out) == (2, "")
        assert "--as" in unclear.err
        assert "2 4 5" not in unclear.err
    assert porto("undo", "game.yaml", "--as", "Joana").code == 1
    assert Path("game.yaml").read_bytes() == before
    told = "Inês took back: keep three private contracts."
    tried = porto("undo", "game.yaml", "--as", "Inês", "-n").out
    assert tried.startswith(f"This would happen:\n{told}\n")
    assert porto("undo", "game.yaml", "--as", "Inês").code == 0
    # What everybody sees needs no name.
    porto("keep", "game.yaml", 2, 4, 5, "--as", "Inês")
    porto("draw", "game.yaml", "blue-1")
    assert porto("undo", "game.yaml").out.splitlines()[:3] == [
        "Inês took back: draw blue-1.",
        "To play it again: porto draw game.yaml blue-1",
        "To take back the turn before it, too (keep three private contracts): porto undo game.yaml",
    ]


def test_who_plays_alone_need_not_say_the_name(porto, solo: str) -> None:
    assert porto("undo", solo).out.startswith("Inês took back: keep three private contracts.")
    assert porto("keep", solo, 1, 2, 3).code == 0


def test_undo_ends_when_somebody_else_has_moved(porto, game: str) -> None:
    porto("draw", game, "blue-1", "-q")
    match = play_until(game, lambda match: match.state.turn == 2)
    assert match.state.seat == 0
    refused = porto("undo", game, "--as", "Inês")
    assert refused.code == 1
    assert "R-UNDO" in refused.err
    assert porto("undo", game).code == 0
    # Joana has taken back hers, but Inês' turn is no longer the last thing that was done.
    assert porto("undo", game, "--as", "Inês").code == 1


def test_what_comes_up_does_not_change_by_taking_back(porto, game: str) -> None:
    porto("draw", game, "blue-1", "-q")
    first = porto_cli.load(game).state.cards
    porto("undo", game, "-q")
    porto("draw", game, "blue-1", "-q")
    assert porto_cli.load(game).state.cards == first


def test_a_real_table_asks_for_what_came_up(porto) -> None:
    assert porto("new", "table.yaml", "Inês", "Joana", *TABLE).code == 0
    asked = porto("draw", "table.yaml", "blue-1", "green-1")
    assert asked.code == 2
    assert "--refill (2)" in asked.err
    assert porto_cli.load("table.yaml").state.turn == 0
    half = porto("draw", "table.yaml", "blue-1", "green-1", "--refill", "r1")
    assert "then say all that came up, with --refill (2)." in half.err
    assert half.proposed == ["porto draw table.yaml blue-1 green-1 --refill red-1,CARD"]
    for wrong, right in (("rde-1,red-2", '"red-1,red-2"'), ("rde-1", "red-1")):
        typo = porto("draw", "table.yaml", "blue-1", "--refill", wrong)
        line = f"porto draw table.yaml blue-1 --refill {right}"
        typo.assert_leads_to(line, says="Did you mean red-1?")
    kept = porto("draw", "table.yaml", "bleu-1", "--refill", "red-1").proposed
    assert kept == ["porto draw table.yaml blue-1 --refill red-1"]
    surplus = porto("draw", "table.yaml", "blue-1", "--refill", "red-1 red-2")
    assert surplus.code == 2
    assert "leave out: red-2" in surplus.err
    assert porto("draw", "table.yaml", "blue-1", "green-1", "--refill", "r1,r2").code == 0
    row = porto_cli.load("table.yaml").state.cards
    assert row == bytes([9, 1, 10, 4, 14])


def test_a_real_table_refuses_cards_that_cannot_come_up(porto) -> None:
    porto("new", "table.yaml", "Inês", "Joana", *TABLE)
    for _ in range(3):
        match = porto_cli.load("table.yaml")
        draw = next(
            m for m in match.legal_moves() if isinstance(m, Draw) and match.text(m) == "draw blue-1"
        )
        code = porto("draw", "table.yaml", *match.text(draw).split()[1:], "--refill", "b1").code
        assert code == 0
    # Four cards of this kind are in the box: three are in hands, one lies open.
    refused = porto("draw", "table.yaml", "blue-1", "--refill", "blue-1")
    assert refused.code == 2
    assert "blue-1 cannot come up" in refused.err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["a.yaml"], "Name 1 to 4 players"),
        (["a.yaml", "A", "a"], "Two players are called"),
        (["a.yaml", "A", "B", "C", "D", "E"], "1 to 4 players"),
        (["a.yaml", "refill"], "special meaning"),
        (["a.yaml", " A"], "visible character"),
        (["a.yaml", "A", "B", "--first", "C"], "There is no player"),
        (["a.yaml", "A", "--timer", "27"], "28, 26 or 24"),
        (["a.yaml", "A", "B", "--seed", "a b"], "letters, digits"),
        (["a.yaml", "A", "B", "--cards", "b1"], "--secrecy table"),
        (["a.yaml", "A", "B", "--secrecy", "table"], "--tokens --cards --contracts"),
        (["a.yaml", "A", "B", "--secrecy", "table", "--seed", "x"], "--secrecy open, not table"),
        (["a.yaml", "A", "B", "--tie-break", "luck"], "luck"),
    ],
)
def test_a_game_that_cannot_be_set_up(porto, args: list[str], says: str) -> None:
    result = porto("new", *args)
    assert result.code == 2
    assert says in result.err
    assert not Path("a.yaml").exists()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("{1: 4, 2: 4, 3: 2}", "{1: 4, 2: 4, 3: 1}", "45 construction cards"),
        ("L3: 6", "L3: 8", "upper floors"),
        ("ground-floors: 3", "ground-floors: 0", "no ground floors"),
        (" L1: 4,", "", "'L1' is missing"),
        ("{L1: 4", "{L0: 4", "not 'L0'"),
        ("{1: 5, 2: 4", "{1: 1, 2: 4", "VP tokens"),
        ("name: mebo-2019", "nome: mebo-2019", "unknown"),
        ("R7: 4}", "R7: many}", "whole number"),
    ],
)
def test_a_bad_edition_is_refused_with_the_reason(porto, old: str, new: str, says: str) -> None:
    shipped = (EDITIONS / "mebo-2019.yaml").read_text("utf-8")
    text = shipped.replace("{L1: 4", "{ L1: 4") if old.startswith(" ") else shipped
    assert old in text
    Path("box.yaml").write_text(text.replace(old, new, 1), "utf-8")
    result = porto("new", "a.yaml", "A", "B", "--edition", "box.yaml")
    assert result.code == 3
    assert says in result.err
    assert "box.yaml:" in result.err


def test_another_edition_is_written_into_the_record(porto) -> None:
    shipped = (EDITIONS / "mebo-2019.yaml").read_text("utf-8")
    mine = shipped.replace("mebo-2019", "my-box").replace(
        "{1: 4, 2: 4, 3: 2}", "{1: 5, 2: 3, 3: 2}"
    )
    Path("box.yaml").write_text(mine, "utf-8")
    assert porto("new", "a.yaml", "A", "B", "--edition", "box.yaml", "-q").code == 0
    Path("box.yaml").unlink()
    assert porto_cli.load("a.yaml").record.config.edition.cards_per_value == (5, 3, 2)


def test_a_missing_edition(porto) -> None:
    result = porto("new", "a.yaml", "A", "B", "--edition", "none.yaml")
    assert result.code == 4
    assert "mebo-2019" in result.err


def test_verify_reports_every_file(porto, game: str) -> None:
    Path("bad.yaml").write_text("porto: 1\n", "utf-8")
    result = porto("verify", game, "bad.yaml", "missing.yaml")
    assert result.code == 4
    assert "game.yaml: valid, 0 turns so far" in result.out
    missing = "bad.yaml:1:1: The file may be cut off after line 1. The key 'rules' is missing."
    assert missing in result.err
    assert "missing.yaml" in result.err
    facts = json.loads(porto("verify", game, "bad.yaml", "--format", "json").out)
    assert [report["valid"] for report in facts["files"]] == [True, False]


def test_one_turn_is_not_called_turns(porto) -> None:
    assert porto("new", "g.yaml", "Ana", "Rui", "--seed", "tram", "--first", "Ana").code == 0
    for words in (("keep", "1", "2", "3", "--as", "Ana"), ("keep", "1", "2", "3", "--as", "Rui")):
        assert porto(words[0], "g.yaml", *words[1:]).code == 0
    assert porto("draw", "g.yaml", "green-3").code == 0
    assert (
        "g.yaml: valid, 1 turn so far: every move follows the rules"
        in porto("verify", "g.yaml").out
    )
    assert ". 1 turn so far." in porto("log", "g.yaml", "--format", "html").out


def test_a_name_is_the_same_however_it_was_typed(porto, game: str) -> None:
    for name in ("INÊS", " inês ", "Ine\u0302s"):
        assert porto("draw", game, "blue-1", "--as", name, "-n").code == 0, name
    assert "Two players are called" in porto("new", "b.yaml", "Inês", "Ine\u0302s").err


def test_line_ends_that_a_mail_program_changed_stay(porto, game: str) -> None:
    path = Path(game)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert porto("draw", game, "blue-1", "-q").code == 0
    data = path.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n")
    assert porto("verify", game).code == 0


@pytest.mark.parametrize("words", [("--token", "L0"), ("token", "L0")])
def test_a_word_for_no_roof_is_answered_with_the_roofs_that_are_empty(porto, game, words) -> None:
    def builds(match: porto_cli.Match) -> list[Build]:
        return [move for move in match.legal_moves() if isinstance(move, Build)]

    found = builds(play_until(game, builds))
    first = found[0]
    roofs = [HOUSES[one.token] for one in found if one[:3] == first[:3]]
    number, color, house = CARDS[first.number], CARDS[first.color], HOUSES[first.house]
    said = porto("build", game, number, color, house, *words)
    assert said.code == 2
    assert f"the token of {house} can go to the roof of {enumerated(roofs, 'or')}." in said.err
