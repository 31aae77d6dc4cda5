"""What a scan knows of one node class: `AgentDefinition` (seed 002 §4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.model.prompt import SystemPrompt
from graphbus_core.model.schema import SchemaMethod
from graphbus_core.model.topic import Publication, Subscription


@dataclass(frozen=True)
class AgentDefinition:
    """One node class as its source declares it.

    `name` is unique in a build (the class name; `module.Class` where two classes share one). `source_file` is
    relative to the project root, with `/`. `source_code` is the text of the class (decorators included).
    `metadata` holds what has no field of its own: `is_arbiter`, `model`, `overrides` (which of propose, evaluate,
    commit the class defines), `bases`, `lineno`.
    """

    name: str
    module: str
    class_name: str
    source_file: str
    source_code: str
    system_prompt: SystemPrompt
    methods: tuple[SchemaMethod, ...] = ()
    subscriptions: tuple[Subscription, ...] = ()
    publications: tuple[Publication, ...] = ()
    depends_on: tuple[str, ...] = ()  # node names, from class decorators and type hints
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_arbiter(self) -> bool:
        """Whether the class says `IS_ARBITER = True`."""
        return bool(self.metadata.get("is_arbiter", False))

    @property
    def is_external(self) -> bool:
        """Whether it is written elsewhere (an OpenAPI file, …): asked and shown, never edited and never run here."""
        return "external" in self.metadata

    def method(self, name: str) -> SchemaMethod | None:
        """The method of that name, or None."""
        return next((m for m in self.methods if m.name == name), None)

    def to_dict(self) -> dict[str, Any]:
        """The form in `agents.json`."""
        return {
            **vars(self),
            "system_prompt": self.system_prompt.to_dict(),
            "methods": [m.to_dict() for m in self.methods],
            "subscriptions": [s.to_dict() for s in self.subscriptions],
            "publications": [p.to_dict() for p in self.publications],
            "depends_on": list(self.depends_on),
            "metadata": dict(self.metadata),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> AgentDefinition:
        """Inverse of `to_dict`."""
        return cls(
            name=data["name"],
            module=data["module"],
            class_name=data["class_name"],
            source_file=data["source_file"],
            source_code=data["source_code"],
            system_prompt=SystemPrompt.from_dict(data["system_prompt"]),
            methods=tuple(SchemaMethod.from_dict(m) for m in data.get("methods", ())),
            subscriptions=tuple(Subscription.from_dict(s) for s in data.get("subscriptions", ())),
            publications=tuple(Publication.from_dict(p) for p in data.get("publications", ())),
            depends_on=tuple(data.get("depends_on", ())),
            metadata=data.get("metadata", {}),
        )
