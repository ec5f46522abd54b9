"""Seats of signed games that change hands: who signs from there on, and who does not any more."""

from __future__ import annotations

from random import Random

import pytest

from porto_cli.cli.join import proofs, signatures_json, signatures_text
from porto_cli.core.message import InvalidMoveError, RefusedError
from porto_cli.crypto.identity import public_text
from porto_cli.match import forks
from porto_cli.match.match import Match, loads
from porto_cli.match.new_game import new_game
from porto_cli.match.ordered import in_force
from porto_cli.match.record import read_again
from porto_cli.match.replay import IllegalMoveError
from porto_cli.match.seals import written
from porto_cli.match.signed import OtherKeyError
from porto_cli.match.sitting import Sitting, holders, read_signed
from tests.randomness import seeded_by
from tests.sealed_games import (
    BYSTANDER,
    FILE,
    NAMES,
    as_record,
    chain_of,
    human,
    identity,
    machine,
    moved,
    new_journals,
    refused,
    seen_by,
    set_up,
    steps_of,
    with_steps,
)

PLAYERS = NAMES[:3]
"""Ana, Rui and Bea play; Eva is a friend who may take a seat."""


@pytest.fixture(autouse=True)
def _fresh() -> None:
    new_journals()


def key(name: str) -> str:
    return public_text(identity(name).public)


def to(name: str, of: str = "", whose: str = "") -> Sitting:
    return Sitting(to=name, of=of, key=key(whose or name))


EVA, BACK = to("Eva"), Sitting()


def new(players: tuple[str, ...] = PLAYERS, game: str = "puerto-rico", which: str = "seats") -> str:
    with seeded_by(which):
        match = new_game(players, game=game, seed="tram", first="Ana", signed=True, keys=BYSTANDER)
    return match.record.text


def sits(text: str, name: str, what: Sitting, seat: str = "") -> str:
    """Return the record after what somebody says of a seat, by default of their own."""
    return moved(text, lambda match: match.seat_to(what, seat or name), name)


def plays(text: str, name: str, seat: str = "") -> str:
    """Return the record after the first legal move of a seat, signed by somebody."""
    seat = seat or name
    return moved(text, lambda match: match.play(match.legal_moves(seat)[0], player=seat), name)


def turn(text: str, name: str, seat: str = "") -> str:
    """Return the record after moves until it is the turn of somebody else."""
    seat = seat or name
    while not (match := loads(text, FILE, BYSTANDER)).over and match.to_move() == [seat]:
        text = plays(text, name, seat)
    return text


def ruis_turn(**options: str) -> str:
    """Return a game in which everybody has signed, and it is Rui's turn."""
    text = new(game="porto", **options)
    for name in PLAYERS:
        text = moved(text, lambda match, name=name: match.play("keep 1 2 3", player=name), name)
    return turn(text, "Ana")


def given() -> str:
    """Return the same game after Rui has given the seat to Eva."""
    return sits(ruis_turn(), "Rui", EVA)


def signed(text: str, name: str, content: dict[str, object]) -> str:
    """Return a record with a step at its end that somebody has signed, of the game or not."""
    step = chain_of(text).head.sign(identity(name), content)
    return with_steps(text, [*steps_of(text), step.to_json()])


def as_turn(text: str, name: str, line: str, by: str = "") -> str:
    """Return a record with one more item, signed by somebody as if they were its player, or as
    another one.
    """
    player, entry = line.split(": ", 1)
    seat = chain_of(text).players.index(by or player)
    after = signed(text, name, {"by": seat, "kind": "turn", "entries": [[player, entry]]})
    return f"{human(text)}- {line}\n{machine(after)}"


def legal(text: str, seat: str = "Rui") -> str:
    match = loads(text, FILE, BYSTANDER)
    return match.text(match.legal_moves(seat)[0])


NO_SIGNATURE = "does not have a valid signature"


# -- Who plays is who signs


def test_who_takes_a_seat_signs_for_it() -> None:
    text = given()
    assert human(text).splitlines()[-1] == f"- Rui: seat to Eva {key('Eva')}"
    assert chain_of(text).keys[1] == identity("Eva").public
    match = seen_by(text, "Eva")
    assert (match.own_seats(), match.replay.holders) == ([1], ("Ana", "Eva", "Bea"))
    assert seen_by(text, "Rui").own_seats() == []
    text = turn(text, "Eva", "Rui")
    assert loads(text, FILE, BYSTANDER).to_move() == ["Bea"]


def test_who_has_given_a_seat_away_cannot_play_it_any_more() -> None:
    text = given()
    with pytest.raises(OtherKeyError, match="belongs to the key"):
        plays(text, "Rui")
    with pytest.raises(OtherKeyError):
        sits(text, "Rui", BACK)
    assert NO_SIGNATURE in refused(as_turn(text, "Rui", f"Rui: {legal(text)}"))
    assert NO_SIGNATURE in refused(as_turn(text, "Rui", "Rui: seat back"))
    assert NO_SIGNATURE in refused(as_turn(text, "Rui", f"Rui: {to('Bea').text()}"))


@pytest.mark.long
def test_a_seat_goes_on_to_others_and_back() -> None:
    text = sits(given(), "Eva", to("Zoe"), "Rui")
    assert NO_SIGNATURE in refused(as_turn(text, "Eva", f"Rui: {legal(text)}"))
    text = plays(text, "Zoe", "Rui")
    text = sits(text, "Zoe", BACK, "Rui")
    assert loads(text, FILE, BYSTANDER).replay.holders == PLAYERS
    text = sits(sits(text, "Rui", Sitting(out=True)), "Rui", BACK)
    assert chain_of(text).keys[1] == identity("Rui").public


def test_who_has_signed_nothing_yet_can_give_the_seat_away() -> None:
    text = sits(new(), "Rui", EVA)
    assert [step["content"]["kind"] for step in steps_of(text)] == ["join", "turn"]
    assert chain_of(text).keys[1] == identity("Eva").public


def test_the_seat_of_who_has_signed_nothing_yet_is_taken_and_given_back() -> None:
    text = new()
    for name in ("Ana", "Bea"):
        text = sits(text, name, to("Eva", "Rui"))
    joins = {"by": 1, "kind": "join", "key": steps_of(text)[0]["content"]["key"]}
    assert NO_SIGNATURE in refused(signed(text, "Rui", joins))
    assert "already has one" in refused(signed(text, "Eva", joins))
    text = sits(text, "Eva", BACK, "Rui")
    assert 1 not in chain_of(text).keys
    text = sits(text, "Rui", to("Zoe"))
    assert chain_of(text).keys[1] == identity("Zoe").public


def test_all_others_give_a_seat_away() -> None:
    what = to("Eva", "Rui")
    text = sits(ruis_turn(), "Ana", what)
    assert loads(text, FILE, BYSTANDER).replay.holders == PLAYERS
    with pytest.raises(RefusedError, match="Ana has said that already"):
        sits(text, "Ana", what)
    text = sits(text, "Bea", what)
    assert human(text).splitlines()[-1] == f"- Bea: seat of Rui to Eva {key('Eva')}"
    text = turn(text, "Eva", "Rui")
    assert loads(text, FILE, BYSTANDER).replay.holders == ("Ana", "Eva", "Bea")


def test_a_player_who_has_lost_the_key_gets_another_one() -> None:
    what = to("Rui", "Rui", "Rui's other computer")
    text = sits(sits(ruis_turn(), "Ana", what), "Bea", what)
    assert plays(text, "Rui's other computer", "Rui")
    with pytest.raises(OtherKeyError):
        plays(text, "Rui")


def test_who_was_left_out_can_be_replaced() -> None:
    text = sits(ruis_turn(), "Rui", Sitting(out=True))
    for name in ("Ana", "Bea"):
        text = sits(text, name, to("Eva", "Rui"))
    assert loads(text, FILE, BYSTANDER).people == [0, 1, 2]


def test_a_name_of_the_game_is_not_taken_twice() -> None:
    for name in ("Ana", "ana", "refill"):
        with pytest.raises((RefusedError, InvalidMoveError)):
            sits(ruis_turn(), "Rui", to(name))


def test_who_has_left_has_no_say_in_who_plays_another_seat() -> None:
    text = sits(new(game="porto"), "Rui", Sitting(out=True))
    with pytest.raises(RefusedError, match="Rui has left the game"):
        sits(text, "Rui", to("Eva", "Bea"))
    with pytest.raises(RefusedError, match="Rui has left the game"):
        sits(text, "Rui", Sitting(of="Bea", out=True))


def test_verify_says_who_signed_for_whom_and_why() -> None:
    text = turn(given(), "Eva", "Rui")
    for name in ("Ana", "Bea"):
        text = sits(text, name, to("Zoe", "Rui"))
    assert len(steps_of(text)) == 11
    replay = loads(text, FILE, BYSTANDER).replay
    lines = "\n".join(map(str, signatures_text(replay)))
    assert f"Rui has signed 3 of 11 steps with the key {key('Rui')}." in lines
    assert f"Eva has signed 1 of 11 steps for Rui with the key {key('Eva')}." in lines
    assert f"Zoe has signed 0 of 11 steps for Rui with the key {key('Zoe')}." in lines
    assert "Proven: Rui signed that from turn 2 on Eva plays for Rui." in lines
    assert "Proven: Ana, Bea signed that from turn 3 on Zoe plays for Rui." in lines
    found = signatures_json(replay)["signed_by"]
    assert [(one["player"], one["steps"]) for one in found][1:4] == [
        ("Rui", 3),
        ("Rui", 1),
        ("Rui", 0),
    ]


# -- Attacks


def test_a_hand_over_is_not_replayed() -> None:
    """Rui gives the seat to Eva and gets it back; Eva puts Rui's first step at the end again."""
    text = sits(given(), "Eva", BACK, "Rui")
    old = next(step for step in steps_of(text) if "porto1" in str(step["content"]))
    again = with_steps(text, [*steps_of(text), old])
    line = f"- Rui: {EVA.text()}\n"
    assert "comes next" in refused(human(text) + line + machine(again))
    head = chain_of(text).head
    moved_up = {**old, "height": head.height + 1, "previous": steps_of(again)[-1]["previous"]}
    assert refused(human(text) + line + machine(with_steps(text, [*steps_of(text), moved_up])))
    fitting = {
        **old,
        "height": head.height + 1,
        "previous": head.unsigned({"by": 1}).to_json()["previous"],
    }
    again = with_steps(text, [*steps_of(text), fitting])
    assert NO_SIGNATURE in refused(human(text) + line + machine(again))


def test_a_hand_over_is_not_moved_to_another_game() -> None:
    text, other = given(), ruis_turn(which="another game")
    stolen = steps_of(text)[-1]
    fitting = {**stolen, "previous": chain_of(other).head.unsigned({"by": 1}).to_json()["previous"]}
    assert len(steps_of(text)) == len(steps_of(other)) + 1
    line = f"- Rui: {EVA.text()}\n"
    for step in (stolen, fitting):
        assert refused(human(other) + line + machine(with_steps(other, [*steps_of(other), step])))


def test_a_hand_over_is_signed_by_whose_seat_it_is() -> None:
    text, line = ruis_turn(), f"Rui: {EVA.text()}"
    for name in ("Ana", "Eva"):
        assert NO_SIGNATURE in refused(as_turn(text, name, line))
        forged = as_turn(text, "Ana", line, by="Ana")
        assert "but Ana has signed it" in refused(forged)


def test_what_people_read_of_a_hand_over_is_what_was_signed() -> None:
    text = given()
    for changed in (
        text.replace("seat to Eva", "seat to Zoe"),
        text.replace(f"Eva {key('Eva')}\n", f"Eva {key('Zoe')}\n"),
        text.replace(f"- Rui: {EVA.text()}\n", ""),
    ):
        assert changed != text
        assert "Rui" in refused(changed)


def test_one_of_two_others_gives_nothing_away() -> None:
    """Ana says that Eva plays for Rui; Eva cannot yet, whatever she signs."""
    text = sits(ruis_turn(), "Ana", to("Eva", "Rui"))
    assert NO_SIGNATURE in refused(as_turn(text, "Eva", f"Rui: {legal(text)}"))
    twice = as_turn(text, "Ana", f"Ana: {to('Eva', 'Rui').text()}")
    assert chain_of(twice).keys[1] == identity("Rui").public
    assert NO_SIGNATURE in refused(as_turn(twice, "Eva", f"Rui: {legal(text)}"))
    assert plays(text, "Rui")


@pytest.mark.parametrize(
    "other", [to("Zoe", "Rui"), to("Eva", "Rui", "Zoe"), Sitting(out=True, of="Rui")]
)
def test_what_others_say_has_to_be_the_same(other: Sitting) -> None:
    text = sits(sits(ruis_turn(), "Ana", to("Eva", "Rui")), "Bea", other)
    assert loads(text, FILE, BYSTANDER).people == [0, 1, 2]
    assert loads(text, FILE, BYSTANDER).replay.holders == PLAYERS
    assert plays(text, "Rui")
    text = sits(text, "Bea", to("Eva", "Rui"))
    assert loads(text, FILE, BYSTANDER).replay.holders == ("Ana", "Eva", "Bea")


def test_who_does_something_keeps_the_seat() -> None:
    text = plays(sits(ruis_turn(), "Ana", to("Eva", "Rui")), "Rui")
    text = sits(text, "Bea", to("Eva", "Rui"))
    assert loads(text, FILE, BYSTANDER).replay.holders == PLAYERS
    assert NO_SIGNATURE in refused(as_turn(text, "Eva", "Rui: seat out"))


def test_who_takes_a_seat_is_not_bound_by_what_was_said_before() -> None:
    """Ana says that Rui is out, and leaves; with Zoe in her place, Bea alone does not decide."""
    text = sits(ruis_turn(), "Ana", Sitting(out=True, of="Rui"))
    text = sits(sits(text, "Ana", to("Zoe")), "Bea", Sitting(out=True, of="Rui"))
    assert loads(text, FILE, BYSTANDER).people == [0, 1, 2]
    text = sits(text, "Zoe", Sitting(out=True, of="Rui"), "Ana")
    assert loads(text, FILE, BYSTANDER).people == [0, 2]


def test_one_player_alone_does_not_take_the_seat_of_the_other() -> None:
    text = turn(new(("Ana", "Rui")), "Ana")
    with pytest.raises(RefusedError, match="Only Rui can hand over"):
        sits(text, "Ana", to("Eva", "Rui"))
    assert "Only Rui can hand over" in refused(
        as_turn(text, "Ana", f"Ana: {to('Eva', 'Rui').text()}")
    )
    assert sits(text, "Rui", EVA)


def test_who_gives_a_seat_to_two_has_signed_two_versions() -> None:
    text = ruis_turn()
    one = loads(sits(text, "Rui", EVA), FILE, BYSTANDER)
    new_journals()
    other = loads(sits(text, "Rui", to("Zoe")), FILE, BYSTANDER)
    found = forks.between(one.replay.chain, other.replay.chain)
    assert found is not None
    assert (found.player, found.fork.key) == ("Rui", identity("Rui").public)
    found.fork.check()
    assert forks.precedence(one.replay, other.replay) is None


def test_who_gives_a_seat_to_two_at_two_places_is_for_people_to_decide() -> None:
    text = ruis_turn()
    one = loads(sits(text, "Rui", EVA), FILE, BYSTANDER)
    new_journals()
    other = (
        moved(text, lambda match: match.order("none", "Bea"), "Bea")
        if False
        else sits(text, "Bea", Sitting(out=True, of="Rui"))
    )
    other = loads(sits(other, "Rui", to("Zoe")), FILE, BYSTANDER)
    assert forks.between(one.replay.chain, other.replay.chain) is None
    assert forks.precedence(one.replay, other.replay) is None


def test_two_who_hold_a_seat_one_after_the_other_have_not_signed_two_versions() -> None:
    """Rui moves in one copy; in the other one the others have given the seat to Eva."""
    text = ruis_turn()
    mine = loads(plays(plays(text, "Rui"), "Bea"), FILE, BYSTANDER)
    other = text
    for name in ("Ana", "Bea"):
        new_journals()
        other = sits(other, name, to("Eva", "Rui"))
    other = loads(plays(other, "Eva", "Rui"), FILE, BYSTANDER)
    found = forks.between(mine.replay.chain, other.replay.chain)
    assert found is None or found.player == "Bea"
    assert forks.precedence(mine.replay, other.replay) is None
    assert forks.turn_made_twice(mine.replay, other.replay) is None


@pytest.mark.parametrize(
    "wrong",
    [
        "porto1qqqq",
        key("Eva")[:-1],
        public_text(bytes(32)),
        public_text((1).to_bytes(32, "little")),
    ],
)
def test_a_key_has_to_be_one(wrong: str) -> None:
    text = as_turn(ruis_turn(), "Rui", f"Rui: seat to Eva {wrong}")
    assert "goes on with" in refused(text)


def test_a_line_that_can_be_read_in_two_ways_says_nothing() -> None:
    players = ("Ana", "A", "A to B")
    line = f"seat of A to B to C {key('Eva')}"
    with pytest.raises(InvalidMoveError):
        read_signed(line, "Ana", players)
    assert read_signed(line, "Ana", ("Ana", "A", "B")).of == "A"
    assert read_signed(line, "Ana", ("Ana", "A to B")).to == "C"


@pytest.mark.parametrize("players", [["Ana", "Rui"], [*PLAYERS, "Zoe"], ["Ana", "Rui", "Ana"]])
def test_all_others_are_the_players_of_the_header(players: list[str]) -> None:
    """Whoever makes a game cannot have it begin with others, who would have to agree."""
    seals = as_record(text := new()).seals
    assert seals is not None
    begun = written([{**seals.genesis, "players": players}], first=True)
    assert "header of the record" in refused(human(text) + "".join(f"{one}\n" for one in begun))


@pytest.mark.long
def test_nobody_takes_a_sealed_seat() -> None:
    text = set_up(3, private_contracts=False)
    for line in (EVA.text(), "seat out", "seat to Eva"):
        assert "is not a move" in refused(as_turn(text, "Rui", f"Rui: {line}"))


# -- Orders and undo


def test_orders_end_and_are_not_used_after_the_seat_was_given() -> None:
    text = moved(new(), lambda match: match.order("settler any", "Rui"), "Rui")
    text = sits(text, "Rui", EVA)
    assert not in_force(loads(text, FILE, BYSTANDER).replay, 1)
    text = moved(text, lambda match: match.play("role settler", "take quarry", player="Ana"), "Ana")
    move = loads(text, FILE, BYSTANDER).observe("Rui").moves[0].move
    content = {"by": 0, "kind": "ordered", "entries": [["Rui", move]], "order": 2}
    forged = human(text) + f"- Rui: {move}\n" + machine(signed(text, "Ana", content))
    assert "used up, replaced or taken back" in refused(forged)


@pytest.mark.long
def test_turns_before_a_seat_was_given_stay() -> None:
    text = sits(turn(ruis_turn(), "Rui"), "Rui", EVA)
    for name in ("Rui", "Eva"):
        with pytest.raises((IllegalMoveError, OtherKeyError)):
            moved(text, lambda match: match.undo("Rui"), name)
    new_journals()
    text = given()
    text = moved(plays(text, "Eva", "Rui"), lambda match: match.undo("Rui"), "Eva")
    assert loads(text, FILE, BYSTANDER).to_move() == ["Rui"]


def test_a_game_is_read_again_as_it_was_signed() -> None:
    text = given()
    match: Match = loads(text, FILE, BYSTANDER)
    assert read_again(as_record(text)).text == text
    assert match.replay.declarations[-1].what == EVA
    assert any("Eva plays for Rui" in str(line) for line in proofs(match.replay))


# -- Random games


@pytest.mark.long
@pytest.mark.parametrize("nth", range(6))
def test_the_key_of_a_seat_is_always_that_of_who_plays_it(nth: int) -> None:
    """Players say what they like of seats, and move; a bystander reads each step again."""
    rng = Random(f"seats/{nth}")
    text, signs, joined = new(NAMES, game="porto"), {name: name for name in NAMES}, set[str]()
    refusals = 0
    for _ in range(25):
        seat, friend = rng.choice(NAMES), rng.choice(["Zoe", "Ivo", *NAMES])
        other = rng.choice(["", *(name for name in NAMES if name != seat)])
        what = rng.choice([Sitting(out=True, of=other), to(friend, other), to(friend, other), BACK])
        try:
            text = sits(text, signs[seat], what, seat)
        except (RefusedError, InvalidMoveError):
            refusals += 1
            match = loads(text, FILE, BYSTANDER)
            movers = (*match.game.secret_movers(match.state), *match.game.to_move(match.state))
            seat = match.players[movers[0]]
            text = plays(text, signs[seat], seat)
        joined.add(seat)
        match, chain = loads(text, FILE, BYSTANDER), chain_of(text)
        held = holders(match.record, match.replay.declarations)
        for player, one in zip(match.players, held, strict=True):
            signing = chain.keys.get(chain.players.index(player))
            if one.key:
                assert signing is not None
                assert public_text(signing) == one.key
            elif not one.out:
                assert signing == (identity(player).public if player in joined else None)
            if not one.out:
                signs[player] = one.name
    assert refusals < 20
