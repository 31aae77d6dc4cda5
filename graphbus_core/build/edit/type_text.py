"""What the text of a type tells: the type inside its wrappers, whether None fits it, the plain value it starts from."""

from __future__ import annotations

import ast

from graphbus_core.build.edit.text.edit_plan import parse_type
from graphbus_core.syntax import last_name

WRAPPERS = frozenset({"Optional", "NotRequired", "Required", "Annotated", "Final", "ReadOnly", "Union"})


def unwrapped(expr: ast.Subscript) -> list[ast.expr]:
    """What stands between the brackets, one by one: `Optional[T]` has one part, `Annotated[T, "text"]` two."""
    return expr.slice.elts if isinstance(expr.slice, ast.Tuple) else [expr.slice]


def without_none(parts: list[ast.expr]) -> list[ast.expr]:
    """The sides of a union that are not None."""
    return [p for p in parts if not (isinstance(p, ast.Constant) and p.value is None)]


def peel(value: ast.expr) -> tuple[ast.expr, bool | None, ast.Subscript | None]:
    """The plain type inside `Annotated[NotRequired[T], …]`, what it says of presence, and the node that says it."""
    said, by = None, None
    while isinstance(value, ast.Subscript) and last_name(value.value) in ("NotRequired", "Required", "Annotated"):
        word = last_name(value.value)
        if word != "Annotated":
            said, by = word == "NotRequired", value
        value = value.slice.elts[0] if isinstance(value.slice, ast.Tuple) else value.slice
    return value, said, by


def accepts_none(tree: ast.AST) -> bool:
    """Whether None is a value of a type, as far as its text tells."""
    match tree:
        case ast.Constant(value=None):
            return True
        case ast.Name(id="Any" | "object") | ast.Attribute(attr="Any"):
            return True
        case ast.BinOp(op=ast.BitOr()):
            return accepts_none(tree.left) or accepts_none(tree.right)
        case ast.Subscript(value=value) if last_name(value) == "Optional":
            return True
        case ast.Subscript(value=value) if last_name(value) in ("Union", "Literal"):
            return any(accepts_none(p) for p in unwrapped(tree))
    return False


_PLAIN: dict[str, tuple[type, ...]] = {"str": (str,), "int": (int,), "float": (float, int), "bool": (bool,)}


_STARTS = {"str": '""', "int": "0", "float": "0.0", "bool": "False", "bytes": 'b""', "Any": "None", "object": "None"}
_STARTS |= {"list": "[]", "List": "[]", "dict": "{}", "Dict": "{}", "set": "set()", "Set": "set()"}
_STARTS |= {"tuple": "()", "Sequence": "()"}


def takes(type_text: str, value: object) -> bool:
    """Whether a plain type takes a constant. A bool is an int in Python alone: in JSON Schema, and for readers, not."""
    wanted = _PLAIN.get(type_text.strip())
    return wanted is None or (isinstance(value, wanted) and (bool in wanted or not isinstance(value, bool)))


def default_for(type_text: str) -> str | None:
    """The plain value that a type starts from; None where there is no obvious one."""
    tree = parse_type(type_text)
    tree = peel(tree)[0]
    if isinstance(tree, ast.Subscript):
        tree = tree.value if last_name(tree.value) not in ("Literal", "Optional", "Union") else tree
    if isinstance(tree, ast.Dict):
        return "{}"
    if isinstance(tree, ast.List):
        return "[]"
    if accepts_none(tree):
        return "None"
    return _STARTS.get(last_name(tree))
