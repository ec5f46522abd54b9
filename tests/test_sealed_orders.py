"""Orders in sealed games: committed to, told to those who may carry them out, and opened then."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest

from porto_cli.core.message import InvalidMoveError
from porto_cli.crypto.encoding import to_text
from porto_cli.crypto.identity import boxed
from porto_cli.crypto.secrets import order_commitment
from porto_cli.match import forks
from porto_cli.match.match import loads
from porto_cli.match.ordered import in_force
from porto_cli.match.sealed_orders import Opening
from porto_cli.match.sealed_play import NotNowError
from porto_cli.match.sealed_state import carriers
from porto_cli.match.seals import Data
from porto_cli.players.bots import play_bots
from tests.sealed_games import (
    BYSTANDER,
    FILE,
    chain_of,
    human,
    identity,
    keys,
    machine,
    moved,
    mover,
    new_journals,
    played,
    refused,
    resigned,
    seen_by,
    set_up,
    stations,
    steps_of,
    with_step,
)

ANY = "act any"


@pytest.fixture(autouse=True)
def _fresh() -> None:
    new_journals()


def game(players: int = 3, **options: object) -> str:
    """Return a game in which Ana is to move, Rui after her, and so on; nothing is dealt."""
    return played(set_up(players, 0, which="orders", private_contracts=False), players)


def orders(text: str, name: str = "Rui", order: str = ANY) -> str:
    return moved(text, lambda match: match.order(order, name), name)


def carried(text: str, name: str) -> str:
    """Return the record after a player's program has done what orders say."""
    return moved(text, play_bots, name)


def ordered() -> str:
    """Return a game in which Rui has given an order, and Ana has moved then."""
    return played(orders(game()), 1)


def last(text: str) -> Data:
    """Return the content of the last step."""
    content: Data = steps_of(text)[-1]["content"]
    return content


def told(text: str, name: str) -> object:
    """Return what a player's program would carry out."""
    return seen_by(text, name).ordered_move()


# -- What is written, and who can read it


def test_an_order_is_a_commitment_and_does_not_say_what_is_ordered() -> None:
    text = orders(game())
    assert human(text).endswith("- Rui: order sealed\n")
    content = last(text)
    assert set(content) == {"by", "kind", "entries", "commitment", "boxes"}
    assert content["kind"] == "order"
    assert ANY not in text


def test_orders_of_any_length_look_alike() -> None:
    short = last(orders(game()))
    new_journals()
    long = last(orders(game(), order="act any red-1, else any blue-1, else any yellow-1, else any"))
    assert [len(box) for box in short["boxes"].values()] == [
        len(box) for box in long["boxes"].values()
    ]


@pytest.mark.long
def test_who_moves_directly_before_has_no_box() -> None:
    assert set(last(orders(game()))["boxes"]) == {"1", "2"}
    assert set(last(orders(game(4)))["boxes"]) == {"1", "2", "3"}
    assert told(ordered(), "Ana") is None


def test_a_box_opens_for_its_player_alone() -> None:
    text = orders(game())
    box = last(text)["boxes"]["2"]
    from porto_cli.crypto.encoding import from_text

    raw = from_text(box)
    assert raw is not None
    assert ANY.encode() in (identity("Bea").open(raw) or b"")
    assert identity("Ana").open(raw) is None
    assert identity("Rui").open(raw) is None
    assert identity("Bea").open(raw[:-1] + bytes([raw[-1] ^ 1])) is None


def test_only_its_player_is_shown_an_order() -> None:
    text = orders(game())
    held = {name: in_force(seen_by(text, name).replay, 1) for name in ("Ana", "Rui", "Bea")}
    assert [list(kinds) for kinds in held.values()] == [[], ["act"], []]


def test_whose_key_is_that_of_the_player_before_is_not_told() -> None:
    assert carriers(1, {0, 1, 2, 3}, lambda seat: bytes([seat])) == [2, 3]
    assert carriers(1, {0, 1, 2, 3}, lambda seat: bytes([seat % 3])) == [2]
    assert carriers(1, {1, 2, 3}, lambda seat: bytes([seat])) == [2]
    assert carriers(0, {0, 1}, lambda seat: bytes([seat])) == []
    assert carriers(0, {0}, lambda seat: bytes([seat])) == []


# -- Carrying out


@pytest.mark.long
def test_a_third_player_carries_out_an_order_and_opens_it() -> None:
    text = ordered()
    number = len(steps_of(text)) - 1
    text = carried(text, "Bea")
    content = last(text)
    assert content["by"] == 2
    assert content["order"] == number
    assert content["opening"]["text"] == ANY
    assert content["entries"][0][0] == "Rui"
    assert human(text).endswith("  # ordered\n")
    assert loads(text, FILE, BYSTANDER).to_move() == ["Bea"]


def test_whoever_carries_it_out_what_comes_up_is_the_same() -> None:
    """The value that decides it is Rui's, whoever makes the move: so declining changes nothing."""
    text = ordered()
    by_other = carried(text, "Bea")
    by_hand = moved(text, lambda match: match.play(match.legal_moves()[-1]), "Rui")
    assert last(by_other)["release"] == last(by_hand)["release"]
    refills = [
        [line for line in human(one).splitlines() if "refill" in line]
        for one in (by_other, by_hand)
    ]
    assert refills[0] == refills[1]


def test_its_player_carries_it_out_as_an_own_move() -> None:
    text = carried(ordered(), "Rui")
    assert last(text)["kind"] == "turn"
    assert "  # ordered" in human(text)


def test_who_is_not_told_does_nothing() -> None:
    text = ordered()
    for name in ("Ana", "Eva"):
        match = loads(text, FILE, keys(name))
        assert play_bots(match) == []
        assert match.record.text == text


@pytest.mark.long
def test_the_game_goes_on_after_an_order() -> None:
    text = played(carried(ordered(), "Bea"), 6)
    assert mover(text) == "Bea"
    text = carried(played(orders(text, "Ana"), 1), "Rui")
    assert sum(step["content"]["kind"] == "ordered" for step in steps_of(text)) == 2


def test_with_two_players_nothing_can_be_ordered() -> None:
    with pytest.raises(NotNowError, match="would read it before choosing"):
        orders(game(2))


def test_an_order_of_a_sealed_game_is_for_one_turn() -> None:
    with pytest.raises(NotNowError, match="for the next turn only"):
        orders(game(), order="always act any")


def test_an_order_is_given_before_the_own_turn() -> None:
    with pytest.raises(NotNowError, match="before the player's turn"):
        orders(game(), "Ana")
    text = orders(ordered(), "Rui", "none")
    assert told(text, "Bea") is None


def test_what_is_secret_is_not_ordered() -> None:
    for order in ("act keep 1 2 3", "keep 1 2 3", "act any if private at least 1"):
        with pytest.raises(InvalidMoveError):
            orders(game(), order=order)


# -- What is refused


def forged(text: str, change: Callable[[Data], object], by: str = "Bea") -> str:
    """Return why what Bea does is refused, once it was changed and signed."""
    right = carried(text, "Bea")
    content = dict(last(right))
    content["opening"] = dict(content["opening"])
    change(content)
    del content["by"]
    wrong = with_step(text, by, content)
    return refused(human(right) + machine(wrong))


@pytest.mark.long
def test_another_order_than_was_committed_to_is_refused() -> None:
    for key, value in (("text", "act any red-1, else any"), ("salt", to_text(bytes(32)))):
        new_journals()
        found = forged(
            ordered(), partial(lambda new, one: one["opening"].update(new), {key: value})
        )
        assert "opens another order" in found


def test_an_order_that_is_not_opened_is_refused() -> None:
    assert "opens another order" in forged(ordered(), lambda one: one.pop("opening"))


@pytest.mark.long
def test_a_move_that_the_order_does_not_decide_is_refused() -> None:
    text = ordered()
    rui = seen_by(text, "Rui")
    moves = {rui.text(move) for move in rui.legal_moves()}
    right = last(carried(text, "Bea"))["entries"][0][1]
    for move in sorted(moves - {right})[:3]:
        new_journals()
        found = forged(text, lambda one, move=move: one.update(entries=[["Rui", move]]))
        assert "does not decide this" in found


def test_an_order_is_carried_out_by_nobody_who_was_not_told() -> None:
    assert "was not told" in forged(ordered(), lambda one: None, by="Ana")
    new_journals()
    assert "was not told" in forged(ordered(), lambda one: None, by="Rui")


def test_another_value_of_the_chain_is_refused() -> None:
    text = ordered()
    sealed = seen_by(text, "Rui").replay.sealed
    assert sealed is not None
    for value, fault in (
        (sealed.secrets[1].release(sealed.releases[1].number + 2), "skipped a value"),
        (bytes(32), "does not belong to the chain"),
    ):
        new_journals()
        assert fault in forged(text, lambda one, value=value: one.update(release=to_text(value)))
    new_journals()
    assert "has to release" in forged(text, lambda one: one.pop("release"))


LATER: dict[str, Callable[[str], str]] = {
    "taken back": lambda text: orders(text, "Rui", "none"),
    "replaced": lambda text: orders(text, "Rui", "act any red-1, else any"),
    "given again": lambda text: orders(text, "Rui", ANY),
}


@pytest.mark.long_for("taken back", "replaced")
@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
def test_an_order_is_not_used_after_its_player_said_otherwise(
    later: Callable[[str], str],
) -> None:
    text = orders(game())
    right = last(carried(played(text, 1), "Bea"))
    new_journals()
    text = played(later(text), 1)
    content = {key: value for key, value in right.items() if key != "by"}
    found = refused(human(carried_line(text, right)) + machine(with_step(text, "Bea", content)))
    assert "used up, replaced or taken back" in found


def carried_line(text: str, content: Data) -> str:
    """Return a record with the item of a move, without its step."""
    return human(text) + f"- Rui: {content['entries'][0][1]}\n" + machine(text)


@pytest.mark.long
def test_an_order_is_used_once() -> None:
    text = carried(ordered(), "Bea")
    content = {key: value for key, value in last(text).items() if key not in ("by", "release")}
    text = played(text, 2)
    assert loads(text, FILE, BYSTANDER).to_move() == ["Rui"]
    assert "used up" in refused(with_step(text, "Bea", content))


@pytest.mark.long
def test_an_order_does_not_outlive_the_own_move() -> None:
    text = moved(ordered(), lambda match: match.play(match.legal_moves()[-1]), "Rui")
    assert not seen_by(text, "Rui").replay.sealed.orders  # type: ignore[union-attr]
    assert told(played(text, 2), "Bea") is None


@pytest.mark.long
def test_an_order_is_not_moved_to_another_game() -> None:
    text = ordered()
    with_boxes = last(orders(game()))
    new_journals()
    other = played(stations(3, 0, which="another", private_contracts=False)[-1], 3)
    copied = {key: value for key, value in with_boxes.items() if key != "by"}
    line = "- Rui: order sealed\n"
    other = human(other) + line + machine(with_step(other, "Rui", copied))
    other = played(loads(other, FILE, BYSTANDER).record.text, 1)
    assert told(other, "Bea") is None
    assert told(text, "Bea") is not None
    content = {key: value for key, value in last(carried(text, "Bea")).items() if key != "by"}
    content["order"] = len(steps_of(other)) - 1
    assert "opens another order" in refused(with_step(other, "Bea", content))


@pytest.mark.long
def test_a_copied_box_makes_nobody_open_the_order_of_another_player() -> None:
    """Bea gives Rui's commitment and boxes as her own, so that Ana's program might open them."""
    text = game(4)
    rui = last(orders(text))
    new_journals()
    content = {**rui, "entries": [["Bea", "order sealed"]]}
    content["boxes"] = {"3": rui["boxes"]["3"]}
    del content["by"]
    text = human(text) + "- Bea: order sealed\n" + machine(with_step(text, "Bea", content))
    text = played(text, 2)
    assert loads(text, FILE, BYSTANDER).to_move() == ["Bea"]
    assert told(text, "Eva") is None


def test_a_secret_that_was_committed_to_is_no_order() -> None:
    """Rui commits to a text that no program would give, and Bea opens it."""
    text = game()
    for said in ("act keep 1 2 3", "always act any", "act none", "act  any", "ACT any", ""):
        new_journals()
        match = seen_by(text, "Rui")
        sealed, chain = match.replay.sealed, chain_of(text)
        assert sealed is not None
        height = chain.head.height + 1
        salt = sealed.secrets[1].salt(height)
        opening = Opening(salt, sealed.secrets[1].release(sealed.releases[1].next), said)
        bound = order_commitment(chain.game, 1, height, salt, said)
        content = {
            "kind": "order",
            "entries": [["Rui", "order sealed"]],
            "commitment": to_text(bound),
            "boxes": {"2": opening.boxed(identity("Bea").public)},
        }
        given = human(text) + "- Rui: order sealed\n" + machine(with_step(text, "Rui", content))
        given = played(given, 1)
        assert told(given, "Bea") is None
        move = {
            "kind": "ordered",
            "order": height,
            "opening": {"salt": to_text(salt), "text": said},
            "entries": [["Rui", seen_by(given, "Rui").observe("Rui").moves[0].move]],
            "release": to_text(opening.release),
        }
        assert "does not decide" in refused(with_step(given, "Bea", move))


@pytest.mark.long
def test_a_box_without_the_right_content_changes_nothing() -> None:
    for raw in (b"", b"x" * 70, bytes(300), b"\xff" * 300):
        new_journals()
        text = game()
        content = dict(last(orders(text)))
        box = to_text(boxed(identity("Bea").public, raw))
        content["boxes"] = {"1": "AAAA", "2": box}
        del content["by"]
        text = human(text) + "- Rui: order sealed\n" + machine(with_step(text, "Rui", content))
        text = played(text, 1)
        assert told(text, "Bea") is None
        assert told(text, "Rui") is None


def test_a_box_with_another_value_of_the_chain_is_not_used() -> None:
    text = game()
    content = last(orders(text))
    sealed = seen_by(text, "Rui").replay.sealed
    assert sealed is not None
    salt = sealed.secrets[1].salt(len(steps_of(text)) + 1)
    opening = Opening(salt, bytes(32), ANY)
    boxes = {"2": opening.boxed(identity("Bea").public)}
    content = {**content, "boxes": boxes}
    del content["by"]
    given = human(text) + "- Rui: order sealed\n" + machine(with_step(text, "Rui", content))
    new_journals()
    assert told(played(given, 1), "Bea") is None


BOXES: dict[str, Any] = {
    "the player before": {"0": "AAAA"},
    "the player before too": {"0": "AAAA", "2": "AAAA"},
    "nobody": {},
    "only the own": {"1": "AAAA"},
    "a stranger": {"2": "AAAA", "3": "AAAA"},
    "another spelling": {"02": "AAAA"},
    "no base64": {"2": "A"},
    "nothing": {"2": ""},
    "a number": {"2": 7},
    "a list": [],
}


@pytest.mark.parametrize("boxes", BOXES.values(), ids=BOXES)
def test_boxes_that_must_not_be_are_refused(boxes: object) -> None:
    text = game()
    content = {**last(orders(text)), "boxes": boxes}
    del content["by"]
    assert refused(human(text) + "- Rui: order sealed\n" + machine(with_step(text, "Rui", content)))


@pytest.mark.parametrize(
    "change",
    [
        {"entries": [["Ana", "order sealed"]]},
        {"entries": [["Rui", "order act any"]]},
        {"entries": [["Rui", "order none"]]},
        {"commitment": None},
        {"boxes": None},
        {"commitment": "AAAA"},
        {"release": "A" * 43 + "="},
    ],
)
def test_an_order_of_another_form_is_refused(change: dict[str, object]) -> None:
    text = game()
    content = {**last(orders(text)), **change}
    content = {key: value for key, value in content.items() if value is not None and key != "by"}
    line = "- {}: {}\n".format(*content["entries"][0])
    assert refused(human(text) + line + machine(with_step(text, "Rui", content)))


@pytest.mark.parametrize("opening", [{}, {"salt": "A" * 43 + "="}, {"salt": 1, "text": "x"}, []])
def test_an_opening_of_another_form_is_refused(opening: object) -> None:
    assert "opening" in forged(ordered(), lambda one: one.update(opening=opening))


def test_a_turn_that_others_carried_out_is_not_taken_back() -> None:
    text = carried(ordered(), "Bea")
    with pytest.raises(NotNowError, match="carried out by others"):
        seen_by(text, "Rui").undo("Rui")
    undo = with_step(text, "Rui", {"kind": "turn", "entries": [["Rui", "undo"]]})
    assert "carried out by others" in refused(human(text) + "- Rui: undo\n" + machine(undo))


def test_two_orders_at_one_height_are_two_versions_of_a_step() -> None:
    text = game()
    one = orders(text)
    new_journals()
    other = orders(text, order="act any red-1, else any")
    found = forks.two_versions(chain_of(one), chain_of(other))
    assert found is not None
    assert chain_of(one).players[found.by] == "Rui"


def test_an_order_that_was_edited_is_noticed() -> None:
    text = orders(game())
    height = len(steps_of(text))
    assert "valid signature" in refused(resigned(text, height, lambda one: one.update(by=2)))
    assert "Rui has signed" in refused(text.replace("order sealed", "order none"))


# -- A turn that goes on after its first move


@cache
def before_contracts(order: str) -> tuple[str, str, str]:
    """Return a game in which an order has led to a build that meets contracts, whose turn it is,
    and who has carried it out.
    """
    text = game()
    for _ in range(60):
        names = loads(text, FILE, BYSTANDER).players
        now = names.index(mover(text))
        name, third = names[(now + 1) % 3], names[(now + 2) % 3]
        text = played(orders(text, name, order), 1)
        match = seen_by(text, third)
        decided = match.ordered_move()
        assert decided is not None
        match.play_ordered(decided)
        text = match.record.text
        if match.state.phase == "contracts":
            return text, name, third
        text = carried(text, third)
    raise AssertionError("no build has met a contract")


@pytest.mark.long
def test_a_player_goes_on_with_a_turn_that_others_began() -> None:
    text, name, _ = before_contracts(ANY)
    text = moved(text, lambda match: match.play("contract none"), name)
    assert human(text).splitlines()[-1] == "  contract: none"
    assert loads(text, FILE, BYSTANDER).state.phase != "contracts"


def test_others_do_all_of_a_turn_that_an_order_decides() -> None:
    text, name, third = before_contracts("turn any")
    text = carried(text, third)
    first, second = [step["content"] for step in steps_of(text)[-2:]]
    assert first["order"] == second["order"]
    assert "release" not in second
    assert loads(text, FILE, BYSTANDER).to_move() != [name]


def test_no_more_of_a_turn_is_done_than_the_order_decides() -> None:
    text, name, third = before_contracts(ANY)
    assert told(text, third) is None
    more = [*last(text)["entries"], ["contract", "none"]]
    height = len(steps_of(text))
    assert "does not decide" in refused(
        resigned(text, height, lambda one: one.update(entries=more))
    )
    content = {key: value for key, value in last(text).items() if key not in ("by", "release")}
    content["entries"] = [["contract", "none"]]
    assert "does not decide" in refused(with_step(text, third, content))
    # An order of somebody else ends the item, but not the turn.
    text = orders(text, third)
    between = with_step(text, name, {"kind": "turn", "entries": [["contract", "none"]]})
    assert "continues a turn" in refused(between)
    text = moved(text, lambda match: match.play("contract none"), name)
    assert f"- {name}: contract none" in human(text)


# -- Players who leave


def test_an_order_ends_when_somebody_leaves_and_the_value_it_told_is_skipped() -> None:
    """Ana leaves, who moves before Rui; now Bea moves directly before him and knows his value."""
    text = orders(game())
    sealed = seen_by(text, "Rui").replay.sealed
    assert sealed is not None
    known = sealed.releases[1].next
    for name in ("Rui", "Bea"):
        text = moved(text, lambda match, name=name: match.give_up("Ana", player=name), name)
    assert told(text, "Bea") is None
    text = moved(text, lambda match: match.play(match.legal_moves()[-1]), "Rui")
    sealed = seen_by(text, "Rui").replay.sealed
    assert sealed is not None
    assert sealed.releases[1].number == known + 1
    early = to_text(sealed.secrets[1].release(known))
    assert "does not belong" in refused(
        resigned(text, len(steps_of(text)), lambda one: one.update(release=early))
    )
    assert played(text, 3)


@pytest.mark.long
def test_no_value_is_skipped_that_was_released_since() -> None:
    text = played(carried(ordered(), "Bea"), 1)
    sealed = seen_by(text, "Rui").replay.sealed
    assert sealed is not None
    for name in ("Rui", "Bea"):
        text = moved(text, lambda match, name=name: match.give_up("Ana", player=name), name)
    after = seen_by(text, "Rui").replay.sealed
    assert after is not None
    assert after.releases[1].next == sealed.releases[1].next


def test_no_value_is_skipped_for_who_is_to_move() -> None:
    """Otherwise Rui, who sees what his value turns up, could have Bea leave to get another one."""
    text = played(orders(game(4)), 1)
    sealed = seen_by(text, "Rui").replay.sealed
    assert sealed is not None
    for name in ("Ana", "Eva", "Rui"):
        text = moved(text, lambda match, name=name: match.give_up("Bea", player=name), name)
    assert told(text, "Eva") is None
    text = moved(text, lambda match: match.play(match.legal_moves()[-1]), "Rui")
    after = seen_by(text, "Rui").replay.sealed
    assert after is not None
    assert after.releases[1].number == sealed.releases[1].number + 1


@pytest.mark.long
def test_a_whole_game_of_the_real_box_with_orders_is_revealed_and_checked() -> None:
    text = played(set_up(3), 3)
    carried_out = 0
    while not loads(text, FILE, BYSTANDER).state.is_revealing:
        names = loads(text, FILE, BYSTANDER).players
        nxt = names[(names.index(mover(text)) + 1) % 3]
        new_journals()
        text = played(orders(text, nxt), 1)
        before = len(steps_of(text))
        third = next(name for name in names if told(text, name) and name != nxt)
        text = carried(text, third)
        carried_out += len(steps_of(text)) > before
    assert carried_out > 5
    for name in names:
        match = seen_by(text, name)
        if match.cannot_reveal(name) is None:
            text = moved(text, lambda match, name=name: match.reveal(name), name)
    assert loads(text, FILE, BYSTANDER).over
