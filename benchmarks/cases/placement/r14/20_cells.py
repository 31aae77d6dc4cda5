# stateful
"""Keeps a __future__ import of an earlier cell: codeop's compiler remembers them for all later source."""
import __future__
from codeop import CommandCompiler

from graphbus_core import GraphBusNode, subscribe

_LAZY = __future__.annotations.compiler_flag


class CellChecker(GraphBusNode):
    """Checks notebook cells before they are stored."""

    def __init__(self) -> None:
        super().__init__()
        self._compile = CommandCompiler()

    @subscribe("/Cell/Saved")
    def on_event(self, cell: str, source: str) -> dict[str, object]:
        try:
            code = self._compile(source, f"<cell {cell}>", "exec")
        except (SyntaxError, ValueError, OverflowError) as error:
            return {"cell": cell, "status": "broken", "detail": type(error).__name__}
        if code is None:
            return {"cell": cell, "status": "incomplete", "detail": ""}
        lazy = bool(code.co_flags & _LAZY)
        return {"cell": cell, "status": "ok", "detail": "lazy hints" if lazy else "", "names": list(code.co_names)}
