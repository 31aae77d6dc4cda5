# stateful
"""A hand-made descriptor stores the channel on itself instead of on the letter, so a letter without a channel inherits the previous one."""
from graphbus_core import GraphBusNode, subscribe


class Field:
    """A text field with a default; empty input is ignored."""

    def __init__(self, default: str) -> None:
        self.value = default

    def __get__(self, owner: object, kind: type | None = None) -> str:
        return self.value

    def __set__(self, owner: object, value: str) -> None:
        if value:
            self.value = value.strip().lower()


class Reminder:
    channel = Field("letter")
    lead_days = 3

    def __init__(self, patient: str, channel: str) -> None:
        self.patient = patient
        self.channel = channel

    def text(self, day: str) -> str:
        return f"Dear {self.patient}, we expect you on {day}."


class VaccinationReminder(Reminder):
    lead_days = 10

    def text(self, day: str) -> str:
        return super().text(day) + " Please bring your vaccination card."


KINDS = {"visit": Reminder, "vaccination": VaccinationReminder}


class ReminderSender(GraphBusNode):
    @subscribe("/Clinic/Appointments")
    def on_appointment(self, patient: str, kind: str, day: str, channel: str) -> dict[str, object]:
        reminder = KINDS.get(kind, Reminder)(patient, channel)
        return {
            "via": reminder.channel,
            "days_before": reminder.lead_days,
            "text": reminder.text(day),
        }
