# pure
"""Judges one password by a constant list of rules."""
import string
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

COMMON = frozenset({"password", "letmein", "qwertz", "welcome", "sommer", "12345678"})
KEYBOARD = ("qwertzuiop", "asdfghjkl", "yxcvbnm", string.digits, string.ascii_lowercase)


def has_any(alphabet: str) -> Callable[[str], bool]:
    return lambda word: any(sign in alphabet for sign in word)


def runs(word: str, length: int = 4) -> bool:
    low = word.lower()
    pieces = (low[start:start + length] for start in range(len(low) - length + 1))
    return any(piece in row or piece in row[::-1] for piece in pieces for row in KEYBOARD)


RULES: list[tuple[str, Callable[[str], bool]]] = [
    ("at least ten characters", lambda word: len(word) >= 10),
    ("a lower case letter", has_any(string.ascii_lowercase)),
    ("an upper case letter", has_any(string.ascii_uppercase)),
    ("a digit", has_any(string.digits)),
    ("no keyboard run", lambda word: not runs(word)),
    ("not a common word", lambda word: word.lower().rstrip(string.digits + "!") not in COMMON),
]


def alphabet_size(word: str) -> int:
    groups = (string.ascii_lowercase, string.ascii_uppercase, string.digits, string.punctuation)
    return sum(len(group) for group in groups if has_any(group)(word)) or 1


class PasswordPolicy(GraphBusNode):
    @subscribe("/Account/Password")
    def on_password(self, user: str, password: str) -> dict[str, object]:
        failed = [name for name, rule in RULES if not rule(password)]
        if user and user.lower() in password.lower():
            failed.append("must not contain the user name")
        bits = len(password) * (alphabet_size(password).bit_length() - 1)
        return {"user": user, "accepted": not failed, "failed": failed, "bits": bits}
