"""The folder of a project's negotiations: `.graphbus/negotiations/`, one log and one file of answers a build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import LogDamaged, UsageError
from graphbus_core.logs.jsonl import Head, Inspection, JsonlAnswers, JsonlLog, inspect_log
from graphbus_core.negotiation.core import Event

ANSWERS = ".answers.jsonl"
ENDED = "negotiation_ended"
PROTOCOL = "proposal"


@dataclass(frozen=True)
class StoredNegotiation:
    """One build's negotiation as its files tell it."""

    build_id: str
    path: Path
    facts: int
    ended: bool
    inspection: Inspection

    @property
    def is_stub(self) -> bool:
        """Whether nothing ever happened in it: no fact, nothing damaged that may have been one, nothing foreign."""
        damage, header = self.inspection.damage, self.inspection.header or {}
        # A start that came to nothing is passed over by "the newest", but damage never is: it may have been the
        # newest.
        sound = damage is None or damage.unfinished
        return self.facts == 0 and sound and header.get("protocol", PROTOCOL) == PROTOCOL

    @property
    def head(self) -> Head:
        """How far it got."""
        return Head(self.facts, self.inspection.hash)

    @property
    def started_at(self) -> float | None:
        """When it began, in epoch seconds."""
        timestamp: Any = (self.inspection.header or {}).get("at")
        return float(timestamp) if isinstance(timestamp, int | float) else None


class NegotiationFolder:
    """The negotiations below one `.graphbus` folder."""

    def __init__(self, output_dir: Path | str) -> None:
        self.folder = Path(output_dir) / "negotiations"

    def log_path(self, build_id: str) -> Path:
        """Where a build's log is."""
        return self.folder / f"{build_id}.jsonl"

    def answers_path(self, build_id: str) -> Path:
        """Where a build's answers are."""
        return self.folder / f"{build_id}{ANSWERS}"

    def list_builds(self) -> list[str]:
        """The ids of all builds, oldest first."""
        if not self.folder.is_dir():
            return []
        # The answers end in .jsonl as well, and are not a log.
        names = [p.name for p in self.folder.glob("*.jsonl") if not p.name.endswith(ANSWERS)]
        return sorted((n.removesuffix(".jsonl") for n in names), key=_make_sort_key)

    def inspect(self, build_id: str) -> StoredNegotiation:
        """What a build's log holds. Raises UsageError where there is none."""
        path = self.log_path(build_id)
        if not path.exists():
            recent = ", ".join(self.list_builds()[-5:])
            next_ = (
                f"The newest are: {recent}." if recent else "There is none yet: run `graphbus build --enable-agents`."
            )
            raise UsageError(f"There is no negotiation {build_id} in {self.folder}. {next_}")
        inspection = inspect_log(path)
        return StoredNegotiation(build_id, path, inspection.facts, inspection.last_kind == ENDED, inspection)

    def find_newest(self) -> StoredNegotiation | None:
        """The newest build's negotiation, or None. A log without a fact is a start that came to nothing."""
        return next(
            (stored for build_id in reversed(self.list_builds()) if not (stored := self.inspect(build_id)).is_stub),
            None,
        )

    def find_unfinished(self) -> StoredNegotiation | None:
        """The newest negotiation, if it has begun and not ended: the one that `--resume` goes on with."""
        newest = self.find_newest()
        return newest if newest is not None and newest.facts > 0 and not newest.ended else None

    def open(
        self,
        build_id: str,
        events: Mapping[str, type[Event]],
        protocol: str = PROTOCOL,
        durable: bool = True,
        request: Mapping[str, Any] | None = None,
    ) -> tuple[JsonlLog, JsonlAnswers]:
        """A build's log and answers, for its one writer. Raises Locked or LogDamaged.

        `asked`: what the build was asked for; a new log keeps it in its header, which is not a fact.
        """
        log = JsonlLog(self.log_path(build_id), events, build_id, protocol, durable=durable, request=request)
        try:
            # A log under another name would go on as that build, and the answers beside it belong to a third.
            if (own := log.header.get("id")) not in (build_id, "", None):
                raise LogDamaged(f"{log.path} is the log of {own} under another name. Call it {own}.jsonl again.")
            return log, JsonlAnswers(self.answers_path(build_id), durable=durable)
        except BaseException:
            # The log holds the writer's lock: without this a damaged answers file would lock the build until the
            # process ends.
            log.close()
            raise


def _make_sort_key(build_id: str) -> tuple[str, int]:
    head, _, number = build_id.rpartition("-")
    # The stamp has four dashes, so `-2` behind it is a number; a short digit group inside a name is not.
    return (head, int(number)) if len(number) < 6 and number.isdecimal() and head.count("-") >= 4 else (build_id, 1)
