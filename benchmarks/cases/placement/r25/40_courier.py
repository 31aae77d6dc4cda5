# stateful
"""Keeps the bag of the courier in a class attribute that all instances fill."""
from abc import ABC, abstractmethod

from graphbus_core import GraphBusNode, subscribe


class Vehicle(ABC):
    load = []

    def __init__(self, name):
        self.name = name

    @property
    @abstractmethod
    def capacity(self):
        """How many kilos it carries."""

    def take(self, kilos):
        if sum(self.load) + kilos > self.capacity:
            return self.depart(kilos)
        self.load.append(kilos)
        return f"{self.name} waits with {sum(self.load)} kg"

    def depart(self, kilos):
        away = sum(self.load)
        self.load.clear()
        self.load.append(kilos)
        return f"{self.name} leaves with {away} kg"


class Bike(Vehicle):
    @property
    def capacity(self):
        return 25


class Van(Vehicle):
    @property
    def capacity(self):
        return 400


class CourierNode(GraphBusNode):
    def __init__(self):
        super().__init__()

    def _vehicle_for(self, kilos):
        return Bike("bike") if kilos <= 12 else Van("van")

    @subscribe("/courier/pickup")
    def pickup(self, kilos: int) -> dict:
        vehicle = self._vehicle_for(kilos)
        return {"message": vehicle.take(kilos)}
