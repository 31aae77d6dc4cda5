"""Signing up."""
from __future__ import annotations

from dataclasses import dataclass, field

from signup.mail import Outbox


@dataclass
class SignUp:
    outbox: Outbox
    users: dict[str, str] = field(default_factory=dict)

    def register(self, email: str, name: str) -> bool:
        """False if the address is taken; its owner is told."""
        if email in self.users:
            self.outbox.send(email, "You have an account", f"Hello {self.users[email]}")
            return False
        self.users[email] = name
        self.outbox.send(email, "Welcome", f"Hello {name}")
        return True
