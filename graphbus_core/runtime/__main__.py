"""`python -m graphbus_core.runtime --artifacts DIR`: the same as `graphbus run DIR` (seed 002 §8.2)."""

from __future__ import annotations

import sys


def main(argv: list[str]) -> int:
    """Hand over to the command, which stands above this package: so it is looked up by name, not imported."""
    from importlib import import_module

    args: list[str] = []
    rest = iter(argv)
    for word in rest:
        if word == "--artifacts":
            args.insert(0, next(rest, ".graphbus"))
        elif word.startswith("--artifacts="):
            args.insert(0, word.partition("=")[2])
        else:
            args.append(word)
    return int(import_module("graphbus_core.cli.main").main(["run", *args]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
