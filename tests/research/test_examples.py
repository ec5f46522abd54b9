"""The examples that need OpenSpiel or PettingZoo run, and the page about both is true."""

from __future__ import annotations

import doctest
import importlib.util
from types import ModuleType

import pytest

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "research.md"
WITH_EXTRAS = "\n## OpenSpiel\n"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_search_of_openspiel_plays_against_a_player_of_ours(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    won = example("openspiel_search").play_a_game(simulations=2)
    assert sorted(won) == [-1, 1]
    assert "The game is over" in capsys.readouterr().out


def test_agents_of_pettingzoo_play_at_random(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
    won = example("pettingzoo_random").play_a_game()
    assert sorted(won.values()) == [-0.5, -0.5, 1]
    assert "The game is over" in capsys.readouterr().out


def run(text: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert result.attempted
    assert not result.failed


def test_the_page_about_research_is_true() -> None:
    run(PAGE.read_text("utf-8").partition(WITH_EXTRAS)[0])


def test_the_page_about_research_is_true_with_the_extras() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
    run(PAGE.read_text("utf-8").partition(WITH_EXTRAS)[2])
