from collections import deque
from itertools import count, islice

from graphbus_core import GraphBusNode, subscribe

BLANK = "-"


class Imposition(GraphBusNode):
    @subscribe("/print/impose")
    def impose(self, pages: int, first: int) -> list[str]:
        numbers = deque(str(n) for n in islice(count(first), pages))
        while len(numbers) % 4:
            numbers.append(BLANK)
        sheets = []
        while numbers:
            outer = (numbers.pop(), numbers.popleft())
            inner = (numbers.popleft(), numbers.pop())
            sheets.append("%s|%s / %s|%s" % (outer + inner))
        return sheets
