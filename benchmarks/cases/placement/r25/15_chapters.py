# pure
"""Keeps only a memo of numerals, each of which depends on its number alone."""
from graphbus_core import GraphBusNode, subscribe

PARTS = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
         (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))

_memo = {}


def roman(n):
    if n in _memo:
        return _memo[n]
    left = n
    text = ""
    for value, letters in PARTS:
        while left >= value:
            text += letters
            left -= value
    _memo[n] = text
    return text


def slug(title):
    out = []
    for ch in title.lower():
        if ch.isalnum():
            out.append(ch)
        elif out and out[-1] != "-":
            out.append("-")
    return "".join(out).strip("-")


class Chapters(GraphBusNode):

    @subscribe("/book/chapter")
    def heading(self, number: int, title: str) -> dict:
        if number < 1 or number > 3999:
            return {"heading": title, "anchor": slug(title)}
        r = roman(number)
        return {"heading": "%s. %s" % (r, title.upper()), "anchor": "%s-%s" % (r.lower(), slug(title))}
