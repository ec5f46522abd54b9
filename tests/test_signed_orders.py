"""Orders in signed games: an order is a signed step, and a move that one decides names it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from porto_cli.cli.join import proofs
from porto_cli.match import forks
from porto_cli.match.match import Match, loads
from porto_cli.match.new_game import new_game
from porto_cli.players.bots import play_bots
from tests.randomness import seeded_by
from tests.sealed_games import (
    BYSTANDER,
    FILE,
    NAMES,
    chain_of,
    human,
    machine,
    moved,
    new_journals,
    played,
    refused,
    seen_by,
    signed_game,
    steps_of,
    with_step,
    with_steps,
)


@pytest.fixture(autouse=True)
def _fresh() -> None:
    new_journals()


def new(**options: object) -> str:
    with seeded_by("orders"):
        match = new_game(
            NAMES[:3], game="puerto-rico", seed="tram", first="Ana", signed=True, keys=BYSTANDER
        )
    return match.record.text


def plays(text: str, name: str, *moves: str, stay: bool = False) -> str:
    """Return the record after moves of a player, and what orders decide then, unless they stay."""

    def play(match: Match) -> None:
        for move in moves:
            match.play(move, player=name)
        if not stay:
            play_bots(match)

    return moved(text, play, name)


def orders(text: str, name: str, order: str) -> str:
    return moved(text, lambda match: match.order(order, name), name)


def settling(text: str, **options: bool) -> str:
    """Return the record after Ana has chosen the settler phase, and taken the first tile."""
    match = loads(text, FILE, BYSTANDER)
    assert match.to_move() == ["Ana"]
    return plays(text, "Ana", "role settler", "take quarry", **options)


def first_tile(text: str) -> str:
    """Return the first move that Rui is offered."""
    match = loads(text, FILE, BYSTANDER)
    return match.observe("Rui").moves[0].move


def forged(text: str, move: str, order: int, **more: object) -> str:
    """Return a record in which Ana says that an order of Rui decides a move."""
    line = f"- Rui: {move}\n"
    content = {"kind": "ordered", "entries": [["Rui", move]], "order": order, **more}
    return human(text) + line + machine(with_step(text, "Ana", content))


def height_of(text: str, order: str) -> int:
    """Return the height of the last step with an order."""
    found = [
        step["height"]
        for step in steps_of(text)
        if any(f"order {order}" == entry[1] for entry in step["content"].get("entries", ()))
    ]
    return int(found[-1])


def test_an_order_is_a_signed_step_of_its_player() -> None:
    text = orders(new(), "Rui", "settler any")
    assert human(text).endswith("- Rui: order settler any\n")
    assert steps_of(text)[-1]["content"] == {
        "by": 1,
        "kind": "turn",
        "entries": [["Rui", "order settler any"]],
    }
    assert chain_of(text).by(2) == "Rui"


def test_a_move_that_an_order_decides_is_signed_by_who_moved_before() -> None:
    text = settling(orders(new(), "Rui", "settler any"))
    content = steps_of(text)[-1]["content"]
    assert content["kind"] == "ordered"
    assert content["by"] == 0
    assert content["order"] == height_of(text, "settler any") == 2
    [entry] = content["entries"]
    assert f"- Rui: {entry[1]}  # ordered" in human(text)
    assert loads(text, FILE, BYSTANDER).to_move() == ["Bea"]


def first_tile_of(text: str, name: str) -> str:
    return loads(text, FILE, BYSTANDER).observe(name).moves[0].move


def test_whoever_has_not_signed_anything_executes_nothing() -> None:
    text = settling(orders(new(), "Rui", "settler any"), stay=True)
    match = seen_by(text, "Bea")
    assert play_bots(match) == []
    assert match.record.text == text
    assert [turn.player for turn in play_bots(seen_by(text, "Rui"))] == ["Rui"]


def test_without_an_order_there_is_nothing_to_follow() -> None:
    text = settling(new(), stay=True)
    assert "which it is not" in refused(forged(text, first_tile(text), 2))
    assert "which it is not" in refused(forged(text, first_tile(text), 99))


def test_an_order_that_another_player_signed_is_refused() -> None:
    """Ana writes an order in Rui's name."""
    text = new()
    line = "- Rui: order settler any\n"
    content = {"kind": "turn", "entries": [["Rui", "order settler any"]]}
    joined = plays(text, "Ana", "role settler", stay=True)
    assert "but Ana has signed it" in refused(
        human(joined) + line + machine(with_step(joined, "Ana", content))
    )


def test_a_move_that_the_order_does_not_decide_is_refused() -> None:
    text = settling(orders(new(), "Rui", "settler any"), stay=True)
    others = [one.move for one in loads(text, FILE, BYSTANDER).observe("Rui").moves][1:]
    right = first_tile(text)
    for move in others:
        assert f"But it decides '{right}'." in refused(forged(text, move, 2))
    assert loads(forged(text, right, 2), FILE, BYSTANDER).to_move() == ["Bea"]


def test_a_move_without_its_order_is_not_signed_by_another_player() -> None:
    text = settling(orders(new(), "Rui", "settler any"), stay=True)
    move = first_tile(text)
    bare = with_step(text, "Ana", {"kind": "turn", "entries": [["Rui", move]]})
    assert "but Ana has signed it" in refused(human(text) + f"- Rui: {move}\n" + machine(bare))


def test_an_order_of_another_player_decides_nothing() -> None:
    """Bea's order does not move Rui."""
    text = orders(orders(new(), "Rui", "role any"), "Bea", "settler any")
    text = settling(text, stay=True)
    bea = height_of(text, "settler any")
    assert "makes a turn of Rui" in refused(forged(text, first_tile(text), bea))


def test_an_order_for_another_decision_decides_nothing() -> None:
    text = settling(orders(new(), "Rui", "role any"), stay=True)
    assert "does not decide this" in refused(forged(text, first_tile(text), 2))


def test_of_two_orders_for_a_decision_the_one_of_its_kind_decides() -> None:
    text = orders(orders(new(), "Rui", "settler any"), "Rui", "turn any")
    text = settling(text, stay=True)
    assert "does not decide this" in refused(forged(text, first_tile(text), 3))


def test_what_came_later_does_not_count() -> None:
    """Neither a new order, nor that a move was taken back, makes wrong what was right then."""
    text = settling(orders(new(), "Rui", "settler any"))
    text = orders(text, "Rui", "settler any corn, else any")
    assert loads(text, FILE, BYSTANDER).to_move() == ["Bea"]
    new_journals()
    text = orders(new(), "Ana", "settler any if Ana plays settler")
    text = plays(text, "Ana", "role settler")
    assert steps_of(text)[-1]["content"]["kind"] == "ordered"
    for _ in range(2):
        text = moved(text, lambda match: match.undo("Ana"), "Ana")
    assert loads(text, FILE, BYSTANDER).to_move() == ["Ana"]


GONE = {
    "taken back": ["settler none"],
    "taken back with all others": ["none"],
    "replaced": ["settler any corn, else any"],
    "given again": ["settler none", "settler any"],
}


@pytest.mark.parametrize("later", GONE.values(), ids=GONE)
def test_an_order_is_not_used_after_it_was_taken_back_or_replaced(later: list[str]) -> None:
    text = orders(new(), "Rui", "settler any")
    for order in later:
        text = orders(text, "Rui", order)
    text = settling(text, stay=True)
    assert "used up, replaced or taken back" in refused(forged(text, first_tile(text), 2))


def test_an_order_is_taken_back_by_an_undo_of_its_player() -> None:
    text = settling(orders(new(), "Rui", "always settler any"))
    text = moved(text, lambda match: match.undo("Rui"), "Rui")
    assert "used up, replaced or taken back" in refused(forged(text, first_tile(text), 2))
    assert play_bots(seen_by(text, "Ana")) == []


def until_rui_settles(text: str) -> str:
    """Return the record when Rui is to take a tile in the next round; only orders move him then."""
    text = plays(text, "Bea", first_tile_of(text, "Bea"))
    while True:
        match = loads(text, FILE, BYSTANDER)
        [name] = match.to_move()
        moves = [one.move for one in match.observe(name).moves]
        if name == "Rui" and moves[0].startswith("take") and match.state.round == 2:
            return text
        wanted = [move for move in moves if "settler" in move]
        text = plays(text, name, (wanted or moves)[0], stay=match.state.round == 2)


def test_an_order_is_used_once() -> None:
    """What an order has decided it does not decide a second time: that step is spent."""
    text = settling(orders(new(), "Rui", "settler any"))
    step = steps_of(text)[-1]["content"]
    again = with_step(text, "Ana", {key: step[key] for key in ("kind", "entries", "order")})
    assert refused(human(text) + f"- Rui: {step['entries'][0][1]}\n" + machine(again))
    text = until_rui_settles(text)
    assert "used up" in refused(forged(text, first_tile(text), 2))


def test_an_order_that_always_holds_is_used_again() -> None:
    text = until_rui_settles(settling(orders(new(), "Rui", "always settler any")))
    text = plays(text, "Ana")
    assert [step["content"].get("order") for step in steps_of(text)].count(2) == 2


def test_an_order_has_no_effect_before_it_was_given() -> None:
    """Rui orders after the tiles have been turned up, and somebody dates the order back."""
    text = settling(new(), stay=True)
    move = first_tile(text)
    early = with_step(text, "Ana", {"kind": "ordered", "entries": [["Rui", move]], "order": 6})
    assert "which it is not" in refused(human(text) + f"- Rui: {move}\n" + machine(early))


def test_a_step_with_an_order_is_not_moved_to_another_game() -> None:
    given = steps_of(orders(new(), "Rui", "settler any"))
    with seeded_by("another"):
        match = new_game(
            NAMES[:3], game="puerto-rico", seed="tram", first="Ana", signed=True, keys=BYSTANDER
        )
    other = with_steps(match.record.text, given)
    text = match.record.human + "- Rui: order settler any\n" + machine(other)
    assert refused(text)


@pytest.mark.parametrize(
    ("entries", "fault"),
    [
        ([["Rui", "undo"]], "decides only moves"),
        ([["Rui", "order settler none"]], "decides only moves"),
        ([["Ana", "pass"]], "but Ana has signed it"),
    ],
)
def test_an_order_decides_nothing_but_moves_of_its_player(
    entries: list[list[str]], fault: str
) -> None:
    text = settling(orders(new(), "Rui", "settler any"), stay=True)
    text = plays(text, "Rui", first_tile(text))
    step = with_step(text, "Ana", {"kind": "ordered", "entries": entries, "order": 2})
    lines = "".join(f"- {key}: {move}\n" for key, move in entries)
    assert fault in refused(human(text) + lines + machine(step))


@pytest.mark.parametrize("text", ["order settler none", "order mayor sensible"])
def test_an_order_decides_nothing_before_the_first_turn(text: str) -> None:
    given = orders(orders(new(), "Rui", "settler any"), "Ana", "settler any")
    step = with_step(given, "Ana", {"kind": "ordered", "entries": [["Rui", text]], "order": 2})
    line = f"- Rui: {text}\n"
    assert "decides only moves" in refused(human(given) + line + machine(step))


def test_an_order_that_is_given_twice_is_named_by_its_last_step() -> None:
    text = orders(orders(new(), "Rui", "settler any"), "Rui", "settler any")
    assert steps_of(settling(text))[-1]["content"]["order"] == 3


@pytest.mark.parametrize("order", [0, -1, "2", [2]])
def test_an_order_is_named_by_its_height(order: object) -> None:
    text = settling(orders(new(), "Rui", "settler any"), stay=True)
    content = {"kind": "ordered", "entries": [["Rui", first_tile(text)]], "order": order}
    assert "invalid value" in refused(with_step(text, "Ana", content))


def test_what_people_read_of_an_order_is_what_was_signed() -> None:
    text = orders(new(), "Rui", "settler any")
    assert "Rui has signed 'Rui: order settler any'" in refused(
        text.replace("order settler any", "order settler any corn")
    )
    assert "should come before this" in refused(text.replace("- Rui: order settler any\n", ""))


def test_verify_says_which_moves_followed_from_orders() -> None:
    text = settling(orders(new(), "Rui", "settler any"))
    found = [str(line) for line in proofs(loads(text, FILE, BYSTANDER).replay)]
    height = len(steps_of(text))
    assert any(f"Rui signed in step 2 decided: {height}." in line for line in found)


# -- A turn that goes on after its first move


@cache
def before_contracts() -> tuple[str, str, str, str]:
    """Return a signed game of Porto in which a build meets contracts, who is to move, and who is
    not, and the build.
    """
    text = signed_game()
    while True:
        text = played(text, 1)
        match = loads(text, FILE, BYSTANDER)
        [name] = match.to_move()
        for move in match.legal_moves():
            if type(move).__name__ == "Build" and match.foresee(move).phase == "contracts":
                other = next(one for one in match.players if one != name)
                return text, name, other, match.text(move)


@pytest.mark.long
def test_a_player_goes_on_with_a_turn_that_an_order_began() -> None:
    text, name, other, build = before_contracts()
    text = plays(orders(text, name, f"act {build}"), other)
    assert steps_of(text)[-1]["content"]["by"] != steps_of(text)[-2]["content"]["by"]
    text = plays(text, name, "contract none")
    assert steps_of(text)[-1]["content"]["entries"] == [["contract", "none"]]
    assert loads(text, FILE, BYSTANDER).to_move() == [other]


def test_two_orders_decide_one_turn() -> None:
    text, name, other, build = before_contracts()
    text = orders(orders(text, name, f"act {build}"), name, "contract sensible")
    text = plays(text, other)
    first, second = [step["content"] for step in steps_of(text)[-2:]]
    assert second["order"] == first["order"] + 1
    assert second["entries"][0][0] == "contract"
    assert loads(text, FILE, BYSTANDER).to_move() == [other]


def test_a_turn_does_not_go_on_as_no_order_decides() -> None:
    text, name, other, build = before_contracts()
    text = plays(orders(text, name, f"act {build}"), other)
    order = steps_of(text)[-1]["content"]["order"]
    content = {"kind": "ordered", "entries": [["contract", "none"]], "order": order}
    forged = human(text) + "  contract: none\n" + machine(with_step(text, other, content))
    assert "does not decide this" in refused(forged)
    content = {"kind": "turn", "entries": [["contract", "none"]]}
    forged = human(text) + "  contract: none\n" + machine(with_step(text, other, content))
    assert f"continues a turn that is not {other}'s" in refused(forged)


# -- Copies that part


def parted(one: Callable[[str], str], other: Callable[[str], str], text: str) -> tuple[Match, ...]:
    return loads(one(text), FILE, BYSTANDER), loads(other(text), FILE, BYSTANDER)


def test_an_order_is_given_again_on_top_of_the_version_that_stays() -> None:
    text = plays(orders(new(), "Rui", "settler any"), "Ana", "role settler", stay=True)
    mine, other = parted(
        lambda text: orders(text, "Rui", "role any"),
        lambda text: plays(text, "Ana", "take quarry", stay=True),
        text,
    )
    found = forks.precedence(mine.replay, other.replay)
    assert found is not None
    assert found.other_stays
    assert [forks.order_in(step) for step in found.again] == ["role any"]


def test_what_an_order_decides_is_not_signed_again_in_the_name_of_who_did_it() -> None:
    """Rui takes the order back twice over while Ana's program follows it: Rui's version stays."""
    text = settling(orders(new(), "Rui", "settler any"), stay=True)
    mine, other = parted(
        lambda text: plays(text, "Ana"),
        lambda text: orders(orders(text, "Rui", "settler none"), "Rui", "role any"),
        text,
    )
    found = forks.precedence(mine.replay, other.replay)
    assert found is not None
    assert found.other_stays
    assert found.again == ()


def test_the_move_of_an_order_is_the_own_move_if_it_is_the_same() -> None:
    text = settling(orders(new(), "Rui", "settler any"), stay=True)
    move = first_tile(text)
    mine, other = parted(
        lambda text: plays(text, "Ana"), lambda text: plays(text, "Rui", move), text
    )
    found = forks.precedence(mine.replay, other.replay)
    assert found is not None
    assert found.again == ()


def test_people_decide_if_the_own_move_is_another_one() -> None:
    text = settling(orders(new(), "Rui", "settler any"), stay=True)
    mine, other = parted(
        lambda text: plays(text, "Ana"), lambda text: plays(text, "Rui", "pass"), text
    )
    assert forks.precedence(mine.replay, other.replay) is None
    assert forks.turn_made_twice(mine.replay, other.replay) is None
