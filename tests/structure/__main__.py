"""`python -m tests.structure` (or `make house`): the figures of the house, and its lists made shorter.

The figures: rooms, files, names, how branched the functions are (radon, which also counts `and`, `or` and
comprehensions), comments a line, lines of code without comments and docstrings, what `import graphbus_core` and the
command line cost in processor time (with `--all`). `--json` prints everything for a program. Nothing is written but
vulture's allowlist.
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

from tests.structure import rules
from tests.structure.house import KINDS, ROOT, House, circles
from tests.structure.naming import count_names
from tests.structure.unused import ALLOWLIST, unused_names, vulture


def main(argv: list[str]) -> int:
    """Print the figures, and what is larger than the rules allow; take from the lists what is over."""
    house = House()
    figures = measure(house, "--all" in argv or "--json" in argv)
    if "--json" in argv:
        print(json.dumps(figures, indent=1))
        return 0
    for name, value in figures.items():
        print(f"{name:>42}  {value if not isinstance(value, dict) else ''}")
        if isinstance(value, dict):
            for key, number in value.items():
                print(f"{number:>48}  {key}")
    unused = unused_names(vulture())
    lines = ALLOWLIST.read_text("utf-8").splitlines(keepends=True)
    kept = [one for one in lines if not one.startswith("_.") or one[2:].strip() in unused]
    if kept != lines:
        ALLOWLIST.write_text("".join(kept), "utf-8")
        print(f"{ALLOWLIST.relative_to(ROOT)} is shorter now: commit it")
    faults = rules.faults(house)
    print("\n".join(faults))
    return 1 if faults else 0


def measure(house: House, with_times: bool) -> dict[str, object]:
    """Every figure by its name, in the order they are printed. Those of imports start eighteen interpreters."""
    rooms, lines = house.room_files(), house.lines()
    names = count_names(house.tree.values())
    edges = house.imports()
    comments, code = _comments_and_code(house)
    branches = _branches(house)
    numbers = [number for _, number in branches]
    above = Counter(where.rpartition("/")[0] for where, number in branches if number > 20)
    figures: dict[str, object] = {
        "rooms": len(rooms),
        "files": len(lines),
        "mean lines a file": round(sum(lines.values()) / len(lines)),
        "most lines in a file": max(lines.values()),
        "files with one importer": len(house.lone_importers()),
        "lone participles, percent of functions": round(names.participle_share, 1),
        "verb first, percent of functions": round(names.verb_share, 1),
        "empty locals, percent": round(names.empty_share, 2),
        "import lines, percent": round(100 * _import_lines(house) / sum(lines.values()), 1),
        "lines": sum(lines.values()),
        "lines of code": code,
        "comments a line": round(comments / sum(lines.values()), 4),
        "functions": len(numbers),
        "mean complexity (radon)": round(statistics.mean(numbers), 2),
        "functions above 20 (radon)": sum(number > 20 for number in numbers),
        "functions above 20, by room": dict(above.most_common()),
        "circles of loads": len(circles(edges, ["load"])),
        "circles of all imports": len(circles(edges, KINDS)),
    }
    return figures | (times() if with_times else {})


def times() -> dict[str, float]:
    """What imports cost, in milliseconds of processor time over an interpreter that imports nothing."""
    modules = ("graphbus_core", "graphbus_core.cli.main", "graphbus_core.services")
    return {f"import {name}, ms": _import_ms(name) for name in modules}


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


def _import_lines(house: House) -> int:
    return sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for tree in house.tree.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    )


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
