import textwrap
from dataclasses import dataclass


@dataclass
class Notice:
    title: str
    body: str


class Board:
    def __init__(self):
        self.notices = []

    def submit(self, title, body):
        if not title.strip():
            raise ValueError("a notice needs a title")
        self.notices.append(Notice(title.strip(), textwrap.dedent(body).strip()))
