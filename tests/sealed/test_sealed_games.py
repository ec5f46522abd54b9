"""Sealed games from the setup to the end: who knows what, and what stands in the record."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import yaml

from porto_cli.asking import offer
from porto_cli.cli.session import Session, StoppedError
from porto_cli.core import PortoError
from porto_cli.games.porto.engine import EMPTY, HIDDEN
from porto_cli.match.copies import Verdict, compare
from porto_cli.match.items import IllegalMoveError
from porto_cli.match.match import loads
from porto_cli.match.record import NotReadyError
from porto_cli.sealed.holder import SENT
from tests.porto.asking import Scripted
from tests.sealed_games import (
    BYSTANDER,
    FILE,
    NAMES,
    as_record,
    finished,
    human,
    machine,
    moved,
    mover,
    new_journals,
    played,
    played_out,
    seen_by,
    set_up,
    stations,
)

pytestmark = pytest.mark.long


def test_the_set_up_goes_around_the_table_twice_less_one() -> None:
    texts = stations(3)
    assert len(texts) == 5
    for nth, text in enumerate(texts[:-1], 1):
        with pytest.raises(NotReadyError) as error:
            loads(text, FILE, BYSTANDER)
        assert (error.value.done, error.value.hops) == (nth, 5)
        assert error.value.player == ("Rui", "Bea", "Ana", "Rui")[nth - 1]
    assert loads(texts[-1], FILE, BYSTANDER).to_move() == ["Ana"]


def test_the_first_player_is_drawn_by_all_together() -> None:
    match = loads(set_up(3, None), FILE, BYSTANDER)
    assert "".join(match.players) in "AnaRuiBea" * 2


def test_a_whole_record_is_yaml_and_the_human_part_reads_like_an_open_game() -> None:
    text = played(set_up(), 3)
    assert set(yaml.safe_load(text)) >= {"players", "setup", "turns", "seals"}
    assert human(text).startswith("# Porto game record")
    assert "- Ana: keep sealed\n- Ana: draw " in human(text)
    assert max(map(len, machine(text).splitlines())) <= 76


def test_hands_are_disjoint_and_each_player_sees_only_their_own() -> None:
    text = set_up(3)
    hands = []
    for name in NAMES[:3]:
        match = seen_by(text, name)
        for seat, dealt in enumerate(match.state.dealt):
            if match.players[seat] == name:
                hands.append(dealt)
                assert HIDDEN not in dealt
            else:
                assert set(dealt) == {HIDDEN}
    deck = match.config.private_deck
    together = b"".join(hands)
    assert all(together.count(contract) <= deck.count(contract) for contract in together)
    assert set(b"".join(loads(text, FILE, BYSTANDER).state.dealt)) == {HIDDEN}


def test_what_comes_up_is_seen_by_the_next_player_and_written_with_the_next_move() -> None:
    text = played(set_up(), 1)
    assert "refill" not in human(text)
    assert EMPTY in loads(text, FILE, BYSTANDER).state.cards
    assert EMPTY in seen_by(text, "Ana").state.cards
    ahead = seen_by(text, "Rui").state.cards
    assert EMPTY not in ahead
    after = moved(text, lambda match: match.play("keep 1 2 3", player="Rui"))
    assert loads(after, FILE, BYSTANDER).state.cards == ahead
    assert re.search(r"- Ana: draw .+\n  refill: .+\n- Rui: keep sealed\n", human(after))


def test_what_comes_up_is_shown_to_nobody_but_the_next_player() -> None:
    match = seen_by(played(set_up(), 1), "Rui")
    shown = [match.observe(player)["cards"] for player in (None, "Ana", "Rui")]
    assert [None in cards for cards in shown] == [True, True, False]


def test_who_keeps_early_turns_nothing_up() -> None:
    text = played(set_up(3), 1)
    text = moved(text, lambda match: match.play("keep 1 2 3", player="Bea"), "Bea")
    assert EMPTY in loads(text, FILE, BYSTANDER).state.cards
    text = moved(text, lambda match: match.play("keep 1 2 3", player="Rui"), "Rui")
    # What came up stands in the turn that it came up after, not at the end of the file.
    assert re.search(r"- Ana: draw .+\n  refill: .+\n- Bea: keep sealed\n", human(text))


def test_what_was_kept_is_known_to_who_has_the_key_and_to_nobody_else() -> None:
    text = moved(set_up(), lambda match: match.play("keep 2 3 5", player="Ana"))
    own = seen_by(text, "Ana").state
    assert own.kept[0] == bytes(sorted(own.dealt[0][place] for place in (1, 2, 4)))
    assert loads(text, FILE, BYSTANDER).state.kept[0] == bytes([HIDDEN] * 3)
    assert "sealed" in human(text)


def test_a_turn_is_taken_back_and_made_again_until_somebody_else_moves() -> None:
    text = played(set_up(), 4)
    name = mover(text)
    once = moved(text, lambda match: match.play(match.legal_moves()[0]))
    back = moved(once, lambda match: match.undo(name), name)
    assert loads(back, FILE, BYSTANDER).state == loads(text, FILE, BYSTANDER).state or (
        EMPTY not in loads(back, FILE, BYSTANDER).state.cards
    )
    again = moved(back, lambda match: match.play(match.legal_moves()[1]))
    further = played(again, 1)
    with pytest.raises(IllegalMoveError, match="R-UNDO"):
        seen_by(further, name).undo(name)


def test_what_was_taken_back_is_not_offered_again_as_something_else_would_come_up(
    tmp_path: Path,
) -> None:
    text = played(set_up(), 4)
    name = mover(text)
    once = moved(text, lambda match: match.play(match.legal_moves()[0]))
    back = moved(once, lambda match: match.undo(name), name)
    asker = Scripted("Stop")
    match = seen_by(back, name)
    match.save(tmp_path / FILE)
    with suppress(StoppedError):
        Session(match, asker, match.seat(name)).run()
    assert "Stop" in asker.seen[-1]
    assert not any("Redo" in seen for seen in asker.seen)


def test_a_record_that_was_sent_cannot_be_taken_back() -> None:
    from tests.sealed_games import chain_of, keys

    text = played(set_up(), 4)
    name = mover(text)
    once = moved(text, lambda match: match.play(match.legal_moves()[0]))
    chain = chain_of(once)
    keys(name).journal.note_highest(chain.game, SENT, chain.head.height)
    with pytest.raises(IllegalMoveError, match="was sent"):
        seen_by(once, name).undo(name)


def test_who_makes_the_last_turn_reveals_with_it_and_the_others_after_it() -> None:
    text = played_out()
    match = loads(text, FILE, BYSTANDER)
    assert not match.over
    last = match.replay.last_step()
    assert last is not None
    assert len(match.to_move()) == 1
    assert match.players[last.seat] not in match.to_move()
    done = loads(finished(), FILE, BYSTANDER)
    assert done.over
    assert all(HIDDEN not in kept for kept in done.state.kept)
    assert "\n- result: {" in human(done.record.text)


@pytest.mark.parametrize("reached", [set_up, lambda: played(set_up(), 4), played_out, finished])
@pytest.mark.parametrize("viewer", ["everybody", *NAMES[:2]])
def test_every_seat_is_offered_something_at_any_time(
    reached: Callable[[], str], viewer: str
) -> None:
    """What cannot be done without a key, or in another's turn, is left out and is no failure."""
    text = reached()
    match = loads(text, FILE, BYSTANDER) if viewer == "everybody" else seen_by(text, viewer)
    for seat, name in enumerate(match.players):
        options = match.game.words.options(match.state, seat, asking=True)
        offered = offer(name, options, Scripted(), lambda moves: None)
        assert name in offered.question
        if not match.over and name in match.to_move() and viewer == name:
            assert offered.entries


def test_to_keep_at_the_end_by_name_is_to_reveal() -> None:
    text = played_out()
    (name,) = loads(text, FILE, BYSTANDER).to_move()
    match = seen_by(text, name)
    kept = match.state.kept[match.seat(name)]
    wrong = bytes(c for c in match.state.dealt[match.seat(name)] if c not in kept)
    with pytest.raises(IllegalMoveError, match="P-END-2"):
        match.play(match.game.sealed.reveal(kept[:2] + wrong[:1]), player=name)
    match.play(match.game.sealed.reveal(kept), player=name)
    match.read_back()
    assert match.over
    assert match.record.text == moved(text, lambda match: match.reveal(name), name)


def test_a_game_without_private_contracts_seals_what_comes_up() -> None:
    text = finished(2, private_contracts=False)
    assert loads(text, FILE, BYSTANDER).over
    assert len(machine(set_up(2, private_contracts=False))) < 4000


@pytest.mark.slow
def test_a_game_from_the_set_up_to_the_end_of_four_players() -> None:
    match = loads(finished(4), FILE, BYSTANDER)
    assert match.over
    assert sorted(match.players) == sorted(NAMES)


def test_who_has_two_seats_plays_both_with_one_key(tmp_path) -> None:
    from porto_cli.games import game_of
    from porto_cli.sealed import chain as sealed_setup
    from tests.sealed_games import keys

    one = keys("Ana")
    game = game_of("porto")
    begun = sealed_setup.new_sealed(game, game.new_config(["Ana", "Rui"]), one, first=0, name=FILE)
    while begun.next is not None:
        begun = sealed_setup.take_part(begun, one)
    match = loads(begun.record.text, FILE, one)
    assert HIDDEN not in b"".join(match.known.state.dealt)
    match.play("keep 1 2 3", player="Ana")
    match.play(match.legal_moves()[0])
    match.play("keep 1 2 3", player="Rui")
    match.read_back()
    assert match.own_seats() == [0, 1]


def test_a_copy_that_goes_on_is_known_although_what_came_up_is_written_later() -> None:
    """Somebody has kept early, so that it is written into a turn that is not the last one."""
    early = played(set_up(3), 1)
    early = moved(early, lambda match: match.play("keep 1 2 3", player="Bea"), "Bea")
    later = moved(early, lambda match: match.play("keep 1 2 3", player="Rui"), "Rui")
    own, other = (loads(text, FILE, BYSTANDER).replay for text in (early, later))
    assert compare(own, other) == (Verdict.CONTINUES, 3)
    assert compare(other, own) == (Verdict.OLDER, 3)
    assert compare(own, own).relation is Verdict.SAME
    new_journals()
    fork = moved(early, lambda match: match.play("keep 1 2 4", player="Rui"), "Rui")
    assert compare(other, loads(fork, FILE, BYSTANDER).replay).relation is Verdict.FORK
    stranger = loads(set_up(2), FILE, BYSTANDER).replay
    assert compare(own, stranger).relation is Verdict.OTHER_GAME


# -- Drop-outs


def test_the_others_finish_the_reckoning_without_who_has_vanished() -> None:
    text = played_out()
    (gone,) = loads(text, FILE, BYSTANDER).to_move()
    other = "Rui" if gone == "Ana" else "Ana"
    text = moved(text, lambda match: match.give_up(gone, player=other), other)
    assert loads(text, FILE, BYSTANDER).over
    assert f"{gone}: unproven" in human(text)
    assert f": without {gone}" in human(text)


@pytest.mark.slow
def test_two_go_on_when_the_third_vanishes_during_the_game() -> None:
    text = played(set_up(3), 6)
    gone = mover(text)
    for name in NAMES[:3]:
        if name != gone:
            text = moved(text, lambda match, name=name: match.give_up(gone, player=name), name)
    assert mover(text) != gone
    text = played(text, 999)
    for name in NAMES[:3]:
        if name != gone and seen_by(text, name).cannot_reveal(name) is None:
            text = moved(text, lambda match, name=name: match.reveal(name), name)
    assert loads(text, FILE, BYSTANDER).over
    assert f"{gone}: unproven" in human(text)


def test_a_game_of_two_ends_without_a_ranking_when_one_vanishes() -> None:
    text = played(set_up(), 5)
    text = moved(text, lambda match: match.give_up("Rui", player="Ana"), "Ana")
    match = seen_by(text, "Ana")
    assert match.replay.sealed is not None
    assert match.replay.sealed.stopped
    assert "result" not in human(text)
    with pytest.raises(PortoError, match="ended"):
        match.play(match.legal_moves("Ana")[0], player="Ana")


def test_who_comes_back_in_time_is_not_given_up() -> None:
    text = played(set_up(3), 3)
    text = moved(text, lambda match: match.give_up("Ana", player="Bea"), "Bea")
    text = played(text, 2)
    assert loads(text, FILE, BYSTANDER).replay.sealed.awaited == {}


def test_nobody_reveals_before_the_end() -> None:
    text = played(set_up(), 3)
    with pytest.raises(PortoError, match="goes on"):
        seen_by(text, "Ana").reveal("Ana")


# -- The text on its way


def test_crlf_trailing_blanks_and_other_line_lengths_do_no_harm() -> None:
    text = played(set_up(), 3)
    for changed in (
        text.replace("\n", "\r\n"),
        text.replace("\n", "  \n"),
        human(text) + re.sub(r"\n  (?=[^#{])", "", machine(text)),
        text + "\n\n",
        human(text) + "\n" + machine(text),
    ):
        assert loads(changed, FILE, BYSTANDER).state == loads(text, FILE, BYSTANDER).state
        after = moved(changed, lambda match: match.play(match.legal_moves()[0]))
        assert ("\r\n" in after) == ("\r\n" in changed)


def test_comments_and_titles_stay_and_mean_nothing() -> None:
    text = played(set_up(), 3)
    noted = text.replace("turns:\n", "# a note\nturns:  # here they come\n", 1)
    after = moved(noted, lambda match: match.play(match.legal_moves()[0]))
    assert "# a note\nturns:  # here they come\n" in after


def test_comments_of_the_set_up_stay() -> None:
    from porto_cli.match import record
    from porto_cli.sealed import chain as sealed_setup
    from tests.sealed_games import keys

    text = stations(2)[-2].replace("rules: 1\n", "rules: 1  # as printed\n# our game\n", 1)
    begun = sealed_setup.read_setup(record.load(text, FILE), keys("Ana"))
    after = sealed_setup.take_part(begun, keys("Ana")).record.text
    assert "rules: 1  # as printed\n# our game\n" in after
    assert loads(after, FILE, BYSTANDER).to_move()


def test_the_fingerprint_is_that_of_what_people_read() -> None:
    text = finished(2)
    match = loads(text, FILE, BYSTANDER)
    assert f"fingerprint: {match.fingerprint}" in human(text)
    assert as_record(text).machine
