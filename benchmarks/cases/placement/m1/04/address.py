import re

from graphbus_core import GraphBusNode, subscribe

ZIP = {"DE": re.compile(r"\d{5}"), "NL": re.compile(r"\d{4} ?[A-Z]{2}"), "CH": re.compile(r"\d{4}")}


class AddressCheck(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.problems: list[str] = []

    @subscribe("/Shop/AddressEntered")
    def on_event(self, country: str, code: str, city: str) -> list[str]:
        self.problems = []
        if not ZIP.get(country, re.compile(".+")).fullmatch(code):
            self.problems.append("zip")
        if not city.strip():
            self.problems.append("city")
        return self.problems
