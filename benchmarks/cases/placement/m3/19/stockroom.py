import logging

from graphbus_core import GraphBusNode, subscribe


class Memo(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


ink_log = logging.getLogger("ink")
ink_log.propagate = False
memo = Memo()
ink_log.addHandler(memo)


class InkAlarm(GraphBusNode):
    @subscribe("/Ink/Level")
    def level(self, colour: str, percent: int) -> dict:
        if percent < 15:
            ink_log.warning("%s low", colour)
        return {"colour": colour, "order": memo.lines[-3:]}
