# stateful
"""Every event builds a fresh WaitingRoom, but the list of tickets hangs on the base class and is shared by all of them."""
from graphbus_core import GraphBusNode, subscribe


class Room:
    """Common ground of all rooms of the practice."""

    tickets: list[str] = []
    capacity = 5

    def admit(self, patient: str) -> int:
        if patient not in self.tickets:
            self.tickets.append(patient)
        return self.tickets.index(patient) + 1

    def is_crowded(self) -> bool:
        return len(self.tickets) > self.capacity


class WaitingRoom(Room):
    capacity = 3

    def describe(self, place: int) -> str:
        if place == 1:
            return "please go straight in"
        return f"about {(place - 1) * 12} minutes"


class TreatmentRoom(Room):
    capacity = 1

    def describe(self, place: int) -> str:
        return "nurse is with you" if place == 1 else "please wait outside"


class Reception(GraphBusNode):
    """Greets a patient and tells them where to wait."""

    @subscribe("/Clinic/Arrivals")
    def on_arrival(self, patient: str, urgent: bool) -> dict[str, object]:
        room = TreatmentRoom() if urgent else WaitingRoom()
        place = room.admit(patient.strip().title())
        return {
            "patient": patient,
            "room": type(room).__name__,
            "note": room.describe(place),
            "crowded": room.is_crowded(),
        }
