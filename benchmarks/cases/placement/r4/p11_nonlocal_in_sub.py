# pure
"""Masks card numbers and counts them."""
from graphbus_core import GraphBusNode, subscribe
import re

CARD = re.compile(r"\b(\d{12})(\d{4})\b")


class MaskNode(GraphBusNode):
    @subscribe("/In")
    def on_text(self, event):
        found = 0

        def mask(match):
            nonlocal found
            found += 1
            return f"#{found}:****{match[2]}"

        text = CARD.sub(mask, event["text"])
        return {"text": text, "total": found}
