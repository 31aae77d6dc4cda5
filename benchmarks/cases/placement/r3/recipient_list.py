# stateful
import functools
import operator

from graphbus_core import GraphBusNode, subscribe

ALWAYS = ["audit@example.com"]
GROUPS = {
    "ops": ["olga@example.com", "omar@example.com"],
    "sales": ["sara@example.com"],
}


def recipients(names):
    lists = [GROUPS.get(n, []) for n in names]
    return functools.reduce(operator.iadd, lists, ALWAYS)


class RecipientList(GraphBusNode):
    @subscribe("/Notice/Composed")
    def on_notice(self, payload):
        people = recipients(payload["groups"])
        self.publish("/Notice/Addressed", {
            "notice": payload["notice"],
            "to": list(people),
        })
