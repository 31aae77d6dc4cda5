# stateful
"""Keeps the failed logins of each account: every handler call makes a ledger, and __new__ gives the same one each time."""
import hashlib
import hmac
from collections import Counter

from graphbus_core import GraphBusNode, subscribe

SALT = b"guard-v1"
ACCOUNTS = {
    "ada": hashlib.sha256(SALT + b"engine").hexdigest(),
    "linus": hashlib.sha256(SALT + b"penguin").hexdigest(),
}


class FailureLedger:
    _it: "FailureLedger | None" = None
    counts: Counter

    def __new__(cls) -> "FailureLedger":
        if cls._it is None:
            cls._it = super().__new__(cls)
            cls._it.counts = Counter()
        return cls._it

    def fail(self, user: str) -> int:
        self.counts[user] += 1
        return self.counts[user]

    def clear(self, user: str) -> None:
        self.counts.pop(user, None)

    def blocked(self, user: str) -> bool:
        return self.counts[user] >= 3


def matches(user: str, password: str) -> bool:
    given = hashlib.sha256(SALT + password.encode()).hexdigest()
    return hmac.compare_digest(given, ACCOUNTS.get(user, ""))


class LoginGuard(GraphBusNode):
    @subscribe("/Auth/Login")
    def on_login(self, user: str, password: str) -> str:
        ledger = FailureLedger()
        if ledger.blocked(user):
            return f"{user}: locked"
        if matches(user, password):
            ledger.clear(user)
            return f"{user}: welcome"
        ledger.fail(user)
        return f"{user}: wrong"
