# pure
import re

from graphbus_core import GraphBusNode, subscribe


class Footnotes(GraphBusNode):
    """Moves ((remarks)) of an article to numbered notes at its end."""

    @subscribe("/Article/Written")
    def on_article(self, payload):
        number = 0
        notes = []

        def move(match):
            nonlocal number
            number += 1
            notes.append(f"{number}. {match[1].strip()}")
            return f"[{number}]"

        text = re.sub(r"\(\((.*?)\)\)", move, payload["text"])
        self.publish("/Article/Set", {"text": text, "notes": notes, "count": number})
