"""`python -m tests.structure` (or `make house`): the figures of the house, and its list of exceptions made shorter.

The figures: rooms, the largest room and file, how branched the functions are (radon, which also counts `and`, `or` and
comprehensions), comments a line, lines of code without comments and docstrings, what `import graphbus_core` and the
command line's module cost in processor time. `--json` prints them for a program; nothing but the exceptions is written.
"""

from __future__ import annotations

import ast
import io
import json
import statistics
import subprocess
import sys
import tokenize
from collections import Counter

from tests.structure import exceptions
from tests.structure.house import KINDS, ROOT, House, circles


def main(argv: list[str]) -> int:
    """Print the figures; make `exceptions.toml` shorter where something has become smaller."""
    house = House()
    found = exceptions.measured(house)
    figures = measure(house)
    if "--json" in argv:
        print(json.dumps(figures, indent=1))
        return 0
    for name, value in figures.items():
        print(f"{name:>42}  {value if not isinstance(value, dict) else ''}")
        if isinstance(value, dict):
            for key, number in value.items():
                print(f"{number:>48}  {key}")
    new = exceptions.tightened(found, exceptions.listed())
    if new != exceptions.FILE.read_text("utf-8"):
        exceptions.FILE.write_text(new, "utf-8")
        print("tests/structure/exceptions.toml is shorter now: commit it")
    faults = exceptions.faults(found, exceptions.listed())
    print("\n".join(faults))
    return 1 if faults else 0


def measure(house: House) -> dict[str, object]:
    """Every figure by its name, in the order they are printed."""
    files, lines = house.room_files(), house.lines()
    room_lines = house.room_lines()
    comments, code = _comments_and_code(house)
    branches = _branches(house)
    numbers = [number for _, number in branches]
    above = Counter(where.rpartition("/")[0] for where, number in branches if number > 20)
    return {
        "rooms": len(files),
        "files": len(lines),
        "most files in a room": max(files.values()),
        "most lines in a room": max(room_lines.values()),
        "most lines in a file": max(lines.values()),
        "lines": sum(lines.values()),
        "lines of code": code,
        "comments a line": round(comments / sum(lines.values()), 4),
        "functions": len(numbers),
        "mean complexity (radon)": round(statistics.mean(numbers), 2),
        "functions above 20 (radon)": sum(number > 20 for number in numbers),
        "functions above 20, by room": dict(above.most_common()),
        "circles of loads": len(circles(house.imports(), ["load"])),
        "circles of all imports": len(circles(house.imports(), KINDS)),
        "import graphbus_core, ms of processor": _import_ms("graphbus_core"),
        "import graphbus_core.cli.main, ms": _import_ms("graphbus_core.cli.main"),
    }


def _comments_and_code(house: House) -> tuple[int, int]:
    comments = code = 0
    for path, text in house.text.items():
        said: set[int] = set()
        for node in ast.walk(house.tree[path]):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
                first = node.body[0]
                if (
                    isinstance(first, ast.Expr)
                    and isinstance(first.value, ast.Constant)
                    and isinstance(first.value.value, str)
                ):
                    said |= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
        used: set[int] = set()
        skip = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                # A word to a tool (noqa, type: ignore) gives no reader a reason.
                comments += not token.string.startswith(("# noqa", "# type:", "# pragma", "#!"))
            elif token.type not in skip:
                used |= set(range(token.start[0], token.end[0] + 1))
        code += len(used - said)
    return comments, code


def _branches(house: House) -> list[tuple[str, int]]:
    from radon.complexity import cc_visit

    found = []
    for path, text in house.text.items():
        for block in cc_visit(text):
            members = [block, *getattr(block, "closures", [])] if block.letter != "C" else []
            found += [(f"{house.where(path)}::{one.name}", one.complexity) for one in members]
    return found


def _import_ms(module: str) -> float:
    """The processor time of a fresh interpreter that imports `module`, less that of one that imports nothing."""

    def cost(program: str) -> float:
        ask = f"{program}; import time; print(time.process_time())"
        runs = [subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True) for _ in range(9)]
        return statistics.median(float(run.stdout) for run in runs)

    return round(1000 * (cost(f"import {module}") - cost("pass")), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
