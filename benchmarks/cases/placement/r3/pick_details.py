# stateful
import logging

from graphbus_core import GraphBusNode, subscribe

log = logging.getLogger("warehouse.pick")


class PickList(GraphBusNode):
    """Sends pick lists; with the shelf coordinates if the operators debug."""

    @subscribe("/Ops/Verbosity")
    def on_verbosity(self, payload):
        log.setLevel(payload["level"].upper())

    @subscribe("/Order/Released")
    def on_released(self, payload):
        lines = []
        for item in payload["items"]:
            line = {"sku": item["sku"], "qty": item["qty"]}
            if log.isEnabledFor(logging.DEBUG):
                line["shelf"] = f"{item['aisle']}-{item['bay']:02d}"
            lines.append(line)
        self.publish("/Pick/List", {"order": payload["order"], "lines": lines})
