"""The corpus on the disk: a piece is what an older version wrote (`given`), and what it said of it (`answers`).

Names that begin with a dot are kept as `dot-NAME`: `.graphbus/` is ignored by git. `asked.json` has the steps of a
piece, in order: a command to `run`, files to `read` or to `write`. All go over one copy, so that a later step sees what
an earlier one did.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

PLACE = "<here>"  # in what is kept: the folder that a piece lies in
KEY = bytes(range(32))  # of the machine that wrote the corpus (`journal.key`): it seals caches and journals
DOT = "dot-"


@dataclass(frozen=True)
class Step:
    """One thing that is done with a piece: a command, files of which the text is wanted, or files that are written."""

    name: str
    run: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    write: Mapping[str, str] = field(default_factory=dict)
    only_out: bool = False  # what it says on stderr comes in no order

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Step:
        """Inverse of `to_dict`."""
        return cls(
            data["name"],
            tuple(data.get("run", ())),
            tuple(data.get("read", ())),
            data.get("write", {}),
            data.get("only_out", False),
        )

    def to_dict(self) -> dict[str, Any]:
        """What is given, and nothing else."""
        return {name: value for name, value in vars(self).items() if value}


@dataclass(frozen=True)
class Piece:
    """One folder of the corpus."""

    folder: Path

    @property
    def steps(self) -> list[Step]:
        """What is asked of it, in order."""
        return [Step.from_dict(one) for one in json.loads((self.folder / "asked.json").read_text(encoding="utf-8"))]

    def answer(self, number: int, step: Step) -> Path:
        """The file of what is said to the step with that number (from 1)."""
        return self.folder / "answers" / f"{number:02}-{step.name}.txt"

    def unpack(self, to: Path) -> None:
        """A copy as it lay on the disk, with its own place where it names one. The key that sealed it: `state/`."""
        shutil.copytree(self.folder / "given", to / "p")
        for path in sorted(to.rglob(f"{DOT}*"), reverse=True):  # what lies in a folder before the folder
            path.rename(path.with_name(path.name.replace(DOT, ".", 1)))
        _replaced(to, PLACE, str(to / "p"))
        key_folder(to)


def _replaced(folder: Path, text: str, by: str) -> None:
    for path in folder.rglob("*"):
        if path.is_file() and text.encode() in (content := path.read_bytes()):
            path.write_bytes(content.replace(text.encode(), by.encode()))


def key_folder(to: Path) -> Path:
    """`to/state`, for XDG_STATE_HOME, with the corpus' key in it."""
    folder = to / "state" / "graphbus"
    folder.mkdir(parents=True, mode=0o700)
    (folder / "journal.key").write_bytes(KEY)
    (folder / "journal.key").chmod(0o600)
    return folder.parent


def digests(corpus: Path) -> str:
    """Every file that was given, with its digest; answers are not among them."""
    given = (path for path in corpus.glob("*/*/**/*") if path.is_file() and "given" in path.parts)
    lines = (f"{sha256(path.read_bytes()).hexdigest()}  {path.relative_to(corpus).as_posix()}\n" for path in given)
    return "".join(sorted(lines, key=lambda line: line[66:]))


def pack(source: Path, to: Path) -> None:
    """Keep a folder: without what belongs to one machine or one moment, and without its own name in it."""
    left_out = shutil.ignore_patterns("*.lock", "lock", "__pycache__", "beat", "seen-*.json", "*.bin", "confined")
    shutil.copytree(source, to, ignore=left_out)
    for path in sorted(to.rglob(".*"), reverse=True):
        path.rename(path.with_name(DOT + path.name[1:]))
    _replaced(to, str(source), PLACE)
    for spoken in to.rglob("spoken"):  # with the inode of a file that was not copied
        spoken.write_text(spoken.read_text(encoding="utf-8").partition(" ")[0] + " ", encoding="utf-8")


_CONFINED = re.compile(r"^.*Unreviewed code runs confined by.*\n", re.MULTILINE)  # by what this machine has
_TAKEN_BACK = re.compile(r"\btaken back on (\d{4}-\d\d-\d\d)\b")  # the day of asking: no hour stands beside it
_LIVE = re.compile(r"^\d\d:\d\d:\d\d ", re.MULTILINE)
# The moment of asking; times that stand in the corpus are long past, and stay.
_MOMENTS: tuple[tuple[re.Pattern[str], Callable[[str], datetime]], ...] = (
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)"), datetime.fromisoformat),
    (re.compile(r"\b\d{4}-\d\d-\d\d-\d{6}\b"), lambda text: datetime.strptime(f"{text}Z", "%Y-%m-%d-%H%M%S%z")),
    (re.compile(r"\b\d{10}\.\d{1,7}\b"), lambda text: datetime.fromtimestamp(float(text), UTC)),
)


def plain(text: str, here: Path, began: float) -> str:
    """What is said, without where and when it was asked."""
    text = _CONFINED.sub("", text.replace(str(here), PLACE))
    window = datetime.fromtimestamp(began - 1, UTC), datetime.now(UTC)
    for pattern, read in _MOMENTS:
        text = pattern.sub(lambda m, read=read: "<now>" if window[0] <= read(m[0]) <= window[1] else m[0], text)
    days = {moment.strftime("%Y-%m-%d") for moment in window}
    text = _TAKEN_BACK.sub(lambda m: "taken back on <today>" if m[1] in days else m[0], text)
    return re.sub(r'(<now>,"crc":")[0-9a-f]{8}', r"\1…", text)


def told(step: Step, code: int, out: str, err: str, here: Path, began: float) -> str:
    """The answer to a command, as it is kept."""
    said = f"$ graphbus {' '.join(step.run)}\nexit {code}\n--- out\n{out}"
    text = plain(said if step.only_out else f"{said}--- err\n{err}", here, began)
    return _LIVE.sub("HH:MM:SS ", text) if step.run[0] == "run" else text


def shown(step: Step, here: Path, began: float) -> str:
    """The files of a step, as they are kept: each with its text, or that it is not there."""
    parts = []
    for name in step.read:
        for path in sorted(here.glob(name)) or [here / name]:
            text = path.read_text(encoding="utf-8") if path.is_file() else "(not there)\n"
            if path.name == "answers.jsonl":  # several who were asked at once answer in any order
                text = "".join(sorted(text.splitlines(keepends=True)))
            parts.append(f"=== {path.relative_to(here).as_posix()}\n{text}")
    return plain("".join(parts), here, began)


def write(step: Step, here: Path) -> None:
    """Write the files of a step."""
    for name, text in step.write.items():
        (here / name).write_text(text, encoding="utf-8")
