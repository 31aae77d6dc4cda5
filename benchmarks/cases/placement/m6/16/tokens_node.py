from collections import Counter

from graphbus_core import GraphBusNode, subscribe

from lexer import Kind, Lexer


class TokensNode(GraphBusNode):
    COLOURS = {Kind.NUMBER: "blue", Kind.NAME: "black", Kind.OP: "grey"}

    @subscribe("/Tokens")
    def on_source(self, source: str) -> dict:
        spans = []
        seen: Counter[str] = Counter()
        error = None
        try:
            for token in Lexer(source):
                if token.kind is Kind.END:
                    break
                seen[token.kind.name.lower()] += 1
                spans.append([token.at, token.at + len(token.text), self.COLOURS[token.kind]])
        except SyntaxError as problem:
            error = str(problem)
        return {"spans": spans, "counts": dict(sorted(seen.items())), "error": error}
