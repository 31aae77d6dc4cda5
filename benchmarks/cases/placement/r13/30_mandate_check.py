# pure
"""Keeps nothing: a table of rules called one after the other over the event's record."""
from graphbus_core import GraphBusNode, subscribe


def has_name(record: dict) -> str | None:
    return None if record["name"].strip() else "name missing"


def adult(record: dict) -> str | None:
    return None if record["age"] >= 18 else "minor needs guardian"


def mail_ok(record: dict) -> str | None:
    local, at, domain = record["mail"].partition("@")
    if at and local and "." in domain:
        return None
    return "mail address"


RULES = [has_name, adult, mail_ok]


class Pipeline:
    def __init__(self, rules: list) -> None:
        self.rules = rules

    def run(self, record: dict) -> list[str]:
        return [problem for rule in self.rules if (problem := rule(record))]


class MandateCheck(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.pipeline = Pipeline(RULES)

    @subscribe("/Mandate/New")
    def check(self, name: str, age: int, mail: str) -> dict[str, object]:
        record = {"name": name, "age": age, "mail": mail.lower()}
        problems = self.pipeline.run(record)
        status = "ok" if not problems else "back" if len(problems) < 3 else "drop"
        return {"status": status, "problems": problems, "mail": record["mail"]}
