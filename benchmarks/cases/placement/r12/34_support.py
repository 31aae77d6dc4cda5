# stateful
"""Adds a redacting filter to a logger for every ticket and never removes it, so names of earlier customers vanish from later tickets."""
import logging

from graphbus_core import GraphBusNode, subscribe


class Redact(logging.Filter):
    def __init__(self, word: str) -> None:
        super().__init__()
        self._word = word

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = str(record.msg).replace(self._word, "[customer]")
        return True


class Transcript(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(self.format(record))

    def drain(self) -> list[str]:
        lines, self._lines = self._lines, []
        return lines


def transcript_logger(name: str) -> tuple[logging.Logger, Transcript]:
    logger = logging.getLogger(name)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    handler = Transcript()
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    logger.addHandler(handler)
    return logger, handler


class SupportDesk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._log, self._transcript = transcript_logger("support.transcript")

    @subscribe("/Support/Ticket")
    def on_ticket(self, ticket: int, customer: str, lines: list[str]) -> dict[str, object]:
        if customer:
            self._log.addFilter(Redact(customer))
        for line in lines:
            level = logging.WARNING if "refund" in line else logging.INFO
            self._log.log(level, line.replace("%", "%%"))
        return {"ticket": ticket, "transcript": self._transcript.drain()}
