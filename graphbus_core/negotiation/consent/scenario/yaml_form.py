"""A scenario file (YAML) as a scenario. Every fault is found here, before anyone is asked, with file and line.

Pure: the text comes in. The shape is checked against `scenario_schema`, the meaning here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from graphbus_core.errors import ScenarioError
from graphbus_core.nearest import near_names
from graphbus_core.negotiation.consent.scenario.scenario import (
    Advocate,
    BargainingRule,
    Conditional,
    Forbidden,
    Issue,
    Limit,
    Outcome,
    Preferences,
    RedLine,
    Scenario,
    Trade,
    minimum_of,
)
from graphbus_core.negotiation.consent.scenario.schema import SCENARIO_SCHEMA
from graphbus_core.negotiation.consent.scenario.yaml_lines import Path, YamlLines
from graphbus_core.shown import shortened

# A range of a million steps is a mistake in the step, and every option becomes an object.
MAX_STEPS = 100_000


# A check reads the same text by two roads (the run, the document), and reading YAML is most of what it costs.
@lru_cache(maxsize=8)
def read_scenario(text: str, file: str = "scenario.yaml") -> Scenario:
    """The scenario that the text describes. Raises ScenarioError with `file:line`."""
    return _Reader(text, file).scenario()


class _Reader(YamlLines):
    # ------------------------------------------------------------------ the whole

    def scenario(self) -> Scenario:
        data = self.data
        if not isinstance(data, dict):
            raise ScenarioError(f"{self.file}:1: a scenario is a mapping with `topic`, `issues` and `advocates`.")
        # The shape first: everything below may then rely on its types.
        self._shape(data)
        self.issues = tuple(self._issue(n, v) for n, v in data.get("issues", {}).items())
        # Compared as people read them: two issues that differ in case could not be told apart in terms.
        folded = [i.name.strip().casefold() for i in self.issues]
        for i, name in enumerate(folded):
            if name in folded[:i]:
                raise self.fail(("issues", self.issues[i].name), f"two issues are called {self.issues[i].name!r}.")
        self.number = {issue.name: n for n, issue in enumerate(self.issues)}
        advocates = tuple(self._advocate(n, v or {}) for n, v in data["advocates"].items())
        seen: dict[str, str] = {}
        for name in data["advocates"]:
            if (first := seen.setdefault(name.strip().casefold(), name)) != name:
                raise self.fail(
                    ("advocates", name),
                    f"{name!r} and {first!r} cannot be told apart; give each a name of its own.",
                )
        quorum = data.get("quorum", "all")
        if quorum != "all" and not 1 <= quorum <= len(advocates):
            raise self.fail(("quorum",), f"a quorum of {quorum} among {len(advocates)} advocates cannot be.")
        opening: Outcome | None = None
        if "opening" in data:
            picked = self._combination(data["opening"], ("opening",))
            if len(picked) != len(self.issues) or any(len(o) != 1 for o in picked.values()):
                raise self.fail(("opening",), "the opening names one option for every issue.")
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

    def _shape(self, data: Mapping[str, Any]) -> None:
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
            known = list(error.schema.get("properties", {}))
            for key in error.instance:
                if key not in known:
                    near = near_names(key, known, sure=True)
                    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}."
                    raise self.fail((*path, key), f"there is no key {key!r} here; {hint}")
        if error.validator == "required":
            raise self.fail(path, f"{error.message}.")
        if (said := _in_words(path, error.instance)) is not None:
            raise self.fail(path, said)
        place = ".".join(map(str, path)) or "the scenario"
        if error.validator == "type" and error.validator_value == "object" and isinstance(error.instance, list):
            raise self.fail(path, f"{place}: names are expected here (`NAME: …`, one a line), not a list (`- …`).")
        raise self.fail(
            path, f"{place}: {shortened(error.message, 160)} ({error.schema.get('description', 'see the schema')})."
        )

    # ------------------------------------------------------------------ issues

    def _issue(self, name: str, value: Any) -> Issue:
        path: Path = ("issues", name)
        if not name.strip() or any(ord(c) < 32 for c in name):
            raise self.fail(path, f"an issue cannot be called {name!r}; a name is one line of text.")
        title, meanings = "", {}
        if isinstance(value, dict):
            title = value.get("title", "")
            if "min" in value:
                return self._range(name, value, path)
            value = value["options"]
            path = (*path, "options")
            if isinstance(value, dict):
                meanings = dict(value)
                value = list(value)
        options = [_spell(v) for v in value]
        for n, option in enumerate(options):
            if not option.strip() or any(ord(c) < 32 for c in option):
                raise self.fail((*path, n), f"{name!r} has an option {option!r}; an option is one line of text.")
        folded = [o.strip().casefold() for o in options]
        for n, option in enumerate(folded):
            if option in folded[:n]:
                raise self.fail((*path, n), f"{name!r} has the option {options[n]!r} twice.")
        # Numbers count only where all options are numbers: a limit over "10" and "many" means nothing.
        numbers = tuple(float(v) for v in value) if all(_is_number(v) for v in value) else None
        return Issue(name, tuple(options), numbers, title, meanings)

    def _range(self, name: str, value: Mapping[str, Any], path: Path) -> Issue:
        low, high, step = float(value["min"]), float(value["max"]), float(value.get("step", 1))
        if high < low:
            raise self.fail((*path, "max"), f"the range of {name!r} ends before it starts.")
        # Not converted to an integer before the bound: a step of 1e-300 would make one of three hundred digits.
        steps = (high - low) / step
        if steps >= MAX_STEPS:
            raise self.fail((*path, "step"), f"{name!r} has {steps + 1:.0f} steps; at most {MAX_STEPS} are read.")
        # Rounded: 0.1 three times is not 0.3, and it would be shown.
        numbers = tuple(round(low + step * n, 10) for n in range(int(steps + 1e-9) + 1))
        options = tuple(f"{v:.10g}" for v in numbers)
        if len(set(options)) < len(options):
            raise self.fail(
                (*path, "step"),
                f"the steps of {name!r} look the same in ten digits. Take a wider step or another unit.",
            )
        return Issue(name, options, numbers, value.get("title", ""))

    def _issue_number(self, name: str, path: Path) -> int:
        if name not in self.number:
            near = near_names(name, self.number, sure=True)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self.number) or 'none'}."
            raise self.fail(path, f"there is no issue {name!r}; {hint}")
        return self.number[name]

    def _option_number(self, issue: int, option: Any, path: Path) -> int:
        found = self.issues[issue].index(_spell(option))
        if found is None:
            have = self.issues[issue].options
            near = near_names(_spell(option), have, sure=True)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(have[:12])}."
            raise self.fail(path, f"{self.issues[issue].name!r} has no option {_spell(option)!r}; {hint}")
        return found

    def _combination(self, value: Mapping[str, Any], path: Path) -> dict[int, frozenset[int]]:
        found = {}
        for name, options in value.items():
            here = (*path, name)
            issue = self._issue_number(name, here)
            listed = options if isinstance(options, list) else [options]
            found[issue] = frozenset(
                self._option_number(issue, o, (*here, n) if isinstance(options, list) else here)
                for n, o in enumerate(listed)
            )
        return found

    # ------------------------------------------------------------------ advocates

    def _advocate(self, name: str, value: Mapping[str, Any]) -> Advocate:
        path: Path = ("advocates", name)
        # Their blocks in the ledger would pass for the mediator's.
        taken = name.strip().casefold() in ("mediator", "engine")
        if not name.strip() or taken or any(c in "[]:" or ord(c) < 32 for c in name):
            why = "the name is taken" if taken else "a name is one line without brackets and colons"
            raise self.fail(path, f"an advocate cannot be called {name!r}: {why}.")
        scores = self._advocate_scores(value, path)
        conditionals = self._conditionals(value.get("conditional_scores", ()), (*path, "conditional_scores"))
        minimum = value.get("minimum")
        if minimum is not None and scores is None and not conditionals:
            raise self.fail((*path, "minimum"), f"{name} has a minimum but no scores.")
        lines = [
            self._red_line(name, line, (*path, "red_lines", n)) for n, line in enumerate(value.get("red_lines", ()))
        ]
        # A minimum is a red line like the others, so that vote, optimum and proof know one kind of thing.
        if minimum is not None:
            lines.append(minimum_of(name, float(minimum), value.get("relax_minimum_cost")))
        trades = []
        for n, trade in enumerate(value.get("trades", ())):
            here = (*path, "trades", n)
            give = self._combination(trade["give"], (*here, "give"))
            get = self._combination(trade["get"], (*here, "get"))
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
            brief=value.get("brief", ""),
        )

    def _advocate_scores(self, value: Mapping[str, Any], path: Path) -> tuple[tuple[float, ...], ...] | None:
        if "scores" not in value:
            if "weights" in value:
                raise self.fail((*path, "weights"), "weights without scores: a weight multiplies an issue's scores.")
            return None
        table = [[0.0] * len(issue.options) for issue in self.issues]
        for name, points in value["scores"].items():
            here = (*path, "scores", name)
            issue = self._issue_number(name, here)
            table[issue] = self._points(issue, points, here)
        for name, weight in value.get("weights", {}).items():
            here = (*path, "weights", name)
            issue = self._issue_number(name, here)
            if name not in value["scores"]:
                raise self.fail(here, f"a weight for {name!r}, which has no scores here.")
            table[issue] = [weight * v for v in table[issue]]
        return tuple(map(tuple, table))

    def _points(self, issue: int, points: Mapping[str, float], path: Path) -> list[float]:
        about = self.issues[issue]
        row = [0.0] * len(about.options)
        if set(points) == {"from", "to"} and about.numbers is not None and about.index("from") is None:
            low, high = float(points["from"]), float(points["to"])
            # A straight line over options that are not in order would be a zigzag in the order that people see.
            if list(about.numbers) not in (sorted(about.numbers), sorted(about.numbers, reverse=True)):
                raise self.fail(path, f"{{from, to}} is a straight line; the options of {about.name!r} go up and down.")
            span = (about.numbers[-1] - about.numbers[0]) or 1.0
            return [low + (high - low) * (v - about.numbers[0]) / span for v in about.numbers]
        if not points:
            raise self.fail(path, f"the scores of {about.name!r} are for nothing: no option is named.")
        for option, value in points.items():
            row[self._option_number(issue, option, (*path, option))] = float(value)
        return row

    def _conditionals(self, items: Iterable[Mapping[str, Any]], path: Path) -> tuple[Conditional, ...]:
        """Conditional scores. The scores of an issue may depend on another's option, but not round in a circle."""
        found: list[Conditional] = []
        depends: dict[int, set[int]] = {}
        for n, item in enumerate(items):
            here = (*path, n)
            when = self._combination(item["when"], (*here, "when"))
            if ("score" in item) == ("scores" in item):
                raise self.fail(here, "a conditional score has `when` and either `score` or `scores`.")
            if "score" in item:
                found.append(Conditional(when, float(item["score"])))
                continue
            for name, points in item["scores"].items():
                there = (*here, "scores", name)
                issue = self._issue_number(name, there)
                for other in when:
                    depends.setdefault(issue, set()).add(other)
                    # A circle has no order in which the scores could be added up, and the exact solvers rely on one.
                    if _reaches(depends, other, issue):
                        chain = f"{self.issues[issue].name!r} and {self.issues[other].name!r}"
                        raise self.fail(there, f"a cycle of conditions: the scores of {chain} depend on each other.")
                for option, worth in enumerate(self._points(issue, points, there)):
                    # Nothing is not a condition: a row of noughts would make every package look conditional.
                    if worth:
                        found.append(Conditional({**when, issue: frozenset({option})}, worth))
        return tuple(found)

    def _red_line(self, owner: str, value: Mapping[str, Any], path: Path) -> RedLine:
        if "forbid" in value:
            combination = self._combination(value["forbid"], (*path, "forbid"))
            text = value.get("text") or "not " + " with ".join(
                f"{self.issues[i].name} {' or '.join(self.issues[i].options[o] for o in sorted(options))}"
                for i, options in combination.items()
            )
            return RedLine(owner, Forbidden(combination), text, value.get("cost"))
        limit = value["limit"]
        here = (*path, "limit", "of")
        names = limit["of"] if isinstance(limit["of"], list) else [limit["of"]]
        issues = tuple(self._issue_number(n, here) for n in names)
        for i in issues:
            if self.issues[i].numbers is None:
                raise self.fail(here, f"a limit needs numbers, and the options of {self.issues[i].name!r} are words.")
        least, most = limit.get("at_least"), limit.get("at_most")
        if least is not None and most is not None and least > most:
            raise self.fail((*path, "limit"), f"at least {least:g} and at most {most:g} cannot both hold.")
        bounds = [f"{word} {v:g}" for word, v in (("at least", least), ("at most", most)) if v is not None]
        text = value.get("text") or f"{' + '.join(names)} {' and '.join(bounds)}"
        return RedLine(owner, Limit(issues, least, most), text, value.get("cost"))


def _in_words(path: Path, value: Any) -> str | None:
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


def _reaches(depends: Mapping[int, set[int]], start: int, goal: int) -> bool:
    seen, todo = set(), [start]
    while todo:
        at = todo.pop()
        if at == goal:
            return True
        if at not in seen:
            seen.add(at)
            todo.extend(depends.get(at, ()))
    return False


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _spell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value)
