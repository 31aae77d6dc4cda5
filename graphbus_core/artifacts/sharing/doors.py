"""Whether code of the standard library may come by objects of the project that nobody gave it. It reads its source.

Code has what it is given: arguments, and what it was given before and kept. What else it wants it takes through the
doors of Python itself: it asks the import system for a module by name, runs a text, looks into a frame, or asks for all
objects that there are. Where a module of the library names none of these, its functions change what they were given
and what the library keeps, and nothing else. A module that is not written in Python, or not of the standard library, is
not read: there all doors count as open, but for the ones in C that a module in Python takes its functions from.
"""

from __future__ import annotations

import ast
import sys
from functools import lru_cache
from pathlib import Path

from graphbus_core.artifacts.library_reach import find_source
from graphbus_core.artifacts.sharing.library import BUILTIN_TYPES
from graphbus_core.artifacts.sharing.standard_objects import MISSING, look_up
from graphbus_core.artifacts.sharing.values import Atom, Immutable, Outside
from graphbus_core.module_origin import is_standard
from graphbus_core.syntax import list_imported_names

# Names by which anything can be had: modules by name, globals of a frame or function, all objects, code in a text.
_DOORS = frozenset(
    (
        *("modules", "__import__", "import_module", "f_globals", "f_locals", "__globals__", "__subclasses__"),
        *("get_objects", "get_referrers", "exec", "eval", "globals", "__builtins__", "resolve_name", "find_class"),
    )
)
# Modules that are doors, whatever is asked of them.
_DOOR_MODULES = frozenset(
    ("gc", "importlib", "_imp", "inspect", "ctypes", "_ctypes", "pickle", "_pickle", "runpy", "pkgutil", "code")
)
_INTERPRETER = frozenset(("builtins", "sys"))  # each of their functions may be one
STREAMS = frozenset(("sys.stdout", "sys.stderr"))  # what is written there goes out, and nothing comes back
# What these keep is felt by code that does not name them: by formats, by texts that are read, by copies.
_FELT_BY_ALL = frozenset(("locale", "time", "sys", "codecs", "encodings", "copyreg", "gettext"))


def is_closed(name: str) -> bool:
    """Whether a function of the library, by its dotted name, has only what it was given, and what the library keeps."""
    head = name.partition(".")[0]
    if name in STREAMS:
        return True
    return is_standard(name) and head not in _INTERPRETER and _is_module_closed(_find_module(name))


def list_keepers(name: str) -> list[str]:
    """The packages of which whoever uses one sees what a function of the library keeps."""
    head = name.partition(".")[0]
    target = getattr(sys, name.partition(".")[2], MISSING) if head == "sys" else look_up(name)
    is_setting = head in _FELT_BY_ALL and (target is MISSING or callable(target))
    return [head, "builtins"] if is_setting else [head]


def _find_module(name: str) -> str:
    """The module that holds it: the longest part of the name that is one."""
    while "." in name and find_source(name) is None:
        name = name.rpartition(".")[0]
    return name


@lru_cache(maxsize=256)
def _is_module_closed(module: str) -> bool:
    """Of it and of the modules of its own package that it takes its names from."""
    package, waiting, read = module.partition(".")[0], [module], set()
    while waiting:
        name = waiting.pop()
        if name in read:
            continue
        read.add(name)
        path = find_source(name)
        if path is None:
            if name == module and name not in sys.builtin_module_names:
                return False
            continue
        imported = _read_imports(path, name)
        if imported is None:
            return False
        waiting += [part for part in imported if part.partition(".")[0] == package and part != package]
    return package not in _DOOR_MODULES


def _read_imports(path: Path, module: str) -> list[str] | None:
    """What a module imports; None where it names a door."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    parts = [*ast.walk(tree)]
    fixed = {id(part) for part in map(_find_fixed_door, parts) if part is not None}
    imported: list[str] = []
    for part in parts:
        match part:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _DOORS and id(part) not in fixed:
                return None
            case ast.Attribute(value=ast.Name(id=head), attr=name) if head in _DOOR_MODULES and not _is_error(name):
                return None
            case ast.Import(names=aliases) if any(a.asname and _is_door_module(a.name) for a in aliases):
                return None
            case ast.ImportFrom(names=aliases, module=str(source)) if _is_door_module(source):
                if not all(_is_error(alias.name) for alias in aliases):
                    return None
            case ast.Import() | ast.ImportFrom():
                imported += list_imported_names(part, package)
    return imported


def _find_fixed_door(part: ast.AST) -> ast.AST | None:
    """The door in `sys.modules.get("queue")`: the library names where it leads, and not who calls it."""
    match part:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="modules") as door, attr="get"), args=[asked, *_]):
            return door if isinstance(asked, ast.Constant) else None
        case ast.Subscript(value=ast.Attribute(attr="modules") as door, slice=ast.Constant(), ctx=ast.Load()):
            return door
    return None


def _is_door_module(name: str) -> bool:
    return name.partition(".")[0] in _DOOR_MODULES


def _is_error(name: str) -> bool:
    return name.endswith(("Error", "Exception"))


def runs_no_code(atom: Atom) -> bool:
    """Whether a function that asks it for anything runs no code of the project."""
    if isinstance(atom, Outside):
        head, _, name = atom.name.partition(".")
        return head == "builtins" and name.partition(".")[0] in BUILTIN_TYPES
    return isinstance(atom, Immutable) or getattr(atom, "kind", "") == "container"
