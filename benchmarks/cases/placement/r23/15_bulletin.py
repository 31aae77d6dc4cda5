# stateful
"""The hash object made with the key is updated itself, without a copy, so each seal contains the earlier bulletins."""
import hashlib
from dataclasses import asdict, dataclass
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Seal:
    base: ClassVar = hashlib.sha256(b"office:north")
    length: int = 12

    def of(self, *parts: str) -> str:
        digest = self.base
        for part in parts:
            digest.update(part.encode())
            digest.update(b"\0")
        return digest.hexdigest()[: self.length]


@dataclass
class Bulletin:
    region: str
    headline: str
    level: int
    seal: str = ""

    def signed(self, seal: Seal) -> "Bulletin":
        self.seal = seal.of(self.region, self.headline, str(self.level))
        return self


class BulletinDesk(GraphBusNode):
    @subscribe("/Forecast/Bulletin")
    def on_bulletin(self, region: str, headline: str, level: int) -> dict:
        bulletin = Bulletin(region.title(), headline.strip(), max(0, min(level, 4)))
        return asdict(bulletin.signed(Seal()))
