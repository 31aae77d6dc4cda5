"""What the calls of a project give to a consumer's method: pairings, each with what keeps it from being proof."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from graphbus_core.analysis.evidence.rule import Ground, Pairing, rule_on_pair
from graphbus_core.analysis.execution.runs import Sighting
from graphbus_core.analysis.execution.state import Const
from graphbus_core.analysis.execution.traces import TracingRuns, explore
from graphbus_core.analysis.index import ClassRef, FunctionRef
from graphbus_core.analysis.project import ProjectAnalysis
from graphbus_core.contracts.check import Gap
from graphbus_core.model.graph import Link

_JSON_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "NoneType": "null"}


@dataclass
class PairingReader:
    """One state of the sources. `is_edited`: this build wrote a file; `is_passing`: a test passes, or all of a file do.

    `words`: the methods of the consumers that are asked about.
    """

    project: ProjectAnalysis
    words: Collection[str]
    is_edited: Callable[[str], bool]
    is_passing: Callable[[str], bool]

    @cached_property
    def runs(self) -> TracingRuns:
        """The project's code, interpreted."""
        agents = {(self.project.prefix + agent.source_file, agent.class_name): agent for agent in self.project.agents}
        return explore(self.project.texts, agents, self.words)

    def rule_on(self, link: Link, sent: str, taken: str, declared: Collection[Ground] = ()) -> tuple[Ground, ...]:
        """What the rule says of a pair of fields; a test is only run where all else holds."""
        keys = sent.replace("[]", ".[]"), taken.replace("[]", ".[]")
        node, methods = link.producer.node, frozenset({link.producer.method})
        if link.producer.topic is not None:
            methods = self.runs.find_publishers(node, link.producer.topic)
        sightings = [s for s in self._list_sightings(link) if s.component == node and s.method in methods]
        pairings = [*self._iter_pairings(link, sightings, *keys)]
        seconds = [] if declared else [*self._find_second_names(node, methods, *keys)]
        return self._rule_on_pairings(*keys, pairings, declared, seconds)

    def _find_second_names(self, node: str, methods: Collection[str | None], sent: str, taken: str) -> Iterator[Ground]:
        """Properties that give this field of this producer under the name that the consumer uses, and nothing else."""
        names = self.runs.second_names.get(taken, {})
        for address, place in names.items() if len(names) == 1 else ():
            if address in {(node, method, tuple(sent.split("."))) for method in methods}:
                where = place.removeprefix(self.project.prefix)
                yield Ground("alias", f"a property gives {node}'s '{sent}' as '{taken}'", where)

    def rule_on_passing(self, link: Link, name: str, feeders: Collection[str]) -> tuple[Ground, ...]:
        """What the rule says of a field that the producer could hand on, of the one method that feeds it.

        The program hands it round the producer today: the value that the feeder gives under this name arrives in the
        consumer, and no other does.
        """
        sightings = [s for s in self._list_sightings(link) if s.taken[:1] == (name,)]
        sources = {f"{s.component}.{s.method}" for s in sightings}
        if len(feeders) != 1 or sources != set(feeders):
            return ()
        grounds = self._rule_on_pairings(name, name, [*self._iter_pairings(link, sightings, name, name)], ())
        who = next(iter(feeders))
        says = f"the program hands what {who} gives as '{name}' to {link.consumer.node}.{link.consumer.method}"
        return tuple(Ground("passed", says, g.where) for g in grounds if g.kind != "nearly")

    def _rule_on_pairings(
        self,
        sent: str,
        taken: str,
        pairings: list[Pairing],
        declared: Collection[Ground],
        seconds: Collection[Ground] = (),
    ) -> tuple[Ground, ...]:
        grounds = rule_on_pair(sent, taken, pairings, tuple(declared), tuple(seconds))
        if any(ground.kind == "test" for ground in grounds):
            pairings = [self._add_test_run(pairing) for pairing in pairings]
            grounds = rule_on_pair(sent, taken, pairings, tuple(declared), tuple(seconds))
        return grounds

    def _add_test_run(self, pairing: Pairing) -> Pairing:
        """The pairing, doubted where it stands in a test that does not pass."""
        if not pairing.test or pairing.doubts:
            return pairing
        return pairing if self.is_passing(pairing.test) else replace(pairing, doubts=("the test does not pass",))

    def rule_on_type(self, link: Link, gap: Gap) -> tuple[Ground, ...]:
        """What the rule says of a value that a passing test sends in the producer's type, which does not fit.

        Where the producer may send several types, it has to be one that does not fit: a test with a tenant says nothing
        of none.
        """
        grounds = [ground for ground in self.rule_on(link, gap.path, gap.path) if ground.kind == "test"]
        key, kinds = tuple(gap.path.replace("[]", ".[]").split(".")), _list_types(gap.produced)
        if len(kinds) < 2:
            return tuple(grounds)
        shown = {
            f"{s.path}:{s.line}"
            for s in self._list_sightings(link)
            if isinstance(s.literal, Const) and s.sent == s.taken == key
            if _JSON_TYPES.get(s.literal.kind) not in _list_types(gap.consumed)
        }
        return tuple(ground for ground in grounds if ground.where in shown)

    def find_omissions(self, link: Link, taken: str) -> Iterator[Ground]:
        """Passing tests that give the consumer what this producer gives, without one field, and hold the result."""
        producer = link.producer.node, link.producer.method
        calls: dict[int, list[Sighting]] = {}
        for sighting in self._list_sightings(link):
            calls.setdefault(sighting.number, []).append(sighting)
        for some in calls.values():
            first = some[0]
            is_fed = any((s.component, s.method) == producer and s.exact for s in some)
            if not is_fed or taken in first.beside or not first.test or any(self._iter_doubts(link, first, False)):
                continue
            if first.is_taken and self.is_passing(first.test_id):
                place = f"{first.path}:{first.line}"
                yield Ground("test", f"a passing test goes without '{taken}', and holds the result", place)

    def find_named_readers(self, link: Link) -> Iterator[Ground]:
        """Decorators of the project on the consumer's method, and who calls it by name: each may use a field's name."""
        if place := self.runs.run.dispatched.get(link.consumer.node):
            where = place.removeprefix(self.project.prefix)
            yield Ground("by name", f"{link.consumer.node} is called there by names that are made as it runs", where)
        code = self.project.find_code(link.consumer.node, link.consumer.method or "")
        function = self.project.texts[code.path].functions.get(code.name) if code is not None else None
        if code is None or function is None:
            return
        for name in function.decorators:
            if isinstance(self.project.index.look_up_dotted(code.path, name), FunctionRef | ClassRef):
                yield Ground("by name", f"'{name}' may read it by its name", f"{code.path}:{function.line}")

    # ---- the calls

    def _list_sightings(self, link: Link) -> list[Sighting]:
        """What flows from any method's result into the consumer's; an inherited method is the one that it inherits."""
        code = self._code_by_method.get((link.consumer.node, link.consumer.method or ""))
        return self._sightings_by_code.get(code, []) if code is not None else []

    @cached_property
    def _code_by_method(self) -> dict[tuple[str, str], tuple[str, str]]:
        """Component and method -> path and name of the function that it is."""
        methods = ((agent.name, method.name) for agent in self.project.agents for method in agent.methods)
        found = ((method, self.project.find_code(*method)) for method in methods)
        return {method: (code.path, code.name) if code is not None else method for method, code in found}

    @cached_property
    def _sightings_by_code(self) -> dict[tuple[str, str], list[Sighting]]:
        sightings: dict[tuple[str, str], list[Sighting]] = {}
        for sighting in self.runs.sightings:
            sightings.setdefault(self._code_by_method.get(sighting.consumer, sighting.consumer), []).append(sighting)
        return sightings

    def _iter_pairings(self, link: Link, sightings: list[Sighting], sent: str, taken: str) -> Iterator[Pairing]:
        for sighting in sightings:
            keys = ".".join(sighting.sent), ".".join(sighting.taken)
            if keys[0] != sent and keys[1] != taken:
                continue
            place = f"{sighting.path}:{sighting.line}"
            if not sighting.is_taken:
                yield Pairing(*keys, place, doubts=("Python would not take the call",), is_made=False)
                continue
            doubts = tuple(self._iter_doubts(link, sighting))
            yield Pairing(*keys, place, sighting.test_id, doubts, differs=not sighting.exact)

    def _iter_doubts(self, link: Link, sighting: Sighting, of_value: bool = True) -> Iterator[str]:
        if of_value and not sighting.exact:
            yield "something is made of it on the way"
        elif of_value and not sighting.sole:
            yield "another value may stand in its place"
        if sighting.caught:
            yield "the code around it goes on where it fails"
        if sighting.guarded:
            yield "it is made under a condition"
        if sighting.doubt:
            yield sighting.doubt
        if sighting.test and self.is_edited(sighting.test):
            yield "this build wrote the test"
        elif sighting.test and not sighting.held:
            yield "no assertion holds what comes of it"


def _list_types(schema: Mapping[str, Any] | None) -> set[str]:
    """The types that a schema allows, by name."""
    if not schema:
        return set()
    named = schema.get("type", ())
    kinds = {named} if isinstance(named, str) else {*named}
    return kinds.union(*(_list_types(part) for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ()))))
