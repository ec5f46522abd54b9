"""PyYAML is imported without compiling its patterns, and they still do what they are for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.outside

SCRIPT = """
import datetime, re, sys
from porto_cli.core import yaml as strict

usual = re.compile
assert "yaml" not in sys.modules
strict.runs_a_command = True
strict.import_pyyaml()
import yaml

assert re.compile is usual
assert not isinstance(yaml.reader.Reader.NON_PRINTABLE, re.Pattern), "nothing is gained"
text = "number: 1.5\\nday: 2020-02-01\\nyes: ~\\n"
found = {"number": 1.5, "day": datetime.date(2020, 2, 1), True: None}
assert yaml.load(text, yaml.SafeLoader) == found
assert yaml.load(text, yaml.CSafeLoader) == found
try:
    yaml.load("a: \\x01", yaml.SafeLoader)
except yaml.reader.ReaderError:
    print("refused")
"""


IN_ANOTHER_PROGRAM = """
import re
from porto_cli.core import yaml as strict

assert isinstance(strict.import_pyyaml().reader.Reader.NON_PRINTABLE, re.Pattern)
"""


def test_pyyaml_is_left_alone_where_porto_is_a_part_of_another_program() -> None:
    subprocess.run([sys.executable, "-c", IN_ANOTHER_PROGRAM], cwd=ROOT, check=True)


def test_patterns_are_compiled_when_they_are_used() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "refused\n"), done.stderr
