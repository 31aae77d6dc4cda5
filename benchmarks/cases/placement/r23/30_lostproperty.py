# pure
"""The case moves through its states within one event; the descriptor stores in the case, which is thrown away."""
from graphbus_core import GraphBusNode, subscribe


class Status:
    allowed = {
        None: {"found"},
        "found": {"stored", "destroyed"},
        "stored": {"claimed", "auctioned"},
    }

    def __set_name__(self, owner: type, name: str) -> None:
        self.slot = "_" + name

    def __get__(self, obj: object, owner: type | None = None) -> str | None:
        return vars(obj).get(self.slot)

    def __set__(self, obj: object, value: str) -> None:
        if value not in self.allowed.get(self.__get__(obj), ()):
            raise ValueError(value)
        vars(obj)[self.slot] = value


class Case:
    status = Status()

    def __init__(self, item: str) -> None:
        self.item = item
        self.rejected: list[str] = []

    def replay(self, steps: list[str]) -> None:
        for step in steps:
            try:
                self.status = step
            except ValueError:
                self.rejected.append(step)


class ValuableCase(Case):
    def replay(self, steps: list[str]) -> None:
        super().replay([step for step in steps if step != "destroyed"])


class LostProperty(GraphBusNode):
    @subscribe("/LostProperty/History")
    def on_history(self, item: str, value: int, steps: list[str]) -> dict:
        case = ValuableCase(item) if value >= 50 else Case(item)
        case.replay(steps)
        return {"item": item, "status": case.status, "rejected": case.rejected}
