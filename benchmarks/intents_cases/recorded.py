"""Recorded answers: what somebody said who saw one prompt and nothing else, kept under that prompt's digest.

A record is a file of JSON lines: `{"case", "agent", "kind", "prompt", "answer"}`. `prompt` is the SHA-256 of the whole
prompt as it went over the wire. A prompt without a record of its own is *stale* where this agent was asked something
like it before, and *new* where it was not. Neither is ever answered from the record of another prompt: a change of a
single character may be what made the answer right.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from graphbus_core.participants.llm.prompts import parse_addressee

FOLDER = Path(__file__).parent / "answers"
NOTHING = {"propose": '{"proposals": []}', "evaluate": '{"decision": "reject", "reasoning": "no record"}'}


def digest(prompt: str) -> str:
    """Under which an answer is kept."""
    return hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()


def block(text: str) -> str:
    """A body as an answer has it."""
    return f"```json\n{text}\n```"


@dataclass
class Record:
    """The answers of one who answered. Safe to read from the thread of a server while a build runs."""

    who: str
    folder: Path = FOLDER
    answers: dict[str, str] = field(default_factory=dict)
    asked: set[tuple[str, str, str]] = field(default_factory=set)  # case, agent and kind that are in it

    def __post_init__(self) -> None:
        if self.path.is_file():
            for line in self.path.read_text("utf-8").splitlines():
                one = json.loads(line)
                self.answers[one["prompt"]] = one["answer"]
                self.asked.add((one["case"], one["agent"], one["kind"]))

    @property
    def path(self) -> Path:
        """Its file."""
        return self.folder / f"{self.who}.jsonl"

    def has(self, case: str) -> bool:
        """Whether it was ever asked about this case; without any answer it is one that begins."""
        return not self.asked or any(one == case for one, _, _ in self.asked)

    def may_miss(self, reached: Mapping[str, int]) -> int:
        """How many of its intents it did not reach when it was made; a record that nobody knows reached all."""
        cases = len({case for case, _, _ in self.asked})
        return max(0, cases - reached.get(self.who, cases))

    def keep(self, case: str, prompt: str, answer: str) -> None:
        """Add an answer, durably enough for a benchmark."""
        agent, kind = parse_addressee(prompt)
        line = {"case": case, "agent": agent, "kind": kind, "prompt": digest(prompt), "answer": answer}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.answers[line["prompt"]] = answer
        self.asked.add((case, agent, kind))


@dataclass
class Unanswered:
    """The prompts of one case for which there is no record, so that somebody can answer them."""

    case: str
    folder: Path | None = None  # where they are written, one file each
    stale: int = 0
    new: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, record: Record, agent: str, kind: str, prompt: str) -> str:
        """Count it, and give the answer that ends the matter: nothing proposed, nothing agreed."""
        with self._lock:
            self.stale += (was := (self.case, agent, kind) in record.asked)
            self.new += not was
            if self.folder is not None:
                place = self.folder / f"{self.case}.{agent}.{kind}.{digest(prompt)[:12]}.prompt"
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(prompt, "utf-8")
        return block(NOTHING.get(kind, '{"decision": "reject", "ruling": "no record"}'))


def learn(record: Record, folder: Path) -> int:
    """Take in every `NAME.answer` that stands beside its `NAME.prompt`. Gives how many were new."""
    taken = 0
    for place in sorted(folder.glob("*.prompt")):
        said = place.with_suffix(".answer")
        prompt = place.read_text("utf-8")
        if said.is_file() and digest(prompt) not in record.answers:
            record.keep(place.name.partition(".")[0], prompt, said.read_text("utf-8"))
            taken += 1
    return taken
