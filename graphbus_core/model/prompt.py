"""What an agent is told about itself (seed 002 §2.2). At run time this is documentation only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class SystemPrompt:
    """The text of `SYSTEM_PROMPT`, with an optional role and capabilities."""

    text: str
    role: str | None = None
    capabilities: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The form in `agents.json`."""
        return {"text": self.text, "role": self.role, "capabilities": list(self.capabilities)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SystemPrompt:
        """Inverse of `to_dict`."""
        return cls(data["text"], data.get("role"), tuple(data.get("capabilities") or ()))
