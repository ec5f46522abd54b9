"""What a seat may see, and that it never sees more."""

from __future__ import annotations

import random
from typing import Any

import pytest

from porto_cli.core.shell import file_word
from porto_cli.games.porto.engine import HOUSES, PRIVATE, PUBLIC
from porto_cli.games.porto.engine.play import RoofPlaced, apply
from porto_cli.games.porto.engine.scoring import private_vp, score_private
from porto_cli.games.porto.engine.state import ACT, KEEP, OVER, State
from porto_cli.games.porto.notation import format_move, parse_move
from porto_cli.games.porto.options import moves
from porto_cli.games.porto.phrases import changed_by, count_contract, houses_counted
from porto_cli.games.porto.view import LATER, NEVER, NOW, can_be_met, standings, table, view
from porto_cli.match.match import new_game
from porto_cli.match.replay import Replay, after_turn
from porto_cli.next_step import what_next
from porto_cli.pages import log_json
from tests.porto.playing import KINDS, plies
from tests.porto.tables import NAMES, laid, played
from tests.shares import for_each, one_in


def story(replay: Replay) -> list[dict[str, Any]]:
    """The turns of a game, as documents have them."""
    turns: list[dict[str, Any]] = log_json(replay)["turns"]
    return turns


def counted(state: State, seat: int) -> dict[str, dict[str, Any]]:
    """The private contracts that a seat has kept, by name, with what they count."""
    contracts = (count_contract(state, contract) for contract in state.kept[seat])
    return {contract["contract"]: contract for contract in contracts}


def test_a_seat_sees_its_own_private_contracts_and_what_they_are_worth() -> None:
    state = laid(
        "private: {Inês: [houses-blue, ends-red, side], Joana: [palette, houses-red, mirror-red]}\n"
        "houses: {L3: blue 6, R1: blue 5}"
    )
    inês, joana = view(state, 0)["players"]
    assert [(one["contract"], one["vp"]) for one in inês["private_contracts"]] == [
        ("ends-red", 0),
        ("houses-blue", 2),
        ("side", 0),
    ]
    assert joana["private"] is joana["private_contracts"] is None
    assert view(state, 1)["players"][0]["private"] is None


def test_who_has_still_to_keep_sees_the_five_in_the_order_of_their_numbers() -> None:
    game = played(2, 0)
    assert game.state.phase == KEEP
    inês, joana = table(game, 0)["players"]
    assert inês["choosing"]
    assert len(inês["private"]) == 5
    assert joana["private"] is None
    third = moves(game.state, 0)[-1]
    assert third["move"] == "keep 3 4 5"
    assert third["contracts"] == inês["private"][2:]


def test_which_contracts_were_kept_is_no_part_of_the_story() -> None:
    for turn in story(played(3, 5)):
        if turn["kind"] == "keep":
            assert turn["moves"] == ["keep"]
            assert turn["events"] == [{"event": "kept", "player": turn["player"]}]


@pytest.mark.parametrize("players", [1, 2, 3])
def test_after_the_end_everybody_sees_what_was_kept_and_nothing_that_was_not(players: int) -> None:
    """A lost solo game reveals them too, though they do not count."""
    game = played(players)
    assert game.state.phase == OVER
    for player, kept in zip(table(game)["players"], game.state.kept, strict=True):
        assert len(player["private"]) == len(kept) == 3


def test_an_earlier_turn_of_a_finished_game_hides_what_was_hidden_then() -> None:
    then = after_turn(played(2), 10)
    assert all(player["private"] is None for player in table(then)["players"])


def test_a_game_without_private_contracts_has_none_to_hide() -> None:
    state = laid("houses: {L4: blue 2}", private_contracts=False)
    assert [player["private"] for player in view(state)["players"]] == [[], []]


def test_the_table_after_a_turn_is_the_table_of_that_turn() -> None:
    game = played(2)
    for number in (0, 1, 7, game.state.turn):
        then = after_turn(game, number)
        assert then.state.turn == number
        assert table(then)["turns_over"] == number
    assert table(after_turn(game, 7))["last_turn"]["turn"] == 7
    for number in (-1, game.state.turn + 1):
        with pytest.raises(ValueError, match="no turn"):
            after_turn(game, number)


def test_an_earlier_turn_has_the_fingerprint_that_it_had_then() -> None:
    match = new_game(NAMES[:2], seed="x", first="Inês", private_contracts=False)
    match.play("draw " + table(match.replay)["cards"][0])
    early = match.fingerprint
    match.undo()
    match.play(match.legal_moves()[1], player=match.state.seat)
    match.play(match.legal_moves()[0], player=match.state.seat)
    late = after_turn(match.replay, 1).fingerprint
    assert early != late != match.fingerprint
    assert len(after_turn(match.replay, 1).steps) == 3


def test_a_house_says_what_the_last_turn_built() -> None:
    match = new_game(NAMES[:2], seed="ribeira", first="Inês", private_contracts=False)
    while not any(move["token"] for move in moves(match.state)):
        match.play(match.legal_moves()[0], player=match.state.seat)
    build = next(move for move in moves(match.state) if move["token"])
    match.play(build["move"])
    last = table(match.replay)["last_turn"]
    built = changed_by(last["events"])
    assert built.floors == {build["house"]: int(build["cards"][0][-1])}
    assert built.tokens == {build["token"]}
    assert last["kind"] == "build"
    assert last["scores"] == own_scores(build)


def test_a_roof_is_new_in_the_turn_that_completed_its_house() -> None:
    game = played(2)
    new = [
        changed_by((table(after_turn(game, turn))["last_turn"] or {}).get("events", ())).roofs
        for turn in range(game.state.turn + 1)
    ]
    completed = [
        HOUSES[event.house]
        for step in game.steps
        for event in step.events
        if isinstance(event, RoofPlaced)
    ]
    assert completed
    assert [name for names in new for name in names] == completed


def test_keeping_private_contracts_is_not_the_last_turn() -> None:
    match = new_game(NAMES[:2], seed="ribeira", first="Inês")
    match.play("keep 1 2 3", player=match.state.seat)
    match.play(match.legal_moves()[0], player=match.state.seat)
    match.play("keep 1 2 3", player="Joana")
    last = table(match.replay)["last_turn"]
    assert (last["player"], last["kind"], last["turn"]) == ("Inês", "draw", 1)


@pytest.mark.parametrize("kind", one_in(3, KINDS), ids=str)
def test_the_marks_of_public_contracts_keep_their_promise(kind) -> None:
    """*now* is what a legal move can fulfill; what *never* can be met is met by nobody later."""
    never: set[str] = set()
    for ply in plies(kind, random.Random(5)):
        state = ply.before
        if state.phase != ACT:
            continue
        met = {name for move in moves(state) for name in move["contracts"]}
        for contract in filter(None, view(state)["public_contracts"]):
            name, when = contract["contract"], contract["can_be_met"]
            assert (when == NOW) == (name in met)
            assert name not in never or when == NEVER
            if when == NEVER:
                never.add(name)
            elif when == LATER:
                assert can_be_met(state, PUBLIC[[one.name for one in PUBLIC].index(name)])


@for_each(
    ("houses", "contract", "chance"),
    [
        ("{}", "blue-house", LATER),
        ("{L3: blue 6, L5: blue 4, R1: blue 5}", "blue-house", NEVER),
        ("{L3: blue 6, L5: blue 4, R1: blue 4}", "blue-house", LATER),
        ("{L3: blue 6, L5: blue 4, R1: blue 4}", "1-blue-floor", LATER),
        ("{L3: blue 6, L5: blue 4, R1: blue 4}", "2-blue-floors", NEVER),
        ("{L3: blue 6, L5: blue 4, R1: blue 5}", "blue+blue", NEVER),
        ("{L3: blue 6, L5: blue 4, R1: blue 5}", "blue+red", LATER),
    ],
)
def test_a_contract_can_be_met_while_a_house_can_take_its_floors(
    houses: str, contract: str, chance: str
) -> None:
    state = laid(f"houses: {houses}\ncontracts: [{contract}, 1-red-floor, red-house, red+red]")
    first = view(state)["public_contracts"][0]
    assert (first["contract"], first["can_be_met"]) == (contract, chance)


def test_a_contract_that_the_hand_can_meet_is_marked() -> None:
    state = laid(
        "houses: {L4: blue 2}\nhands: {Inês: [red-2, blue-1]}\n"
        "contracts: [2-blue-floors, 1-red-floor, blue+red, 3-blue-floors]"
    )
    chances = [contract["can_be_met"] for contract in view(state)["public_contracts"]]
    assert chances == [NOW, NOW, NOW, LATER]


def own_scores(move: dict[str, Any]) -> list[list[Any]]:
    """What a move scores by itself: contracts that a build meets are fulfilled after it."""
    is_build = move["kind"] == "build"
    return [one for one in move["scores"] if not (is_build and one[0].startswith("contract:"))]


@pytest.mark.parametrize("kind", one_in(3, KINDS), ids=str)
def test_what_a_move_is_said_to_score_is_what_it_scores(kind) -> None:
    rnd = random.Random(11)
    for ply in plies(kind, rnd):
        if rnd.random() < 0.7:
            continue
        for said in rnd.sample(found := moves(ply.before), min(8, len(found))):
            move = parse_move(said["move"], ply.before)
            assert format_move(move, ply.before) == said["move"]
            after, _ = apply(ply.before, move, lambda stream, index, pile: len(pile) - 1)
            if after.phase == OVER:
                continue
            seat = ply.before.seat
            gained = after.scores[seat] - ply.before.scores[seat]
            assert gained == sum(vp for _, vp in own_scores(said))


def test_the_best_moves_come_first() -> None:
    for turns in (12, 20, 40):
        vps = [move["vp"] for move in moves(played(3, turns).state)]
        assert vps == sorted(vps, reverse=True)


def test_the_worked_example_of_the_rulebook() -> None:
    """Joana: 14 VP, of which 4 are contracts; her options say both."""
    state = laid(
        "to-move: Joana\n"
        "houses: {L4: blue 2, L3: green 5, L5: yellow 2}\n"
        "roof-tokens: {L4: 2}\n"
        "hands: {Joana: [red-3, blue-1]}\n"
        "contracts: [3-blue-floors, blue+red, green-house, 1-red-floor]"
    )
    best = moves(state)[0]
    assert best["move"] == "build red-3 blue-1 L4"
    assert best["scores"] == [
        ["floors", 5],
        ["neighbors", 3],
        ["roof-token", 2],
        ["contract:3-blue-floors", 2],
        ["contract:blue+red", 2],
    ]
    assert best["contracts"] == ["3-blue-floors", "blue+red"]
    assert (best["vp"], best["completes"]) == (14, True)


def test_a_claim_counts_its_contracts_once() -> None:
    state = laid(
        "phase: contracts\nto-move: Inês\nhouses: {L4: blue 3}\n"
        "built: build red-3 blue-1 L4\n"
        "contracts: [3-blue-floors, blue+red, green-house, 1-red-floor]"
    )
    found = moves(state)
    assert [move["vp"] for move in found] == [4, 2, 2, 0]
    assert found[0]["kind"] == "contract"


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_story_adds_up(players: int) -> None:
    game = played(players)
    sums = dict.fromkeys(NAMES[:players], 0)
    for turn in story(game):
        sums[turn["player"]] += turn["vp"]
        assert turn["standing"] == [*sums.values()]
    result = standings(game)
    for player in result["players"]:
        assert sum(player["sources"].values()) == player["score"]
        private = sum(contract["vp"] for contract in player["private"] or ())
        assert player["sources"]["private"] == private * result["private_counted"]
        assert player["score"] == sums[player["name"]] + private * result["private_counted"]


def test_turns_are_numbered_and_what_is_taken_back_is_marked() -> None:
    match = new_game(NAMES[:2], seed="x", first="Inês", private_contracts=False)
    first, second, *_ = match.legal_moves()
    match.play(first, player=match.state.seat)
    match.undo()
    match.play(second, player=match.state.seat)
    turns = story(match.replay)
    assert [(turn["turn"], turn["kind"], turn["undone"]) for turn in turns] == [
        (1, "draw", True),
        (None, "undo", False),
        (1, "draw", False),
    ]
    assert turns[2]["moves"] == [match.replay.steps[2].entries[0][1]]


def test_a_build_and_its_contracts_are_one_turn() -> None:
    found = [turn for turn in story(played(3)) if len(turn["moves"]) == 2]
    assert found
    assert all(turn["moves"][1].startswith("contract ") for turn in found)
    assert all(any(why.startswith("contract:") for why, _ in turn["scores"]) for turn in found)


# The end-game example of the rulebook, with its two what-ifs.
AFONSO = (
    "houses: {{L2: red 5, L3: purple 6, L4: yellow 5, L5: green 4, L6: blue 6, L7: red 5,"
    " R1: yellow {g}, R2: green 6, R3: yellow 4, R4: green 5, R5: blue {j}}}\n"
    "private: {{Afonso: [side, pairs-green+yellow, trios-blue+green+yellow]}}"
)


@pytest.mark.parametrize(
    ("g", "j", "pairs", "trios"),
    [
        (2, 1, [["L4", "L5"], ["R2", "R3"]], [["L4", "L5", "L6"]]),
        (5, 1, [["L4", "L5"], ["R1", "R2"], ["R3", "R4"]], [["L4", "L5", "L6"]]),
        (2, 6, [["L4", "L5"], ["R2", "R3"]], [["L4", "L5", "L6"], ["R3", "R4", "R5"]]),
    ],
)
def test_the_reckoning_names_the_houses_that_counted(g, j, pairs, trios) -> None:
    state = laid(AFONSO.format(g=g, j=j), players=3)
    found = {
        one["contract"]: one
        for one in (count_contract(state, contract) for contract in state.kept[2])
    }
    assert found["side"]["groups"] == [["L2", "L3", "L4", "L5", "L6", "L7"]]
    assert found["pairs-green+yellow"]["groups"] == pairs
    assert found["trios-blue+green+yellow"]["groups"] == trios


def test_the_reckoning_names_the_house_that_was_missing() -> None:
    state = laid(AFONSO.format(g=2, j=1), players=3)
    found = {
        one["contract"]: one
        for one in (count_contract(state, contract) for contract in state.kept[2])
    }
    assert found["side"]["missing"] == []
    assert found["pairs-green+yellow"]["missing"] == [["R1"]]
    assert found["trios-blue+green+yellow"]["missing"] == [["R5"]]


def test_a_palette_says_which_color_it_lacks() -> None:
    state = laid(
        "houses: {L3: red 6, L4: yellow 5, L5: green 4, L6: blue 6, L7: purple 3, R1: red 5}\n"
        "private: {Inês: [palette, side, houses-red]}"
    )
    palette, side, red = sorted(
        (count_contract(state, contract) for contract in state.kept[0]),
        key=lambda one: ("palette", "side", "houses-red").index(one["contract"]),
    )
    assert (palette["vp"], palette["missing_colors"]) == (0, ["purple"])
    assert palette["missing"] == side["missing"] == [["L7"]]
    assert (red["vp"], red["missing"]) == (2, [])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_completing_what_is_missing_would_have_counted_once_more(players: int) -> None:
    state = played(players).state
    seen = 0
    for contract in range(len(PRIVATE)):
        one = count_contract(state, contract)
        assert one["vp"] == private_vp(state, contract)
        for houses in one["missing"] if one["contract"] != "side" else ():
            then = state.copy()
            floors = bytearray(state.floors)
            for name in houses:
                house = HOUSES.index(name)
                floors[house] = state.config.heights[house]
            then.floors = bytes(floors)
            then.roof_tokens = bytes(len(HOUSES))
            then.survey()
            assert len(score_private(then, contract).groups) > len(one["groups"])
            seen += 1
    assert seen


@pytest.mark.parametrize(
    ("houses", "said"),
    [
        ("L3: blue 6, R1: blue 5", "Counted: L3; R1."),
        ("L3: red 6", "Nothing counts."),
        (
            "L3: blue 6, R1: blue 2, R3: blue 1",
            "Counted: L3. If R1 or R3 had been completed, one more would have counted.",
        ),
        ("L3: blue 6, R1: blue 5, R3: blue 4", "Counted: L3; R1; R3."),
    ],
)
def test_the_reckoning_in_words(houses: str, said: str) -> None:
    state = laid(f"houses: {{{houses}}}\nprivate: {{Inês: [houses-blue, mirror-red, side]}}")
    found = {
        one["contract"]: one for one in (count_contract(state, card) for card in state.kept[0])
    }
    assert " ".join(houses_counted(found["houses-blue"])) == said
    assert houses_counted(found["side"])[1].endswith(
        " had been completed, the side would have counted."
    )


def test_what_would_have_counted_is_said_in_place_of_colors_of_the_other_side() -> None:
    contract = {
        "contract": "palette",
        "groups": [],
        "missing_colors": ["yellow"],
        "missing": [["R2"]],
    }
    would = "If R2 had been completed, that would have counted."
    assert houses_counted(contract) == ["Nothing counts.", would]
    lacks = "The better side lacks a completed house in yellow."
    assert houses_counted(contract | {"missing": []}) == ["Nothing counts.", lacks]


def ended(**options_: bool) -> Replay:
    game = played(3)
    state = game.state.copy()
    state.scores, state.fulfilled = (70, 70, 70), (4, 4, 2)
    if options_.get("seat_first"):
        from porto_cli.games.porto.engine.state import Config

        state.config = Config(state.config.edition, NAMES[:3], seat_first=True)
    return game._replace(state=state)


def test_a_tie_says_what_decided_it() -> None:
    ties = standings(ended())["tie_breaks"]
    assert [(tie["winner"], tie["other"], tie["decided_by"]) for tie in ties] == [
        ("Joana", "Inês", "seat"),
        ("Inês", "Afonso", "contracts"),
    ]
    assert (ties[1]["winner_fulfilled"], ties[1]["other_fulfilled"]) == (4, 2)
    ties = standings(ended(seat_first=True))["tie_breaks"]
    assert [(tie["winner"], tie["other"], tie["decided_by"]) for tie in ties] == [
        ("Afonso", "Joana", "seat"),
        ("Joana", "Inês", "seat"),
    ]


def test_before_the_end_equal_scores_share_a_place() -> None:
    players = standings(played(3, 0))["players"]
    assert [(player["name"], player["place"]) for player in players] == [
        ("Inês", 1),
        ("Joana", 1),
        ("Afonso", 1),
    ]


@pytest.mark.long
def test_commands_that_are_proposed_work(porto, tmp_path) -> None:
    """Every command that a game names on its way to the end does what it says."""
    rnd = random.Random(2)
    for players in (1, 2):
        match = new_game(NAMES[:players], seed="tram", first="Inês")
        path = tmp_path / f"game {players}.yaml"
        tried: set[str] = set()
        while not match.over:
            for sentence in map(str, what_next(match.replay, str(path))):
                command = str(sentence).partition(": porto ")[2]
                if not command:
                    continue
                verb = command.partition(" ")[0]
                if verb in tried and rnd.random() < 0.97:
                    continue
                tried.add(verb)
                path.write_text(match.record.text, "utf-8")
                words = command.replace(file_word(str(path)), "FILE").split()
                args = [str(path) if word == "FILE" else word for word in words]
                dry = [] if verb in ("show", "moves", "score") else ["--dry-run"]
                result = porto(*args, *dry)
                assert (result.code, result.err) == (0, ""), command
            match.play(rnd.choice(match.legal_moves()), player=match.state.seat)
        assert {"draw", "build", "moves", "keep", "show", "contract"} <= tried
