# stateful
"""Keeps names that a formula assigns, because all formulas run in one namespace."""
import ast
import math
from typing import Any

from graphbus_core import GraphBusNode, subscribe

ALLOWED = (
    ast.Module, ast.Assign, ast.Expr, ast.Name, ast.Load, ast.Store, ast.Constant, ast.BinOp, ast.UnaryOp, ast.USub,
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Call, ast.IfExp, ast.Compare, ast.Gt, ast.Lt, ast.GtE, ast.LtE,
)

SCOPE: dict[str, Any] = {
    "__builtins__": {},
    "min": min,
    "max": max,
    "round": round,
    "floor": math.floor,
    "rate": 0.05,
    "cap": 5000,
}


class Formula:
    def __init__(self, source: str) -> None:
        tree = ast.parse(source, mode="exec")
        for node in ast.walk(tree):
            if not isinstance(node, ALLOWED):
                raise SyntaxError(f"{type(node).__name__} is not allowed")
        self._code = compile(tree, "<formula>", "exec")

    def run(self, scope: dict[str, Any]) -> float:
        exec(self._code, scope)
        return scope.get("bonus", 0)


def evaluate(source: str, sales: int, years: int) -> float:
    scope = SCOPE
    scope["sales"] = sales
    scope["years"] = years
    return Formula(source).run(scope)


class Bonuses(GraphBusNode):
    @subscribe("/payroll/bonus")
    def on_bonus(self, employee: str, formula: str, sales: int, years: int) -> dict[str, Any]:
        try:
            bonus = evaluate(formula, sales, years)
        except (SyntaxError, NameError, ZeroDivisionError) as error:
            return {"employee": employee, "error": str(error)}
        return {"employee": employee, "bonus": round(bonus, 2)}
