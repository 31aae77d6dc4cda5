from dataclasses import dataclass
from datetime import datetime
from typing import NewType, Optional
from uuid import UUID

from graphbus_core import GraphBusNode, subscribe

TenantId = NewType("TenantId", UUID)
UserId = NewType("UserId", int)
AdminId = NewType("AdminId", UserId)
Email = NewType("Email", str)
Grants = NewType("Grants", dict[str, list[UserId]])


@dataclass
class Invite:
    email: Email
    invited_by: AdminId
    expires: Optional[datetime] = None


@dataclass
class TenantCreated:
    tenant: TenantId
    owner: UserId
    invites: list[Invite]
    grants: Grants


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: TenantCreated) -> None: ...


GOOD = [
    {"tenant": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "owner": 1, "invites": [], "grants": {}},
    {"tenant": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "owner": 1, "grants": {"read": [1, 2], "write": []},
     "invites": [{"email": "a@x.org", "invited_by": 1}]},
    {"tenant": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "owner": 1, "grants": {},
     "invites": [{"email": "a@x.org", "invited_by": 1, "expires": "2024-05-01T10:00:00+00:00"}]},
]
BAD = [
    {"tenant": "acme", "owner": 1, "invites": [], "grants": {}},
    {"tenant": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "owner": "1", "invites": [], "grants": {}},
    {"tenant": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "owner": 1, "invites": [], "grants": {"read": 1}},
    {"tenant": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "owner": 1, "invites": [], "grants": {"read": ["1"]}},
    {"tenant": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "owner": 1, "grants": {},
     "invites": [{"email": "a@x.org", "invited_by": "root"}]},
]
