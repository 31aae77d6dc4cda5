# pure
"""Keeps nothing: the rotors turn within one message, and each message sets up a machine of its own."""
from __future__ import annotations

import string

from graphbus_core import GraphBusNode, subscribe

LETTERS = string.ascii_uppercase
WHEELS = {
    "I": ("EKMFLGDQVZNTOWYHXUSPAIBRCJ", "Q"),
    "II": ("AJDKSIRUXBLHWTMCQGZNPYFVOE", "E"),
    "III": ("BDFHJLCPRTXVZNYEIWGAKMUSQO", "V"),
    "IV": ("ESOVPZJAYQUIRHXLNFTGKDCMWB", "J"),
}
REFLECTOR = "YRUHQSLDPXNGOKMIEBFZCWVJAT"


class Rotor:
    def __init__(self, wheel: str, start: str) -> None:
        self.wiring, self.notch = WHEELS[wheel]
        self.offset = LETTERS.index(start)

    def turn(self) -> None:
        self.offset = (self.offset + 1) % 26

    @property
    def at_notch(self) -> bool:
        return LETTERS[self.offset] == self.notch

    def forward(self, pin: int) -> int:
        return (LETTERS.index(self.wiring[(pin + self.offset) % 26]) - self.offset) % 26

    def backward(self, pin: int) -> int:
        return (self.wiring.index(LETTERS[(pin + self.offset) % 26]) - self.offset) % 26


class Machine:
    def __init__(self, wheels: list[str], key: str, plugs: list[str]) -> None:
        self.rotors = [Rotor(wheel, start) for wheel, start in zip(wheels, key.upper())]
        self.plugs = str.maketrans({a: b for pair in plugs for a, b in (pair, pair[::-1])})

    def press(self, letter: str) -> str:
        left, middle, right = self.rotors
        if middle.at_notch:
            middle.turn()
            left.turn()
        elif right.at_notch:
            middle.turn()
        right.turn()
        pin = LETTERS.index(letter.translate(self.plugs))
        for rotor in (right, middle, left):
            pin = rotor.forward(pin)
        pin = LETTERS.index(REFLECTOR[pin])
        for rotor in (left, middle, right):
            pin = rotor.backward(pin)
        return LETTERS[pin].translate(self.plugs)


class CipherDesk(GraphBusNode):
    @subscribe("/Cipher/Message")
    def on_message(self, text: str, wheels: list[str], key: str, plugs: list[str]) -> dict[str, object]:
        if len(wheels) != 3 or len(key) != 3 or not key.isalpha() or not set(wheels) <= WHEELS.keys():
            return {"error": "three wheels and three letters, please"}
        machine = Machine(wheels, key, [pair.upper() for pair in plugs])
        coded = "".join(machine.press(ch) for ch in text.upper() if ch in LETTERS)
        return {"groups": [coded[i:i + 5] for i in range(0, len(coded), 5)], "length": len(coded)}
