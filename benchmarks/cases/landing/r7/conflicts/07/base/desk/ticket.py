from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Message:
    author: str
    text: str
    sent: datetime


class Ticket:
    def __init__(self, subject):
        self.subject = subject
        self._log = []

    def write(self, author, text, sent):
        self._log.append(Message(author, text, sent))

    def messages(self):
        return sorted(self._log, key=lambda m: m.sent)
