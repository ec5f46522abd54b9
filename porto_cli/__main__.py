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


def program() -> None:
    """Be the program: run the command line and end the process.

    Python takes everything apart before it ends, for which a command has no use: a sixth of its
    time. Those that live longer, with processes and terminals to put in order, end as usual.
    """
    try:
        main()
    except SystemExit as end:
        import gc
        import os

        code = 0 if end.code is None else end.code
        if gc.isenabled() or not isinstance(code, int):
            raise
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except BrokenPipeError:
            code = 1
        except OSError as error:
            # If it went wrong before, that has been said.
            if not code:
                from porto_cli.cli.app import cannot_write
                from porto_cli.errors import TROUBLE

                print(cannot_write(error), file=sys.stderr, flush=True)
                code = TROUBLE
        os._exit(code)


if __name__ == "__main__":
    program()
