"""A new password for those who forgot theirs."""
from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from signup.service import SignUp


@dataclass
class Reset:
    service: SignUp
    tokens: dict[str, str] = field(default_factory=dict)

    def ask(self, email: str) -> None:
        """Says nothing about whether there is such an account."""
        if email not in self.service.users:
            return
        token = secrets.token_urlsafe(16)
        self.tokens[token] = email
        self.service.outbox.send(email, "New password", f"Your token: {token}")

    def redeem(self, token: str) -> str | None:
        return self.tokens.pop(token, None)
