"""Mails of the sign-up service."""
from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Mail:
    to: str
    subject: str
    body: str


@dataclass
class Outbox:
    mails: list[Mail] = field(default_factory=list)

    def send(self, to: str, subject: str, body: str) -> None:
        self.mails.append(Mail(to, subject, body))
