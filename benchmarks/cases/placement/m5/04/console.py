from graphbus_core import GraphBusNode, subscribe

import angles


class Console(GraphBusNode):
    """Commands the observer types."""

    def _digits(self, arg):
        return angles.set_digits(max(3, int(arg)))

    def _echo(self, arg):
        return arg

    def _hours(self, arg):
        with_sign = arg if arg[:1] in "+-" else "+" + arg
        return with_sign.replace(" ", ":")

    @subscribe("/Console/Line")
    def on_line(self, line: str) -> str:
        verb, _, arg = line.partition(" ")
        action = getattr(self, "_" + verb, None)
        if action is None:
            return "?"
        return f"{verb}: {action(arg)}"
