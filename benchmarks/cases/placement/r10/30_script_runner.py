# stateful
"""Keeps the first source of each script in linecache, from which later error reports quote."""
import linecache
import traceback
from types import CodeType
from typing import Any

from graphbus_core import GraphBusNode, subscribe

SAFE = {"len": len, "sum": sum, "min": min, "max": max, "sorted": sorted, "str": str, "int": int}


def prepare(name: str, source: str) -> CodeType:
    filename = f"<script {name}>"
    lines = source.splitlines(keepends=True)
    # so that tracebacks can show the customer's own line
    linecache.cache.setdefault(filename, (len(source), None, lines, filename))
    return compile(source, filename, "exec")


def explain(error: Exception) -> dict[str, Any]:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return {"type": type(error).__name__, "message": str(error), "line": frame.lineno, "source": frame.line}


def run(code: CodeType, values: dict[str, Any]) -> Any:
    scope: dict[str, Any] = {"__builtins__": dict(SAFE), **values}
    exec(code, scope)
    return scope.get("result")


class ScriptRunner(GraphBusNode):
    @subscribe("/script/run")
    def on_run(self, name: str, source: str, values: dict[str, Any]) -> dict[str, Any]:
        try:
            code = prepare(name, source)
        except SyntaxError as error:
            return {"script": name, "error": {"type": "SyntaxError", "line": error.lineno}}
        try:
            return {"script": name, "result": run(code, values)}
        except Exception as error:
            return {"script": name, "error": explain(error)}
