"""Draws the house: `python docs/draw_architecture.py --write` renews the generated parts of `docs/architecture.md`.

The picture and the table of rooms come from the code alone: the layers from the import-linter contract in
`pyproject.toml`, the arrows from the `import` statements, the words from each package's first docstring line. A test
fails when the page is older than the code, so a reader may trust what is drawn.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "graphbus_core"
PAGE = ROOT / "docs" / "architecture.md"


def layers() -> list[list[str]]:
    """The layers of the house, highest first, as the lint of imports holds them; names without the package."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    rows: list[str] = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return [[part.strip(" ()").removeprefix(f"{PACKAGE}.") for part in row.split("|")] for row in rows]


@cache
def modules() -> list[tuple[str, list[str]]]:
    """Every module of the package with what it imports of it, by dotted names without the package's own."""
    found = []
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        parts = path.relative_to(ROOT / PACKAGE).with_suffix("").parts
        name = ".".join(p for p in parts if p != "__init__")
        found.append((name, list(imported(ast.parse(path.read_text("utf-8"))))))
    return found


def imported(node: ast.AST) -> Iterator[str]:
    """What a module imports of the package, at any depth, without the package's own name."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):  # an expression holds no import
            yield from imported(child)
        if isinstance(child, ast.ImportFrom) and child.module and child.module.split(".")[0] == PACKAGE:
            for alias in child.names:
                yield f"{child.module}.{alias.name}".removeprefix(PACKAGE).lstrip(".")
        elif isinstance(child, ast.Import):
            for alias in child.names:
                if alias.name.startswith(f"{PACKAGE}."):
                    yield alias.name.removeprefix(f"{PACKAGE}.")


def arrows(rooms: list[str]) -> set[tuple[str, str]]:
    """Which room imports which, reduced to what is not implied: a -> c goes where a -> b -> c stands."""
    deepest_first = sorted(rooms, key=len, reverse=True)

    @cache
    def room_of(module: str) -> str | None:
        return next((r for r in deepest_first if f"{module}.".startswith(f"{r}.")), None)

    found: dict[str, set[str]] = {room: set() for room in rooms}
    for name, targets_of_module in modules():
        here = room_of(name)
        if here is not None:
            found[here] |= {there for target in targets_of_module if (there := room_of(target)) not in (None, here)}

    def reaches(start: str, end: str, seen: set[str]) -> bool:
        seen.add(start)
        return any(n == end or (n not in seen and reaches(n, end, seen)) for n in found[start])

    return {
        (a, b)
        for a, targets in found.items()
        for b in targets
        if not any(c != b and reaches(c, b, {a}) for c in targets)
    }


def picture() -> str:
    """The house as a Mermaid flowchart: one box a layer, every arrow down."""
    rows = layers()
    lines = ["```mermaid", "flowchart TD"]
    for number, row in enumerate(rows):
        lines.append(f'  subgraph L{number}[" "]')
        lines += [f'    {room.replace(".", "_")}["{room.replace(".", "/")}"]' for room in sorted(row)]
        lines.append("  end")
    known = [room for row in rows for room in row]
    lines += [f"  {a.replace('.', '_')} --> {b.replace('.', '_')}" for a, b in sorted(arrows(known))]
    return "\n".join([*lines, "```"])


def rooms() -> str:
    """Every package with its first line, as a table."""
    lines = ["| room | what it is for |", "|---|---|"]
    for path in sorted((ROOT / PACKAGE).rglob("__init__.py")):
        said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        name = path.parent.relative_to(ROOT).as_posix()
        depth = name.count("/")
        lines.append(f"| {'&nbsp;' * 4 * depth}`{name.rsplit('/', 1)[-1]}/` | {said.partition(chr(10))[0]} |")
    return "\n".join(lines)


PARTS = {"picture": picture, "rooms": rooms}


def renewed(text: str) -> str:
    """The page with its generated parts as the code is now; everything between them stays."""
    for name, draw in PARTS.items():
        begin, end = f"<!-- generated: {name} -->", f"<!-- end: {name} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n{draw()}\n{end}{after}"
    return text


if __name__ == "__main__":
    page = renewed(PAGE.read_text("utf-8"))
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page, "utf-8")
    else:
        print(page)
