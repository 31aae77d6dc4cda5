# pure
"""The parser walks along its tokens, but a new parser is made for every query."""
import operator
import re

from graphbus_core import GraphBusNode, subscribe

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(<=|>=|!=|[()<>=]))")
COMPARE = {
    "<": operator.lt, ">": operator.gt, "<=": operator.le,
    ">=": operator.ge, "=": operator.eq, "!=": operator.ne,
}


class QueryError(Exception):
    pass


class Query:
    def __init__(self, text: str, row: dict[str, float]) -> None:
        self.row = row
        self.tokens: list[str] = []
        self.used: list[str] = []
        place = 0
        text = text.rstrip()
        while place < len(text):
            match = TOKEN.match(text, place)
            if not match:
                raise QueryError(f"unexpected {text[place:].strip()[0]!r}")
            self.tokens.append(match.group().strip())
            place = match.end()

    def take(self, *wanted: str) -> bool:
        if self.tokens and self.tokens[0] in wanted:
            self.tokens.pop(0)
            return True
        return False

    def either(self) -> bool:
        value = self.both()
        while self.take("or"):
            value = self.both() or value
        return value

    def both(self) -> bool:
        value = self.single()
        while self.take("and"):
            value = self.single() and value
        return value

    def single(self) -> bool:
        if self.take("not"):
            return not self.single()
        if self.take("("):
            value = self.either()
            if not self.take(")"):
                raise QueryError("missing )")
            return value
        left, sign, right = self.operand(), self.next(), self.operand()
        if sign not in COMPARE:
            raise QueryError(f"not a comparison: {sign}")
        return COMPARE[sign](left, right)

    def next(self) -> str:
        if not self.tokens:
            raise QueryError("query ends early")
        return self.tokens.pop(0)

    def operand(self) -> float:
        token = self.next()
        if token[0].isdigit():
            return float(token)
        self.used.append(token)
        try:
            return self.row[token]
        except KeyError:
            raise QueryError(f"no column {token}") from None


class FilterQuery(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/row/filter")
    def on_filter(self, query: str, row: dict[str, float]) -> dict[str, object]:
        try:
            parser = Query(query, row)
            keep = parser.either()
            if parser.tokens:
                raise QueryError(f"left over: {' '.join(parser.tokens)}")
        except QueryError as problem:
            return {"error": str(problem)}
        return {"keep": keep, "columns": sorted(set(parser.used))}
