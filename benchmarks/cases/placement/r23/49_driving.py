# stateful
"""The descriptor keeps the highest value ever set, on itself, for all the duty records."""
from graphbus_core import GraphBusNode, subscribe


class Minutes:
    """A checked attribute in minutes."""

    def __init__(self, top: int) -> None:
        self.top = top
        self.value = 0

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, obj: object, owner: type | None = None) -> int:
        return self.value

    def __set__(self, obj: object, value: int) -> None:
        if value < 0:
            raise ValueError(f"{self.name} must not be negative")
        if value:
            self.value = min(value, self.top)


class Duty:
    driving = Minutes(780)
    breaks = Minutes(180)

    def __init__(self, driver: str) -> None:
        self.driver = driver


class SplitDuty(Duty):
    def legal(self) -> bool:
        return self.breaks >= (45 if self.driving > 270 else 0)


class DutyCheck(GraphBusNode):
    @subscribe("/Roster/Duty")
    def on_duty(self, driver: str, driving: int, breaks: int) -> dict:
        duty = SplitDuty(driver)
        duty.driving = driving
        duty.breaks = breaks
        return {"driver": duty.driver, "legal": duty.legal(), "paid": duty.driving + duty.breaks // 2}
