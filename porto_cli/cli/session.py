"""A game at one keyboard: from where it stands to its end, or until somebody stops.

The record is written after every move, so that leaving at any time loses nothing but a choice
that was not finished.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, NoReturn

from porto_cli.core.errors import FileError, InvalidMoveError
from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.conditions import may_keep, to_move
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, TIMER
from porto_cli.games.porto.history import story, turn_of
from porto_cli.games.porto.move_list import BUILD, DRAW, Option, options
from porto_cli.games.porto.notation import UNDO
from porto_cli.games.porto.table import table
from porto_cli.games.porto.ui import move_prompts
from porto_cli.games.porto.ui.advice import advice
from porto_cli.games.porto.ui.chance_prompts import AskedChance
from porto_cli.games.porto.ui.news import news_for
from porto_cli.games.porto.ui.scoring import standings
from porto_cli.match.match import Match, load
from porto_cli.match.record import TABLE
from porto_cli.match.replay import IllegalMoveError, check_undo
from porto_cli.term.prompt import Above, Asker, CancelledError, Choice, Text
from porto_cli.term.screen import Screen
from porto_cli.term.spans import BOLD, PLAIN, Line, wrapped

Action = Callable[[], object]
Entry = Choice[Action]

TURN_RULES = (
    *move_prompts.DRAW_RULES,
    *move_prompts.BUILD_RULES,
    *move_prompts.SCORE_RULES,
    "P-PASS-1",
)


class _Offer(NamedTuple):
    """What somebody can do now. ``at_once``: the first entry asks questions of its own, and
    the others are needed only by who backs out of them.
    """

    question: Sentence
    entries: list[Entry]
    rules: tuple[str, ...]
    at_once: bool = False


class StoppedError(Exception):
    """Somebody has had enough for now. The record is written."""


class Session:
    """Plays a match. ``seat`` is the only one that is played here; ``None`` plays all of them."""

    def __init__(self, match: Match, asker: Asker, seat: int | None = None) -> None:
        self.match = match
        self.asker = asker
        self.seat = seat
        self._at_the_keyboard: int | None = None

    def run(self) -> None:
        """Play to the end of the game. Raises StoppedError, KeyboardInterrupt."""
        while not self.match.over:
            seat = self._whose_turn()
            if self.seat is not None and seat != self.seat:
                self._wait(self.seat)
            else:
                if self.is_secret() and seat != self._at_the_keyboard:
                    self._hand_over(seat)
                else:
                    self._take_turn(seat)

    def _whose_turn(self) -> int:
        """At the end of a game on a real table several players reveal, one after the other."""
        waiting = to_move(self.match.state)
        return self.seat if self.seat in waiting else waiting[0]

    def is_secret(self) -> bool:
        """Tell whether people sit here who must not see each other's private contracts."""
        state = self.match.state
        return self.seat is None and len(self.match.players) > 1 and bool(state.dealt)

    def _hand_over(self, seat: int) -> None:
        """Clear the screen and wait until the right player sits in front of it."""
        self._at_the_keyboard = None
        self.asker.wipe()
        self.asker.put_above(Above(table(self.match.replay), news_for(self.match.replay, seat)))
        player = self.match.players[seat]
        question = say("Hand the keyboard to {player}.", player=player)
        here = _entry(say("Go on as {player}", player=player), lambda: self._sit_down(seat))
        entries = [here, *self._undo_entry(), self._stop_entry()]
        self._choose(_Offer(question, entries, ("P-SETUP-5",)))

    def _sit_down(self, seat: int) -> None:
        self._at_the_keyboard = seat

    def _take_turn(self, seat: int) -> None:
        """Offer what a player can do. Where there is one thing to do, begin with it at once."""
        self._look(seat)
        offer = self._offer_of(seat)
        if offer.at_once and self._do(offer.entries[0].value):
            return
        others = [*self._undo_entry(), *self._other_entries(seat), self._stop_entry()]
        self._choose(offer._replace(entries=[*offer.entries, *others]))

    def _wait(self, seat: int) -> None:
        """Stop after the own turn: by mail, somebody else is next."""
        self._look(seat)
        waiting = ", ".join(self.match.to_move())
        question = say(
            "It is {player}'s turn. Send {file} to {player}.", player=waiting, file=self.match.path
        )
        entries = [self._stop_entry()]
        if self.match.state.dealt and may_keep(self.match.state, seat):
            entries.insert(0, self._keep_entry(seat))
        entries += self._undo_entry()
        entries.append(_entry(say("Read the file again: it has come back"), self._read_again))
        entries += self._other_entries(seat)
        self._choose(_Offer(question, entries, ("R-UNDO",)))

    def _choose(self, offer: _Offer) -> None:
        """Let somebody choose what to do, and do it."""
        chosen = self.asker.choose(offer.question, offer.entries, rules=offer.rules, back=False)
        self._do(chosen)

    def _do(self, action: Action) -> bool:
        """Do something and return True, or False if the player backed out of it."""
        try:
            action()
        except CancelledError:
            return False
        except IllegalMoveError as error:
            self._explain(error)
        return True

    def _look(self, seat: int) -> None:
        game = self.match.replay
        self.asker.put_above(Above(table(game, seat), news_for(game, seat)))

    def _offer_of(self, seat: int) -> _Offer:
        """Return the question of a turn, and the moves that it offers."""
        state = self.match.state
        player = self.match.players[seat]
        if state.phase == KEEP:
            question = (
                say("{player}, first keep three private contracts.", player=player)
                if state.dealt
                else say("{player}, reveal your three private contracts.", player=player)
            )
            return _Offer(
                question,
                [self._keep_entry(seat)],
                move_prompts.KEEP_RULES,
                at_once=True,
            )
        found = options(state, seat)
        if state.phase == CONTRACTS:
            met = max((option.contracts for option in found), key=len)
            claim = _entry(
                say("Choose public contracts"),
                lambda: self._play(seat, move_prompts.contracts(self.asker, met)),
            )
            return _Offer(
                say("{player}, what do you fulfill with your build?", player=player),
                [claim],
                move_prompts.PUBLIC_RULES,
                at_once=True,
            )
        only = self._only(found)
        if state.phase == TIMER:
            return _Offer(
                say("{player}, what do you build for the timer?", player=player),
                only or [self._build_entry(found)],
                move_prompts.TIMER_RULES,
                at_once=not only,
            )
        question = say("{player}, what do you do?", player=player)
        return _Offer(question, only or self._act(found), TURN_RULES)

    def _only(self, found: list[Option]) -> list[Entry]:
        """Offer the only legal move, if there is only one."""
        if len(found) != 1 or found[0].contracts:
            return []
        label = say("{move} (nothing else is possible)", move=found[0].move)
        return [_entry(label, lambda: self._play(self.match.state.seat, found[0].move))]

    def _act(self, found: list[Option]) -> list[Entry]:
        builds = [option for option in found if option.kind == BUILD]
        draws = [option for option in found if option.kind == DRAW]
        entries = [self._build_entry(builds)] if builds else []
        if draws:
            entries.append(
                _entry(
                    say("Draw construction cards"),
                    lambda: self._play(self.match.state.seat, move_prompts.draw(self.asker, draws)),
                )
            )
        return entries

    def _build_entry(self, builds: list[Option]) -> Entry:
        best = max(option.vp for option in builds)
        label = (
            say("Build, for up to {vp} VP", vp=best)
            if self.match.state.phase == ACT
            else say("Build")
        )
        state = self.match.state
        return _entry(
            label, lambda: self._play(state.seat, *move_prompts.build(self.asker, state, builds))
        )

    def _keep_entry(self, seat: int) -> Entry:
        return _entry(
            say("Choose three private contracts")
            if self.match.state.dealt
            else say("Reveal three private contracts"),
            lambda: self._play(seat, move_prompts.keep(self.asker, self.match.state, seat)),
        )

    def _undo_entry(self) -> list[Entry]:
        """Offer to take back the last turn, to whom it belongs."""
        game = self.match.replay
        seat = self._last_mover()
        last = game.last_step()
        if not last or self.seat not in (None, seat) or check_undo(game.record, game.steps, seat):
            return []
        label = say(
            "Take back {player}'s turn: {move}",
            player=self.match.players[seat],
            move=turn_of(last).moves[0],
        )
        return [_entry(label, lambda: self._undo(seat))]

    def _last_mover(self) -> int:
        steps = self.match.replay.steps
        return steps[-1].seat if steps else self.match.state.seat

    def _other_entries(self, seat: int) -> list[Entry]:
        return [
            _entry(say("Look: the table, the story, the scores"), lambda: self._look_around(seat)),
            _entry(say("Type a move, or ask why it is not legal"), lambda: self._type(seat)),
        ]

    def _stop_entry(self) -> Entry:
        return _entry(say("Stop: the game is saved in {file}", file=self.match.path), _stop)

    def _look_around(self, seat: int) -> None:
        """Show what does not fit above the questions. Secrets are shown to ``seat`` only."""
        from porto_cli.games.porto.ui.log_text import log_text
        from porto_cli.games.porto.ui.plain import plain as sentences
        from porto_cli.games.porto.ui.score_text import score_text
        from porto_cli.games.porto.ui.table_text import text

        game = self.match.replay
        seen, told = table(game, seat), story(game)
        so_far, own = standings(game), standings(game, seat)
        plain = self.asker.plain

        def whole(screen: Screen) -> list[Line]:
            if not plain:
                return text(seen, screen)
            return [line for one in sentences(seen) for line in wrapped(one, screen.width)]

        choices: list[Choice[Text]] = [
            Choice(_line(say("The whole table")), whole),
            Choice(
                _line(say("The story of the game")),
                lambda screen: log_text(told, so_far, screen.width),
            ),
            Choice(
                _line(say("Where all VP come from")),
                lambda screen: score_text(own, screen.width, plain=plain),
            ),
        ]
        while True:
            self.asker.show(self.asker.choose(say("What do you want to look at?"), choices))

    def _type(self, seat: int) -> None:
        """Play a move that is typed, or explain what is wrong with it and ask again."""
        question = say("Type a move, like: build red-3 blue-1 L4 token L5")
        text = ""
        while True:
            text = self.asker.write(question, lambda typed: None, text)
            if not text:
                return
            try:
                if text.casefold() == UNDO:
                    self._undo(self._last_mover() if self.seat is None else self.seat)
                else:
                    self._play(seat, text)
                return
            except InvalidMoveError as error:
                self._tell(error.sentence)
            except IllegalMoveError as error:
                self._explain(error)

    def _tell(self, sentence: Sentence) -> None:
        self.asker.show(lambda screen: wrapped(str(sentence), screen.width))

    def _explain(self, error: IllegalMoveError) -> None:
        """Tell which rules a move breaks, and what these rules are."""
        rules = dict.fromkeys(violation.rule for violation in error.violations)

        def explained(screen: Screen) -> list[Line]:
            lines: list[Line] = []
            for violation in error.violations:
                lines += wrapped(str(violation), screen.width, style=BOLD)
            return [*lines, [], *advice(rules, screen.width)]

        self.asker.show(explained)

    def _play(self, seat: int, *moves: str) -> None:
        """Play a move and write the record.

        Raises IllegalMoveError, InvalidMoveError, CancelledError.
        """
        match = self.match
        came_up = AskedChance(self.asker) if match.record.secrecy == TABLE else None
        match.play(*moves, player=match.players[seat], came_up=came_up)
        self._save()

    def _undo(self, seat: int) -> None:
        """Take back the last turn of a player and write the record. Raises IllegalMoveError."""
        self.match.undo(self.match.players[seat])
        self._save()

    def _save(self) -> None:
        """Write the record; if that fails, ask what to do about it."""
        while True:
            try:
                notices = self.match.save()
            except FileError as error:
                self.asker.put_above(None)
                choices = [
                    Choice(_line(say("Try again")), False),
                    Choice(_line(say("Read the file again, without this turn")), True),
                ]
                if self.asker.choose(error.sentence, choices, back=False):
                    self._read_again()
                    return
            else:
                for notice in notices:
                    self._tell(notice)
                return

    def _read_again(self) -> None:
        assert self.match.path is not None
        self.match = load(self.match.path)


def _stop() -> NoReturn:
    raise StoppedError


def _line(label: Sentence) -> Line:
    return [(str(label), PLAIN)]


def _entry(label: Sentence, action: Action) -> Entry:
    return Choice(_line(label), action)
