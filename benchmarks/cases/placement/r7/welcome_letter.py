# pure
"""Fills a deep copy of the template, so the template itself stays as it is."""
import copy
from string import Template
from typing import Any

from graphbus_core import GraphBusNode, subscribe

LETTER: dict[str, Any] = {
    "subject": Template("Welcome, $name"),
    "parts": [
        {"kind": "text", "body": Template("your plan $plan starts on $start.")},
    ],
    "headers": {"Reply-To": "team@example.org", "X-Tags": ["welcome"]},
}

GREETINGS = {"de": "Willkommen, $name", "fr": "Bienvenue, $name", "es": "Bienvenido, $name"}


def fill(node: Any, values: dict[str, str]) -> Any:
    if isinstance(node, Template):
        return node.safe_substitute(values)
    if isinstance(node, dict):
        return {key: fill(child, values) for key, child in node.items()}
    if isinstance(node, list):
        return [fill(child, values) for child in node]
    return node


class Welcome(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.template = LETTER

    @subscribe("/users/joined")
    def on_joined(self, name: str, plan: str, start: str, language: str) -> dict[str, Any]:
        letter = copy.deepcopy(self.template)
        if language in GREETINGS:
            letter["subject"] = Template(GREETINGS[language])
            letter["headers"]["X-Tags"].append(language)
        return fill(letter, {"name": name.strip().title(), "plan": plan.upper(), "start": start})
