from graphbus_core import GraphBusNode, subscribe

from rules import MOTOR


class MotorTriage(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Claims/Motor/Opened")
    def triage(self, amount: int, hour: int, part: str, age: int) -> dict[str, str]:
        rule = MOTOR.first({"amount": amount, "hour": hour, "part": part, "age": age})
        return {"rule": rule.name, "outcome": rule.outcome} if rule else {"rule": "", "outcome": "clerk"}
