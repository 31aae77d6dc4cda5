from collections import Counter
from typing import Final

from graphbus_core import GraphBusNode, depends_on

BANNED: Final = ("buy", "casino")


class ModLog(GraphBusNode):
    SYSTEM_PROMPT = "I count warnings."

    def __init__(self):
        super().__init__()
        self.warnings = Counter({80351110224678912: 2})

    def offends(self, content: str) -> bool:
        return any(word in content.lower() for word in BANNED)

    @depends_on("Gateway.message")
    def warn(self, author_id: int, content: str):
        if self.offends(content):
            self.warnings[author_id] += 1
        return {"warnings": self.warnings[author_id]}
