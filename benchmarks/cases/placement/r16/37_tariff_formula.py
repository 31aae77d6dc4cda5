# stateful
"""Formulas run in one namespace, in which the names that they assign stay for the next one."""
import math

from graphbus_core import GraphBusNode, subscribe

SANDBOX = {
    "__builtins__": {"min": min, "max": max, "round": round, "abs": abs},
    "sqrt": math.sqrt,
    "ceil": math.ceil,
}


def evaluate(script: str, **inputs: float) -> float:
    SANDBOX.update(inputs)
    exec(compile(script, "<tariff>", "exec"), SANDBOX)
    return SANDBOX["price"]


class TariffFormula(GraphBusNode):
    """A customer's contract carries its formula as text, one assignment a line."""

    @subscribe("/Contract/Price")
    def on_contract(self, formula: str, kwh: float) -> dict[str, str]:
        script = "\n".join(line.strip() for line in formula.split(";"))
        try:
            return {"price": f"{evaluate(script, kwh=kwh):.2f}"}
        except (NameError, KeyError, SyntaxError, ZeroDivisionError) as problem:
            return {"error": type(problem).__name__}
