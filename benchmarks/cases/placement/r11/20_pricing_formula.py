# stateful
"""Evaluates formulas in one shared namespace, where a name bound by := in one formula is still there for the next."""
import ast
import math

from graphbus_core import GraphBusNode, subscribe

_SCOPE = {"__builtins__": {}, "ceil": math.ceil, "floor": math.floor, "min": min, "max": max, "margin": 0.2}
_FORBIDDEN = (ast.Attribute, ast.Subscript, ast.Lambda, ast.comprehension, ast.Await, ast.Starred)


def _compile(formula: str):
    tree = ast.parse(formula.strip(), mode="eval")
    for part in ast.walk(tree):
        if isinstance(part, _FORBIDDEN):
            raise SyntaxError(f"{type(part).__name__} is not allowed")
    return compile(tree, "<formula>", "eval")


class PricingFormula(GraphBusNode):
    """Price rules are written by the sales people, one expression each."""

    @subscribe("/Pricing/Rule")
    def on_rule(self, product: str, formula: str, variables: dict[str, float]) -> dict:
        try:
            code = _compile(formula)
        except SyntaxError as error:
            return {"product": product, "error": error.msg}
        try:
            price = eval(code, _SCOPE, dict(variables)) if variables else eval(code, _SCOPE)
        except (NameError, TypeError, ZeroDivisionError) as error:
            return {"product": product, "error": str(error)}
        return {"product": product, "price": round(float(price), 2)}
