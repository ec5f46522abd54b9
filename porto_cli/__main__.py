"""The program ``porto``: ``python -m porto_cli`` does the same."""

import sys


def main() -> None:
    """Run the command line. The version is told without loading anything."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from porto_cli import __version__

        print(f"porto {__version__}")
        return
    import gc

    # A command lives for a tenth of a second, a good part of which the collector would take.
    # Those that live longer turn it on again.
    gc.disable()
    from porto_cli.cli.app import run

    run()


if __name__ == "__main__":
    main()
