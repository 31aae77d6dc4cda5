# stateful
"""The copy of the default message is shallow, so the list of channels is shared and grows."""
from graphbus_core import GraphBusNode, subscribe


class Message:
    defaults = {"priority": 3, "repeat": 1, "channels": ["display"]}

    def __init__(self, text: str) -> None:
        self.fields = dict(self.defaults)
        self.fields["text"] = text

    def with_priority(self, level: int) -> "Message":
        self.fields["priority"] = level
        return self

    def via(self, channel: str) -> "Message":
        if channel not in self.fields["channels"]:
            self.fields["channels"].append(channel)
        return self


class Disruption(Message):
    defaults = {**Message.defaults, "repeat": 3}

    def __init__(self, line: str, cause: str) -> None:
        super().__init__(f"Line {line}: disruption because of {cause}")
        self.with_priority(1)


class Announcements(GraphBusNode):
    @subscribe("/Control/Disruption")
    def on_disruption(self, line: str, cause: str) -> dict:
        message = Disruption(line, cause)
        if cause in ("accident", "evacuation"):
            message.via("loudspeaker").via("app")
        return message.fields

    @subscribe("/Control/Notice")
    def on_notice(self, text: str) -> dict:
        return Message(text.strip()).with_priority(4).fields
