# stateful
"""The last text is kept as an attribute of the function, and a repeated announcement is shortened."""
from collections.abc import Callable

from graphbus_core import GraphBusNode, subscribe

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def spell(platform: int) -> str:
    return " ".join(NUMBERS[int(digit)] for digit in str(platform))


def with_chime(function: Callable[..., str]) -> Callable[..., str]:
    def wrapper(*args: object) -> str:
        text = function(*args)
        return f"<chime> {text}" if text.startswith("Attention") else text

    return wrapper


@with_chime
def arrival(train: str, platform: int, reason: str) -> str:
    text = f"Attention on platform {spell(platform)}: {train} is arriving."
    if reason:
        text += f" We apologise for the delay due to {reason}."
    return shorten(text)


def shorten(text: str) -> str:
    before, shorten.before = shorten.before, text
    if text == before:
        return "I repeat: " + text.split(": ", 1)[1]
    return text


shorten.before = ""


class Speaker(GraphBusNode):
    @subscribe("/Rail/Arrivals")
    def on_arrival(self, train: str, platform: int, reason: str) -> dict[str, object]:
        text = arrival(train, platform, reason)
        return {"platform": platform, "say": text, "seconds": len(text) // 14}
