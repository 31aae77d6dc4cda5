from graphbus_core import GraphBusNode, depends_on, schema_method


class Moderator(GraphBusNode):
    def __init__(self):
        self.muted = set()

    @depends_on("Room.last")
    @schema_method
    def mute(self, uid: int, text: str) -> dict[str, int]:
        self.muted.add(uid)
        return {"muted": uid}
