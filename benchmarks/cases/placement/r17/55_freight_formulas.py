# stateful
"""Keeps names: the formulas are evaluated in one scope, and a walrus in one of them writes into it."""
from __future__ import annotations

import ast
import math

from graphbus_core import GraphBusNode, subscribe

SCOPE: dict[str, object] = {
    "__builtins__": {},
    "ceil": math.ceil,
    "max": max,
    "min": min,
    "round": round,
    "per_km": 1.35,
    "toll": 18.0,
    "surcharge": 0.0,
}
ALLOWED = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Constant, ast.Name,
    ast.expr_context, ast.NamedExpr, ast.Call, ast.IfExp, ast.Compare, ast.cmpop,
)


def compiled(formula: str):
    tree = ast.parse(formula.strip(), mode="eval")
    for node in ast.walk(tree):
        if not isinstance(node, ALLOWED):
            raise SyntaxError(f"{type(node).__name__} is not allowed")
        if isinstance(node, (ast.Constant,)) and not isinstance(node.value, (int, float)):
            raise SyntaxError("numbers only")
        if isinstance(node, ast.Pow):
            raise SyntaxError("no powers")
    return compile(tree, "<formula>", "eval")


class FreightFormulas(GraphBusNode):
    """Dispatchers write their own price formulas over km and kg."""

    @subscribe("/Quotes")
    def on_quote(self, formula: str, km: float, kg: float) -> dict[str, object]:
        SCOPE.update(km=km, kg=kg)
        try:
            price = eval(compiled(formula), SCOPE)
        except SyntaxError as problem:
            return {"error": problem.msg}
        except (NameError, TypeError, ZeroDivisionError) as problem:
            return {"error": str(problem)}
        return {"price": round(float(price), 2)}
