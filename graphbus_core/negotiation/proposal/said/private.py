"""A fact that some may see: what the facts of a proposal negotiation are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from graphbus_core.negotiation.core.protocol import Event

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Private(Event):
    """A fact for some only."""

    kind: ClassVar[str] = ""  # what facts are made of, and none itself
    audience: tuple[str, ...]

    def seen_by(self) -> tuple[str, ...] | None:
        """Those it was addressed to."""
        return self.audience
