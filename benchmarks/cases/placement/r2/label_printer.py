# pure
from dataclasses import asdict, dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Label:
    name: str
    lines: list = field(default_factory=list)


class LabelPrinter(GraphBusNode):
    @subscribe("/Address/Given")
    def on(self, payload):
        label = Label(payload["name"])
        if payload["city"]:
            label.lines.append(payload["city"].upper())
        label.name = label.name.strip()
        self.publish("/Label/Made", asdict(label))
