# pure
"""The default argument is a table which is only read."""
from graphbus_core import GraphBusNode, subscribe


def digits(text, keep="0123456789"):
    return [int(c) for c in text if c in keep]


def country(code, table={276: "DE", 40: "AT", 756: "CH", 250: "FR", 528: "NL"}):
    found = table.get(code)
    if found:
        return found
    return "manufacturer" if code >= 900 else "unknown"


def checks(*tests):
    def run(number):
        problems = []
        for name, test in tests:
            if not test(number):
                problems.append(name)
        return problems
    return run


VALIDATE = checks(
    ("length", lambda n: len(n) == 15),
    ("all equal", lambda n: len(set(n)) > 1),
    ("country", lambda n: any(n[:3])),
)


class Microchips(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.validate = VALIDATE

    @subscribe("/Scanner/Chip")
    def on_chip(self, raw: str) -> dict:
        number = digits(raw)
        problems = self.validate(number)
        if problems:
            return {"valid": False, "problems": problems}
        code = int("".join(map(str, number[:3])))
        return {"valid": True, "country": country(code), "serial": "".join(map(str, number[3:]))}
