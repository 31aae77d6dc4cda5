# stateful
"""The rule that matched is moved to the front of the list, and the rules overlap, so the order decides."""
import re

from graphbus_core import GraphBusNode, subscribe

RULES = [
    (r"\brefund|chargeback\b", "billing"),
    (r"\bcannot log ?in|password\b", "accounts"),
    (r"\bcrash(ed|es)?\b", "client"),
    (r"\bslow|timeout\b", "platform"),
    (r"\binvoice\b", "billing"),
]


class Rule:
    __slots__ = ("pattern", "team")

    def __init__(self, pattern: str, team: str) -> None:
        self.pattern = re.compile(pattern, re.IGNORECASE)
        self.team = team


class TicketTriage(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._rules = [Rule(*row) for row in RULES]

    def _team(self, text: str) -> str:
        # most mail of a day is about one thing, so try what worked first
        for place, rule in enumerate(self._rules):
            if rule.pattern.search(text):
                if place:
                    self._rules.insert(0, self._rules.pop(place))
                return rule.team
        return "front-desk"

    @subscribe("/support/ticket")
    def on_ticket(self, subject: str, body: str) -> dict[str, object]:
        team = self._team(f"{subject}\n{body}")
        urgent = subject.isupper() or "!!" in body
        return {"team": team, "urgent": urgent}
