"""What all brewery nodes share."""
from __future__ import annotations

import json
from configparser import ConfigParser
from typing import Any

from graphbus_core import GraphBusNode

config = ConfigParser()
config.read_string("""
[mash]
grist = 5.0
loss = 0.96
[boil]
hours = 1
evaporation = 0.08
""")


class BrewNode(GraphBusNode):
    """Base of the nodes: keeps notes to put on a batch sheet."""

    notes: list[str] = []

    def reply(self, **fields: Any) -> str:
        return json.dumps(fields, sort_keys=True)

    def remark(self, text: str) -> None:
        self.notes.append(text)


class QuietNode(BrewNode):
    def remark(self, text: str) -> None:
        self.notes = [text]
        del self.notes


def setting(section: str, name: str) -> float:
    return config.getfloat(section, name)
