"""Names in quotes that one side put to a new use, and whose other ends the other side took away. Text in, names out.

A key that is read and given, an event that is sent and heard, an entry of a registry and who asks for it: nothing but
the text of the name holds the two together, so nothing but the name can be followed.
"""

from __future__ import annotations

import ast
import configparser
import json
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping

from graphbus_core.commit.landing.interference.definitions import Function, Module, Project
from graphbus_core.commit.landing.interference.found import Interference
from graphbus_core.editing.scope import is_test_file

DATA = (".json", ".toml", ".ini", ".cfg")  # files of settings
_KEY = re.compile(r"[\w.:/-]{2,}")


def check_names(old: Project, ours: Project, theirs: Project, now: Project) -> Iterator[Interference]:
    """Every name that one side newly leans on, and that the other side took away."""
    read: dict[Module, _Keys] = {}
    before, mine, other, left = (_read_keys(project, read) for project in (old, ours, theirs, now))
    looked_for = _read_prefixes(now)
    members = _list_found(now, looked_for)
    yield from _check_keys(before, mine, other, left, members)
    yield from _check_keys(before, other, mine, left, members)
    gone = {prefix: place for prefix, place in _read_prefixes(old).items() if prefix not in looked_for}
    for side in (ours, theirs):
        yield from _check_prefixes(old, side, gone)


def _check_prefixes(old: Project, side: Project, gone: Mapping[str, str]) -> Iterator[Interference]:
    """A new function whose name was found by its beginning, at run time, and is not looked for any more."""
    for path in side.list_changed(old) if gone else ():
        known = (
            {n.name for n in ast.walk(old.modules[path].tree) if isinstance(n, Function)} if path in old.modules else ()
        )
        for node in ast.walk(side.modules[path].tree):
            if isinstance(node, Function) and node.name not in known:
                for prefix, place in gone.items():
                    if node.name.startswith(prefix):
                        what = f"def {node.name}: nobody looks for names that begin with {prefix!r} any more"
                        yield Interference(path, node.lineno, node.name, what, place)


def _read_prefixes(project: Project) -> dict[str, str]:
    """The beginnings of names that are made at run time, and where: `getattr(self, "do_" + word)`."""
    found: dict[str, str] = {}
    for path, module in project.modules.items():
        for node in ast.walk(module.tree) if b"getattr" in project.files[path] else ():
            match node:
                case ast.Call(
                    func=ast.Name(id="getattr"), args=[_, ast.BinOp(left=ast.Constant(value=str() as text)), *_]
                ):
                    found[text] = f"{path}:{node.lineno}"
                case ast.Call(
                    func=ast.Name(id="getattr"), args=[_, ast.JoinedStr(values=[ast.Constant(value=text), *_]), *_]
                ):
                    found[str(text)] = f"{path}:{node.lineno}"
    return {prefix: place for prefix, place in found.items() if len(prefix) > 1}


def _list_found(project: Project, prefixes: Collection[str]) -> set[str]:
    """What stands behind the beginning in the names of members that are found by it, however they came by the name:
    `hold` of `def do_hold` and of `do_hold = do_wait`. Who asks by such a name in quotes is still answered."""
    members = {
        node.id if isinstance(node, ast.Name) else node.name
        for module in project.modules.values() if prefixes
        for node in ast.walk(module.tree)
        if isinstance(node, Function) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    }  # fmt: skip
    return {name.removeprefix(p).lower() for name in members for p in prefixes if name.startswith(p)}


def _check_keys(before: _Keys, mine: _Keys, beside: _Keys, left: _Keys, found: set[str]) -> Iterator[Interference]:
    """A name in quotes that a side gave a new use, and whose other ends the other side took away. `found`: names, in
    small letters, that are looked up at run time, and there."""
    for key, places in mine.items():
        new = {where for where in places if where[1:] not in {w[1:] for w in before.get(key, ())}}
        if not new or key not in before or key.lower() in found:
            continue
        written = {where[1:] for where in new}
        for need in sorted(new):
            ends = [w for w in before[key] if w[0] != need[0]]
            still = [w for w in left.get(key, ()) if w[0] != need[0] and w[1:] not in written]
            if ends and not still and not any(w[0] != need[0] for w in beside.get(key, ())):
                there = f"{ends[0][1]}:{before[key][ends[0]]}"
                yield Interference(need[1], places[need], need[2], f"{key!r}: {_tell_end(ends[0][0])}", there)


def _tell_end(role: str) -> str:
    match role:
        case "given":
            return "nobody gives it any more"
        case "read":
            return "nobody reads it any more"
    return f"its {role} is gone"


_Where = tuple[str, str, str, str]  # role, path, scope, text around it
_Keys = dict[str, dict[_Where, int]]


def _read_keys(project: Project, known: dict[Module, _Keys]) -> _Keys:
    """Each name in quotes -> where it is given or read, outside of tests. `known`: by the module, for the next tree."""
    found: _Keys = {}
    for path, module in project.modules.items():
        if is_test_file(path):
            continue
        if module not in known:
            known[module] = _read_module_keys(path, module)
        for key, places in known[module].items():
            found.setdefault(key, {}).update(places)
    for path, data in project.files.items():
        for key in _list_data_keys(path, data):
            line = next((i for i, text in enumerate(data.splitlines(), 1) if key.encode() in text), 1)
            found.setdefault(key, {})["given", path, "module", key] = line
    return found


def _list_data_keys(path: str, data: bytes) -> Iterator[str]:
    """The keys of a file of settings, on every level."""
    waiting: list[object] = []
    try:
        if path.endswith(".json"):
            waiting = [json.loads(data)]
        elif path.endswith(".toml"):
            waiting = [tomllib.loads(data.decode())]
        elif path.endswith((".ini", ".cfg")):
            parser = configparser.ConfigParser(interpolation=None)
            parser.read_string(data.decode())
            waiting = [{name: dict(section) for name, section in parser.items()}]
    except (ValueError, RecursionError, configparser.Error):
        return
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            yield from (str(key) for key in value)
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value


def _read_module_keys(path: str, module: Module) -> _Keys:
    found: _Keys = {}
    calls = [node for node in ast.walk(module.tree) if isinstance(node, ast.Call)]
    callees = {id(keyword): _name_callee(call) for call in calls for keyword in call.keywords}
    for scope, parent in _walk_scopes(module.tree, "module"):
        names = [(key, role) for key, role in _read_roles(parent, callees) if _KEY.fullmatch(key)]
        text = ast.dump(parent) if names else ""
        for key, role in names:
            found.setdefault(key, {})[role, path, scope, text] = getattr(parent, "lineno", 0)
    return found


def _walk_scopes(node: ast.AST, scope: str) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        yield scope, child
        inner = scope
        if isinstance(child, Function | ast.ClassDef):
            inner = child.name if scope == "module" else f"{scope}.{child.name}"
        yield from _walk_scopes(child, inner)


def _name_callee(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _read_roles(node: ast.AST, callees: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    """The names in quotes of an expression, and whether it gives or reads what stands under them. `callees`: of
    keywords; an argument is an argument, by name or by place."""
    match node:
        case ast.Dict(keys=keys, values=values):
            yield from ((text, "given") for text in _list_texts(*keys))
            yield from ((text, "entry") for text in _list_texts(*values))
        case ast.Subscript(slice=ast.Constant(value=str() as key), ctx=context):
            yield key, "given" if isinstance(context, ast.Store) else "read"
        case ast.Compare(left=left, comparators=comparators):
            yield from ((text, "read") for text in _list_texts(left, *comparators))
        case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
            yield from ((k.arg, "given") for k in keywords if k.arg)
        case ast.Call(func=ast.Attribute(attr="get" | "pop"), args=[ast.Constant(value=str() as key), *_]):
            yield key, "read"
        case ast.Call(args=args):
            yield from ((text, f"call of {_name_callee(node)}") for text in _list_texts(*args))
        case ast.keyword(value=value) if callees.get(id(node), "dict") != "dict":
            yield from ((text, f"call of {callees[id(node)]}") for text in _list_texts(value))
        case ast.Assign(value=value) | ast.AnnAssign(value=value) | ast.Return(value=value) | ast.keyword(value=value):
            yield from ((text, "given") for text in _list_texts(value))
        case ast.MatchValue(value=value):
            yield from ((text, "read") for text in _list_texts(value))


def _list_texts(*nodes: ast.AST | None) -> Iterator[str]:
    for node in nodes:
        parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
        yield from (p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str))
