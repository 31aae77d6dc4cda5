# stateful
"""default_kw"""
from graphbus_core import GraphBusNode, subscribe


def keep(n: int, rows: list = []) -> None:
    rows.append(n)
def ask(fn=keep) -> int:
    import inspect
    return len(inspect.signature(fn).parameters["ro" + "ws"].default)
class N(GraphBusNode):
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        keep(amount)
        return ask()
