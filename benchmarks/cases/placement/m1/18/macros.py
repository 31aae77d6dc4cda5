from graphbus_core import GraphBusNode, subscribe
from cmds import TABLE, cmd


class Macros(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Game/MacroRecorded")
    def on_event(self, name: str, reply: str) -> str:
        verb = "replaced" if name in TABLE else "added"

        def macro(args):
            return reply

        macro.__name__ = name
        cmd(macro)
        return f"{verb} {name}"
