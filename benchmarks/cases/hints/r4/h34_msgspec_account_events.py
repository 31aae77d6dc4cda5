from decimal import Decimal
from uuid import UUID

import msgspec

from graphbus_core import GraphBusNode, subscribe


class AccountEvent(msgspec.Struct, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    account: UUID


class Opened(AccountEvent):
    owner: str
    limit: Decimal | None = None


class Closed(AccountEvent):
    reason: str = "customer request"


class Moved(AccountEvent, tag="transfer"):
    amount: Decimal
    peer: UUID


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Opened | Closed | Moved) -> None: ...


GOOD = [
    {"type": "opened", "account": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "owner": "Ann"},
    {"type": "opened", "account": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "owner": "Ann", "limit": "500.00"},
    {"type": "closed", "account": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11"},
    {"type": "transfer", "account": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "amount": "1.00",
     "peer": "0e2f3d54-83b6-4ab7-9d4f-5f4f33e2c001"},
]
BAD = [
    {"type": "moved", "account": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "amount": "1.00",
     "peer": "0e2f3d54-83b6-4ab7-9d4f-5f4f33e2c001"},
    {"account": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "owner": "Ann"},
    {"type": "closed", "account": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "owner": "Ann"},
    {"type": "opened", "account": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11"},
    {"type": "closed", "account": "not-a-uuid"},
]
