"""Every setting of `[tool.graphbus]`, in one table. `graphbus config` prints it, the docs are written from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

TEXT, TEXTS, NUMBER, WHOLE, YES_NO, TABLES = (
    "text",
    "list of texts",
    "number",
    "whole number",
    "true or false",
    "tables",
)


@dataclass(frozen=True)
class Setting:
    """`name` is dotted where it stands in a table of its own (`budget.cost_usd`)."""

    name: str
    kind: str
    default: Any
    does: str
    choices: tuple[str, ...] = ()

    @property
    def variable(self) -> str:
        """The environment variable that sets it; none for tables, which no variable can hold."""
        # One rule for every name. A table of exceptions would be one more thing to look up.
        return "" if self.kind == TABLES else "GRAPHBUS_" + self.name.upper().replace(".", "_").replace("-", "_")


FORMATS = ("text", "json", "sarif", "github", "junit", "markdown")

KNOWN: dict[str, Setting] = {
    one.name: one
    for one in (
        Setting("roots", TEXTS, (), "Folders whose components are read, where a command names none."),
        Setting("include", TEXTS, (), "Only these: globs on paths or dotted modules."),
        Setting("exclude", TEXTS, (), "Not these: globs on paths or dotted modules."),
        Setting(
            "components", TEXTS, (), "Plain classes and functions that take part: `shop.cart:Cart`, globs allowed."
        ),
        Setting("external", TEXTS, (), "Components written elsewhere: OpenAPI, AsyncAPI and JSON Schema files."),
        Setting("contracts_file", TEXT, "contracts.toml", "Contracts that stand beside the code instead of in it."),
        Setting("output_dir", TEXT, ".graphbus", "Where a build goes."),
        Setting("format", TEXT, "text", "How findings are printed.", FORMATS),
        Setting(
            "baseline", TEXT, "graphbus-baseline.json", "Findings that were there before; used where the file exists."
        ),
        Setting("ignore", TABLES, (), "Findings to live with: code, files, subject, reason, until."),
        Setting("provide", TEXTS, (), "What nodes are given in a run: module:factory, or name=module:factory."),
        Setting(
            "model",
            TEXTS,
            (),
            "Who speaks: a model, Agent=model, Agent=mcp (a coding agent), scripted:FILE, recorded:LOG.",
        ),
        Setting("fallback_model", TEXT, None, "Asked where the first model cannot answer."),
        Setting("verify", TEXT, None, "Your command that must pass before a commit; `auto` finds pytest."),
        # Each round asks everybody. Three leave room for a counter-proposal and for an answer to it.
        Setting("rounds", WHOLE, 3, "Rounds of negotiation at most."),
        Setting("budget.cost_usd", NUMBER, None, "USD that models may cost in one build."),
        Setting("budget.tokens", WHOLE, None, "Tokens that models may use in one build."),
        Setting("budget.wall_s", NUMBER, None, "Seconds that one negotiation may take."),
        Setting("policy.arbiters", TEXTS, (), "Arbiters, in the order in which they are asked."),
        Setting("policy.protect", TEXTS, (), "Files, folders or globs that no commit may change."),
        Setting("policy.approve", YES_NO, False, "Ask a person before each commit."),
        # Off: an import is code that a gate cannot prove harmless, so a person has to have allowed it.
        Setting("policy.allow_imports", YES_NO, False, "Commits may add imports."),
        Setting(
            "policy.allow_unproved",
            TEXTS,
            (),
            "Gates that may stay unproved where they cannot run: imports,rehearsal,types.",
        ),
        Setting("policy.rules", TABLES, (), "Who may call, publish and hear what, in a run."),
        Setting("policy.git", YES_NO, False, "One git commit for each committed proposal."),
        Setting("contracts.mode", TEXT, None, "BACKWARD, FORWARD, FULL, or one of them with _TRANSITIVE."),
        Setting("contracts.reading", TEXT, None, "How schemas are read.", ("strict", "link", "lenient")),
        Setting("contracts.history", TEXT, None, "The folder of published versions."),
        Setting("contracts.map", TEXTS, (), "URI=FILE: where an external `$ref` is found."),
        Setting("contracts.exclude", TEXTS, (), "Globs of files in a folder that are not contracts."),
        Setting("contracts.baseline", TEXT, None, "A baseline of its own for contracts."),
        Setting("contracts.ignore", TABLES, (), "Findings of contracts to live with."),
    )
}
GROUPS = frozenset(name.partition(".")[0] for name in KNOWN if "." in name)
