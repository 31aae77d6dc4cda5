# pure
"""Numbers the lines of each section."""
from graphbus_core import GraphBusNode, subscribe
from itertools import count, groupby


def section(line):
    return line.split()[0]


class NumberNode(GraphBusNode):
    @subscribe("/In")
    def on_lines(self, event):
        numbers = count(1)
        out = []
        for name, group in groupby(sorted(event["lines"], key=section), key=section):
            out.extend(f"{name}.{next(numbers)} {line.split()[1]}" for line in group)
        return {"lines": out, "total": next(numbers) - 1}
