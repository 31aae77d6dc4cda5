# stateful
"""Executes the rule text in one shared namespace, so names that a rule assigned are there for later rules."""
import ast

from graphbus_core import GraphBusNode, subscribe

ALLOWED = (ast.Assign, ast.AugAssign, ast.Expr, ast.If)
SCOPE: dict[str, object] = {"__builtins__": {"min": min, "max": max, "round": round, "abs": abs}}


def compile_rule(text: str):
    tree = ast.parse(text, filename="rule")
    if not all(isinstance(node, ALLOWED) for node in tree.body):
        raise SyntaxError("only assignments and conditions")
    return compile(tree, "rule", "exec")


def run(text: str, facts: dict[str, float]) -> float:
    code = compile_rule(text)
    SCOPE.update(facts)
    exec(code, SCOPE)
    return float(SCOPE["bonus"])


class BonusRules(GraphBusNode):
    @subscribe("/Bonus/Evaluate")
    def on_evaluate(self, rule: str, facts: dict[str, float]) -> dict[str, object]:
        try:
            return {"bonus": round(run(rule, facts), 2)}
        except (NameError, KeyError):
            return {"error": "rule needs a fact that is missing"}
        except SyntaxError:
            return {"error": "rule does not parse"}
