"""Puerto Rico on the command line: words, what is missing, what is refused, the Tab key."""

from __future__ import annotations

from pathlib import Path

import pytest

import porto_cli
from porto_cli.asking import ask
from porto_cli.core import InvalidMoveError
from porto_cli.games import GAMES, commands_of
from porto_cli.games.puerto_rico.engine.play import violations
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.games.puerto_rico.game import PUERTO_RICO
from porto_cli.games.puerto_rico.notation import expand_move, format_move
from porto_cli.installed import ruling
from porto_cli.match.match import Match
from porto_cli.next_step import what_next
from porto_cli.seam import Command, Typed
from tests.conftest import ROOT
from tests.porto.asking import Scripted
from tests.puerto_rico.matches import decisions, new, stopped
from tests.puerto_rico.tables import expansion, table
from tests.shares import for_each

NEW = (
    *("new", "g.yaml", "Inês", "Joana", "Afonso", "--game", "puerto-rico"),
    *("--seed", "arecibo", "--first", "Inês", "-q"),
)


def at(state: State) -> Match:
    """A match that has come to this table, whose record nobody looks at."""
    names = list(state.config.players)
    match = porto_cli.new_game(names, game="puerto-rico", seed="arecibo", first=names[0])
    record = match.replay.record._replace(config=state.config)
    match.become(match.replay._replace(state=state, record=record))
    return match


def read(state: State, line: str, *answers: object) -> str:
    """The move of a command line, by somebody who answers at a terminal."""
    verb, *words = line.split()
    asker = Scripted(*answers)
    command = Command(state, "game.yaml", verb, words, {}, None, lambda: asker, ask, dry_run=False)
    _, (move,) = PUERTO_RICO.words.read_command(command)
    assert not asker.answers
    return move


# -- words


def test_the_commands_are_the_verbs_of_the_game() -> None:
    commands = commands_of("puerto-rico")
    assert set(commands.verbs) == set(GAMES["puerto-rico"].verbs)
    assert set(commands.synonyms.values()) <= set(commands.verbs)
    assert not set(commands.synonyms) & set(commands.verbs)
    for rules in commands.rules.values():
        for rule in rules:
            ruling(rule)


def test_a_round_is_played_by_commands(porto) -> None:
    assert porto(*NEW).code == 0
    for line in ("role settler", "take quarry", "take corn", "take sugar"):
        verb, word = line.split()
        made = porto(verb, "g.yaml", word)
        assert made.code == 0, made.err
    assert "New face-up plantations: 2 corn, 1 indigo and 1 coffee." in made.out
    assert "It is Joana's turn. To take a role, for example: porto role g.yaml mayor" in made.out
    assert porto_cli.load("g.yaml").fingerprint == "a6c48d82"


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        (
            "take g.yaml corn",
            1,
            "PR-TURN-1: Inês must take a role.",
        ),
        ("role g.yaml", 2, "porto role g.yaml settler"),
        ("role g.yaml prospector", 1, "PR-SETUP-2"),
        ("role g.yaml banana", 2, "'banana' is not a role"),
        ("build g.yaml", 1, "PR-TURN-1"),
        ("draw g.yaml red-1", 2, "'draw' is not one of its moves. Its moves are: role, take"),
        ("pass g.yaml", 1, "PR-OPTIONAL-1"),
        ("guest g.yaml", 1, "PR-B-GUEST-HOUSE"),
        ("take g.yaml corn --refill red-1", 2, "--refill"),
        ("role g.yaml settler --tiles corn", 2, "what comes up; leave out --tiles"),
        ("role settler", 2, "porto role g.yaml settler"),
        ("choose g.yaml harbor wharf", 2, "After 'choose' write the building, like harbor."),
    ],
)
def test_a_refusal_names_what_is_possible(line, code, message, porto) -> None:
    porto(*NEW)
    result = porto(*line.split())
    assert result.code == code
    assert message in result.err
    assert len(porto_cli.load("g.yaml").replay.steps) == 0


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("move g.yaml settlr", "role g.yaml settler"),
        ("move g.yaml captain", "role g.yaml captain"),
        ("role g.yaml c", "role g.yaml craftsman"),
        ("take g.yaml the captain", "role g.yaml captain"),
        ("role g.yaml the captain no", "role g.yaml captain"),
        ("move g.yaml hello", "moves g.yaml"),
    ],
)
def test_the_move_that_is_meant_is_proposed_first(porto, words: str, right: str) -> None:
    assert porto(*NEW).code == 0
    result = porto(*words.split())
    assert (result.code, result.proposed[0]) == (2, f"porto {right}")
    assert "'the'" not in result.err
    assert "sell?" not in result.err


def test_what_cannot_be_done_now_is_not_advised(porto) -> None:
    assert porto(*NEW).code == 0
    assert porto("role", "g.yaml", "settler").code == 0
    assert "write the name of one in this game" not in porto("role", "g.yaml", "pirate").err


def test_why_the_move_that_is_meant_is_not_possible_is_said_instead_of_others(porto) -> None:
    assert porto(*NEW).code == 0
    porto("role", "g.yaml", "builder")
    result = porto("build", "g.yaml", "harbour")
    assert result.code == 2
    _, meant, why = result.err.partition("\nTry:")[0].splitlines()[-3:]
    assert meant == "Did you mean harbor?"
    assert why.startswith("PR-BUILDER-2: harbor costs")
    assert result.proposed == ["porto moves g.yaml"]


def test_only_the_roles_that_are_left_are_listed(porto) -> None:
    assert porto(*NEW).code == 0
    porto("role", "g.yaml", "mayor")
    while "role" not in porto("moves", "g.yaml").out:
        porto("move", "g.yaml", porto_cli.load("g.yaml").legal_moves()[0])
    said = porto("role", "g.yaml").err.splitlines()[0]
    assert said.startswith(
        "After 'role', the role is missing; write one of: settler, builder, craftsman,"
    )
    assert "mayor" not in said
    assert "prospector" not in said


@pytest.mark.parametrize(
    ("words", "near"),
    [
        ("role g.yaml setler", "settler"),
        ("build g.yaml hospise", "hospice"),
        ("load g.yaml tobaco 4", "tobacco"),
        ("take g.yaml quary", "quarry"),
    ],
)
def test_a_mistyped_name_is_told_with_the_one_that_was_meant(porto, words: str, near: str) -> None:
    assert porto(*NEW).code == 0
    result = porto(*words.split())
    assert result.code == 2
    assert f"Did you mean {near}?" in result.err.splitlines()
    # If the name meant cannot be used now, it is said why.
    assert ("PR-TURN-1: " in result.err) is not any(near in line for line in result.proposed)
    assert result.proposed


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("small", "small-indigo-plant, small-sugar-mill, small-market or small-warehouse"),
        ("small-whraf", ""),
        ("small-warehuose", "small-warehouse"),
        ("lighthuose", ""),
        ("large", ""),
        ("market", "small-market"),
        ("warehouse", "small-warehouse"),
        ("hut", "construction-hut"),
    ],
)
def test_only_buildings_of_this_game_are_proposed(porto, word: str, meant: str) -> None:
    """Of several those that can be paid; the base game has neither small wharf nor lighthouse."""
    assert porto(*NEW).code == 0
    assert porto("role", "g.yaml", "builder").code == 0
    result = porto("build", "g.yaml", word)
    assert result.code == 2
    proposed = [line for line in result.err.splitlines() if line.startswith("Did you mean")]
    assert proposed == ([f"Did you mean {meant}?"] if meant else [])
    names = meant.replace(" or ", ", ").split(", ") if meant else []
    assert [line.split()[-1] for line in result.proposed] == names or not names


@pytest.mark.parametrize(
    "words", ["add corn", "add corn from quarry 3", "leave corn 3", "corn", "none"]
)
def test_a_placement_before_its_time_is_refused(porto, words) -> None:
    porto(*NEW)
    result = porto("place", "g.yaml", *words.split())
    assert result.code == 1
    assert "PR-TURN-1: Inês must take a role. 'place' is for the mayor phase." in result.err


def test_nothing_comes_up_with_a_move(porto) -> None:
    new = ("new", "t.yaml", "A", "B", "--game", "puerto-rico", "--secrecy", "table")
    assert porto(*new, "--tiles", "corn 2 sugar", "--first", "A").code == 0
    sentence = "--tiles names 3, but nothing can come up; leave out: corn corn corn.\n"
    for way in ("--dry-run", "--quiet"):
        early = porto("role", "t.yaml", "settler", "--tiles", "corn 3", way)
        assert (early.code, early.err) == (2, sentence)
    assert porto("role", "t.yaml", "settler").code == 0
    for way in ("--dry-run", "--quiet"):
        early = porto("take", "t.yaml", "corn", "--tiles", "corn 3", way)
        assert (early.code, early.err) == (2, sentence)
    assert len(porto_cli.load("t.yaml").replay.steps) == 1


def test_an_empty_row_and_an_unknown_turn(porto) -> None:
    new = ("new", "t.yaml", "A", "B", "--game", "puerto-rico", "--secrecy", "table")
    empty = porto(*new, "--tiles", "")
    assert (empty.code, "A name is missing, like corn" in empty.err) == (2, True)
    porto(*NEW)
    assert porto("role", "g.yaml", "settler").code == 0
    assert porto("show", "g.yaml", "--turn", "1").code == 0
    late = porto("show", "g.yaml", "--turn", "2")
    assert (late.code, "from 0 to 1." in late.err) == (2, True)


def test_whose_turn_stands_when_another_was_taken_back(porto) -> None:
    porto(*NEW)
    for line in ("role g.yaml settler", "take g.yaml corn", "pass g.yaml", "undo g.yaml"):
        assert porto(*line.split()).code == 0
    for name in ("Inês", "Joana"):
        again = porto("undo", "g.yaml", "--as", name)
        assert again.code == 1
        assert (
            "Joana's turn has already been taken back. The one before it is Inês's: only Inês "
            "could take it back, and only until Joana moved." in again.err
        )


def test_a_game_with_the_real_box(porto) -> None:
    new = ("new", "t.yaml", "A", "B", "--game", "puerto-rico", "--secrecy", "table")
    assert "3 face-up plantations" in porto(*new).err
    assert "17 violet buildings" in porto(*new, "--buildings", "random", "--tiles", "corn 3").err
    assert porto(*new, "--tiles", "corn 3", "--violet", "harbor").code == 2
    assert porto(*new, "--tiles", "corn 2").code == 2
    assert porto(*new, "--tiles", "corn 2 sugar", "--first", "A").code == 0
    for line in ("role t.yaml settler", "take t.yaml corn"):
        assert porto(*line.split()).code == 0
    early = porto("role", "t.yaml", "mayor", "--tiles", "corn 3", "--as", "B")
    assert early.code == 1
    surplus = porto("take", "t.yaml", "corn", "--tiles", "coffee 2 indigo 2")
    assert surplus.code == 2
    assert "--tiles names 4, but 3 can come up" in surplus.err
    awaited = porto("take", "t.yaml", "corn")
    assert awaited.code == 2
    assert "--tiles (3)" in awaited.err
    assert porto("take", "t.yaml", "corn", "--tiles", "coffee 2, indigo").code == 0
    assert "tiles: indigo coffee 2" in Path("t.yaml").read_text("utf-8")


def test_a_draft_by_commands(porto) -> None:
    porto("new", "d.yaml", "A", "B", "--game", "puerto-rico", "--buildings", "draft", "-q")
    assert porto("choose", "d.yaml", "forest-house").code == 0
    refused = porto("choose", "d.yaml", "hacienda")
    assert refused.code == 1
    assert "PR-DRAFT-3" in refused.err
    shown = porto("verify", "d.yaml")
    assert "with draft buildings" in shown.out


# -- what is missing is asked for


def test_what_is_left_open_is_asked_at_a_terminal() -> None:
    state = table(3, "trader", a={"goods": "corn coffee"})
    assert read(state, "sell", "coffee") == "sell coffee"
    assert read(state, "sell coff") == "sell coff"
    captain = table(3, "captain", a={"goods": "corn 2"})
    assert read(captain, "load corn", "5-space ship") == "load corn 5"
    store = table(3, "store", a={"goods": "corn 2 sugar coffee 2", "full": "small-warehouse"})
    assert read(store, "store coffee", "Store 1 corn and 2 coffee") == "store corn coffee 2"


def test_the_black_market_asks_what_is_returned() -> None:
    state = expansion(
        2,
        "builder",
        "black-market",
        a={"doubloons": 5, "vp": 1, "goods": "corn", "full": "black-market"},
    )
    assert read(state, "build factory", "no barrel", "1 VP") == "build factory return vp"
    assert read(state, "build factory return corn") == "build factory return corn"
    assert read(state, "build hospice") == "build hospice"


# -- what would be legal instead


@for_each(
    ("phase", "facts", "typed", "first"),
    [
        ("settler", {"row": "corn sugar"}, "take coffee", "take corn"),
        ("builder", {"a": {"doubloons": 2}}, "build harbor", "build small-indigo-plant"),
        ("captain", {"a": {"goods": "corn 5 sugar"}}, "load corn 4", "load corn 5"),
        ("store", {"a": {"goods": "corn 2 sugar"}}, "store sugar 2", "store sugar"),
        ("trader", {"a": {"goods": "corn"}}, "sell sugar", "sell corn"),
    ],
)
def test_what_is_nearest_to_a_refused_move(phase, facts, typed, first) -> None:
    state = table(3, phase, **facts)
    move = expand_move(typed, state)
    assert violations(state, move)
    assert PUERTO_RICO.words.nearest(state, format_move(move), state.seat)[0] == first


def test_a_placement_is_mended() -> None:
    state = table(
        2, "mayor", a={"island": "corn 2 sugar quarry", "city": "hacienda", "san_juan": 3}
    )
    for typed, nearest in (
        ("place hacienda", "place corn 2 hacienda"),
        ("place corn 3 sugar quarry", "place corn 2 sugar"),
        ("place coffee hacienda quarry", "place corn quarry hacienda"),
    ):
        move = expand_move(typed, state)
        (found,) = PUERTO_RICO.words.nearest(state, format_move(move), state.seat)
        assert found == nearest
        assert not violations(state, expand_move(found, state))


# -- the Tab key


def offers(state: State, line: str, what: str = "") -> dict[str, str]:
    verb, *words = line.split()
    typed = Typed(state, verb, words, {}, state.seat, named=False)
    found = PUERTO_RICO.words.complete(what or verb, typed)
    return dict((one, "") if isinstance(one, str) else one for one in found)


def test_words_follow_with_what_they_bring() -> None:
    role = table(3, role_doubloons=(0, 0, 2, 0, 0, 0, 0, 0))
    assert offers(role, "role")["builder"] == "build, 1 doubloon off; +2 doubloons"
    assert offers(role, "role mayor") == {"no-colonist": ""}
    assert offers(role, "take") == {}
    builder = table(3, "builder", a={"doubloons": 2})
    assert offers(builder, "build")["hacienda"] == "costs 1 doubloon, 1 VP"
    assert "harbor" not in offers(builder, "build")
    captain = table(3, "captain", cargo={5: "corn 3"}, a={"goods": "corn 4 sugar 5"})
    assert list(offers(captain, "load")) == ["sugar", "corn"]
    assert offers(captain, "load co") == {"5": "3 VP"}
    trader = table(3, "trader", a={"goods": "corn coffee"})
    assert offers(trader, "sell")["coffee"] == "5 doubloons (sale 4, trader 1)"
    settler = table(3, "settler", row="corn 2 sugar")
    assert list(offers(settler, "take")) == ["corn", "sugar", "quarry"]


def test_a_placement_is_completed_place_by_place() -> None:
    state = table(
        2,
        "mayor",
        a={"island": "corn 2 quarry", "city": "hacienda", "colonists": "corn 2", "san_juan": 1},
    )
    assert list(offers(state, "place")) == [
        *("add", "leave", "first"),
        *("corn", "quarry", "hacienda"),
    ]
    assert list(offers(state, "place add")) == ["quarry", "hacienda"]
    assert list(offers(state, "place add quarry")) == ["from", "hacienda"]
    assert offers(state, "place add quarry from") == {"corn": "2 of 2 occupied"}


def test_plantations_and_drafted_kinds_are_completed() -> None:
    state = table(3, "settler", stack="corn sugar 2", discards="coffee")
    assert list(offers(state, "take", "face-down-tiles")) == ["corn", "sugar", "coffee"]
    typed = Typed(None, "new", [], {"violet": "hacienda"}, 0, named=False)
    kinds = dict(PUERTO_RICO.words.complete("violet-buildings", typed))
    assert "forest-house" not in kinds
    assert kinds["black-market"] == "2 doubloons"
    with pytest.raises(InvalidMoveError):
        list(
            PUERTO_RICO.words.complete(
                "violet-buildings", typed._replace(options={"violet": "banana"})
            )
        )


def test_every_word_of_a_legal_move_is_offered() -> None:
    for phase in ("role", "settler", "builder", "captain", "trader"):
        match = stopped(phase)
        for move in match.legal_moves():
            verb, *words = match.text(move).split()
            for nth, word in enumerate(words):
                typed = Typed(match.state, verb, words[:nth], {}, match.state.seat, named=False)
                found = [
                    one if isinstance(one, str) else one[0]
                    for one in PUERTO_RICO.words.complete(verb, typed)
                ]
                assert word in found, (match.text(move), found)


def test_a_row_is_told_in_any_order_even_where_the_stack_runs_out_in_it(porto) -> None:
    """PR-SETTLER-6: its first tiles are of the old stack, the others of the discards."""
    match = porto_cli.new_game(list("ABCDE"), game="puerto-rico", seed="r2", first="A")
    while True:
        moves = [match.text(move) for move in match.legal_moves()]
        tiles = [move for move in moves if move.startswith("take")]
        before = match.record.text
        move = next((move for move in ("role settler", *tiles, moves[0]) if move in moves), "")
        reshuffled = any(type(event).__name__ == "Reshuffled" for event in match.play(move))
        last = match.replay.steps[-1]
        if reshuffled and len(last.entries) > 1 and last.before.stack:
            break
    text = before.replace("secrecy: open\nseed: r2\n", "secrecy: table\n")
    Path("g.yaml").write_text(text, "utf-8")
    _, (_, row) = last.entries
    words = row.split()
    pairs = [" ".join(words[nth : nth + 2]) for nth in range(len(words)) if words[nth].isalpha()]
    backwards = [pair if pair.split()[-1].isdigit() else pair.split()[0] for pair in pairs][::-1]
    for tiles_typed in (row, " ".join(backwards)):
        done = porto(*move.split()[:1], "g.yaml", *move.split()[1:], "--tiles", tiles_typed, "-n")
        assert (done.code, done.err) == (0, "")
    assert porto(*move.split()[:1], "g.yaml", *move.split()[1:], "--tiles", row).code == 0
    assert porto_cli.load("g.yaml").state == match.state


# -- mails


def test_a_mail_offers_one_of_very_many_loads_and_says_how_to_write_the_others() -> None:
    facts = {"full": "small-wharf", "goods": "corn 5 indigo 5 sugar 5 coffee 2"}
    state = expansion(3, "captain", "small-wharf", a=facts)
    (group,) = PUERTO_RICO.words.move_groups(state, state.seat, private=False)
    every = "load corn 5 indigo 5 sugar 5 coffee 2 small-wharf"
    assert [offer.moves for offer in group.offers][-1] == (every,)
    assert group.more.endswith(f"like: {every}")
    for offer in group.offers:
        assert not violations(state, expand_move(offer.moves[0], state))


def test_passing_is_offered_however_much_can_be_built() -> None:
    facts = {"doubloons": 6, "vp": 2, "goods": "corn sugar coffee", "full": "black-market office"}
    state = expansion(2, "builder", "black-market office", a=facts)
    groups = PUERTO_RICO.words.move_groups(state, state.seat, private=True)
    offers = [offer for group in groups for offer in group.offers]
    assert len(offers) <= 40
    assert offers[-1].moves == ("pass",)
    shown = PUERTO_RICO.words.move_groups(state, state.seat, private=False)
    assert not any(" vp" in offer.moves[0] for group in shown for offer in group.offers)


# -- what a game has, and what can be pasted


def test_moves_that_a_game_cannot_have_are_not_offered(porto) -> None:
    porto("new", "b.yaml", "A", "B", "C", "--game", "puerto-rico", "--seed", "x", "--first", "A")
    unknown = porto("draw", "b.yaml").err
    assert "Its moves are: role, take, place, build, sell, load, store, pass, undo." in unknown
    refused = porto("guest", "b.yaml", "corn")
    assert refused.code == 1
    assert "This game has no guest houses." in refused.err
    assert "empty circle" not in refused.err
    porto("new", "d.yaml", "A", "B", "--game", "puerto-rico", "--buildings", "draft")
    assert "guest, choose, pass" in porto("draw", "d.yaml").err


def test_where_only_the_new_colonists_go_is_one_command(porto) -> None:
    match = next(
        match
        for match in decisions(new(3))
        if match.state.phase == "mayor" and any(match.state.players[match.state.seat].colonists)
    )
    match.save("m.yaml")
    advice = what_next(match.replay, "m.yaml")
    (command,) = (one.command for one in advice if " add " in one.command)
    assert command.startswith("porto place m.yaml add "), command
    assert porto(*command.split()[1:]).code == 0


def test_roles_are_listed_with_what_they_bring(porto) -> None:
    porto("new", "b.yaml", "A", "B", "C", "--game", "puerto-rico", "--seed", "x", "--first", "A")
    listed = porto("moves", "b.yaml").out
    assert "role settler    a plantation or a quarry" in listed
    assert "\nAlso possible: decline the extra colonist\n  role mayor no-colonist\n" in listed


def test_a_word_of_this_game_alone_needs_no_option(porto) -> None:
    result = porto("rules", "colonist")
    assert result.code == 0
    assert "PR-MAYOR-2  The colonists of the ship" in result.out
    missing = porto("rules", "colonist", "--game", "porto")
    assert (missing.code, missing.out) == (2, "")
    assert "  porto rules --game puerto-rico colonist\n" in missing.err


def test_the_ship_that_is_missing_is_named_with_those_that_are_possible(
    porto, tmp_path: Path
) -> None:
    text = (ROOT / "records/puerto-rico/five-players-random.yaml").read_text("utf-8")
    (tmp_path / "g.yaml").write_text(text[: text.index("- Inês: load corn 7")], "utf-8")
    result = porto("load", "g.yaml", "corn")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("After 'load corn', the ship is missing; write one of: 6, 7, 8.\n")
    assert "  porto load g.yaml corn 7\n" in result.err
