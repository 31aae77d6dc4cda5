from graphbus_core import GraphBusNode, subscribe

from moderation.rules import worst


class ModerateNode(GraphBusNode):
    @subscribe("/Moderate")
    def on_message(self, user: str, text: str) -> dict:
        level = worst(text)
        if level is None:
            return {"action": "show"}
        return {"action": "mute" if level.strike(user) else "warn", "level": level.label}
