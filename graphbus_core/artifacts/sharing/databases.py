"""A database in memory that is filled while a node is set up: to ask it changes nothing."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from graphbus_core.artifacts.sharing.values import Outside, Site

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import Engine

DATABASE = "sqlite3.connect"
_QUERY = re.compile(r"\s*(select|with|values)\b", re.IGNORECASE)
# Words by which a statement that begins like a query may do something else, or tell what others did.
_DOING = re.compile(
    r"\b(insert|update|delete|replace|create|drop|alter|attach|detach|pragma|vacuum|begin|commit|rollback|savepoint"
    r"|release|reindex|analyze|load_extension|last_insert_rowid|changes|total_changes|random|randomblob)\b|;\s*\S",
    re.IGNORECASE,
)

_FILES = re.compile(r"\b(attach|vacuum|load_extension|pragma)\b", re.IGNORECASE)
_BY_NAME = frozenset(("setattr", "delattr", "__dict__", "vars", "__setattr__"))


def is_query(node: ast.AST, site: Site, engine: Engine) -> bool:
    """Whether this call asks a database, by a text that stands in the source, and nothing else."""
    if not isinstance(node, ast.Call) or not node.args:
        return False
    text = _find_text(node.args[0], engine)
    if text is None or _QUERY.match(text) is None or _DOING.search(text) is not None:
        return False
    makers = [a for name, values in site.fields.items() if name.endswith("_factory") for a in values]
    return all(isinstance(maker, Outside) and maker.name == "sqlite3.Row" for maker in makers)


def is_in_memory(place: ast.expr, engine: Engine) -> bool:
    """Whether a database of that name is as new as a list: no statement of its module brings a file into it."""
    if _find_text(place, engine) != ":memory:":
        return False
    texts = (p.value for p in ast.walk(engine.stack[-1].function.module.tree) if isinstance(p, ast.Constant))
    return not any(isinstance(text, str) and _FILES.search(text) for text in texts)


def _find_attribute(name: str, tree: ast.Module) -> ast.expr | None:
    """What all objects of a module have under a name that is bound once in it."""
    parts = list(ast.walk(tree))
    if any(isinstance(part, ast.Name | ast.Attribute) and get_word(part) in _BY_NAME for part in parts):
        return None
    stores = [p for p in parts if isinstance(p, ast.Name | ast.Attribute) and get_word(p) == name]
    stores = [p for p in stores if not isinstance(p.ctx, ast.Load)]
    values = [p.value for p in parts if isinstance(p, ast.Assign) and stores == p.targets]
    return values[0] if len(values) == 1 else None


def get_word(part: ast.Name | ast.Attribute) -> str:
    """The last word of it."""
    return part.id if isinstance(part, ast.Name) else part.attr


def _find_text(node: ast.expr, engine: Engine) -> str | None:
    """The text that an expression is: as it stands there, or a name or attribute that its module binds once."""
    if isinstance(node, ast.Attribute):
        node = _find_attribute(node.attr, engine.stack[-1].function.module.tree) or node
    if isinstance(node, ast.Name):
        tree = engine.stack[-1].function.module.tree
        bound = [part for part in ast.walk(tree) if _binds(part, node.id)]
        if len(bound) != 1 or bound[0] not in tree.body or not isinstance(bound[0], ast.Assign | ast.AnnAssign):
            return None
        node = bound[0].value or node
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _binds(part: ast.AST, name: str) -> bool:
    match part:
        case ast.Assign(targets=targets):
            return any(isinstance(t, ast.Name) and t.id == name for t in targets)
        case ast.AnnAssign(target=ast.Name(id=bound)) | ast.arg(arg=bound) | ast.alias(asname=bound):
            return bound == name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return name in names
        case ast.AugAssign(target=target) | ast.For(target=target) | ast.NamedExpr(target=target):
            return any(isinstance(t, ast.Name) and t.id == name for t in ast.walk(target))
    return False
