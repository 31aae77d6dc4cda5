"""Yesterday's journal through today's code: what ends otherwise.

What came from outside is played into the build, one after the other, with effects held back (`injection.effects`). Then
each of it is compared by what followed: the events that were published for it, in their order. Dead letters and saved
states are compared with those of a second build that is played in the same way; without one, with a file of states, and
with the letters of that run that are kept beside the build.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import UsageError
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.injection.effects import EffectPlayer, read_effects
from graphbus_core.runtime.injection.providers import Providers
from graphbus_core.runtime.persistence.dead_letters import DeadLetter, DeadLetterFile
from graphbus_core.runtime.persistence.journal import JournalLine, read_journal
from graphbus_core.runtime.persistence.replay import JournalReplay, replay

DEAD_LETTERS_FILE = "runtime/dead_letters.jsonl"  # inside the folder of a build


@dataclass(frozen=True)
class Letter:
    """A delivery that failed: of which event from outside (its place in the journal), and why."""

    line: int
    topic: str
    subscriber: str
    error: str

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return vars(self)


@dataclass
class Outcome:
    """What a build made of a journal. `followed`: line of what came from outside -> events that followed, in order."""

    followed: dict[int, list[tuple[str, Any]]] = field(default_factory=dict)
    letters: list[Letter] = field(default_factory=list)
    states: dict[str, Any] | None = None
    counts: JournalReplay = field(default_factory=JournalReplay)
    refused_effects: int = 0


@dataclass(frozen=True)
class Difference:
    """One thing from outside that ends otherwise: what followed then, and what follows now."""

    line: int
    what: str
    before: list[tuple[str, Any]]
    after: list[tuple[str, Any]]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        rows = {
            "before": [{"topic": t, "payload": p} for t, p in self.before],
            "after": [{"topic": t, "payload": p} for t, p in self.after],
        }
        return {"line": self.line, "what": self.what, **rows}


@dataclass
class Comparison:
    """What is different. `states`: node -> (before, after); None where no states were compared."""

    events: list[Difference]
    letters: list[Letter]
    gone_letters: list[Letter]
    states: dict[str, tuple[Any, Any]] | None
    outcome: Outcome

    @property
    def is_same(self) -> bool:
        """Whether everything ends as it did."""
        return not (self.events or self.letters or self.gone_letters or self.states)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        states = self.states
        return {
            "same": self.is_same,
            "events": [difference.to_dict() for difference in self.events],
            "new_letters": [letter.to_dict() for letter in self.letters],
            "gone_letters": [letter.to_dict() for letter in self.gone_letters],
            "states": None if states is None else {node: {"before": b, "after": a} for node, (b, a) in states.items()},
            "states_compared": states is not None,
            "played": vars(self.outcome.counts),
            "effects_refused": self.outcome.refused_effects,
        }


@dataclass(frozen=True)
class JournalRoots:
    """What came from outside in a journal: `by_id`: each event and call -> the id of what it goes back to; `lines`: of
    that id, the line."""

    by_id: dict[str, str]
    lines: dict[str, int]

    def find_line(self, event_id: str) -> int:
        """The line of what an event goes back to; 0 where the journal does not say."""
        return self.lines.get(self.by_id.get(event_id, ""), 0)


def read_outcome(records: Iterable[JournalLine], ignore: Collection[str]) -> tuple[Outcome, JournalRoots]:
    """What a journal says followed from what came from outside."""
    outcome, roots = Outcome(), JournalRoots({}, {})
    for record in records:
        if record.refused or record.hook is not None:
            continue
        root = roots.by_id.get(record.cause or "")
        roots.by_id[record.id] = root or record.id
        if root is None:
            roots.lines[record.id] = record.number
            outcome.followed[record.number] = []
        elif record.kind == "event":
            row = record.data["topic"], hide_fields(record.data["payload"], ignore)
            outcome.followed[roots.lines[root]].append(row)
    return outcome, roots


def play(
    journal: str | Path,
    build: str | Path,
    *,
    payload_checks: str,
    providers: tuple[str, ...] = (),
    topics: Collection[str] = (),
    ignore: Collection[str] = (),
) -> Outcome:
    """Play a journal into a build, with effects held back; what came of it."""
    records = list(read_journal(journal))
    _, roots = read_outcome(records, ())
    player = EffectPlayer(read_effects(journal), roots.by_id)
    played: list[int] = []

    def begin(record: JournalLine) -> None:
        player.root = record.id
        played.append(record.number)

    given = Providers(texts=providers)
    given.hold_effects(player)
    with tempfile.TemporaryDirectory(prefix="graphbus-compare-") as folder:
        own, state = Path(folder, "journal.jsonl"), Path(folder, "state.json")
        config = RuntimeConfig(artifacts_dir=str(build), payload_checks=payload_checks, journal=str(own))
        with RuntimeExecutor(config, provide=given) as executor:
            counts = replay(records, executor, topics, begin)
            executor.save_state(state)
            letters = list(executor.bus.dead_letters) if executor.bus is not None else []
        states = read_states(state)
        raw, new_roots = read_outcome(read_journal(own), ignore)
    # The n-th thing from outside in the new journal is the n-th that was played.
    then = dict(zip(raw.followed, played, strict=False))
    told = [_build_letter(letter, then.get(new_roots.find_line(letter.event["event_id"]), 0)) for letter in letters]
    followed = {then[line]: rows for line, rows in raw.followed.items() if line in then}
    return Outcome(followed, told, states, counts, player.refused)


def read_letters(journal: str | Path, build: str | Path) -> list[Letter] | None:
    """The dead letters of the run that wrote the journal, as far as they are kept beside a build; None: no file."""
    path = Path(build, DEAD_LETTERS_FILE)
    if not path.exists():
        return None
    _, roots = read_outcome(read_journal(journal), ())
    letters = DeadLetterFile(path).read_all().values()
    return [_build_letter(x, line) for x in letters if (line := roots.find_line(x.event["event_id"]))]


def _build_letter(letter: DeadLetter, line: int) -> Letter:
    return Letter(line, letter.topic, letter.subscriber, f"{letter.error_type}: {letter.error}")


def compare(
    journal: str | Path,
    after: Outcome,
    before: Outcome | None = None,
    states: Mapping[str, Any] | None = None,
    letters: list[Letter] | None = None,
    ignore: Collection[str] = (),
) -> Comparison:
    """What a build makes otherwise than the record (with the states and letters of its run), or than another build."""
    records = list(read_journal(journal))
    names = {r.number: _describe(r) for r in records}
    then = before if before is not None else read_outcome(records, ignore)[0]
    old_letters = then.letters if before is not None else letters or []
    events = [
        Difference(line, names.get(line, ""), then.followed.get(line, []), rows)
        for line, rows in after.followed.items()
        if rows != then.followed.get(line, [])
    ]
    old_states = before.states if before is not None else states
    new_states = after.states or {}
    different = None
    if old_states is not None:
        nodes = sorted({*old_states, *new_states})
        different = {n: (old_states.get(n), new_states.get(n)) for n in nodes if old_states.get(n) != new_states.get(n)}
    return Comparison(
        events,
        [letter for letter in after.letters if letter not in old_letters],
        [letter for letter in old_letters if letter not in after.letters],
        different,
        after,
    )


def hide_fields(payload: Any, names: Collection[str]) -> Any:
    """A payload without fields of these names, however deep: times and fresh ids differ in every run."""
    if not names:
        return payload
    if isinstance(payload, dict):
        return {k: hide_fields(v, names) for k, v in payload.items() if k not in names}
    return [hide_fields(v, names) for v in payload] if isinstance(payload, list) else payload


def read_states(path: str | Path) -> dict[str, Any]:
    """The states of nodes that a run saved, by node. Raises UsageError."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8", errors="surrogatepass"))
        memories = {f"{name} (memory)": kept for name, kept in content.get("memory", {}).items()}
        return {**content["nodes"], **memories}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{path} is not a file of states that a run saved: {error}.") from None


def _describe(record: JournalLine) -> str:
    data = record.data
    return str(data["topic"]) if record.kind == "event" else f"call {data['dst']}.{data['method']}"
