# stateful
"""Takes a permit from a semaphore and forgets to give it back when an export is refused, so the permits run out."""
import threading

from graphbus_core import GraphBusNode, subscribe

_FORMATS = {"csv": ",", "tsv": "\t", "psv": "|"}


class ExportSlots(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._slots = threading.BoundedSemaphore(3)

    def _render(self, columns: list[str], rows: list[list[str]], separator: str) -> str:
        lines = [separator.join(columns)]
        lines.extend(separator.join(row) for row in rows)
        return "\n".join(lines)

    @subscribe("/Export/Request")
    def on_request(self, format: str, columns: list[str], rows: list[list[str]]) -> dict:
        if not self._slots.acquire(blocking=False):
            return {"status": 503, "body": "too many exports are running"}
        separator = _FORMATS.get(format)
        if separator is None:
            return {"status": 415, "body": f"cannot write {format}"}
        if any(len(row) != len(columns) for row in rows):
            return {"status": 422, "body": "ragged rows"}
        try:
            return {"status": 200, "body": self._render(columns, rows, separator)}
        finally:
            self._slots.release()
