# stateful
"""The compiled rules are a generator expression at module level, used up by the first mail that no rule stops early."""
import re
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Rule:
    name: str
    pattern: re.Pattern[str]
    weight: int

    def hits(self, text: str) -> int:
        return self.weight * len(self.pattern.findall(text))


RAW_RULES = [
    ("money", r"\b(?:cash|prize|lottery)\b", 3),
    ("urgent", r"\burgent(?:ly)?\b", 2),
    ("link", r"https?://\S+", 1),
    ("shout", r"\b[A-Z]{5,}\b", 1),
]

RULES = (Rule(name, re.compile(expr), weight) for name, expr, weight in RAW_RULES)


def normalise(body: str) -> str:
    return re.sub(r"[ \t]+", " ", body.replace("\r\n", "\n")).strip()


class SpamScorer(GraphBusNode):
    LIMIT = 4

    @subscribe("/mail/received")
    def on_mail(self, sender: str, body: str) -> dict[str, object]:
        text = normalise(body)
        score = 0
        reasons: list[str] = []
        for rule in RULES:
            points = rule.hits(text)
            if points:
                reasons.append(rule.name)
                score += points
        if sender.endswith("@partner.example"):
            score = max(0, score - 2)
        return {"score": score, "spam": score >= self.LIMIT, "reasons": reasons}
