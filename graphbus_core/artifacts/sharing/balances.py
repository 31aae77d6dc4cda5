"""Changes that are taken back before anybody else can see them: what is kept is as it was when the event is over.

    old = self.mode             self.depth += 1             token = user.set(name)
    self.mode = mode            try: …                      try: …                   (or `path.append(x)`, `path.pop()`)
    try: …                      finally:                    finally:
    finally:                        self.depth -= 1             user.reset(token)
        self.mode = old

The `try` follows at once, and the `finally` begins by taking it back, so no way leads around it. If all changes of a
place are such, every event finds it as it was set up, and what it reads there is that, or its own.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

_OPPOSITE = {ast.Add: ast.Sub, ast.Sub: ast.Add}


@dataclass(eq=False)
class Balance:
    """`place` stands for `value` while the lines of `rest` run: an attribute, a variable; or a list holds it."""

    place: ast.expr
    value: ast.expr
    rest: ast.Try
    is_whole: bool = False  # a variable or a list, not an attribute
    token: str = ""


def find_balance(body: Sequence[ast.stmt], index: int, function: ast.AST) -> Balance | None:
    """What this statement changes, and the next one takes back."""
    if index + 1 >= len(body) or not isinstance(guard := body[index + 1], ast.Try) or not guard.finalbody:
        return None
    restore = guard.finalbody[0]
    rest = ast.Try(guard.body, guard.handlers, guard.orelse, guard.finalbody[1:])
    ast.copy_location(rest, guard)
    match body[index], restore:
        case (
            ast.AugAssign(target=ast.Attribute() as place, op=op, value=ast.Constant(value=step)),
            ast.AugAssign(target=ast.Attribute() as other, op=opposite, value=ast.Constant(value=back)),
        ) if type(step) is int and type(back) is int and step == back and _is_same(place, other):
            if _OPPOSITE.get(type(op)) is type(opposite):
                return Balance(place, ast.copy_location(ast.Constant(step), place), rest)
        case (
            ast.Assign(targets=[ast.Attribute() as place], value=value),
            ast.Assign(targets=[ast.Attribute() as other], value=ast.Name(id=old)),
        ) if _is_same(place, other) and _is_saved(place, old, body[:index], function):
            return Balance(place, value, rest)
        case (
            ast.Assign(
                targets=[ast.Name(id=token)],
                value=ast.Call(func=ast.Attribute(value=variable, attr="set"), args=[value], keywords=[]),
            ),
            ast.Expr(
                value=ast.Call(func=ast.Attribute(value=again, attr="reset"), args=[ast.Name(id=back)], keywords=[])
            ),
        ) if ast.dump(variable) == ast.dump(again) and token == back and _count_stores(token, function) == 1:
            return Balance(variable, value, rest, is_whole=True, token=token)
        case (
            ast.Assign(
                targets=[ast.Name(id=token)],
                value=ast.IfExp(
                    test=test,
                    body=ast.Call(func=ast.Attribute(value=variable, attr="set"), args=[value], keywords=[]),
                    orelse=ast.Constant(value=None) as nothing,
                ),
            ),
            ast.If(
                test=asked,
                body=[
                    ast.Expr(
                        value=ast.Call(
                            func=ast.Attribute(value=again, attr="reset"), args=[ast.Name(id=back)], keywords=[]
                        )
                    )
                ],
                orelse=[],
            ),
        ) if ast.dump(variable) == ast.dump(again) and token == back and _count_stores(token, function) == 1:
            if ast.unparse(asked) in (token, f"{token} is not None"):
                either = ast.copy_location(ast.IfExp(test, value, nothing), value)
                return Balance(variable, either, rest, is_whole=True, token=token)
        case (
            ast.Expr(value=ast.Call(func=ast.Attribute(value=pushed, attr="append"), args=[value], keywords=[])),
            ast.Expr(value=ast.Call(func=ast.Attribute(value=popped, attr="pop"), args=[], keywords=[])),
        ) if ast.dump(pushed) == ast.dump(popped) and _is_steady_path(pushed, function):
            return Balance(pushed, value, rest, is_whole=True)
    return None


def find_callback(statement: ast.stmt) -> tuple[ast.Call, ast.expr, ast.expr] | None:
    """`stack.callback(user.reset, user.set(name))`: the call, the variable, and what it stands for until the stack is
    closed."""
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(), attr="callback"),
                args=[
                    ast.Attribute(value=variable, attr="reset"),
                    ast.Call(func=ast.Attribute(value=again, attr="set"), args=[value], keywords=[]),
                ],
                keywords=[],
            ) as call
        ) if ast.dump(variable) == ast.dump(again):
            return call, variable, value
    return None


def _is_saved(place: ast.Attribute, name: str, before: Sequence[ast.stmt], function: ast.AST) -> bool:
    """Whether the name stands for what was there, and was read just before."""
    if not before or _count_stores(name, function) != 1 or not isinstance(place.value, ast.Name):
        return False
    match before[-1]:
        case ast.Assign(targets=[ast.Name(id=saved)], value=ast.Attribute() as read):
            return saved == name and _is_same(place, read)
    return False


def _is_steady_path(node: ast.expr, function: ast.AST) -> bool:
    """Whether it is the same list all the time: a name, or an attribute of one, that is bound once at most."""
    name = node.value if isinstance(node, ast.Attribute) else node
    if not isinstance(name, ast.Name) or _count_stores(name.id, function) > 1:
        return False
    stored = (
        part for part in ast.walk(function) if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
    )
    return not isinstance(node, ast.Attribute) or all(part.attr != node.attr for part in stored)


def _count_stores(name: str, function: ast.AST) -> int:
    return sum(
        isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        for node in ast.walk(function)
    )


def _is_same(left: ast.Attribute, right: ast.Attribute) -> bool:
    """Whether both are the same attribute of the same name, which is bound once."""
    return (
        left.attr == right.attr
        and isinstance(left.value, ast.Name)
        and isinstance(right.value, ast.Name)
        and left.value.id == right.value.id
    )
