# stateful
"""Assignments inside a script stay in the globals that every later script is run with."""
import math

from graphbus_core import GraphBusNode, subscribe

HELPERS = {
    "sqrt": math.sqrt,
    "pi": math.pi,
    "clamp": lambda x, low, high: max(low, min(high, x)),
    "mean": lambda *xs: sum(xs) / len(xs),
    "gain": 1.0,
}


class FormulaCells(GraphBusNode):
    """Runs the little calibration scripts that come with the readings."""

    def __init__(self) -> None:
        super().__init__()
        self._names = {"__builtins__": {"abs": abs, "round": round, "min": min, "max": max}}
        self._names.update(HELPERS)

    @subscribe("/cell/evaluate")
    def on_evaluate(self, script: str, x: float) -> dict[str, object]:
        env = self._names
        env["x"] = x
        env["y"] = None
        try:
            exec(compile(script, "<cell>", "exec"), env)
        except (NameError, ValueError, ZeroDivisionError, TypeError) as problem:
            return {"error": type(problem).__name__, "detail": str(problem)}
        y = env["y"]
        return {"y": round(y, 6) if isinstance(y, (int, float)) else y}
