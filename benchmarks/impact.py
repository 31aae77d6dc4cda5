"""Whether a trial says what a build then does: seeded changes, each tried first and then put to everybody.

    python benchmarks/impact.py                 40 changes
    python benchmarks/impact.py --changes 300   the full length
    python benchmarks/impact.py --only 17       one of them, in full
    python benchmarks/impact.py --doors         what `validate` and the page say, too (needs Debian's chromium)

Each change is drawn for one of the projects below. It is tried as a front end tries it; then a build carries it as a
proposal to which everybody says yes; in every second one they sit in the rules' places, so that its rehearsal is asked
as well. Compared are who is asked (the evaluators in the log), what the votes were told
that it breaks, what the gate named, and the links as a scan of the changed sources finds them, without our gates. With
`--doors` also what `graphbus validate` says of the changed sources, and what the page of `graphbus serve` shows.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks._impact_doors import Screens, list_validated
from graphbus_core.analysis.links import LinkResult, find_link_contracts, link_project
from graphbus_core.analysis.scan import Project, scan
from graphbus_core.commit import CommitEngine
from graphbus_core.config import BuildConfig, LLMConfig, SafetyConfig
from graphbus_core.contracts.check import find_gaps
from graphbus_core.model.agent_def import AgentDefinition, SchemaMethod
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.rules import RulesParticipant
from graphbus_core.services.builds import limit_proposals
from graphbus_core.services.changes import Changes
from graphbus_core.services.queries.project import ProjectView
from graphbus_core.sessions.build.hooks import Hooks
from graphbus_core.sessions.build.orchestrator import negotiate
from graphbus_core.testing import write_files

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
TYPES = ("str", "int", "list[str]", "int | None", "float")
JOINED = {
    "agents/__init__.py": "",
    "agents/shop.py": """from graphbus_core import GraphBusNode, depends_on, publishes, schema_method, subscribe


class Basket(GraphBusNode):
    SYSTEM_PROMPT = "I hold what is bought."

    @publishes("/Basket/Closed", {"order": str, "total": int})
    @schema_method(input_schema={"order": str}, output_schema={"order": str, "total": int, "note": str})
    def close(self, order):
        self.publish("/Basket/Closed", {"order": order, "total": 3})
        return {"order": order, "total": 3, "note": ""}


class Rates(GraphBusNode):
    SYSTEM_PROMPT = "I know what a currency costs."

    @schema_method(input_schema={}, output_schema={"rate": float, "currency": str})
    def today(self):
        return {"rate": 1.0, "currency": "EUR"}


class Till(GraphBusNode):
    SYSTEM_PROMPT = "I take money."

    @depends_on("Basket.close", "Rates.today")
    @schema_method(
        input_schema={"order": str, "total": int, "rate": float}, output_schema={"order": str, "paid": float}
    )
    def pay(self, order, total, rate):
        return {"order": order, "paid": total * rate}

    @subscribe("/Basket/Closed")
    @schema_method(input_schema={"order": str, "total": int}, output_schema={})
    def on_closed(self, order, total):
        return {}


class Ledger(GraphBusNode):
    SYSTEM_PROMPT = "I keep the books."

    @depends_on("Till.pay")
    @schema_method(input_schema={"order": str, "amount": float}, output_schema={"line": str})
    def book(self, order, amount):
        return {"line": f"{order} {amount}"}

    @subscribe("/Basket/Closed")
    def on_closed(self, event):
        return event["order"]


class Desk(GraphBusNode):
    SYSTEM_PROMPT = "I run the shop."

    @schema_method(input_schema={"order": str}, output_schema={"line": str})
    def run(self, order):
        closed = Basket().close(order)
        paid = Till().pay(closed["order"], closed["total"], Rates().today()["rate"])
        return Ledger().book(paid["order"], paid["paid"])
""",
    "main.py": "from agents.shop import Desk\n\nif __name__ == '__main__':\n    print(Desk().run('a'))\n",
}
SERVED: dict[str, Path] = {}  # with --doors, the copy of each project that is served
PROJECTS = ("news_pipeline", "orders", "seed_negotiation", "hello", "joined")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--changes", type=int, default=40)
    parser.add_argument("--only", type=int, help="the number of one change")
    parser.add_argument("--doors", action="store_true", help="what `validate` and the page say, too")
    given = parser.parse_args()
    screens = Screens() if given.doors else None
    numbers = range(given.changes) if given.only is None else [given.only]
    ends: Counter[str] = Counter()
    same, wrong = 0, Counter[str]()
    for number in numbers:
        case = play(number, screens)
        ends[case.end] += 1
        same += not case.differences
        for what, expected, actual in case.differences:
            wrong[what] += 1
            print(
                f"{number:4} {case.project}: {what}: trial {expected}, outcome {actual}\n     {case.diff}", flush=True
            )
        if given.only is not None:
            print(case)
    if screens:
        screens.close()
        for folder in SERVED.values():
            shutil.rmtree(folder)
    print(f"\n{'trial = outcome':44} {same} of {len(numbers)}  (goal: all)")
    for what, count in wrong.most_common():
        print(f"   differ in {what}: {count}")
    print(f"{'how the builds ended':44} {', '.join(f'{end} {count}' for end, count in ends.most_common())}")
    return 0 if same == len(numbers) else 1


@dataclass
class Case:
    """One change: what it is, how its build ended, and where trial and outcome differ."""

    project: str
    diff: Sequence[Mapping[str, Any]]
    end: str = ""
    trial: Mapping[str, Any] = field(default_factory=dict)
    differences: list[tuple[str, Any, Any]] = field(default_factory=list)


def play(number: int, screens: Screens | None = None) -> Case:
    """Try a change, let a build carry it, and compare."""
    rng = random.Random(f"impact:{number}")
    name = PROJECTS[number % len(PROJECTS)]
    with tempfile.TemporaryDirectory(prefix="graphbus-impact-") as folder:
        root = Path(folder).resolve()
        if name == "joined":
            write_files(root, JOINED)
        else:
            shutil.copytree(EXAMPLES / name, root, dirs_exist_ok=True)
        project = scan(str(root / "agents"))
        linked = link_project(project)
        author, diff = draw(rng, project)
        case = Case(name, diff)
        view = ProjectView(root / "agents", root / ".graphbus")
        case.trial = Changes(view, root / ".graphbus", lambda: False).try_diff(
            diff, author, with_rules=has_rules(number)
        )
        scanned = scan_changed(root, diff, Path(folder) / "changed")
        if screens:
            if name not in SERVED:
                SERVED[name] = Path(tempfile.mkdtemp(prefix="graphbus-impact-"))
                shutil.copytree(root, SERVED[name], ignore=shutil.ignore_patterns("changed"), dirs_exist_ok=True)
            compare_doors(case, screens, SERVED[name], Path(folder) / "changed" if scanned else None)
        facts = build(root, project, linked, author, diff, AgreeableRules if has_rules(number) else Agreeable)
        compare(case, (project, linked), scanned, facts)
    return case


def compare(case: Case, stood: Any, scanned: Any, facts: Mapping[str, Mapping[str, Any]]) -> None:
    """Note every difference between the trial and what happened."""
    tabled, failed = facts.get("proposal_tabled"), facts.get("commit_failed")
    case.end = "committed" if "proposal_committed" in facts else (f"refused by {failed['gate']}" if failed else "")
    case.end = case.end or next(
        (kind for kind in ("proposal_dropped", "proposal_rejected") if kind in facts), "nothing"
    )
    pairs: list[tuple[str, Any, Any]] = [
        ("asks", sorted(case.trial["asks"]), sorted(tabled["evaluators"]) if tabled else []),
        ("passes", case.trial["passes"], "proposal_committed" in facts),
        ("gate", case.trial["gate"], failed["gate"] if failed else None),
    ]
    if tabled:
        pairs.append(
            (
                "breaks, to the votes",
                sorted(case.trial["breaks"]),
                sorted(b["link"] for b in tabled["computed"]["breaks"]),
            )
        )
    if scanned is not None:
        pairs.append(("breaks, in the sources", sorted(case.trial["breaks"]), list_worse(stood, scanned)))
    if failed and failed["gate"] == "mismatches":
        pairs.append(("breaks, at the gate", True, any(link in failed["why"] for link in case.trial["breaks"])))
    if not tabled:  # nobody was asked, so no gate was either
        pairs = [pair for pair in pairs if pair[0] in ("asks", "passes")]
    case.differences += [pair for pair in pairs if pair[1] != pair[2]]


def compare_doors(case: Case, screens: Screens, stood: Path, changed: Path | None) -> None:
    """Note every difference between the trial, the page, and `validate` before and after the change."""
    page = screens.read_trial(case.project, stood, case.diff)
    # Over HTTP rules always sit at the table.
    trial = Changes(ProjectView(stood / "agents", stood / ".graphbus"), stood / ".graphbus", lambda: False).try_diff(
        case.diff, with_rules=True
    )
    # What would be put to nobody is refused before any gate is asked, and the page lists the gates alone.
    expected = {**trial, "gate": next((row["gate"] for row in trial["gates"] if row["end"] == "refused"), None)}
    pairs = [(f"the page, {key}", expected[key] or None, shown or None) for key, shown in page.items()]
    if changed is not None:
        renamed = {
            f"{op['node']}.{op['method']}": f"{op['node']}.{op['to']}"
            for op in case.diff
            if op["op"] == "rename_method"
        }
        before, now = list_validated(stood), list_validated(changed)
        # A link that failed before and whose end has another name now is no new one.
        before = {
            " => ".join(renamed.get(end, end) for end in link.split(" => ")): gaps for link, gaps in before.items()
        }
        worse = sorted(link for link, gaps in now.items() if link not in before or not gaps <= before[link])
        pairs.append(("breaks, by validate", sorted(case.trial["breaks"]), worse))
    case.differences += [pair for pair in pairs if pair[1] != pair[2]]


# ------------------------------------------------------------------------------------------------- the changes


def draw(rng: random.Random, project: Project) -> tuple[str, list[dict[str, Any]]]:
    """A change as an agent of this project might propose it, and whose it is."""
    agents = [a for a in project.agents if any(m.input_schema or m.output_schema for m in a.methods)]
    author = rng.choice(agents)
    diff = [step for _ in range(rng.choice((1, 1, 1, 2))) for step in draw_step(rng, author, agents)]
    if rng.random() < 0.3:
        diff += draw_step(rng, rng.choice(agents), agents)
    return author.name, diff


def draw_step(rng: random.Random, agent: AgentDefinition, agents: Sequence[AgentDefinition]) -> list[dict[str, Any]]:
    """One operation on one agent."""
    methods = [m for m in agent.methods if m.input_schema or m.output_schema]
    method = rng.choice(methods)
    side, fields = draw_side(rng, method)
    at = {"node": agent.name, "method": method.name}
    on = {**at, "side": side, "field": rng.choice(fields) if fields else "none"}
    topics = [p.topic.name for p in agent.publications if p.schema is not None]
    kinds = ["add_field", "remove_field", "retype_field", "set_optional", "rename_field", "rename_method"]
    kind = rng.choice([*kinds, *kinds, "delete_method", "replace_body", "depends", "undepend", "remove_agent", "topic"])
    if kind == "topic" and topics:
        return [
            {
                "op": "add_field",
                "node": agent.name,
                "topic": rng.choice(topics),
                "side": "payload",
                "field": "extra",
                "type": "str",
            }
        ]
    other = rng.choice(agents)
    giver = rng.choice([m.name for m in other.methods if m.output_schema] or ["none"])
    steps: dict[str, dict[str, Any]] = {
        "add_field": {
            "op": "add_field",
            **on,
            "field": "extra",
            "type": rng.choice(TYPES),
            "optional": rng.random() < 0.5,
        },
        "remove_field": {"op": "remove_field", **on},
        "retype_field": {"op": "retype_field", **on, "type": rng.choice(TYPES)},
        "set_optional": {"op": "set_optional", **on, "optional": rng.random() < 0.7},
        "rename_field": {"op": "rename_field", **on, "to": rng.choice(("renamed", "order", "items", "amount", "paid"))},
        "rename_method": {"op": "rename_method", **at, "to": f"{method.name}_again"},
        "delete_method": {"op": "delete_method", **at},
        "replace_body": {"op": "replace_body", **at, "body": draw_body(method)},
        "depends": {"op": "decorate", **at, "decorator": f'@depends_on("{other.name}.{giver}")'},
        "undepend": {"op": "undecorate", **at, "decorator": draw_dependency(rng, agent, method)},
        "remove_agent": {"op": "remove_agent", "node": agent.name},
    }
    return [steps.get(kind) or steps["add_field"]]


def draw_side(rng: random.Random, method: SchemaMethod) -> tuple[str, list[str]]:
    """A declared side of a method, and its fields."""
    sides = [
        (name, schema) for name, schema in (("input", method.input_schema), ("output", method.output_schema)) if schema
    ]
    name, schema = rng.choice(sides)
    return name, list(schema.fields)


def draw_body(method: SchemaMethod) -> str:
    """A body that gives what was promised, and calls nobody."""
    schema = method.output_schema
    values = {"string": '""', "integer": "1", "number": "1.0", "array": "[]", "boolean": "True", "object": "{}"}
    given = {
        name: values.get(str(field.get("type")), "None") for name, field in (schema.fields if schema else {}).items()
    }
    return "return {" + ", ".join(f'"{name}": {value}' for name, value in given.items()) + "}"


def draw_dependency(rng: random.Random, agent: AgentDefinition, method: SchemaMethod) -> str:
    """A dependency of the method as it is written, or one that is not there."""
    lines = [line.strip() for line in agent.source_code.splitlines() if line.strip().startswith("@depends_on(")]
    return rng.choice(lines) if lines else '@depends_on("Nobody")'


# ------------------------------------------------------------------------------------------------- what happens


class Agreeable:
    """Says yes to everything."""

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Yes; and no proposal."""
        return Reply(
            {"proposals": []} if ask.kind == "propose" else {"decision": "accept", "reasoning": "It is right."}
        )


class AgreeableRules(RulesParticipant, Agreeable):
    """The same on the seats of rules."""

    answer = Agreeable.answer


def has_rules(number: int) -> bool:
    """Whether a change is put to a table with rules; each project has its share."""
    return number // len(PROJECTS) % 2 == 1


def build(
    root: Path,
    project: Project,
    linked: LinkResult,
    author: str,
    diff: Sequence[Mapping[str, Any]],
    seat: type[Agreeable] = Agreeable,
) -> dict[str, Mapping[str, Any]]:
    """The facts of a build that carries the change, by kind."""
    facts: dict[str, Mapping[str, Any]] = {}

    def observe(kind: str, data: Mapping[str, Any]) -> None:
        if kind == "fact":
            facts.setdefault(data["kind"], data["fact"])

    proposal = {"agent": author, "diff": list(diff), "summary": "so", "rationale": "because"}
    hooks = Hooks(
        observe,
        around=partial(limit_proposals, proposal=proposal),
        seats={a.name: seat() for a in project.everyone},
    )
    config = BuildConfig(
        str(root / "agents"),
        output_dir=str(root / ".graphbus"),
        enable_agents=True,
        dry_run=False,
        llm_config=LLMConfig(model="mcp"),
        safety_config=SafetyConfig(max_negotiation_rounds=1),
    )
    negotiate(config, project, linked, hooks)
    return facts


def scan_changed(root: Path, diff: Sequence[Mapping[str, Any]], copy: Path) -> tuple[Project, LinkResult] | None:
    """The project as the change would leave it, scanned; None where the change cannot be carried out or read."""
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns(".graphbus", "changed"))
    with CommitEngine(
        scan(str(copy / "agents")), BuildConfig(str(copy / "agents"), output_dir=str(copy / ".graphbus"))
    ) as engine:
        opened = engine._apply_in_memory({"diff": list(diff)})  # the edit alone, without any gate
    if not isinstance(opened, tuple):
        return None
    for path, data in opened[1].resulting_files.items():
        if data is None:
            (copy / path).unlink()
        else:
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_bytes(data)
    try:
        project = scan(str(copy / "agents"))
    except Exception:  # whatever a scan of hostile text raises
        return None
    return project, link_project(project)


def list_worse(before: tuple[Project, LinkResult], after: tuple[Project, LinkResult]) -> list[str]:
    """The links that do not fit and did, or fail in a field more than before."""

    def collect(state: tuple[Project, LinkResult]) -> dict[str, set[str]]:
        agents = {a.name: a for a in state[0].everyone}
        return {
            m.link.id: {
                gap.path
                for sent, taken in find_link_contracts(m.link, agents)
                if sent is not None and taken is not None
                for gap in find_gaps(sent.json_schema, taken.json_schema)
            }
            for m in state[1].mismatches
        }

    stood, now = collect(before), collect(after)
    return sorted(key for key, gaps in now.items() if key not in stood or not gaps <= stood[key])


if __name__ == "__main__":
    sys.exit(main())
