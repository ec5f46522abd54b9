"""Ask the vulnerability databases about what porto depends on; run by .ci/run.

    python .ci/audit.py BIN

BIN is the folder that has pip-audit and uv. Exits with 1 if there is a known vulnerability, with 3
if nobody could be asked, which is then printed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

NOBODY_ASKED = 3


def main(tools: Path) -> int:
    """Print what is known of the newest versions that are allowed."""
    with tempfile.TemporaryDirectory() as folder:
        needed, found = Path(folder, "requirements.txt"), Path(folder, "found.json")
        resolve = [tools / "uv", "pip", "compile", "-q", "pyproject.toml", "-o", needed]
        audit = [
            *(tools / "pip-audit", "-r", needed, "--no-deps", "--disable-pip"),
            *("-f", "json", "-o", found, "--progress-spinner", "off"),
        ]
        for command in (resolve, audit):
            done = subprocess.run(command, check=False, capture_output=True, text=True)
        # It exits with 1 for trouble too; what it has found, it has written.
        if not found.exists():
            print(f"the databases could not be asked: {done.stderr.strip()[-200:]}")
            return NOBODY_ASKED
        packages = json.loads(found.read_text("utf-8"))["dependencies"]
    return report(packages)


def report(packages: list[dict[str, Any]]) -> int:
    """Print what was found, and return the exit code."""
    known = [package for package in packages if "skip_reason" not in package]
    unknown = [package["name"] for package in packages if "skip_reason" in package]
    holes = [(package, hole) for package in known for hole in package["vulns"]]
    for package, hole in holes:
        mended = ", ".join(hole["fix_versions"]) or "no version"
        print(f"{package['name']} {package['version']}: {hole['id']}, mended in {mended}")
    if holes:
        return 1
    if not known:
        print("the databases know none of the packages; are they reachable?")
        return NOBODY_ASKED
    print(f"No known vulnerabilities in {len(known)} packages.")
    if unknown:
        print(f"Not asked about: {', '.join(unknown)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
