# stateful
"""Keeps the text and a stack of commands for taking them back."""
from abc import ABC, abstractmethod

from graphbus_core import GraphBusNode, subscribe


class Command(ABC):
    @abstractmethod
    def do(self, lines): ...

    @abstractmethod
    def undo(self, lines): ...


class Append(Command):
    def __init__(self, text):
        self.text = text

    def do(self, lines):
        lines.append(self.text)

    def undo(self, lines):
        lines.pop()


class Upper(Command):
    def do(self, lines):
        self.before = lines[:]
        lines[:] = [line.upper() for line in lines]

    def undo(self, lines):
        lines[:] = self.before


class EditorNode(GraphBusNode):
    def __init__(self):
        super().__init__()
        self._lines = []
        self._history = []

    def _run(self, command):
        command.do(self._lines)
        self._history.append(command)

    @subscribe("/editor/type")
    def on_type(self, text: str) -> dict:
        self._run(Upper() if text == ":upper" else Append(text))
        return {"lines": list(self._lines)}

    @subscribe("/editor/undo")
    def on_undo(self, steps: int) -> dict:
        for _ in range(min(max(steps, 0), len(self._history))):
            self._history.pop().undo(self._lines)
        return {"lines": list(self._lines)}
