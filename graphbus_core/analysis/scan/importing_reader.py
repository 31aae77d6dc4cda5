"""The importing reader: what source alone does not tell is asked of a child process that imports the file.

The project's code never runs in this process. The child runs in the sandbox (design §13) on a copy of the files that
the import needs, with a time limit and without keys: a scan also reads code that nobody has reviewed yet.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from graphbus_core.analysis.scan.drafts import Draft, OpenSlot
from graphbus_core.analysis.scan.layout import Layout
from graphbus_core.contracts import Contract
from graphbus_core.errors import ScanError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.prompt import SystemPrompt
from graphbus_core.model.schema import OPEN_PARTS, PAYLOAD_PARAMETER, Schema, SchemaMethod
from graphbus_core.model.topic import Publication, Subscription, Topic

TIMEOUT_S = 60.0
MAX_FILE_BYTES = 1_000_000  # of a data file beside a module that is copied for it
MAX_ANSWER_BYTES = 50_000_000
MAX_SAID = 4_000  # characters of one error
MAX_DATA_BYTES = 20_000_000  # of all of them


def complete(
    drafts: Sequence[Draft], layout: Layout, sources: Callable[[Sequence[AgentDefinition]], Mapping[str, bytes]]
) -> list[Draft]:
    """Fill in what is open. A class that turns out not to be there is dropped. `sources` gives the files that agents
    need to be imported.

    Raises ScanError that names file, line, what is open and why the import did not tell.
    """
    waiting = [d for d in drafts if d.open]
    if not waiting:
        return list(drafts)
    modules: dict[str, list[str]] = {}
    for draft in waiting:
        modules.setdefault(draft.agent.module, []).append(draft.agent.class_name)
    answers = _ask(modules, layout, sources([d.agent for d in waiting]))
    filled: list[Draft] = []
    for draft in drafts:
        if draft.open:
            module_answer = answers.get(draft.agent.module, {"error": "the child process did not answer"})
            try:
                agent = _fill(draft, module_answer)
            except (KeyError, TypeError, AttributeError, ValueError) as e:  # the project's code wrote that answer
                raise _build_unread_error(draft.agent, draft.open[0], f"the child answered nonsense ({e!r})") from None
            if agent is not None:
                filled.append(Draft(agent, uses=draft.uses))
        else:
            filled.append(draft)
    return filled


def _ask(modules: Mapping[str, Sequence[str]], layout: Layout, sources: Mapping[str, bytes]) -> dict[str, Any]:
    from graphbus_core.participants.secret_scrubber import Scrubber
    from graphbus_core.sandbox import runner  # these only here: most builds ask nothing, and pay nothing
    from graphbus_core.storage.private_folders import open_private_folder

    ours = str(Path(__file__).resolve().parents[3])  # where graphbus_core itself is imported from
    installed = [os.path.abspath(p) if p else os.getcwd() for p in sys.path]
    with open_private_folder("scan") as folder:
        scratch = folder / "scan"
        scratch.mkdir(0o700)
        _copy(layout.root, sources, scratch / "project")
        roots = [str(scratch / "project" / base) for base in layout.import_roots]
        question, answer = scratch / "question.json", scratch / "answer.json"
        request = {"path": list(dict.fromkeys([*roots, *installed, ours])), "modules": modules, "answer": str(answer)}
        question.write_text(json.dumps(request), "utf-8")
        child = str(Path(__file__).with_name("child.py"))
        ran = runner.run(
            [sys.executable, "-I", child, str(question)], scratch, limits=runner.Limits(timeout_s=TIMEOUT_S)
        )
        try:
            answers = _read_answers(answer)
        except (OSError, ValueError, RecursionError):
            last = ran.output.strip().splitlines()
            failed = {
                "time": f"importing it took longer than {TIMEOUT_S:.0f} s",
                "memory": "importing it took too much memory",
                "processes": "importing it started too many processes",
                "output": "importing it printed without end",
            }.get(ran.stopped or "", last[-1] if last else f"the process ended with code {ran.returncode}")
            answers = {name: {"error": failed} for name in modules}
        for reply in answers.values():
            if "error" in reply:
                error_text = str(reply["error"])[:MAX_SAID].replace(str(scratch / "project"), str(layout.root))
                reply["error"] = Scrubber(environ=os.environ)(error_text)
        return answers


def _read_answers(file: Path) -> dict[str, Any]:
    """What the child wrote: no link is followed, no pipe waited for, only the shape that was asked for believed."""
    with os.fdopen(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as f:
        if not stat.S_ISREG(os.fstat(f.fileno()).st_mode):
            raise ValueError("not the file that was asked for")
        answers = json.loads(f.read(MAX_ANSWER_BYTES))
    if not isinstance(answers, dict) or not all(isinstance(answer, dict) for answer in answers.values()):
        raise ValueError("not the answer that was asked for")
    return answers


def _copy(root: Path, sources: Mapping[str, bytes], to: Path) -> None:
    """The sources, and the data files beside them (a contract may be read from one)."""
    from graphbus_core.sandbox.scratch import is_secret

    remaining_bytes = MAX_DATA_BYTES
    for folder in sorted({os.path.dirname(path) for path in sources}):
        (to / folder).mkdir(parents=True, exist_ok=True)
        for entry in os.scandir(root / folder):
            if is_secret(entry.name) or entry.name.endswith((".py", ".pyc")) or not entry.is_file():
                continue
            size = entry.stat().st_size
            if size <= min(MAX_FILE_BYTES, remaining_bytes):
                remaining_bytes -= size
                (to / folder / entry.name).write_bytes(Path(entry.path).read_bytes())
    for path, content in sources.items():
        (to / path).write_bytes(content)


def _fill(draft: Draft, answer: Mapping[str, Any]) -> AgentDefinition | None:
    live = _find_live(draft, answer)
    slots = {o.slot for o in draft.open}
    if live is None or ("class" in slots and live["abstract"]):
        return None
    agent = _apply_live(draft.agent, live, slots)
    return replace(
        agent,
        metadata={
            **agent.metadata,
            "imported": sorted(slots),
            "unreadable": {**agent.metadata.get("unreadable", {}), **_collect_unreadable(live)},
        },
    )


def _find_live(draft: Draft, answer: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What the import tells of this class; None where there is no such node after all."""
    agent, first = draft.agent, draft.open[0]
    if "error" in answer:
        raise _build_unread_error(agent, first, answer["error"])
    live: Mapping[str, Any] | None = answer["classes"].get(agent.class_name)
    if live is None:
        if any(o.slot == "class" for o in draft.open):
            return None  # the condition did not hold, or the computed base is not a node
        raise _build_unread_error(agent, first, f"the module has no node class {agent.class_name}")
    if "error" in live:
        raise _build_unread_error(agent, first, live["error"])
    return live


def _apply_live(agent: AgentDefinition, live: Mapping[str, Any], slots: set[str]) -> AgentDefinition:
    """Only what was open is taken from the import: what the source says is the same on every machine."""
    whole = "class" in slots
    if whole or any(s.startswith("method:") for s in slots):
        agent = replace(agent, methods=_merge_methods(agent, live, slots, whole))
    if whole or "subscriptions" in slots:
        # A mapping is always read from source; only the topics beside it may be computed.
        mappings = {s.handler_name: s.mapping for s in agent.subscriptions}
        mapped_topics = {(s.topic.name, s.handler_name): s.mapping for s in agent.subscriptions}
        listed = [
            Subscription(agent.name, Topic(topic), handler, mapped_topics.get((topic, handler), mappings.get(handler)))
            for topic, handler in live["subscriptions"]
        ]
        agent = replace(agent, subscriptions=tuple(dict.fromkeys(listed)))
    if whole or "publications" in slots or any(s.startswith("payload:") for s in slots):
        agent = replace(agent, publications=_merge_publications(agent, live))
    if whole or "depends_on" in slots:
        agent = replace(agent, depends_on=tuple(dict.fromkeys([*live["depends_on"], *agent.depends_on])))
    if whole or "attributes" in slots:
        prompt = SystemPrompt.from_dict(live["prompt"])
        metadata = {**agent.metadata, "is_arbiter": live["is_arbiter"], "model": live["model"]}
        agent = replace(agent, system_prompt=prompt, metadata=metadata)
    return agent


def _merge_methods(
    agent: AgentDefinition, live: Mapping[str, Any], slots: set[str], whole: bool
) -> tuple[SchemaMethod, ...]:
    methods: list[SchemaMethod] = []
    for method in agent.methods:
        live_method = live["methods"].get(method.name)
        for side in ("input", "output"):
            if live_method is not None and (whole or f"method:{method.name}:{side}" in slots):
                before: Schema | None = getattr(method, f"{side}_schema")
                schema = _read_schema(live_method[side], before.source if before else None)
                method = replace(method, **{f"{side}_schema": schema})  # type: ignore[arg-type]
                if side == "input":
                    method = replace(method, metadata=_mark_payload(live_method, method.metadata))
        if live_method is not None and (whole or f"method:{method.name}:depends_on" in slots):
            method = replace(method, depends_on=tuple(dict.fromkeys([*method.depends_on, *live_method["depends_on"]])))
        methods.append(method)
    method_names = {m.name for m in methods}
    for name, live_method in live["methods"].items():
        if name not in method_names and whole:
            methods.append(
                SchemaMethod(
                    name,
                    _read_schema(live_method["input"]),
                    _read_schema(live_method["output"]),
                    live_method["description"],
                    depends_on=tuple(live_method["depends_on"]),
                    lineno=live_method["lineno"],
                    metadata=_mark_payload(live_method),
                )
            )
    return tuple(methods)


def _mark_payload(live_method: Mapping[str, Any], metadata: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """A method's metadata, with the parameter whose hint is the contract of the payload."""
    parameter = live_method["payload_parameter"]
    rest = {key: value for key, value in metadata.items() if key not in (PAYLOAD_PARAMETER, OPEN_PARTS)}
    return rest | ({PAYLOAD_PARAMETER: str(parameter)} if parameter is not None else {})


def _merge_publications(agent: AgentDefinition, live: Mapping[str, Any]) -> tuple[Publication, ...]:
    """What the class declares, and what was found in its source beside it."""
    lines = {(p.topic.name, p.method): p.lineno for p in agent.publications}
    declared = [
        Publication(agent.name, Topic(topic), _read_schema(schema), method, lines.get((topic, method), 0))
        for topic, schema, method in live["publications"]
    ]
    declared_topics = {p.topic.name for p in declared}
    return (*declared, *(p for p in agent.publications if p.topic.name not in declared_topics))


def _read_schema(contract: Mapping[str, Any] | None, source: str | None = None) -> Schema | None:
    """A contract as the child told it; None also for one that means nothing (`_collect_unreadable` names those)."""
    if contract is None or "error" in contract:
        return None
    schema = Contract.from_json_schema(contract["schema"]).to_json_schema()
    return Schema(schema, source, schema.get("description"))


def _collect_unreadable(live: Mapping[str, Any]) -> dict[str, str]:
    """Declared contracts that mean nothing: where -> why."""
    sides = {
        f"{name} {side}": contract[side] for name, contract in live["methods"].items() for side in ("input", "output")
    }
    payloads = {f"payload of {topic}": schema for topic, schema, _ in live["publications"]}
    return {
        where: contract["error"]
        for where, contract in {**sides, **payloads}.items()
        if contract and "error" in contract
    }


def _build_unread_error(agent: AgentDefinition, open_slot: OpenSlot, error: str) -> ScanError:
    return ScanError(
        f"{agent.source_file}:{open_slot.lineno} {agent.class_name} cannot be read from source ({open_slot.reason}), "
        f"and importing {agent.module} did not tell either: {error}. Make it importable, write it out, "
        "or leave the file out with --exclude."
    )
