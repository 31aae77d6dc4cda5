from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Iterator, Mapping

Claim = Mapping[str, object]


@dataclass
class Rule:
    name: str
    outcome: str
    test: Callable[[Claim], bool]

    def __call__(self, claim: Claim) -> bool:
        return self.test(claim)


class RuleBook:
    def __init__(self, *rules: Rule) -> None:
        self._rules = list(rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def first(self, claim: Claim) -> Rule | None:
        """The first rule that fires."""
        for i, rule in enumerate(self._rules):
            if rule(claim):
                if i:
                    self._rules[i - 1:i + 1] = rule, self._rules[i - 1]
                return rule
        return None

    def every(self, claim: Claim) -> list[str]:
        return sorted(r.name for r in self._rules if r(claim))


MOTOR = RuleBook(
    Rule("total", "expert", lambda c: c["amount"] > 9000),
    Rule("night", "call back", lambda c: c["hour"] < 5),
    Rule("glass", "pay", lambda c: c["part"] == "windscreen"),
    Rule("young", "check", lambda c: c["age"] < 23),
    Rule("small", "pay", lambda c: c["amount"] < 500),
)
