import logging

from graphbus_core import GraphBusNode, schema_method

from office import texts

log = logging.getLogger("office.gate")


class Gate(GraphBusNode):
    @schema_method(input_schema={"door": int}, output_schema={"badge_no": str, "door": int})
    def scan(self, door):
        seen = {"badge_no": "B-5", "door": door}
        log.warning(texts.SEEN, seen)
        return seen
