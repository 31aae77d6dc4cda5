"""Which packages of the standard library a name of it may ask what they keep. It reads their sources, and runs nothing.

Code asks what was imported: by its module and those that this one loads, and by the very lines that the name stands for
and whatever these mention of their module. What is written in C asks its own package, and no other, but for the clock,
which asks a module in Python how a time is written.
"""

from __future__ import annotations

import re
import sysconfig
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from graphbus_core.module_origin import is_standard
from graphbus_core.syntax import resolve_module

_IMPORT = re.compile(r"\s*(?:from\s+(\.*[\w.]*)\s+import\s+(\(.*?\)|[^\n(]*)|import\s+([^\n]*))", re.DOTALL)
_DEFINED = re.compile(r"(?:async\s+def|def|class)\s+(\w+)")
_BY_C = {"time": ("_strptime",)}


@lru_cache(maxsize=1_000)
def list_asked(name: str) -> frozenset[str] | None:
    """The packages that a dotted name may ask; None where that cannot be told: it is not of the standard library."""
    if not is_standard(name):
        return None
    words = name.split(".")
    length = next((n for n in range(len(words), 1, -1) if find_source(".".join(words[:n])) is not None), 1)
    module = ".".join(words[:length])
    waiting = [module, *_BY_C.get(module, ()), *_list_inner(module, words[length] if length < len(words) else "")]
    reached: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module not in reached and is_standard(module):
            reached.add(module)
            waiting += [*_read(module)[0], module.rpartition(".")[0] or module]
    return frozenset(module.partition(".")[0] for module in reached)


def find_source(module: str) -> Path | None:
    """The file of a module of the standard library, found by name and not imported."""
    inner = Path(sysconfig.get_path("stdlib"), *module.split("."))
    return next((path for path in (inner / "__init__.py", inner.with_suffix(".py")) if path.is_file()), None)


def _list_inner(module: str, name: str) -> Iterator[str]:
    """What the lines of a definition import, and those of what they mention; of no name in particular, of all."""
    blocks = _read(module)[1]
    waiting, reached = [name] if name in blocks else [*blocks], set()
    while waiting:
        if (mention := waiting.pop()) in blocks and mention not in reached:
            reached.add(mention)
            yield from _list_imports(blocks[mention], module)
            waiting += re.findall(r"\w+", "\n".join(blocks[mention]))


@lru_cache(maxsize=500)
def _read(module: str) -> tuple[list[str], dict[str, list[str]]]:
    """What a module imports when it is loaded, and the lines of its definitions."""
    path = find_source(module)
    lines = path.read_text("utf-8", "replace").splitlines() if path is not None else []
    blocks: dict[str, list[str]] = {}
    loaded: list[str] = []  # lines that run then
    block, inner = loaded, -1  # how far the definition is indented that is read
    for line in filter(str.strip, lines):
        indent = len(line) - len(line.lstrip())
        if indent <= inner:
            inner = -1
        if indent == 0:
            defined = _DEFINED.match(line)
            block = blocks.setdefault(defined[1], []) if defined else loaded
        if inner < 0 and (_DEFINED.match(line, indent) or line.startswith("if __name__ ==")):
            inner = indent
        (block if inner >= 0 or block is not loaded else loaded).append(line)
    return [*_list_imports(loaded, module)], blocks


def _list_imports(lines: Iterable[str], module: str) -> Iterator[str]:
    """The modules that the imports among these lines may load."""
    path = find_source(module)
    package = module if path is not None and path.name == "__init__.py" else module.rpartition(".")[0]
    for match in re.finditer(rf"^{_IMPORT.pattern}", "\n".join(lines), re.DOTALL | re.MULTILINE):
        base, names, plain = match.groups()
        if plain is not None:
            yield from (part.split()[0] for part in plain.partition("#")[0].split(",") if part.strip())
        elif base:
            origin = resolve_module(len(base) - len(base.lstrip(".")), base.lstrip("."), package)
            yield origin
            yield from (f"{origin}.{n}" for n in re.findall(r"\w+", names) if find_source(f"{origin}.{n}") is not None)
