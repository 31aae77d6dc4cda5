# stateful
"""Sets a context variable for the language when an event names one and never resets it, so the next event without one speaks it too."""
from contextvars import ContextVar
from typing import Final

from graphbus_core import GraphBusNode, subscribe

language: ContextVar[str] = ContextVar("language", default="en")

PHRASES: Final = {
    "en": {"left": "turn left", "right": "turn right", "on": "go straight on", "end": "you have arrived"},
    "de": {"left": "links abbiegen", "right": "rechts abbiegen", "on": "geradeaus", "end": "Sie sind am Ziel"},
    "fr": {"left": "tournez à gauche", "right": "tournez à droite", "on": "tout droit", "end": "vous êtes arrivé"},
}


def say(key: str) -> str:
    return PHRASES[language.get()][key]


def instruction(turn: int) -> str:
    angle = (turn + 180) % 360 - 180
    if angle < -30:
        return say("left")
    return say("right") if angle > 30 else say("on")


def speak(turns: list[int]) -> list[str]:
    spoken: list[str] = []
    for text in map(instruction, turns):
        if not spoken or spoken[-1] != text:
            spoken.append(text)
    return [*spoken, say("end")]


class Navigator(GraphBusNode):
    """Reads out the way; a driver may choose the language with the request."""

    @subscribe("/Route/Ready")
    def on_route(self, vehicle: str, turns: list[int], lang: str) -> dict[str, object]:
        wanted = lang.lower()[:2]
        if wanted in PHRASES:
            language.set(wanted)
        return {"vehicle": vehicle, "spoken": speak(turns)}
