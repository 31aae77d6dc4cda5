from graphbus_core import GraphBusNode, subscribe

from moderation.rules import findings, mask


class MaskNode(GraphBusNode):
    @subscribe("/Mask")
    def on_message(self, text: str) -> dict:
        per_level: dict[str, list[str]] = {}
        for word, level in findings(text):
            per_level.setdefault(level.label, []).append(word)
        return {"text": mask(text), "words": per_level, "clean": not per_level}
