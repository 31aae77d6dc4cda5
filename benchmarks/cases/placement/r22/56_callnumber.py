# pure
"""Builds shelf marks from fixed tables that are filled on first use."""
import re

from graphbus_core import GraphBusNode, subscribe

SUBJECTS = "general=000;philosophy=100;language=400;zoology=590;poetry=808.1;history=900"
ARTICLES = re.compile(r"^(the|a|an)\s+", re.IGNORECASE)


class CallNumbers(GraphBusNode):
    _classes: dict[str, str] | None = None

    @property
    def classes(self) -> dict[str, str]:
        if self._classes is None:
            self._classes = dict(pair.split("=") for pair in SUBJECTS.split(";"))
        return self._classes

    @staticmethod
    def cutter(author: str) -> str:
        surname = author.partition(",")[0].upper()
        tail = "".join(str((ord(ch) - 65) * 10 // 26) for ch in surname[1:3])
        return surname[0] + tail

    @staticmethod
    def work_mark(title: str) -> str:
        return ARTICLES.sub("", title)[0].lower()

    @subscribe("/Book")
    def on_book(self, title: str, author: str, subject: str, year: int) -> dict[str, str]:
        number = self.classes.get(subject, self.classes["general"])
        mark = f"{number} {self.cutter(author)}{self.work_mark(title)} {year}"
        return {"mark": mark, "sort": re.sub(r"[^0-9A-Za-z]", "", mark).ljust(18, "0")}
