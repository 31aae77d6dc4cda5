# pure
"""Explains fault codes; the classes enter themselves in a register when the module is loaded and only answer then."""
from __future__ import annotations

from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe


class System:
    """Base of the car's systems, found by the first letters of the code."""

    register: ClassVar[dict[str, type[System]]] = {}
    hourly: ClassVar[int] = 98
    parts: ClassVar[dict[int, tuple[str, float, int]]] = {}

    def __init_subclass__(cls, prefix: str, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        System.register[prefix] = cls

    def __init__(self, code: str) -> None:
        self.code = code
        self.number = int(code[2:], 16)

    @classmethod
    def of(cls, code: str) -> System | None:
        matches = [prefix for prefix in cls.register if code.startswith(prefix)]
        return cls.register[max(matches, key=len)](code) if matches else None

    def repair(self) -> tuple[str, float, int]:
        for first in sorted(self.parts, reverse=True):
            if self.number >= first:
                return self.parts[first]
        return "diagnosis", 0.5, 0

    def estimate(self) -> float:
        _, hours, part = self.repair()
        return hours * self.hourly + part


class Powertrain(System, prefix="P"):
    parts = {0x100: ("air meter", 0.8, 145), 0x300: ("ignition coil", 0.6, 62), 0x420: ("catalyst", 2.5, 690)}


class Hybrid(Powertrain, prefix="P0A"):
    hourly = 135
    parts = {0x0A00: ("inverter pump", 1.8, 210), 0x0A80: ("battery block", 4.0, 1800)}


class Chassis(System, prefix="C"):
    parts = {0x35: ("wheel sensor", 0.7, 48)}


class Network(System, prefix="U"):
    def repair(self) -> tuple[str, float, int]:
        return f"wiring of bus {self.number & 3}", 1.5, 0


class Workshop(GraphBusNode):
    @subscribe("/Garage/ReadOut")
    def on_read_out(self, vehicle: str, codes: list[str], kilometres: int) -> dict[str, object]:
        work: dict[str, float] = {}
        unknown: list[str] = []
        for code in dict.fromkeys(c.strip().upper() for c in codes):
            system = System.of(code)
            if system is None:
                unknown.append(code)
                continue
            work[f"{code} {type(system).__name__.lower()}: {system.repair()[0]}"] = system.estimate()
        inspection = 189 if kilometres % 30_000 < 1_000 else 0
        return {"vehicle": vehicle, "work": work, "unknown": unknown, "total": round(sum(work.values()) + inspection, 2)}
