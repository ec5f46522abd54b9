"""Moves that are clicked together in a real browser: what is mailed then is that move."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

import porto_cli
from porto_cli.games.porto.engine import CARDS
from porto_cli.games.puerto_rico.engine.state import State
from porto_cli.match.match import Match, loads
from porto_cli.words import MANY
from tests.browser import (
    DESKTOP,
    PHONE,
    Ask,
    ask,
    chromium,
    flags,
    in_hunts,
    needs_chromium,
    profile,
)
from tests.mail.test_mail_links import ALL_PLACES, Place, answer, at, rich, whole
from tests.mail.test_turn_page import (
    GUIDE,
    MARKET,
    WHARF,
    Choice,
    choices,
    crowded,
    data_of,
    of_phase,
    page_of,
    to_move,
    with_state,
)

__all__ = ["ask", "chromium", "flags", "profile"]

pytestmark = [pytest.mark.outside, pytest.mark.long, needs_chromium]

SAMPLE = 14
"""Moves of a position that are clicked together."""

HAND = """
var find = function (id) { return page.getElementById(id); };
function labels(id) { return [].map.call(find(id).querySelectorAll("button"), function (one) {
  return one.textContent; }); }
function button(id, test) { return [].find.call(find(id).querySelectorAll("button"), test); }
function word(name) { return button("words", function (one) {
  return one.textContent.split(" ×")[0] === name; }); }
function many(name) { return +(word(name).textContent.split(" ×")[1] ||
  +(word(name).getAttribute("aria-pressed") === "true")); }
function escape() {
  page.dispatchEvent(new view.KeyboardEvent("keydown", {key: "Escape", bubbles: true}));
}
function anew() { for (var n = 0; n < 99 && !find("back").disabled; n++) escape(); }
function mailed() {
  var link = find("mail").getAttribute("href");
  var body = link && decodeURIComponent(link.split("&body=")[1]);
  return body && body.split("\\r\\n\\r\\n")[0].split("\\r\\n");
}
function drawn(name, verb) {
  function is(one) {
    var verbs = one.dataset.word.split(" ");
    return verbs.pop() === name && verbs.indexOf(verb) >= 0;
  }
  return [].find.call(page.querySelectorAll(".to-pick:not(.picked)"), is) ||
    [].find.call(page.querySelectorAll(".to-pick"), is);
}
function one_more(name, verb) {
  var piece = verb && drawn(name, verb);
  if (piece) piece.dispatchEvent(new view.MouseEvent("click", {bubbles: true}));
  else word(name).click();
}
function exactly(names, wanted, verb) {
  names.forEach(function (name) { for (var n = 0; n < 99 && many(name); n++) word(name).click(); });
  names.forEach(function (name) { for (var n = 0; n < wanted[name]; n++) one_more(name, verb); });
}
function together(move, on_the_table) {
  var verb = on_the_table && move.words[0];
  if (move.wanted) exactly(Object.keys(move.wanted), move.wanted, verb);
  var words = move.wanted ? move.words.filter(function (one) { return one !== "…"; }) : move.words;
  words.forEach(function (name, nth) {
    if (verb && nth === 0 && drawn(words[1], verb)) return;
    var before = words.slice(0, nth + 1).filter(function (one) { return one === name; }).length;
    if (word(name) && many(name) < before) one_more(name, verb);
  });
  var chosen = button("fits", function (one) {
    return one.textContent === move.text || one.textContent.indexOf(move.text + ": ") === 0; });
  if (chosen && chosen.getAttribute("aria-pressed") === "false") chosen.click();
}
"""


def sampled(page: str, seed: int) -> list[list[dict[str, object]]]:
    """Some turns of a page, move by move, the longest that it offers."""
    data, rng = data_of(page), Random(seed)

    def turn(one: Choice) -> list[dict[str, object]]:
        move: dict[str, object] = {"words": one.words, "text": " ".join(one.words)}
        if len(one.end) == 4:
            names, least, most, _ = one.end[3]
            circles = [name for name, number in names.items() for _ in range(number)]
            some = rng.sample(circles, rng.randint(least, min(most, len(circles))))
            wanted = {name: some.count(name) for name in names}
            parts = [name if n == 1 else f"{name} {n}" for name, n in wanted.items() if n]
            move["wanted"] = wanted
            move["text"] = " ".join(one.words).replace(MANY, " ".join(parts) or "none")
        if len(one.end) != 3:
            return [move]
        return [move, *turn(rng.choice(list(choices(data, one.end[1]))))]

    found = list(choices(data, data["start"]))
    if len(found) == 1 and len(found[0].end) == 4:
        return [turn(found[0]) for _ in range(SAMPLE)]
    return [turn(one) for one in (found if len(found) <= SAMPLE else rng.sample(found, SAMPLE))]


def clicked(ask: Ask, page: str, turns: list[list[dict[str, object]]]) -> list[list[str]]:
    """What a browser mails after the clicks for each of the turns."""
    script = f"""{HAND} return {json.dumps(turns)}.map(function (turn, nth) {{
      anew();
      turn.forEach(function (move, place) {{
        together(move, nth % 2 === 1);
        if (place + 1 < turn.length) find("on").click();
      }});
      return mailed();
    }});"""
    return list(ask(page, script))


def texts(turn: list[dict[str, object]]) -> list[str]:
    return [str(move["text"]) for move in turn]


@pytest.mark.parametrize(
    "place",
    [place for nth, place in enumerate(ALL_PLACES) if nth % 4 == 0]
    + in_hunts(*(place for nth, place in enumerate(ALL_PLACES) if nth % 4)),
    ids=str,
)
def test_what_is_clicked_together_is_played(porto, ask: Ask, tmp_path: Path, place: Place) -> None:
    """Half of the moves are clicked on the table, as far as they are drawn there."""
    match = at(place)
    seat = to_move(match.replay)
    porto("address", match.players[seat], "reader@example.org")
    page = page_of(match.replay)
    turns = sampled(page, place.items)
    found = clicked(ask, page, turns)
    assert found == list(map(texts, turns))
    for moves in found[:5]:
        check_played(porto, tmp_path, match, page, moves)


def check_played(porto, folder: Path, match: Match, page: str, moves: list[str]) -> None:
    """Receive what a click mails, and compare it with the same moves at the keyboard."""
    (folder / "game.yaml").write_text(match.record.text, "utf-8")
    head, field, about = data_of(page)["link"]
    link = f"{head}{field}{'%0D%0A'.join(moves)}{about}"
    (folder / "answer.eml").write_bytes(answer(link, names_the_mail=False))
    done = porto("receive", "answer.eml", "--yes")
    assert done.code == 0, done.err
    wanted = loads(match.record.text, "game.yaml")
    wanted.play(*moves, player=to_move(match.replay))
    assert porto_cli.load(folder / "game.yaml").digest == wanted.digest


@pytest.mark.parametrize("state", [WHARF, MARKET, GUIDE], ids=["wharf", "market", "guide"])
def test_so_are_numbers_and_payments(ask: Ask, state: State) -> None:
    page = page_of(with_state(state))
    turns = sampled(page, 1)
    assert clicked(ask, page, turns) == list(map(texts, turns))


def test_so_it_is_among_thousands_of_moves(ask: Ask) -> None:
    page = page_of(crowded())
    turns = sampled(page, 2)
    assert clicked(ask, page, turns) == list(map(texts, turns))


@pytest.mark.parametrize("phase", ["act", "role", *in_hunts("keep", "builder", "captain")])
def test_whatever_is_clicked_only_legal_moves_are_mailed(ask: Ask, phase: str) -> None:
    match = of_phase(phase)
    mailed = ask(
        page_of(match.replay),
        f"""{HAND} var seed = 7, found = {{}};
        function below(most) {{ seed = (seed * 1103515245 + 12345) % 2147483648;
          return Math.floor(seed / 65536) % most; }}
        for (var n = 0; n < 300; n++) {{
          var all = page.querySelectorAll(".turn-page button:not([data-copy]), [data-word]");
          all[below(all.length)].dispatchEvent(new view.MouseEvent("click", {{bubbles: true}}));
          var moves = mailed();
          if (moves) found[moves.join("\\n")] = true;
        }}
        return Object.keys(found);""",
    )
    assert len(mailed) > 3
    for moves in mailed:
        loads(match.record.text, "game.yaml").play(*moves.split("\n"), player=to_move(match.replay))


# -- What a person sees and hears


def drawing(phase: str) -> str:
    return page_of(of_phase(phase).replay)


@pytest.mark.parametrize(
    ("phase", "names"),
    [
        ("act", {"draw", "L2", "R3"}),
        ("role", {"settler", "builder"}),
        ("keep", {"1", "2", "3", "4", "5"}),
    ],
)
def test_what_a_move_consists_of_is_clicked_where_it_is_drawn(
    ask: Ask, phase: str, names: set[str]
) -> None:
    page = drawing(phase)
    usable = ask(
        page,
        """return [].map.call(page.querySelectorAll(".to-pick"), function (one) {
        return one.dataset.word.split(" ").pop(); });""",
    )
    words = {word for one in choices(data_of(page), data_of(page)["start"]) for word in one.words}
    assert set(usable) <= words
    assert names & words <= {*usable, "draw", "build"}


def test_of_equal_cards_each_is_taken_and_put_back(ask: Ask) -> None:
    steps = whole("porto", "three-players").replay.steps
    twins = (step for step in steps if step.before.cards.count(CARDS.index("blue-1")) > 1)
    match = at(Place("porto", "three-players", next(twins).item, "act"))
    found = ask(
        page_of(match.replay),
        """var cards = page.querySelectorAll('[data-word="draw blue-1"]');
        function state() { return [].map.call(cards, function (one) {
          return one.classList.contains("picked"); }); }
        return [0, 1, 0, 0, 1].map(function (nth) {
          cards[nth].dispatchEvent(new view.MouseEvent("click", {bubbles: true}));
          return state().filter(Boolean).length;
        });""",
    )
    assert found == [1, 2, 1, 0, 1]


def test_the_hands_of_others_cannot_be_clicked(ask: Ask) -> None:
    page = page_of(rich().replay)
    seats = ask(
        page,
        """return [].map.call(page.querySelectorAll("[data-seat] .to-pick"), function (one) {
        return +one.closest("[data-seat]").dataset.seat; });""",
    )
    assert set(seats) == {data_of(page)["seat"]}


@pytest.mark.parametrize("word", ["constructor", "__proto__", "toString"])
def test_a_word_can_be_one_of_the_browsers(ask: Ask, word: str) -> None:
    page = drawing("role").replace('"builder":', f'"{word}":')
    text = f"role {word}"
    assert clicked(ask, page, [[{"words": text.split(), "text": text}]]) == [[text]]
    assert word in ask(page, f'{HAND} return labels("words");')


def test_a_word_that_no_move_has_any_more_does_nothing(ask: Ask) -> None:
    before, after, heard = ask(
        page_of(crowded()),
        f"""{HAND} word("draw").click();
        var shut = button("words", function (one) {{
          return one.getAttribute("aria-disabled") === "true"; }});
        var before = find("said").textContent;
        shut.click();
        return [before, find("said").textContent, find("said").getAttribute("role")];""",
    )
    assert before == after
    assert heard == "status"


def test_escape_takes_back_click_by_click(ask: Ask) -> None:
    seen = ask(
        page_of(crowded()),
        f"""{HAND} function state() {{ return find("words").innerHTML + find("said").textContent; }}
        var states = [state()];
        word("build").click(); states.push(state());
        button("words", function (one) {{ return /^[LR]/.test(one.textContent); }}).click();
        escape(); states.push(state());
        escape(); states.push(state());
        escape(); states.push(state());
        return [states, find("back").disabled];""",
    )
    (first, build, after_one, after_two, after_all), is_over = seen
    assert first == after_two == after_all
    assert build == after_one != first
    assert is_over


def test_the_keyboard_stays_where_it_was(ask: Ask) -> None:
    """Whoever takes back, or goes on, need not begin at the top of the page."""
    kept = ask(
        page_of(crowded()),
        f"""{HAND} word("build").focus(); word("build").click(); escape();
        return page.activeElement === word("build");""",
    )
    gone_on = ask(
        drawing("keep"),
        f"""{HAND} button("fits", Boolean).click();
        find("on").focus(); find("on").click();
        return page.activeElement.tagName;""",
    )
    assert kept
    assert gone_on == "BUTTON"


def test_a_pressed_word_is_heard_as_pressed(ask: Ask) -> None:
    pressed, mail, focus = ask(
        drawing("role"),
        f"""{HAND} var one = find("fits").querySelector("button");
        one.click();
        return [find("fits").querySelector("button").getAttribute("aria-pressed"),
                find("mail").hasAttribute("href"), page.activeElement.id];""",
    )
    assert (pressed, mail, focus) == ("true", True, "mail")


def test_words_and_commands_can_be_copied(ask: Ask) -> None:
    match = of_phase("act")
    data = data_of(page_of(match.replay))
    one = next(iter(choices(data, data["start"])))
    turn: list[dict[str, object]] = [{"words": one.words, "text": " ".join(one.words)}]
    text, command = ask(
        page_of(match.replay),
        f"""{HAND} together({json.dumps(turn[0])}, false);
        return [find("text").textContent, find("command").textContent];""",
    )
    assert text.splitlines()[0] == " ".join(one.words)
    assert "Game and turn: porto-" in text
    verb, *rest = one.words
    player = match.players[to_move(match.replay)]
    assert command == f"porto {verb} game.yaml {' '.join(rest)} --as {player}"


@pytest.mark.parametrize("width", [320, *in_hunts(PHONE, 700, DESKTOP)])
@pytest.mark.parametrize("phase", ["act", "mayor"])
def test_it_is_as_wide_as_the_screen(ask: Ask, phase: str, width: int) -> None:
    needed, smallest = ask(
        drawing(phase),
        """var all = page.querySelectorAll(".turn-page button, #mail");
        var high = [].map.call(all, function (one) { return one.getBoundingClientRect().height; });
        return [page.documentElement.scrollWidth, Math.min.apply(null, high.filter(Boolean))];""",
        width,
    )
    assert needed <= width
    assert smallest >= 40
