"""Nim holds what every game of porto has to hold."""

from porto_cli.testing import conformance

TestNim = conformance("nim")
