# stateful
"""Registers payload classes with an abstract base class as events name them; isinstance then answers differently."""
import abc
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


class Billable(abc.ABC):
    """Everything that ends up on an invoice."""


@dataclass(frozen=True)
class Download:
    size: int


@dataclass(frozen=True)
class Upload:
    size: int


@dataclass(frozen=True)
class Session:
    size: int


@Billable.register
@dataclass(frozen=True)
class Storage:
    size: int


KINDS = {kind.__name__.lower(): kind for kind in (Download, Upload, Session, Storage)}


class PayloadKinds(GraphBusNode):
    @subscribe("/Usage/Tariff")
    def on_tariff(self, tariff: str, covers: list[str]) -> dict:
        accepted = [name for name in covers if name in KINDS]
        for name in accepted:
            Billable.register(KINDS[name])
        return {"tariff": tariff, "covers": accepted}

    @subscribe("/Usage/Record")
    def on_record(self, account: str, kind: str, size: int) -> dict:
        factory = KINDS.get(kind)
        if factory is None:
            return {"account": account, "error": f"unknown kind {kind}"}
        record = factory(size)
        units = -(-record.size // 1024) if isinstance(record, Billable) else 0
        return {"account": account, "units": units}
