"""The program ``porto``: ``python -m porto_cli`` does the same."""

import sys


def main() -> None:
    """Run the command line. The version is told without loading anything."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from porto_cli import __version__

        print(f"porto {__version__}")
        return
    from porto_cli.cli.app import run

    run()


if __name__ == "__main__":
    main()
