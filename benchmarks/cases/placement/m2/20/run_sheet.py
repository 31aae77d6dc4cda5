from graphbus_core import GraphBusNode, subscribe

from seq import spool


class RunSheet(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.lanes = 2

    @subscribe("/Genome/Run/Composed")
    def compose(self, run: str, minimum: int) -> dict[str, object]:
        ready = [name for name, reads in spool.waiting() if reads >= minimum]
        return {"run": run, "lanes": [ready[i::self.lanes] for i in range(self.lanes)]}
