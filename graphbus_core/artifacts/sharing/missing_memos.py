"""A dict that fills itself: `__missing__` puts under a key what it computes from it, so whoever asks gets f(key).

    class Names(dict):                              def f(self, key):
        def __missing__(self, key):                     name = self.spell(key)
            name = self[key] = self.spell(key)          return name
            return name

The method is read as the function on the right, which is followed as a cached one. It is as harmless as that, as long
as the dict is asked by `names[key]` alone and is empty after set up.
"""

from __future__ import annotations

import ast

from graphbus_core.artifacts.sharing.values import ClassScope, FunctionValue, Site, Value

_STORED = "(stored)"  # the name of what is put in, where it has none
_OF_DICTS = frozenset(dir(dict)) - {"__doc__", "__init__", "__class__", "__hash__"}


def fills_itself(cls: ClassScope) -> bool:
    """Whether its objects are dicts that are asked as any dict is, and fill themselves. To make one calls no method."""
    own = {name for ancestor in cls.lineage() for name in ancestor.names}
    if {*cls.list_outside()} != {"builtins.dict"} or "__missing__" not in own:
        return False
    return not own & (_OF_DICTS | {"__getattribute__", "__getattr__", "__new__"})


def find_filled_class(atom: object) -> ClassScope | None:
    """The class of an object that lasts, where that fills itself."""
    if not isinstance(atom, Site) or atom.kind != "instance" or not atom.lasting or atom.cls is None:
        return None
    return atom.cls if fills_itself(atom.cls) else None


def is_own_attribute(value: Value, name: str) -> bool:
    """Whether these are such dicts, and an attribute of that name is nothing that dicts have."""
    return name not in dir(dict) and bool(value) and all(find_filled_class(atom) is not None for atom in value)


def find_filling(cls: ClassScope, written: dict[ast.AST, ast.FunctionDef | None]) -> FunctionValue | None:
    """What `__missing__` computes, as a function that puts nothing in; None where that is not all it does."""
    methods = cls.find("__missing__") or frozenset()
    method = next(iter(methods)) if len(methods) == 1 else None
    if not isinstance(method, FunctionValue) or not isinstance(method.node, ast.FunctionDef):
        return None
    if method.node not in written:
        written[method.node] = _write_function(method.node)
    function = written[method.node]
    return FunctionValue(function, method.module, method.scope, method.cls) if function is not None else None


def _write_function(node: ast.FunctionDef) -> ast.FunctionDef | None:
    args = node.args
    if (
        node.decorator_list
        or len(args.args) != 2
        or len([*ast.walk(args)])
        != 3 + sum(sum(1 for _ in ast.walk(a.annotation)) for a in args.args if a.annotation is not None)
    ):
        return None
    owner, key = (arg.arg for arg in args.args)
    lines = _take_store(node.body, owner, key)
    if lines is None or not _uses_attributes_alone(lines, owner, key):
        return None
    return ast.copy_location(ast.FunctionDef(node.name, args, lines, []), node)


def _take_store(body: list[ast.stmt], owner: str, key: str) -> list[ast.stmt] | None:
    """The lines, without the one that puts the result in; nothing but the return of that comes after it."""
    place = ast.dump(ast.Subscript(ast.Name(owner, ast.Load()), ast.Name(key, ast.Load()), ast.Load()))
    for index, statement in enumerate(body):
        match statement:
            case ast.Return(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"),
                    args=[ast.Name(id=asked), value],
                    keywords=[],
                )
            ) if name == owner and asked == key:
                return [*body[:index], ast.copy_location(ast.Return(value), statement)]
            case ast.Assign(targets=targets, value=value) if any(_is_place(t, place) for t in targets):
                names = [t for t in targets if isinstance(t, ast.Name)] or [ast.Name(_STORED, ast.Store())]
                words = {name.id for name in names} | ({value.id} if isinstance(value, ast.Name) else set())
                others = [t for t in targets if not _is_place(t, place) and t not in names]
                if others or len(body) != index + 2 or not _returns(body[index + 1], words, place):
                    return None
                again = ast.Return(ast.Name(names[0].id, ast.Load()))
                lines = [ast.Assign(list[ast.expr](names), value), again]
                return [*body[:index], *(ast.fix_missing_locations(ast.copy_location(s, statement)) for s in lines)]
    return None


def _is_place(target: ast.expr, place: str) -> bool:
    return isinstance(target, ast.Subscript) and place == ast.dump(
        ast.Subscript(target.value, target.slice, ast.Load())
    )


def _returns(statement: ast.stmt, words: set[str], place: str) -> bool:
    match statement:
        case ast.Return(value=ast.Name(id=name)):
            return name in words
        case ast.Return(value=ast.Subscript() as read):
            return ast.dump(read) == place
    return False


def _uses_attributes_alone(lines: list[ast.stmt], owner: str, key: str) -> bool:
    """Whether the dict is asked for its attributes and other keys, and neither name is bound to anything else."""
    parts = [part for line in lines for part in ast.walk(line)]
    if any(isinstance(p, ast.Name) and p.id in (owner, key) and not isinstance(p.ctx, ast.Load) for p in parts):
        return False
    harmless = {p.value for p in parts if isinstance(p, ast.Attribute | ast.Subscript) and isinstance(p.ctx, ast.Load)}
    return all(p in harmless for p in parts if isinstance(p, ast.Name) and p.id == owner)


__all__ = ["fills_itself", "find_filled_class", "find_filling", "is_own_attribute"]
