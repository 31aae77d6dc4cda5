# pure
"""Keeps nothing: the nested template is copied deeply before anything is written into it."""
import copy
import json
import string
from collections.abc import Mapping
from typing import Any

from graphbus_core import GraphBusNode, subscribe

TEMPLATE: dict[str, Any] = {
    "subject": "Welcome to the library, $name",
    "blocks": [
        {"kind": "text", "lines": ["Your card number is $card."]},
        {"kind": "list", "lines": ["Borrow up to ${limit} items."]},
    ],
    "meta": {"language": "en", "tags": ["welcome"], "unknown": []},
}
LIMITS = {"child": 10, "adult": 25, "teacher": 60}


class Letters(string.Template):
    """A template that also reports the names nobody has filled in."""

    def fill(self, values: Mapping[str, object], missing: list[str]) -> str:
        for match in self.pattern.finditer(self.template):
            name = match["named"] or match["braced"]
            if name and name not in values and name not in missing:
                missing.append(name)
        return self.safe_substitute(values)


class Letter:
    def __init__(self, template: dict[str, Any]) -> None:
        self.body = copy.deepcopy(template)

    def add_line(self, kind: str, line: str) -> "Letter":
        for block in self.body["blocks"]:
            if block["kind"] == kind:
                block["lines"].append(line)
                return self
        self.body["blocks"].append({"kind": kind, "lines": [line]})
        return self

    def fill(self, values: Mapping[str, object]) -> dict[str, Any]:
        missing: list[str] = self.body["meta"]["unknown"]
        self.body["subject"] = Letters(self.body["subject"]).fill(values, missing)
        for block in self.body["blocks"]:
            block["lines"][:] = [Letters(line).fill(values, missing) for line in block["lines"]]
        return self.body


class WelcomeLetters(GraphBusNode):
    @subscribe("/Library/Joined")
    def on_joined(self, name: str, card: str, group: str, interests: list[str], remark: str) -> dict[str, object]:
        letter = Letter(TEMPLATE)
        for interest in interests:
            letter.add_line("list", f"New in {interest}: see shelf ${{{interest.lower()}_shelf}}.")
        if group == "child":
            letter.add_line("picture", "owl.png").body["meta"]["tags"].append("children")
        if remark:
            letter.add_line("text", remark)
        values = {"name": name.title(), "card": card, "limit": LIMITS.get(group, 25), "music_shelf": "M2"}
        body = letter.fill(values)
        return {"letter": body, "size": len(json.dumps(body, sort_keys=True))}
