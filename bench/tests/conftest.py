"""The tests of what measures and trains: not of the program, so the nightly run has them alone."""

from tests.conftest import *  # noqa: F403
