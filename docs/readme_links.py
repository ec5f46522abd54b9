"""Make the relative links of the README absolute when a release is built.

The package index shows the README without the files beside it. ``PORTO_SOURCE_URL`` is the address
under which the files of the release can be read; without it, links stay as they are.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_RELATIVE = re.compile(r"(?<=\]\()(?![a-z]+:|#)(?=[^)\s]+\))")


def with_absolute_links(readme: str, source: str) -> str:
    """Return a README whose relative links and pictures start with ``source``, if there is one."""
    return _RELATIVE.sub(f"{source.rstrip('/')}/", readme) if source else readme


class ReadmeHook(MetadataHookInterface):
    """Adds the README to the metadata of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set ``readme``, with links that can be followed from elsewhere."""
        readme = (Path(self.root) / "README.md").read_text("utf-8")
        text = with_absolute_links(readme, os.environ.get("PORTO_SOURCE_URL", ""))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
