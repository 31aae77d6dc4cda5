# pure
"""A visitor per event, over a tree made from its text."""
import ast
import operator
from collections.abc import Mapping

from graphbus_core import GraphBusNode, subscribe

_BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_FUNCTIONS = {"min": min, "max": max, "abs": abs}


class FormulaError(ValueError):
    pass


class Evaluator(ast.NodeVisitor):
    def __init__(self, values: Mapping[str, float]) -> None:
        self.values = values

    def visit_Expression(self, node: ast.Expression) -> float:
        return self.visit(node.body)

    def visit_Constant(self, node: ast.Constant) -> float:
        if type(node.value) not in (int, float):
            raise FormulaError("only numbers")
        return node.value

    def visit_Name(self, node: ast.Name) -> float:
        try:
            return self.values[node.id]
        except KeyError:
            raise FormulaError(f"no value for {node.id}") from None

    def visit_BinOp(self, node: ast.BinOp) -> float:
        if (apply := _BINARY.get(type(node.op))) is None:
            raise FormulaError("operator not allowed")
        return apply(self.visit(node.left), self.visit(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> float:
        if not isinstance(node.op, ast.USub):
            raise FormulaError("operator not allowed")
        return -self.visit(node.operand)

    def visit_Call(self, node: ast.Call) -> float:
        if not isinstance(node.func, ast.Name) or node.func.id not in _FUNCTIONS or not node.args:
            raise FormulaError("function not allowed")
        return _FUNCTIONS[node.func.id](*map(self.visit, node.args))

    def generic_visit(self, node: ast.AST) -> float:
        raise FormulaError(f"{type(node).__name__} not allowed")


class Formula(GraphBusNode):
    @subscribe("/Formula/Evaluate")
    def on_event(self, formula: str, values: dict[str, float]) -> dict[str, object]:
        try:
            result = Evaluator(values).visit(ast.parse(formula, mode="eval"))
        except (SyntaxError, FormulaError, ZeroDivisionError, TypeError) as error:
            return {"result": None, "error": type(error).__name__}
        return {"result": result, "error": ""}
