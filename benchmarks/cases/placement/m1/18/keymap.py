from collections import ChainMap

from graphbus_core import GraphBusNode, subscribe
from cmds import ALIASES


class Keymap(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.base = ChainMap({}, ALIASES)

    @subscribe("/Game/KeymapAsked")
    def on_event(self, key: str, action: str) -> dict[str, str]:
        m = self.base.new_child()
        m[key] = action
        return dict(sorted(m.items()))
