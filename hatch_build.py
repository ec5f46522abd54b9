"""How the command ``porto`` comes onto the path: decided where the package is built.

Elsewhere than on Windows ``bin/porto`` is installed as it is. The script that many versions of
pip write for an entry point loads ``re`` before anything else, and only to tell the version that
takes half as long as Python itself. Windows cannot run a script, so there pip has to make a
program of an entry point, and the wheel is one for Windows.
"""

from __future__ import annotations

import sys
import sysconfig
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_WINDOWS = sys.platform == "win32"


class Command(MetadataHookInterface):
    """Adds the entry point where one is needed."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set ``project.scripts``."""
        if _WINDOWS:
            metadata["scripts"] = {"porto": "porto_cli.__main__:program"}


class Wheel(BuildHookInterface[Any]):
    """Puts the script, or the platform that needs none, into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Set what differs between the platforms; ``version`` is that of the build."""
        if _WINDOWS:
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["tag"] = f"py3-none-{platform}"
        else:
            build_data["shared_scripts"]["bin/porto"] = "porto"
