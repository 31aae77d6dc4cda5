from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class LinterResult(TypedDict):
    bad: list[str]


class Linter(GraphBusNode):
    @depends_on("Lexer.lex")
    @schema_method
    def lint(self, words: list[str]) -> LinterResult:
        return {"bad": [w for w in words if w.isupper()]}
