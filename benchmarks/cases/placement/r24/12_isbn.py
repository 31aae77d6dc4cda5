# pure
"""Check digits are computed from the code in hand; the strategies are plain functions in a table."""
from graphbus_core import GraphBusNode, subscribe

CHECKS = {}


def check(length):
    def register(fn):
        CHECKS[length] = fn
        return fn
    return register


@check(10)
def isbn10(body: str) -> str:
    total = sum(w * int(d) for w, d in zip(range(10, 1, -1), body))
    value = -total % 11
    return "X" if value == 10 else str(value)


@check(13)
def isbn13(body: str) -> str:
    total = sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(body))
    return str(-total % 10)


def clean(code: str) -> str:
    return "".join(ch for ch in code.upper() if ch.isdigit() or ch == "X")


class Catalogue(GraphBusNode):
    @subscribe("/books/code")
    def on_code(self, code: str) -> dict:
        digits = clean(code)
        fn = CHECKS.get(len(digits))
        if fn is None or "X" in digits[:-1]:
            return {"valid": False, "why": "length" if fn is None else "misplaced X"}
        body, last = digits[:-1], digits[-1]
        want = fn(body)
        result = {"valid": want == last, "digits": digits}
        if want != last:
            result["why"] = f"check digit {last}, should be {want}"
        elif len(digits) == 10:
            result["isbn13"] = "978" + body + isbn13("978" + body)
        return result
