# pure
"""The expression tree is walked by a visitor that is made and dropped with the event."""
import ast
import operator as op

from graphbus_core import GraphBusNode, subscribe

BINARY = {
    ast.Add: op.add, ast.Sub: op.sub, ast.Mult: op.mul,
    ast.Div: op.truediv, ast.Mod: op.mod, ast.Pow: op.pow,
}
CALLS = {"abs": abs, "max": max, "min": min, "round": round}


class Evaluator(ast.NodeVisitor):
    def __init__(self, names):
        self.names = names
        self.steps = 0

    def visit(self, node):
        self.steps += 1
        return super().visit(node)

    def visit_Expression(self, node):
        return self.visit(node.body)

    def visit_Constant(self, node):
        return node.value

    def visit_Name(self, node):
        return self.names[node.id]

    def visit_UnaryOp(self, node):
        value = self.visit(node.operand)
        return -value if isinstance(node.op, ast.USub) else value

    def visit_BinOp(self, node):
        return BINARY[type(node.op)](self.visit(node.left), self.visit(node.right))

    def visit_Call(self, node):
        return CALLS[node.func.id](*map(self.visit, node.args))

    def generic_visit(self, node):
        raise TypeError(f"{type(node).__name__} not allowed")


class Formula(GraphBusNode):
    @subscribe("/sheet/cell")
    def on_cell(self, expression: str, x: int) -> dict:
        ev = Evaluator({"x": x})
        try:
            value = ev.visit(ast.parse(expression, mode="eval"))
        except SyntaxError:
            return {"error": "#SYNTAX"}
        except ZeroDivisionError:
            return {"error": "#DIV/0"}
        except (KeyError, TypeError) as exc:
            return {"error": "#NAME", "detail": str(exc)}
        return {"value": value, "steps": ev.steps}
