# pure
"""Keeps a list of strategies that is settled at the start and never changed."""
from abc import ABC, abstractmethod

from graphbus_core import GraphBusNode, subscribe


class Tariff(ABC):
    def __init__(self, name):
        self._name = name

    @property
    def name(self):
        return self._name

    @abstractmethod
    def cost(self, minutes, megabytes):
        ...


class Flat(Tariff):
    def __init__(self, name, monthly):
        super().__init__(name)
        self._monthly = monthly

    def cost(self, minutes, megabytes):
        return self._monthly


class PerUse(Tariff):
    def __init__(self, name, minute, megabyte, free_minutes=0):
        super().__init__(name)
        self._minute = minute
        self._megabyte = megabyte
        self._free = free_minutes

    def cost(self, minutes, megabytes):
        return max(0, minutes - self._free) * self._minute + megabytes * self._megabyte


class TariffAdvisor(GraphBusNode):
    def __init__(self):
        super().__init__()
        self._tariffs = []
        self._register(Flat("all-in", 2999))
        self._register(PerUse("basic", 9, 2))
        self._register(PerUse("talker", 5, 4, free_minutes=100))

    def _register(self, tariff):
        self._tariffs.append(tariff)

    @subscribe("/mobile/usage")
    def advise(self, minutes: int, megabytes: int) -> dict:
        best = min(self._tariffs, key=lambda t: (t.cost(minutes, megabytes), t.name))
        return {"tariff": best.name, "cents": best.cost(minutes, megabytes)}
