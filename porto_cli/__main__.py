"""The program ``porto``: ``python -m porto_cli`` does the same."""

import gc
import sys

from porto_cli import __version__


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        if sys.argv[1:] in (["--version"], ["-V"]) and _prints_version():
            return
        _run()
    except KeyboardInterrupt:
        # Most of the program was not even there yet; a command has its own end.
        sys.exit(130)


def _prints_version() -> bool:
    """Print the version without loading anything; if that fails, the regular way reports why."""
    try:
        print(f"porto {__version__}", flush=True)
    except OSError:
        return False
    return True


def _run() -> None:
    # A command lives for a tenth of a second, a good part of which the collector would take.
    # Those that live longer turn it on again.
    gc.disable()
    from porto_cli.core import files

    # In the middle of an import an exception may be lost, or leave half a module.
    with files.held():
        files.catch()
        from porto_cli.cli.app import run
    try:
        run()
    finally:
        # Before it ends, Python would look through everything once more for what to collect.
        gc.freeze()


if __name__ == "__main__":
    main()
