from graphbus_core import GraphBusNode, subscribe

from conditions import Conditions


class Product(GraphBusNode):
    line = ""

    def __init__(self):
        super().__init__()
        self.terms = Conditions(self.line)


class MotorPremium(Product):
    line = "motor"

    @subscribe("/insurance/motor/quote")
    def quote(self, age: int, extras: list[str]) -> float:
        premium = self.terms.factor("base")
        if age < 25:
            premium *= self.terms.factor("young_driver")
        for extra in extras:
            premium *= self.terms.factor(extra)
        return round(premium, 2)


class HomePremium(Product):
    line = "home"

    @subscribe("/insurance/home/quote")
    def quote(self, square_metres: int, extras: list[str]) -> float:
        premium = self.terms.factor("base") * max(square_metres, 40) / 80
        for extra in extras:
            premium *= self.terms.factor(extra)
        return round(premium, 2)


class Actuary(Product):
    """Takes in the new factors of the motor line."""

    line = "motor"

    @subscribe("/insurance/motor/factor")
    def adopt(self, name: str, value: float) -> dict:
        self.terms.endorse(name, value)
        return {"adopted": name}
