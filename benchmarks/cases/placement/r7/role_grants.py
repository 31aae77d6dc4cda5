# stateful
"""The in-place union widens the set in the role table itself, so a temporary grant stays with the role."""
from graphbus_core import GraphBusNode, subscribe

ROLES: dict[str, set[str]] = {
    "viewer": {"read"},
    "editor": {"read", "write"},
    "owner": {"read", "write", "delete", "share"},
}

IMPLIED = {"write": "comment", "delete": "archive"}


def with_implied(rights: set[str]) -> frozenset[str]:
    return frozenset(rights | {IMPLIED[r] for r in rights if r in IMPLIED})


class AccessDecider(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.default_role = "viewer"

    def _rights(self, role: str, extra: list[str]) -> frozenset[str]:
        rights = ROLES.get(role) or ROLES[self.default_role]
        rights |= {item for item in extra if item}
        return with_implied(rights)

    @subscribe("/access/check")
    def on_check(self, user: str, role: str, action: str, extra: list[str]) -> dict[str, object]:
        rights = self._rights(role, extra)
        allowed = action in rights
        return {
            "user": user,
            "allowed": allowed,
            "reason": "granted" if allowed else f"{role} may not {action}",
        }
