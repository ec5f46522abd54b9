"""Tests, and what they share.

This runs before anything else that is tested is imported.
"""

import os
import sys
from pathlib import Path

if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    # The tests would be compiled anew in each run by each worker, and the program for each of the
    # hundreds of tests that start it; this takes longer than many of them.
    _BYTECODE = str(Path(__file__).parent.parent / ".pytest_cache" / "bytecode")
    os.environ.setdefault("PYTHONPYCACHEPREFIX", _BYTECODE)
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"]
