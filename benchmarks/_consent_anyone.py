"""An advocate that answers anything: what no rule of a negotiation may rely on. For `consent.py`."""

from __future__ import annotations

import random

from graphbus_core.negotiation.core import Ask, Reply, View


class Anyone:
    """An advocate that consents to everything, objects to everything, lies, falls silent, or talks nonsense."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.way = self.rng.choice(["yes", "no", "liar", "silent", "nonsense"])

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Something."""
        rng, way = self.rng, self.way
        if way == "silent" and rng.random() < 0.7:
            return Reply(None, "silent")
        if way == "nonsense":
            return Reply(rng.choice([{}, {"move": 7}, {"answer": "yes"}, {"move": "propose", "terms": ["?"]}]))
        terms = {n: rng.choice(i["options"]) for n, i in ask.about["issues"].items()}
        if ask.kind == "position":
            return Reply({"priority": "[CONSENT - p0]"})
        if ask.kind == "consent":
            yes = way == "yes" or (way == "liar" and rng.random() < 0.8)
            return Reply({"answer": "consent"} if yes else {"answer": "object", "reason": "no"})
        return Reply(
            rng.choice(
                [
                    {"move": "propose", "offer": "a", "want": "b", "rationale": "c", "terms": terms},
                    {"move": "check", "terms": terms},
                    {"move": "check"},
                    {"move": "pass"},
                    {"move": "discuss", "text": "hm"},
                ]
            )
        )
