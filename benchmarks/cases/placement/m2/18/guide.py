from graphbus_core import GraphBusNode, subscribe

from media import live


class AudioGuide(GraphBusNode):
    """Sends descriptions to the handhelds, tightly packed for the slow radio."""

    def __init__(self):
        super().__init__()

    @subscribe("/Museum/Guide/Speak")
    def speak(self, room: int, text: str) -> dict:
        packet = live.pack(f"room {room}: {text}".encode())
        return {"room": room, "packet": packet.hex()}
