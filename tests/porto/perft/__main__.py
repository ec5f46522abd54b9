"""The counting as a command; see :mod:`tests.porto.perft`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.porto import perft


def _path(text: str) -> Path:
    path = Path(text)
    return path if path.exists() else perft.FOLDER / path.with_suffix(".yaml")


def main(args: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.porto.perft", description=perft.__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("file", nargs="?", type=_path)
    parser.add_argument("move", nargs="*", help="like 'draw blue-1'")
    parser.add_argument("--depth", type=int, help="moves to count, those before not included")
    parser.add_argument("--write", action="store_true", help="count anew and write the numbers")
    options = parser.parse_args(args)
    if options.write:
        for path in [options.file] if options.file else perft.FILES:
            perft.rewrite(perft.load(path))
        return 0
    if options.file:
        try:
            return _divide(perft.load(options.file), options.move, options.depth)
        except ValueError as error:
            parser.error(str(error))
    wrong = False
    for path in perft.FILES:
        position = perft.load(path)
        lines = perft.differences(position)
        wrong = wrong or bool(lines)
        print(f"{path.name}: {position.title}: {' '.join(map(str, position.counts))}")
        for line in lines:
            print(f"  {line}")
    return int(wrong)


def _divide(position: perft.Perft, moves: list[str], depth: int | None) -> int:
    state = perft.after(position.state, position.chance, moves)
    left = depth or max(1, position.depth - len(moves))
    found = perft.divide(state, position.chance, left)
    stored = {} if moves or left != position.depth else position.divide
    for move, count in sorted(found.items()):
        right = stored.get(move, count)
        print(f"{move}: {count}" + (f", should be {right}" if right != count else ""))
    print(f"{len(found)} moves, {sum(found.values())} sequences of {left}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
