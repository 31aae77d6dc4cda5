# pure
"""Keeps position and input in the parser object, but both are set anew before any reading."""
from graphbus_core import GraphBusNode, subscribe


class ParseError(Exception):
    pass


class ListParser:
    """Reads nested lists like (a (b c) d)."""

    def parse(self, text):
        self._text = text
        self._pos = 0
        value = self._value()
        self._skip()
        if self._pos != len(text):
            raise ParseError(f"rest at {self._pos}")
        return value

    def _skip(self):
        while self._pos < len(self._text) and self._text[self._pos] == " ":
            self._pos += 1

    def _peek(self):
        self._skip()
        return self._text[self._pos] if self._pos < len(self._text) else ""

    def _value(self):
        ch = self._peek()
        if ch == "(":
            return self._list()
        start = self._pos
        while self._pos < len(self._text) and self._text[self._pos].isalnum():
            self._pos += 1
        if start == self._pos:
            raise ParseError(f"word expected at {start}")
        return self._text[start:self._pos]

    def _list(self):
        self._pos += 1
        items = []
        while self._peek() != ")":
            items.append(self._value())
        self._pos += 1
        return items


class ScannerNode(GraphBusNode):
    def __init__(self):
        super().__init__()
        self._parser = ListParser()

    @subscribe("/lisp/source")
    def on_source(self, source: str) -> dict:
        try:
            return {"tree": self._parser.parse(source)}
        except ParseError as err:
            return {"error": str(err)}
