"""Policies (seed 002 §9): who may call, publish and hear what. Checked at the start, and at every call and publish.

    [[tool.graphbus.policy.rules]]
    name = "shop"                       # said by a refusal
    who = "Shop"                        # a node, or a pattern
    call = ["Inventory.check_*"]        # it may call these and nothing else
    publish = ["/Order/**"]
    hear = ["/Order/*"]

What a rule does not name (`call`, `publish`, `hear`) it leaves free; where several rules are about one node, each
allows. Nodes that no rule is about may do anything. The program outside is `runtime`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from graphbus_core.errors import ConfigError, PolicyRefused
from graphbus_core.model.message import Event
from graphbus_core.runtime.topics import matches

VERBS = {"call": "call", "publish": "publish to", "hear": "subscribe to"}


@dataclass(frozen=True)
class Rule:
    """One rule. None: it says nothing about that."""

    name: str
    who: str
    call: tuple[str, ...] | None = None
    publish: tuple[str, ...] | None = None
    hear: tuple[str, ...] | None = None

    def allows(self, verb: str, what: str) -> bool:
        """Whether its list holds that: methods as `Node.method` with `*`, topics as patterns of topics."""
        if verb == "call":
            return any(fnmatchcase(what, pattern) for pattern in self.call or ())
        patterns = self.publish if verb == "publish" else self.hear
        return any(pattern == what or matches(pattern, what) for pattern in patterns or ())


class Policy:
    """All rules of a run."""

    def __init__(self, rules: Iterable[Rule | Mapping[str, Any]] = ()) -> None:
        self.rules = [rule if isinstance(rule, Rule) else _parse_rule(rule, i) for i, rule in enumerate(rules, 1)]
        self._known: dict[tuple[str, str, str], str | None] = {}

    def __bool__(self) -> bool:
        return bool(self.rules)

    @classmethod
    def from_pyproject(cls, pyproject: Path) -> Policy:
        """The rules of a `pyproject.toml`; none where there is no such file. Raises ConfigError."""
        try:
            data = tomllib.loads(pyproject.read_text("utf-8"))
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError) as e:
            raise ConfigError(f"{pyproject} cannot be read: {e}.") from None
        rules = data.get("tool", {}).get("graphbus", {}).get("policy", [])
        if isinstance(rules, dict):  # the older form is a list itself; now a build's settings stand there, too
            rules = rules.get("rules", [])
        if not isinstance(rules, list):
            raise ConfigError(f"{pyproject}: write each rule as [[tool.graphbus.policy.rules]], with two brackets.")
        return cls(rules)

    def explain_refusal(self, who: str, verb: str, what: str) -> str | None:
        """Why `who` may not do that, or None."""
        key = who, verb, what
        if key not in self._known:
            if len(self._known) > 10_000:
                self._known.clear()
            about = [r for r in self.rules if fnmatchcase(who, r.who) and getattr(r, verb) is not None]
            refused = about and not any(rule.allows(verb, what) for rule in about)
            self._known[key] = _render_refusal(who, verb, what, about) if refused else None
        return self._known[key]

    def require(self, who: str, verb: str, what: str) -> None:
        """Raise PolicyRefused, with the rule, where `who` may not do that."""
        if self.rules and (why := self.explain_refusal(who, verb, what)) is not None:
            raise PolicyRefused(why)

    def concerns(self, who: str) -> bool:
        """Whether any rule is about that node's topics."""
        return any(fnmatchcase(who, r.who) and (r.publish is not None or r.hear is not None) for r in self.rules)


def _render_refusal(who: str, verb: str, what: str, about: list[Rule]) -> str:
    names = ", ".join(f"'{rule.name}'" for rule in about)
    allowed = ", ".join(pattern for rule in about for pattern in getattr(rule, verb))
    rules = f"rule {names} allows" if len(about) == 1 else f"rules {names} allow"
    only = f"{verb} = {allowed} only" if allowed else f"no {verb} at all"
    return f"{who} may not {VERBS[verb]} {what}: the policy's {rules} {only}."


def _parse_rule(data: Mapping[str, Any], number: int) -> Rule:
    if not isinstance(data, Mapping) or not isinstance(data.get("who"), str):
        raise ConfigError(f"Rule {number} of the policy does not say `who` it is about.")
    if unknown := set(data) - {"name", "who", *VERBS}:
        raise ConfigError(
            f"Rule {number} of the policy has no '{min(unknown)}'; there are name, who, {', '.join(VERBS)}."
        )
    lists: dict[str, tuple[str, ...]] = {}
    for verb in VERBS:
        value = data.get(verb)
        if value is None:
            continue
        if not isinstance(value, list | tuple) or not all(isinstance(v, str) for v in value):
            raise ConfigError(f"Rule {number} of the policy: `{verb}` is a list of texts.")
        lists[verb] = tuple(value)
    return Rule(str(data.get("name") or f"#{number}"), data["who"], **lists)


class GuardedBus:
    """The bus as a node gets it that rules are about: what it publishes and subscribes to is checked first."""

    def __init__(self, bus: Any, who: str, policy: Policy) -> None:
        self._bus, self._who, self._policy = bus, who, policy

    def publish(self, topic: Any, payload: dict[str, Any], source: str = "system", key: str | None = None) -> Event:
        """`MessageBus.publish`. Raises PolicyRefused."""
        self._policy.require(self._who, "publish", str(topic))
        event: Event = self._bus.publish(topic, payload, self._who, key)
        return event

    async def apublish(
        self, topic: Any, payload: dict[str, Any], source: str = "system", key: str | None = None
    ) -> Event:
        """`MessageBus.apublish`. Raises PolicyRefused."""
        self._policy.require(self._who, "publish", str(topic))
        event: Event = await self._bus.apublish(topic, payload, self._who, key)
        return event

    def subscribe(self, topic: Any, *args: Any, **more: Any) -> Any:
        """`MessageBus.subscribe`. Raises PolicyRefused."""
        self._policy.require(self._who, "hear", str(topic))
        return self._bus.subscribe(topic, *args, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bus, name)
