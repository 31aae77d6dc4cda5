# stateful
"""Keeps the roles of earlier users: replace() copies the default profile, but not the list in it."""
from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Quota:
    megabytes: int = 500
    seats: int = 1


@dataclass
class Profile:
    name: str = "guest"
    quota: Quota = field(default_factory=Quota)
    roles: list[str] = field(default_factory=lambda: ["reader"])

    def grant(self, role: str) -> None:
        if role not in self.roles:
            self.roles.append(role)

    def summary(self) -> dict[str, object]:
        flat = asdict(self)
        flat["admin"] = "admin" in self.roles
        return flat


DEFAULT = Profile()
BY_DEPARTMENT = {"it": "admin", "sales": "seller", "finance": "auditor"}


class Onboarding(GraphBusNode):
    @subscribe("/people/joined")
    def joined(self, name: str, department: str) -> dict[str, object]:
        profile = replace(DEFAULT, name=name)
        role = BY_DEPARTMENT.get(department.lower())
        if role is not None:
            profile.grant(role)
        return profile.summary()
