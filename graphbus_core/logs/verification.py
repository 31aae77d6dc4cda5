"""Whether a log can be believed: its lines, its head, its name, its answers. Each finding says how to mend it.

`reading.inspect_log` says what one file holds; here it is compared with what stands beside it. Reads, writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphbus_core.errors import GraphBusError
from graphbus_core.logs.build_history import derive_replies
from graphbus_core.logs.jsonl import Inspection, head_path, inspect_log, read_answers
from graphbus_core.logs.negotiation_folder import ANSWERS, ENDED
from graphbus_core.text import format_count

PROTOCOL = "proposal"


@dataclass(frozen=True)
class LogFault:
    """One thing that is wrong, as a sentence or two. `harmless`: nothing is lost that anybody relied on."""

    text: str
    harmless: bool = False

    def __str__(self) -> str:
        return self.text


def verify_log(path: Path) -> tuple[Inspection, tuple[LogFault, ...]]:
    """What a log holds, and everything that is wrong with the file itself."""
    inspection = inspect_log(path)
    return inspection, tuple(_find_faults(path, inspection))


def is_project_log(path: Path) -> bool:
    """Whether a log lies where builds and runs keep theirs, and so has a head and the name of its build."""
    # By its place: nothing in a copy says whether it was ever this project's.
    return path.absolute().parent.name == "negotiations" or path.absolute().parent.parent.name == "consent"


def _find_faults(path: Path, inspection: Inspection) -> Iterator[LogFault]:
    if path.name.endswith(ANSWERS):
        log = path.name.removesuffix(ANSWERS) + ".jsonl"
        yield LogFault(f"{path} holds the answers of a build and is not a log; its log is {log}, beside it.")
        return
    if inspection.header is None:
        lost = (
            f" Its head says that it held {format_count(inspection.head.seq, 'fact')}."
            if inspection.head is not None and inspection.head.seq
            else ""
        )
        what = "is not a log of GraphBus, or its first line was altered" if path.stat().st_size else "is empty"
        yield LogFault(f"{path} {what}.{lost} Nothing of it can be read; put it back from a copy, or delete it.")
        return
    if inspection.damage is not None:
        yield _describe_damage(path, inspection)
    yield from _check_name(path, inspection)
    yield from _check_head(path, inspection)


def _describe_damage(path: Path, inspection: Inspection) -> LogFault:
    assert inspection.damage is not None
    sound = f"{path}: {inspection.damage}. The {inspection.facts} facts before it are sound"
    # Harmless, because a crash always leaves it. Called damage, people would stop to believe the word.
    if inspection.damage.unfinished:
        return LogFault(
            f"{sound}; nothing that was relied on is lost. A build may still be writing it; if none is, "
            f"`graphbus build … --resume` goes on from there.",
            harmless=True,
        )
    return LogFault(
        f"{sound}, and are all that is shown. Put the file back from a copy; or go on with what is left: "
        f"`graphbus log verify --repair {path}`."
    )


def _check_name(path: Path, inspection: Inspection) -> Iterator[LogFault]:
    """A copy may be called anything; but in the folder of a project's builds the name says whose log it is."""
    assert inspection.header is not None
    if path.absolute().parent.name != "negotiations":
        return
    # A consent log in the folder of builds would be offered by `--resume`.
    protocol, own = inspection.header.get("protocol"), str(inspection.header.get("id") or "")
    if protocol != PROTOCOL:
        yield LogFault(f"{path} is the log of a {protocol} negotiation and of no build. Take it out of this folder.")
    elif own and own != path.name.removesuffix(".jsonl"):
        yield LogFault(
            f"{path} is the log of {own} under another name. Call it {own}.jsonl, or take it out of this folder."
        )


def _check_head(path: Path, inspection: Inspection) -> Iterator[LogFault]:
    """A log without its head may have lost its end, or come from elsewhere; only an ended one is known to be whole."""
    if inspection.head is not None:
        return
    head = head_path(path)
    ended = inspection.last_kind == ENDED
    # Its end is a fact, so a log that has one is whole without a head to say so.
    if ended and not is_project_log(path):
        return
    what = f"Its head ({head.name}) {'cannot be read' if head.exists() else 'is missing'}"
    doubt = "whether it is this project's" if ended else "whether facts are missing at its end"
    yield LogFault(
        f"{path}: {what}, so nobody can say {doubt}. Put the head back from a copy; or take the log as it stands: "
        f"`graphbus log verify --repair {path}`."
    )


def verify_answers(path: Path) -> tuple[int, tuple[LogFault, ...]]:
    """How many stored answers stand beside a log, and which of those that its facts rest on are not there."""
    beside = path.with_name(path.name.removesuffix(".jsonl") + ANSWERS)
    if path.name.endswith(ANSWERS):
        return 0, ()
    replies, damaged, _ = read_answers(beside)
    faults = []
    if damaged:
        faults.append(
            LogFault(f"{beside}: {format_count(damaged, 'answer', 'is', 'are')} damaged and would be asked for again.")
        )
    try:
        # Only what was answered: silence leaves no line among the answers.
        needed = {ask for ask, reply in derive_replies(path).items() if reply.body is not None}
    except GraphBusError:
        needed = set()  # the log itself is damaged, or of another protocol: said elsewhere
    # Tries after the first end in `#2`; what the facts rest on is the question, whichever try answered it.
    missing = needed - {ask.partition("#")[0] for ask in replies}
    if missing and not beside.exists():
        faults.append(
            LogFault(
                f"{beside} is missing: the {len(missing)} answers that the log rests on are known from the log alone, "
                "so it cannot be proved against them. Put the file back from a copy.",
                # Beside a copy the answers were never expected.
                harmless=not is_project_log(path),
            )
        )
    elif missing:
        faults.append(
            LogFault(
                f"{beside}: {len(missing)} answers that the log rests on are not there ({min(missing)}). "
                "Put the file back from a copy."
            )
        )
    return len(replies), tuple(faults)
