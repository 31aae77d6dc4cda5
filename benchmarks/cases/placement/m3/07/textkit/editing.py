import re

from graphbus_core import GraphBusNode, subscribe

from . import rules
from .rules import BASE_RULES, Rule, apply


class HouseStyle(GraphBusNode):
    """Applies the house rules, the ones taught as well."""

    @subscribe("/Text/Edit")
    def edit(self, text: str) -> str:
        return apply(text, rules.house_rules)


class TeachRule(GraphBusNode):
    @subscribe("/Rule/Taught")
    def teach(self, word: str, better: str) -> dict[str, str]:
        rule = Rule(re.compile(rf"\b{re.escape(word)}\b"), better)
        rules.house_rules.insert(0, rule)
        return {"pattern": rule.pattern.pattern, "better": better}


class PlainStyle(GraphBusNode):
    @subscribe("/Text/Plain")
    def edit(self, text: str) -> str:
        return apply(rules.plain(text), BASE_RULES)
