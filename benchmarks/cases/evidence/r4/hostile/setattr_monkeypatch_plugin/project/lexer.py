from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class LexerResult(TypedDict):
    tokens: list[str]


class Lexer(GraphBusNode):
    @schema_method
    def lex(self, text: str) -> LexerResult:
        return {"tokens": text.split()}
