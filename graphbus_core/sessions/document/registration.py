"""Open or join, name yourself, bring your plan, register: what an agent does before its first turn (seed 004).

Whoever gets no seat changes nothing: topic and sources are written with the lock held, once the seat is granted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import ConfigError, UsageError
from graphbus_core.negotiation.document import rules
from graphbus_core.negotiation.document.model import MAX_AGENTS, MAX_TEXT, USUAL_NAMES, Phase, Reason, Settings
from graphbus_core.negotiation.document.state import State
from graphbus_core.sessions.document import files, turns
from graphbus_core.sessions.document.directory import NegotiationDirectory, OperationResult

# More names than any table holds seats, so that a free one is always found.
NAMES = (*USUAL_NAMES, *(f"agent-{n}" for n in range(len(USUAL_NAMES) + 1, MAX_AGENTS + 1)))  # in the order of giving

# setting -> what it is called where it is given
OPTIONS = {
    "expected_agents": "--agents",
    "registration_window_s": "--window",
    "max_rounds": "--max-rounds",
    "turn_timeout_s": "--turn-timeout",
    "rigorous": "--rigorous",
}


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document to reconcile, as it was given. `name` is what it is to be called in `sources/`."""

    path: Path
    name: str
    text: str


def read_plan(path: Path) -> SourceDocument:
    """Read a document. Raises ConfigError where that cannot be."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    # A byte order mark would become the first letter of the first heading.
    except UnicodeDecodeError as e:
        raise ConfigError(f"The source {path} is not UTF-8 text ({e.reason} at byte {e.start}): convert it.") from None
    except OSError as e:
        raise ConfigError(f"The source {path} cannot be read: {e.strerror or e}. Check the path.") from None
    if too_long := _explain_length(text):
        raise ConfigError(f"The source {path} {too_long}")
    if not text.strip():
        raise ConfigError(f"The source {path} is empty.")
    # A stem of dots alone leaves nothing.
    # A name that begins with a dot would be hidden, and one that is not UTF-8 could not be said.
    name = path.stem.lstrip(".").encode("utf-8", "replace").decode()
    return SourceDocument(path, name or "source", text)


def _explain_length(text: str) -> str:
    return f"has {len(text):,} characters; {MAX_TEXT:,} at most." if len(text) > MAX_TEXT else ""


def explain_join(name: str, source: str, agents: int) -> list[str]:
    """Everything that is wrong with a call to join, whatever lies in its directory; 0 agents were not given."""
    faults = [str(reason) for reason in rules.check_registration(State(phase=Phase.REGISTRATION), name) if name]
    try:
        Settings(agents or Settings().expected_agents)
    except ConfigError as e:
        faults.append(str(e))
    return [*faults, f"Your source {too_long}"] if (too_long := _explain_length(source)) else faults


def read_plans(paths: Iterable[Path]) -> list[SourceDocument]:
    """Read several, each once. Raises ConfigError, also where two are the same."""
    plans: list[SourceDocument] = []
    for path in paths:
        plan = read_plan(path)
        for other in plans:
            # The same text twice would count each of its points twice in the audit of what was taken over.
            if other.text == plan.text:
                same = "is given twice" if other.path == path else f"says the same as {other.path}"
                raise ConfigError(f"The source {path} {same}: give each document once.")
        plans.append(plan)
    return plans


def join(
    directory: NegotiationDirectory,
    requested_settings: Mapping[str, Any],
    topic: str,
    plans: Sequence[SourceDocument],
    name: str,
    participant: str,
    resume: bool,
    token: str = "",
    keep: Callable[[str], None] = lambda name: None,
    through_git: bool = False,
) -> OperationResult:
    """`keep` is told the name of the seat before it is taken.

    `data`: `name`, `initializer`, `resumed`, `sources` (as they are called there), and `notes`: what of `given` (the
    settings asked for) and `topic` does not hold, because somebody else opened it. A refusal changes nothing."""
    # A directory opened for a name that cannot sit there would stand open for nobody.
    if name and (bad := rules.check_registration(State(phase=Phase.REGISTRATION), name)):
        return OperationResult(bad)  # before anything is opened for it
    opened = directory.init(Settings(**requested_settings), through_git)
    first = opened.ok and bool(opened.data["initializer"])
    state = directory.read_state()
    mine = state.find_seat(participant) if participant else ""
    if refused := _explain_foreign_seat(state, mine, name, participant, resume):
        return OperationResult(refused)
    # By its name: an agent of seed 004 has no identity, and its name is all that it can claim.
    if not mine and resume and name in state.agents:
        mine = name
    result = opened
    luggage = SourceImport(directory, topic, plans)
    if mine:
        if state.phase is not Phase.DONE:
            # Held, because others read the sources the moment they stand there.
            with directory.hold():
                luggage.write_files()
        result = OperationResult(data={"name": mine, "resumed": True, "identity": state.participants.get(mine, "")})
    elif opened.ok:
        result = _register(directory, luggage, [name] if name else NAMES, participant, token, keep)
    if not result.ok:
        # Two starts of one participant race here: the other seated it. It is the same agent, so it is not refused.
        if participant and not mine and (mine := directory.read_state().find_seat(participant)) and name in ("", mine):
            return join(
                directory, requested_settings, topic, plans, name, participant, resume, token, keep
            )  # seated while we looked
        return result
    notes = () if first else (*explain_differing_settings(state.settings, requested_settings), *luggage.notes)
    return OperationResult(
        data={"resumed": False, **result.data, "initializer": first, "sources": luggage.names, "notes": notes}
    )


def _explain_foreign_seat(state: State, mine: str, name: str, participant: str, resume: bool) -> tuple[Reason, ...]:
    """Why this one may not have the seat that it names: it has another (`mine`), or somebody else has that one."""
    if mine and name not in ("", mine):
        return rules.check_registration(state, name, participant)
    other = state.participants.get(name)
    if not mine and resume and name in state.agents and other:
        return (_build_taken_reason(name, other, participant),)
    return ()


def _build_taken_reason(name: str, other: str, participant: str) -> Reason:
    who = f"you are {participant}" if participant else "you claim no identity"
    todo = f"If that was you before a restart, add --participant '{other}'; else take another name."
    return Reason(f"{name} sits here as {other}, and {who}.", todo, code="taken")


def _register(
    directory: NegotiationDirectory,
    luggage: SourceImport,
    names: Sequence[str],
    participant: str,
    token: str,
    keep: Callable[[str], None],
) -> OperationResult:
    result = OperationResult()
    for candidate in names:

        def bring(name: str = candidate) -> None:
            # Told before the seat is taken: a kill between the two must not leave a seat whose token nobody kept.
            keep(name)
            luggage.write_files()

        try:
            result = directory.register(candidate, participant, bring=bring, token=token)
        # Also on Ctrl-C: sources without a seat would be reconciled for nobody.
        except BaseException:
            luggage.remove_files()
            raise
        # Names are tried in turn only as long as that is the reason; any other refusal holds for all of them.
        if result.code != "taken":
            break
    return result


def explain_differing_settings(settings: Settings, requested_settings: Mapping[str, Any]) -> Iterator[str]:
    """What of the settings asked for is not so, in a sentence each."""
    for key, option in OPTIONS.items():
        value, holds = requested_settings.get(key), getattr(settings, key)
        if value is None or value == holds:
            # None was not asked for. What is so already needs no note.
            continue
        option_text = f"{option} {value:g}" if not isinstance(value, bool) else option
        is_so = f"it is {holds:g}" if not isinstance(value, bool) else "it is not" if value else "it is"
        yield f"{option_text} has no effect: the negotiation was opened before, and there {is_so}."


class SourceImport:
    """A topic and documents on their way into a directory. `names` and `notes` say what became of them."""

    def __init__(self, directory: NegotiationDirectory, topic: str, plans: Sequence[SourceDocument]) -> None:
        self.directory = directory
        self.topic = topic.strip()
        self.plans = plans
        self.names: list[str] = []
        self.notes: list[str] = []
        self._made: list[Path] = []

    def write_files(self) -> None:
        """Put them there. Only with the lock held. Raises OSError."""
        self.names, self.notes, self._made = [], [], []
        if self.topic:
            self._write_topic()
        for plan in self.plans:
            self.names.append(self._write_plan(plan))

    def remove_files(self) -> None:
        """Nothing came of it."""
        for path in self._made:
            with suppress(OSError):
                path.unlink()
        self._made = []

    def _write_topic(self) -> None:
        path = self.directory.root / "topic.md"
        # `create` and not `write`: whoever was first said what is negotiated.
        if files.create(path, f"# Topic\n\n{self.topic}\n", self.directory.hidden):
            self._made.append(path)
        elif not contains_topic(self.directory.read_text("topic.md") or "", self.topic):
            self.notes.append("Your TOPIC was not written: topic.md was there before, and says something else.")

    def _write_plan(self, plan: SourceDocument) -> str:
        number = 1
        while True:
            name = plan.name if number == 1 else f"{plan.name}-{number}"
            path = self.directory.root / "sources" / f"{name}.md"
            # The same document under its own name is already there, from before a crash.
            if self.directory.read_text(f"sources/{name}.md") == plan.text:
                return name
            if files.create(path, plan.text, self.directory.hidden):
                self._made.append(path)
                return name
            number += 1
            if number > 1000:
                raise UsageError(f"There are a thousand sources named {plan.name}; give this one another name.")


def contains_topic(text: str, topic: str) -> bool:
    """Whether a topic.md holds this topic, however it is laid out."""
    # Editors and agents lay out text anew. Only the words say whether it is another topic.
    return " ".join(topic.split()) in " ".join(text.split())


def seat_models(
    directory: NegotiationDirectory, topic: str, plans: Sequence[SourceDocument], count: int
) -> tuple[dict[str, str], tuple[Reason, ...]]:
    """Take `count` seats for models of ours, all or none: name -> the source that it speaks for, or why not."""
    luggage = SourceImport(directory, topic, plans)
    seated: dict[str, str] = {}
    try:
        with directory.hold() as state:
            # Counted with the lock held, and all seats in one hold: half of the models seated could not be taken
            # back.
            free = state.settings.expected_agents - len(state.agents)
            if reasons := rules.check_registration(state, next(n for n in NAMES if n not in state.agents)):
                return {}, reasons
            if count > free:
                what = f"{count} seats are wanted, and {free} of {state.settings.expected_agents} are free."
                return {}, (Reason(what, "Give fewer sources, or name another DIR.", code="full"),)
            luggage.write_files()
            stems = [*luggage.names, *("" for _ in range(count - len(plans)))]
            for stem in stems:
                name = next(n for n in NAMES if n not in state.agents)
                # The source in the identity: after a restart the model is given the same plan to defend.
                participant = f"model:{stem or len(state.agents)}"
                directory.submit(name, {"move": "register", "participant": participant, "seat": "model"})
                seated[name] = stem
            if state.has_started:
                turns.record_sources(directory)
    except BaseException:
        luggage.remove_files()
        raise
    return seated, ()


def write_topic(directory: NegotiationDirectory, topic: str) -> None:
    """Say what is negotiated, where nothing was said yet."""
    with directory.hold():
        SourceImport(directory, topic, ()).write_files()
        turns.record_sources(directory)
