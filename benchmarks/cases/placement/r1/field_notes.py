# stateful
from graphbus_core import GraphBusNode, subscribe

lines = []
note = lines.append
tell = "; ".join


class FieldNotes(GraphBusNode):
    @subscribe("/Walk/Seen")
    def on_seen(self, payload):
        note(payload["what"])

    @subscribe("/Walk/Ended")
    def on_ended(self, payload):
        self.publish("/Walk/Report", {"text": tell(lines)})
