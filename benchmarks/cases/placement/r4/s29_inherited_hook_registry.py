# stateful
"""Applies a discount rule to 1000 cents."""
from graphbus_core import GraphBusNode, subscribe


class Rule:
    percent = 0
    _line = ()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Rule._line += (cls,)

    def apply(self, cents):
        for rule in self._line:
            cents -= cents * rule.percent // 100
        return cents


class PluginNode(GraphBusNode):
    @subscribe("/In")
    def on_rule(self, event):
        local = type("EventRule", (Rule,), {"percent": event["percent"]})
        return {"total": local().apply(1000)}
