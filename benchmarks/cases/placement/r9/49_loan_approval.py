# stateful
"""A ContextVar's default is one list, and every rule appends its reason to it without anybody setting a fresh one."""
from contextvars import ContextVar

from graphbus_core import GraphBusNode, subscribe

reasons: ContextVar[list[str]] = ContextVar("reasons", default=[])


def because(text: str) -> None:
    reasons.get().append(text)


def income_rule(income: int, amount: int) -> int:
    if amount > income * 6:
        because("amount above six incomes")
        return 3
    return 0


def age_rule(age: int, years: int) -> int:
    if age + years > 75:
        because("runs beyond 75")
        return 2
    if age < 21:
        because("young applicant")
        return 1
    return 0


def grade(points: int) -> str:
    return "ABCDE"[min(points, 4)]


class LoanApproval(GraphBusNode):
    @subscribe("/Loan/Application")
    def on_application(self, income: int, amount: int, age: int, years: int) -> dict[str, object]:
        points = income_rule(income, amount) + age_rule(age, years)
        if years > 20:
            because("long term")
            points += 1
        return {"grade": grade(points), "reasons": ", ".join(reasons.get()) or "none"}
