from graphbus_core import GraphBusNode, subscribe
import cmds


class Console(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Game/LineTyped")
    def on_event(self, line: str) -> object:
        name, args = cmds.parse(line)
        match cmds.TABLE.get(name):
            case None:
                return f"? {name}"
            case fn:
                return fn(args)
