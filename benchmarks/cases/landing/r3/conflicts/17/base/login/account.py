"""Accounts and their locks."""
import hashlib
import time

LIMIT = 3


def digest(password, salt):
    return hashlib.sha256((salt + password).encode()).hexdigest()


class Account:
    def __init__(self, name, password, salt="s"):
        self.name = name
        self.salt = salt
        self.secret = digest(password, salt)
        self.failures = 0
        self.last_failure = 0.0

    @property
    def locked(self):
        return self.failures >= LIMIT

    def check(self, password):
        if digest(password, self.salt) == self.secret:
            self.failures = 0
            return True
        self.failures += 1
        self.last_failure = time.time()
        return False
