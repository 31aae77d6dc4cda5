# pure
"""The seeded digest is copied for each container, the seed itself is never fed."""
import hmac
import string

from graphbus_core import GraphBusNode, subscribe

_SEED = hmac.new(b"port-of-loading", digestmod="sha256")
_SEED.update(b"seal:")

LETTER = {}
value = 10
for ch in string.ascii_uppercase:
    if value % 11 == 0:
        value += 1
    LETTER[ch] = value
    value += 1


def check_digit(code):
    total = 0
    for i, ch in enumerate(code[:10]):
        total += (int(ch) if ch.isdigit() else LETTER[ch]) << i
    return total % 11 % 10


def seal(*fields):
    mac = _SEED.copy()
    for f in fields:
        mac.update(str(f).encode() + b"|")
    return mac.hexdigest()[:12].upper()


class SealOffice(GraphBusNode):
    max_kilos = 26000

    @subscribe("/port/container")
    def on_container(self, container: str, goods: str, kilos: int) -> dict:
        problems = []
        if len(container) != 11 or not container[4:].isdigit():
            problems.append("malformed number")
        elif check_digit(container) != int(container[-1]):
            problems.append("check digit")
        if kilos > self.max_kilos:
            problems.append(f"overweight by {kilos - self.max_kilos} kg")
        if not goods:
            problems.append("nothing declared")
        if problems:
            return {"seal": None, "problems": problems}
        return {"seal": seal(container, goods, kilos), "problems": []}
