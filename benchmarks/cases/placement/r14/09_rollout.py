# pure
"""The bucket is a hash of flag and user, nothing is remembered."""
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe

_BUCKETS = 10_000


@dataclass(frozen=True, slots=True)
class Flag:
    name: str
    percent: float
    always: frozenset[str] = field(default_factory=frozenset)
    countries: frozenset[str] | None = None

    def bucket(self, user: str) -> int:
        digest = hashlib.sha256(f"{self.name}\0{user}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % _BUCKETS

    def enabled(self, user: str, country: str) -> bool:
        if user in self.always:
            return True
        if self.countries is not None and country not in self.countries:
            return False
        return self.bucket(user) < self.percent * _BUCKETS / 100


FLAGS: Mapping[str, Flag] = MappingProxyType({
    flag.name: flag
    for flag in (
        Flag("new-checkout", 25.0, always=frozenset({"qa"})),
        Flag("dark-mode", 60.0),
        Flag("gift-cards", 100.0, countries=frozenset({"DE", "AT"})),
    )
})


class Rollout(GraphBusNode):
    @subscribe("/Session/Started")
    def on_event(self, user: str, country: str) -> dict[str, object]:
        active = [name for name, flag in FLAGS.items() if flag.enabled(user, country)]
        return {"user": user, "flags": sorted(active)}
