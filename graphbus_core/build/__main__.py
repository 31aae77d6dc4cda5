"""`python -m graphbus_core.build --root PKG [--llm-model M]`: the same as `graphbus build PKG` (seed 002 §8.1)."""

from __future__ import annotations

import sys


def main(argv: list[str] | None = None) -> int:
    """Hand over to the command, which stands above this package: so it is looked up by name, not imported.

    `--root` is the seed's word for the path. A model given here seats it, as in the seed: it negotiates.
    """
    from importlib import import_module
    from itertools import islice

    args: list[str] = []
    rest = iter(sys.argv[1:] if argv is None else argv)
    for word in rest:
        name, sign, value = word.partition("=")
        if name == "--root":
            args += [value] if sign else islice(rest, 1)
        elif name in ("--llm-model", "--model"):
            args += ["--enable-agents", "--model" + sign + value]
        else:
            args.append(word)
    return int(import_module("graphbus_core.cli.main").main(["build", *args]))


if __name__ == "__main__":
    sys.exit(main())
