"""A scenario file (YAML) as a scenario. Every fault is found here, before anyone is asked, with file and line.

Pure: the text comes in. The shape is checked against `scenario_schema`, the meaning here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import yaml

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.consent.scenario.model import (
    Advocate,
    BargainingRule,
    Conditional,
    Forbidden,
    Issue,
    Limit,
    Package,
    Preferences,
    RedLine,
    Scenario,
    Trade,
    build_minimum_line,
)
from graphbus_core.suggestions import suggest_names
from graphbus_core.text import shorten

# The JSON Schema of a scenario file, for editors and for the first check. What it means stands in docs/consent.md.


_TEXT = {"type": "string"}
_OPTION = {"type": ["string", "number", "boolean"]}
_OPTIONS = {"anyOf": [_OPTION, {"type": "array", "items": _OPTION, "minItems": 1}]}
_COMBINATION = {
    "type": "object",
    "description": "issue: option, or a list of options. All of them together.",
    "additionalProperties": _OPTIONS,
    "minProperties": 1,
}
_SCORES = {
    "type": "object",
    "description": "issue: {option: points}; options that are not named score 0. For a range also {from: p, to: q}.",
    "additionalProperties": {"type": "object", "additionalProperties": {"type": "number"}},
}

SCENARIO_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "GraphBus consent scenario",
    "type": "object",
    "required": ["topic", "advocates"],
    "additionalProperties": False,
    "properties": {
        "topic": {**_TEXT, "minLength": 1, "description": "The decision to be made."},
        "work": {**_TEXT, "description": "A file that holds the decision to be made, beside this file."},
        "output": {**_TEXT, "description": "Where the output document goes."},
        "max_turns": {"type": "integer", "minimum": 1, "description": "Bound on TURNS (default 30)."},
        "quorum": {
            "anyOf": [{"const": "all"}, {"type": "integer", "minimum": 1}],
            "description": "How many must consent. Those with a veto always must.",
        },
        "preferences": {
            "enum": ["disclosed", "private", "sealed"],
            "description": "Disclosed: the mediator knows them. Sealed: `consent ask` asks comparisons instead.",
        },
        "choose": {
            "enum": ["nash", "leximin", "kalai-smorodinsky"],
            "description": "By what the mediator chooses: greatest product (default), least gain, or least share.",
        },
        "stand_aside": {
            "type": "boolean",
            "description": "Whether an advocate may let a proposal pass without supporting it, named in the status.",
        },
        "opening": {**_COMBINATION, "description": "Where the talk starts: one option for every issue."},
        "issues": {
            "type": "object",
            "minProperties": 1,
            "description": "issue: a list of options, or {options: […]}, or a range {min, max, step}.",
            "additionalProperties": {
                "anyOf": [
                    {"type": "array", "items": _OPTION, "minItems": 1},
                    {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["options"],
                        "properties": {
                            "title": _TEXT,
                            "options": {
                                "anyOf": [
                                    {"type": "array", "items": _OPTION, "minItems": 1},
                                    {"type": "object", "additionalProperties": _TEXT, "minProperties": 1},
                                ]
                            },
                        },
                    },
                    {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["min", "max"],
                        "properties": {
                            "title": _TEXT,
                            "min": {"type": "number"},
                            "max": {"type": "number"},
                            "step": {"type": "number", "exclusiveMinimum": 0},
                        },
                    },
                ]
            },
        },
        "advocates": {
            "type": "object",
            "minProperties": 2,
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "priority": _TEXT,
                    "rationale": _TEXT,
                    "red_line": {**_TEXT, "description": "The text of the position statement."},
                    "willing_to_trade": _TEXT,
                    "person": _TEXT,
                    "brief": {**_TEXT, "description": "For the advocate alone."},
                    "veto": {"type": "boolean"},
                    "scores": _SCORES,
                    "weights": {"type": "object", "additionalProperties": {"type": "number", "minimum": 0}},
                    "conditional_scores": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["when"],
                            "properties": {"when": _COMBINATION, "scores": _SCORES, "score": {"type": "number"}},
                        },
                    },
                    "minimum": {"type": "number", "description": "The least total score: a red line."},
                    "relax_minimum_cost": {"type": "number", "minimum": 0},
                    "red_lines": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "properties": {
                                "text": _TEXT,
                                "cost": {"type": "number", "minimum": 0},
                                "forbid": _COMBINATION,
                                "limit": {
                                    "type": "object",
                                    "additionalProperties": False,
                                    "required": ["of"],
                                    "anyOf": [{"required": ["at_least"]}, {"required": ["at_most"]}],
                                    "properties": {
                                        "of": {"anyOf": [_TEXT, {"type": "array", "items": _TEXT, "minItems": 1}]},
                                        "at_least": {"type": "number"},
                                        "at_most": {"type": "number"},
                                    },
                                },
                            },
                            "oneOf": [{"required": ["forbid"]}, {"required": ["limit"]}],
                        },
                    },
                    "trades": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["give", "get"],
                            "properties": {
                                "give": {"type": "object", "additionalProperties": _OPTION, "minProperties": 1},
                                "get": {"type": "object", "additionalProperties": _OPTION, "minProperties": 1},
                            },
                        },
                    },
                },
            },
        },
    },
}

_DESCRIPTIONS = {
    "title": "What the issue is called where people read.",
    "options": "The options: a list, or option: what it means.",
    "min": "The first number of the range.",
    "max": "The last number of the range.",
    "step": "From one number to the next (default 1).",
    "advocates": "Who sits at the table, in the order of their turns; at least two.",
    "priority": "What this advocate stands for, in a few words.",
    "person": "Who speaks for this advocate, where that is not its name. One person has one seat.",
    "rationale": "Why it matters. A text of the position statement.",
    "willing_to_trade": "What it can give up. A text of the position statement.",
    "veto": "Whether nothing is agreed without this advocate, also with a quorum.",
    "weights": "issue: a number that its scores are multiplied by.",
    "conditional_scores": "Scores that count only where all of `when` holds.",
    "when": "issue: option, or a list of options. All of them together.",
    "score": "Points where `when` holds.",
    "relax_minimum_cost": "What a point below the minimum costs in a proof's relaxation.",
    "red_lines": "What this advocate cannot accept, in a form that can be checked.",
    "text": "The red line in words.",
    "cost": "What relaxing it costs: by unit for a limit, once for a combination.",
    "limit": "Bounds on a number, or on the sum of several issues' numbers.",
    "of": "The issue, or a list of issues, whose numbers are bounded.",
    "at_least": "The least that the sum may be.",
    "at_most": "The most that the sum may be.",
    "trades": "What this advocate would give, and what for; the mediator's words use them.",
    "give": "issue: the option that it would accept.",
    "get": "issue: the option that it wants in return.",
}


def _add_descriptions(schema: Any) -> None:
    """Give every property its sentence: editors show it beside the key."""
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        _add_descriptions(part)
    if isinstance(schema, dict) and isinstance(schema.get("properties"), dict):
        for name, inside in schema["properties"].items():
            if name in _DESCRIPTIONS and isinstance(inside, dict) and "description" not in inside:
                schema["properties"][name] = {**inside, "description": _DESCRIPTIONS[name]}


_add_descriptions(SCENARIO_SCHEMA)


# A YAML text as plain data that knows its lines: so that every fault can be named with file and line.
#
# Bounded: a text of a few lines may stand for millions of parts (aliases of aliases), and is refused before it does.


MAX_PARTS = 500_000  # of a text, its aliases written out
MAX_DEPTH = 40
MAX_NUMBER = 1e15  # beyond it a float does not hold whole numbers apart
Path = tuple[str | int, ...]


class YamlLines:
    """The text as `data`, and where each part of it stands. Raises ScenarioError with `file:line`."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.lines: dict[Path, int] = {}
        self._parts = 0
        try:
            # Composed and not loaded: nodes know their lines, values do not. The safe loader makes no objects of a
            # text.
            node = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as e:
            line = e.problem_mark.line + 1 if e.problem_mark else 1
            raise ScenarioError(f"{file}:{line}: this is not YAML: {e.problem}.") from None
        except yaml.YAMLError as e:
            raise ScenarioError(f"{file}:1: this is not YAML: {' '.join(str(e).split())}.") from None
        except RecursionError:
            raise ScenarioError(f"{file}:1: nested too deep.") from None
        self._scalars = yaml.SafeLoader("")
        try:
            # The loader keeps a parser alive until it is disposed of.
            self.data = self._convert_node(node, ()) if node is not None else None
        finally:
            self._scalars.dispose()

    def build_error(self, path: Iterable[str | int], why: str) -> ScenarioError:
        """An error at the line of the longest known part of `path`."""
        # The fault may be about a key that is missing, which has no line. That of what should hold it is the nearest.
        known_path = tuple(path)
        while known_path not in self.lines and known_path:
            known_path = known_path[:-1]
        return ScenarioError(f"{self.file}:{self.lines.get(known_path, 1)}: {why}")

    def _convert_node(self, node: yaml.Node, path: Path) -> Any:
        """The node as plain data; where each part stands is remembered, and a key written twice is refused."""
        self.lines.setdefault(path, node.start_mark.line + 1)
        self._parts += 1
        # Counted on the way: a text of a kilobyte can name the same list of lists a billion times.
        if self._parts > MAX_PARTS:
            raise self.build_error(
                path, f"more than {MAX_PARTS} parts, its aliases written out; write a smaller scenario."
            )
        if len(path) > MAX_DEPTH:
            raise self.build_error(path, "nested too deep.")
        if isinstance(node, yaml.MappingNode):
            out: dict[str, Any] = {}
            for key, value in node.value:
                # Before the value is read, so that a fault inside it finds its key.
                self.lines[(*path, str(key.value))] = key.start_mark.line + 1
                name = self._check_text(str(key.value), (*path, str(key.value)))
                if name in out:
                    raise self.build_error((*path, name), f"{name!r} stands here twice.")
                out[name] = self._convert_node(value, (*path, name))
            return out
        if isinstance(node, yaml.SequenceNode):
            return [self._convert_node(value, (*path, n)) for n, value in enumerate(node.value)]
        return self._convert_scalar(node, path)

    def _convert_scalar(self, node: yaml.Node, path: Path) -> Any:
        try:
            value = self._scalars.construct_object(node)
        except (ValueError, yaml.YAMLError) as e:
            value_text = str(node.value)
            raise self.build_error(
                path, f"{value_text[:60]!r} cannot be read: {' '.join(str(e).split())[:160]}."
            ) from None
        if isinstance(value, int | float) and ":" in str(node.value):
            return self._check_text(str(node.value), path)  # YAML 1.1 reads 12:30 as 750; people mean the text
        if isinstance(value, int | float) and not isinstance(value, bool):
            if not abs(value) <= MAX_NUMBER:  # nor is .nan
                value_text = str(node.value)[:30]
                raise self.build_error(
                    path, f"{value_text!r} is not a number that can be weighed; give one between -1e15 and 1e15."
                )
            return value
        if isinstance(value, bool) or value is None:
            return value
        return self._check_text(value if isinstance(value, str) else str(node.value), path)

    def _check_text(self, text: str, path: Path) -> str:
        try:
            text.encode()
        except UnicodeEncodeError:
            # A scenario becomes a log and a document. Neither could be written with it, and that would show an hour
            # later.
            raise self.build_error(path, f"{text[:60]!r} holds a lone surrogate, which is not a character.") from None
        if "\0" in text:
            raise self.build_error(path, f"{text[:60]!r} holds a NUL character; take it out.")
        return text


# A range of a million steps is a mistake in the step, and every option becomes an object.
MAX_STEPS = 100_000


# A check reads the same text by two roads (the run, the document), and reading YAML is most of what it costs.
@lru_cache(maxsize=8)
def read_scenario(text: str, file: str = "scenario.yaml") -> Scenario:
    """The scenario that the text describes. Raises ScenarioError with `file:line`."""
    return _ScenarioReader(text, file).read_scenario()


class _ScenarioReader(YamlLines):
    # ------------------------------------------------------------------ the whole

    def read_scenario(self) -> Scenario:
        data = self.data
        if not isinstance(data, dict):
            raise ScenarioError(f"{self.file}:1: a scenario is a mapping with `topic`, `issues` and `advocates`.")
        # The shape first: everything below may then rely on its types.
        self._check_shape(data)
        self.issues = tuple(self._read_issue(n, v) for n, v in data.get("issues", {}).items())
        # Compared as people read them: two issues that differ in case could not be told apart in terms.
        folded = [i.name.strip().casefold() for i in self.issues]
        for i, name in enumerate(folded):
            if name in folded[:i]:
                raise self.build_error(
                    ("issues", self.issues[i].name), f"two issues are called {self.issues[i].name!r}."
                )
        self.number = {issue.name: n for n, issue in enumerate(self.issues)}
        advocates = tuple(self._read_advocate(n, v or {}) for n, v in data["advocates"].items())
        first_spellings: dict[str, str] = {}
        for name in data["advocates"]:
            if (first := first_spellings.setdefault(name.strip().casefold(), name)) != name:
                raise self.build_error(
                    ("advocates", name),
                    f"{name!r} and {first!r} cannot be told apart; give each a name of its own.",
                )
        quorum = data.get("quorum", "all")
        if quorum != "all" and not 1 <= quorum <= len(advocates):
            raise self.build_error(("quorum",), f"a quorum of {quorum} among {len(advocates)} advocates cannot be.")
        opening: Package | None = None
        if "opening" in data:
            picked = self._read_combination(data["opening"], ("opening",))
            if len(picked) != len(self.issues) or any(len(o) != 1 for o in picked.values()):
                raise self.build_error(("opening",), "the opening names one option for every issue.")
            opening = tuple(next(iter(picked[n])) for n in range(len(self.issues)))
        return Scenario(
            topic=data["topic"],
            issues=self.issues,
            advocates=advocates,
            quorum=None if quorum == "all" else quorum,
            preferences=Preferences(data.get("preferences", "disclosed")),
            max_turns=data.get("max_turns"),
            output=data.get("output"),
            work=data.get("work"),
            opening=opening,
            choose=BargainingRule(data.get("choose", "nash")),
            stand_aside=data.get("stand_aside", False),
        )

    def _check_shape(self, data: Mapping[str, Any]) -> None:
        # Loaded here: a scenario that came from a game or from GENIUS needs no schema.
        from jsonschema import Draft202012Validator

        errors = sorted(
            # The shortest path is the outermost fault, of which the others are usually a consequence.
            Draft202012Validator(SCENARIO_SCHEMA).iter_errors(data),
            key=lambda e: (len(e.path), str(e.path)),
        )
        if not errors:
            return
        error = errors[0]
        path = tuple(error.absolute_path)
        # An unknown key is the commonest mistake, and the library's own sentence does not say what was meant.
        if error.validator == "additionalProperties" and isinstance(error.instance, dict):
            known_keys = list(error.schema.get("properties", {}))
            for key in error.instance:
                if key not in known_keys:
                    near = suggest_names(key, known_keys, sure=True)
                    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known_keys)}."
                    raise self.build_error((*path, key), f"there is no key {key!r} here; {hint}")
        if error.validator == "required":
            raise self.build_error(path, f"{error.message}.")
        if (explanation := _explain_shape_error(path, error.instance)) is not None:
            raise self.build_error(path, explanation)
        place = ".".join(map(str, path)) or "the scenario"
        if error.validator == "type" and error.validator_value == "object" and isinstance(error.instance, list):
            raise self.build_error(
                path, f"{place}: names are expected here (`NAME: …`, one a line), not a list (`- …`)."
            )
        raise self.build_error(
            path, f"{place}: {shorten(error.message, 160)} ({error.schema.get('description', 'see the schema')})."
        )

    # ------------------------------------------------------------------ issues

    def _read_issue(self, name: str, value: Any) -> Issue:
        path: Path = ("issues", name)
        if not name.strip() or any(ord(c) < 32 for c in name):
            raise self.build_error(path, f"an issue cannot be called {name!r}; a name is one line of text.")
        title, meanings = "", {}
        if isinstance(value, dict):
            title = value.get("title", "")
            if "min" in value:
                return self._read_range(name, value, path)
            value = value["options"]
            path = (*path, "options")
            if isinstance(value, dict):
                meanings = dict(value)
                value = list(value)
        options = [_format_option(v) for v in value]
        for n, option in enumerate(options):
            if not option.strip() or any(ord(c) < 32 for c in option):
                raise self.build_error((*path, n), f"{name!r} has an option {option!r}; an option is one line of text.")
        folded = [o.strip().casefold() for o in options]
        for n, option in enumerate(folded):
            if option in folded[:n]:
                raise self.build_error((*path, n), f"{name!r} has the option {options[n]!r} twice.")
        # Numbers count only where all options are numbers: a limit over "10" and "many" means nothing.
        numbers = tuple(float(v) for v in value) if all(_is_number(v) for v in value) else None
        return Issue(name, tuple(options), numbers, title, meanings)

    def _read_range(self, name: str, value: Mapping[str, Any], path: Path) -> Issue:
        low, high, step = float(value["min"]), float(value["max"]), float(value.get("step", 1))
        if high < low:
            raise self.build_error((*path, "max"), f"the range of {name!r} ends before it starts.")
        # Not converted to an integer before the bound: a step of 1e-300 would make one of three hundred digits.
        steps = (high - low) / step
        if steps >= MAX_STEPS:
            raise self.build_error(
                (*path, "step"), f"{name!r} has {steps + 1:.0f} steps; at most {MAX_STEPS} are read."
            )
        # Rounded: 0.1 three times is not 0.3, and it would be shown.
        numbers = tuple(round(low + step * n, 10) for n in range(int(steps + 1e-9) + 1))
        options = tuple(f"{v:.10g}" for v in numbers)
        if len(set(options)) < len(options):
            raise self.build_error(
                (*path, "step"),
                f"the steps of {name!r} look the same in ten digits. Take a wider step or another unit.",
            )
        return Issue(name, options, numbers, value.get("title", ""))

    def _find_issue_number(self, name: str, path: Path) -> int:
        if name not in self.number:
            near = suggest_names(name, self.number, sure=True)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self.number) or 'none'}."
            raise self.build_error(path, f"there is no issue {name!r}; {hint}")
        return self.number[name]

    def _find_option_number(self, issue: int, option: Any, path: Path) -> int:
        option_index = self.issues[issue].index(_format_option(option))
        if option_index is None:
            option_index = _find_same_value(self.issues[issue].options, _format_option(option))
        if option_index is None:
            have = self.issues[issue].options
            near = suggest_names(_format_option(option), have, sure=True)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(have[:12])}."
            raise self.build_error(
                path, f"{self.issues[issue].name!r} has no option {_format_option(option)!r}; {hint}"
            )
        return option_index

    def _read_combination(self, value: Mapping[str, Any], path: Path) -> dict[int, frozenset[int]]:
        combination = {}
        for name, options in value.items():
            entry_path = (*path, name)
            issue = self._find_issue_number(name, entry_path)
            listed = options if isinstance(options, list) else [options]
            combination[issue] = frozenset(
                self._find_option_number(issue, o, (*entry_path, n) if isinstance(options, list) else entry_path)
                for n, o in enumerate(listed)
            )
        return combination

    # ------------------------------------------------------------------ advocates

    def _read_advocate(self, name: str, value: Mapping[str, Any]) -> Advocate:
        path: Path = ("advocates", name)
        # Their blocks in the ledger would pass for the mediator's.
        is_taken = name.strip().casefold() in ("mediator", "engine")
        if not name.strip() or is_taken or any(c in "[]:" or ord(c) < 32 for c in name):
            why = "the name is taken" if is_taken else "a name is one line without brackets and colons"
            raise self.build_error(path, f"an advocate cannot be called {name!r}: {why}.")
        scores = self._read_scores(value, path)
        conditionals = self._read_conditionals(value.get("conditional_scores", ()), (*path, "conditional_scores"))
        minimum = value.get("minimum")
        if minimum is not None and scores is None and not conditionals:
            raise self.build_error((*path, "minimum"), f"{name} has a minimum but no scores.")
        lines = [
            self._read_red_line(name, line, (*path, "red_lines", n))
            for n, line in enumerate(value.get("red_lines", ()))
        ]
        # A minimum is a red line like the others, so that vote, optimum and proof know one kind of thing.
        if minimum is not None:
            lines.append(build_minimum_line(name, float(minimum), value.get("relax_minimum_cost")))
        trades = []
        for n, trade in enumerate(value.get("trades", ())):
            trade_path = (*path, "trades", n)
            give = self._read_combination(trade["give"], (*trade_path, "give"))
            get = self._read_combination(trade["get"], (*trade_path, "get"))
            # A trade names one option an issue; of a list the first in the order of the issue is meant.
            trades.append(Trade({k: min(v) for k, v in give.items()}, {k: min(v) for k, v in get.items()}))
        return Advocate(
            name=name,
            priority=value.get("priority", ""),
            rationale=value.get("rationale", ""),
            red_line=value.get("red_line", ""),
            willing_to_trade=value.get("willing_to_trade", ""),
            scores=scores,
            conditionals=conditionals,
            minimum=None if minimum is None else float(minimum),
            red_lines=tuple(lines),
            trades=tuple(trades),
            veto=bool(value.get("veto", False)),
            person=value.get("person", ""),
            brief=value.get("brief", ""),
            option_counts=() if scores is not None else tuple(len(i.options) for i in self.issues),
        )

    def _read_scores(self, value: Mapping[str, Any], path: Path) -> tuple[tuple[float, ...], ...] | None:
        if "scores" not in value:
            if "weights" in value:
                raise self.build_error(
                    (*path, "weights"), "weights without scores: a weight multiplies an issue's scores."
                )
            return None
        table = [[0.0] * len(issue.options) for issue in self.issues]
        for name, points in value["scores"].items():
            entry_path = (*path, "scores", name)
            issue = self._find_issue_number(name, entry_path)
            table[issue] = self._read_points(issue, points, entry_path)
        for name, weight in value.get("weights", {}).items():
            entry_path = (*path, "weights", name)
            issue = self._find_issue_number(name, entry_path)
            if name not in value["scores"]:
                raise self.build_error(entry_path, f"a weight for {name!r}, which has no scores here.")
            table[issue] = [weight * v for v in table[issue]]
        return tuple(map(tuple, table))

    def _read_points(self, issue: int, points: Mapping[str, float], path: Path) -> list[float]:
        about = self.issues[issue]
        row = [0.0] * len(about.options)
        if set(points) == {"from", "to"} and about.numbers is not None and about.index("from") is None:
            low, high = float(points["from"]), float(points["to"])
            # A straight line over options that are not in order would be a zigzag in the order that people see.
            if list(about.numbers) not in (sorted(about.numbers), sorted(about.numbers, reverse=True)):
                raise self.build_error(
                    path, f"{{from, to}} is a straight line; the options of {about.name!r} go up and down."
                )
            span = (about.numbers[-1] - about.numbers[0]) or 1.0
            return [low + (high - low) * (v - about.numbers[0]) / span for v in about.numbers]
        if not points:
            raise self.build_error(path, f"the scores of {about.name!r} are for nothing: no option is named.")
        for option, value in points.items():
            row[self._find_option_number(issue, option, (*path, option))] = float(value)
        return row

    def _read_conditionals(self, items: Iterable[Mapping[str, Any]], path: Path) -> tuple[Conditional, ...]:
        """Conditional scores. The scores of an issue may depend on another's option, but not round in a circle."""
        conditionals: list[Conditional] = []
        depends: dict[int, set[int]] = {}
        for n, item in enumerate(items):
            item_path = (*path, n)
            when = self._read_combination(item["when"], (*item_path, "when"))
            if ("score" in item) == ("scores" in item):
                raise self.build_error(item_path, "a conditional score has `when` and either `score` or `scores`.")
            if "score" in item:
                conditionals.append(Conditional(when, float(item["score"])))
                continue
            for name, points in item["scores"].items():
                scores_path = (*item_path, "scores", name)
                issue = self._find_issue_number(name, scores_path)
                for other in when:
                    depends.setdefault(issue, set()).add(other)
                    # A circle has no order in which the scores could be added up, and the exact solvers rely on one.
                    if _is_reachable(depends, other, issue):
                        chain = f"{self.issues[issue].name!r} and {self.issues[other].name!r}"
                        raise self.build_error(
                            scores_path, f"a cycle of conditions: the scores of {chain} depend on each other."
                        )
                for option, worth in enumerate(self._read_points(issue, points, scores_path)):
                    # Nothing is not a condition: a row of noughts would make every package look conditional.
                    if worth:
                        conditionals.append(Conditional({**when, issue: frozenset({option})}, worth))
        return tuple(conditionals)

    def _read_red_line(self, owner: str, value: Mapping[str, Any], path: Path) -> RedLine:
        if "forbid" in value:
            combination = self._read_combination(value["forbid"], (*path, "forbid"))
            text = value.get("text") or "not " + " with ".join(
                f"{self.issues[i].name} {' or '.join(self.issues[i].options[o] for o in sorted(options))}"
                for i, options in combination.items()
            )
            return RedLine(owner, Forbidden(combination), text, value.get("cost"))
        limit = value["limit"]
        limit_path = (*path, "limit", "of")
        names = limit["of"] if isinstance(limit["of"], list) else [limit["of"]]
        issues = tuple(self._find_issue_number(n, limit_path) for n in names)
        for i in issues:
            if self.issues[i].numbers is None:
                raise self.build_error(
                    limit_path, f"a limit needs numbers, and the options of {self.issues[i].name!r} are words."
                )
        least, most = limit.get("at_least"), limit.get("at_most")
        if least is not None and most is not None and least > most:
            raise self.build_error((*path, "limit"), f"at least {least:g} and at most {most:g} cannot both hold.")
        bounds = [f"{word} {v:g}" for word, v in (("at least", least), ("at most", most)) if v is not None]
        text = value.get("text") or f"{' + '.join(names)} {' and '.join(bounds)}"
        return RedLine(owner, Limit(issues, least, most), text, value.get("cost"))


def _explain_shape_error(path: Path, value: Any) -> str | None:
    """What the schema means, where its own words do not tell what to do; None where they do."""
    if path == ("advocates",) and isinstance(value, dict):
        return f"a negotiation takes at least two advocates; {len(value)} named here. Add another below `advocates:`."
    if path[:1] == ("advocates",) and len(path) == 2 and value is None:
        return f"{path[1]} has nothing below it; give a `priority`, or write `{path[1]}: {{}}`."
    if "red_lines" in path and isinstance(value, dict):
        if path[-1] == "limit":
            return "a limit names issues and a number: `limit: {of: budget, at_most: 6000}` (or `at_least`)."
        if isinstance(path[-1], int):
            return "a red line has `forbid: {issue: option}` or `limit: {of: issue, at_most: number}`, one of the two."
    return None


def _is_reachable(depends: Mapping[int, set[int]], start: int, goal: int) -> bool:
    visited, todo = set(), [start]
    while todo:
        issue = todo.pop()
        if issue == goal:
            return True
        if issue not in visited:
            visited.add(issue)
            todo.extend(depends.get(issue, ()))
    return False


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _find_same_value(options: Sequence[str], text: str) -> int | None:
    """The one option that is the same number or the same truth to YAML (`on` is `yes`, `0.0` is `0`), or None.

    A key keeps its spelling and an option in a list becomes a value, so the same word comes in two forms.
    """
    value = _normalise_scalar(text)
    same = [n for n, option in enumerate(options) if _normalise_scalar(option) == value]
    return same[0] if len(same) == 1 else None


def _normalise_scalar(text: str) -> str:
    try:
        value = yaml.safe_load(text)
    except (ValueError, yaml.YAMLError):
        value = text
    plain = isinstance(value, bool | int | float) and ":" not in text
    return _format_option(value) if plain else text.strip().casefold()


def _format_option(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value)
