# stateful
from graphbus_core import GraphBusNode, subscribe

TOO_LARGE = ValueError("upload too large")
LIMIT = 5_000_000


def check(upload):
    if upload["bytes"] > LIMIT:
        TOO_LARGE.add_note(f"{upload['name']}: {upload['bytes']} bytes")
        raise TOO_LARGE
    return upload["name"].lower()


class UploadGate(GraphBusNode):
    @subscribe("/Upload/Started")
    def on_upload(self, payload):
        try:
            name = check(payload)
        except ValueError as exc:
            notes = "; ".join(getattr(exc, "__notes__", []))
            self.publish("/Upload/Refused", {"reason": f"{exc} ({notes})"})
        else:
            self.publish("/Upload/Allowed", {"name": name})
