"""What the calls of a project give to a consumer's method: pairings, each with what keeps it from being proof."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

from graphbus_core.analysis.callers import bind_arguments, read_called_word
from graphbus_core.analysis.corroboration import Reachability, can_bind, confirms_call
from graphbus_core.analysis.evidence.rule import Ground, Pairing, rule_on_pair
from graphbus_core.analysis.flow_types import Flow
from graphbus_core.analysis.index import ClassRef, FunctionRef
from graphbus_core.analysis.project import ProjectAnalysis
from graphbus_core.analysis.values import Call
from graphbus_core.model.graph import Link


@dataclass
class PairingReader:
    """One state of the sources. `is_edited`: this build wrote a file; `is_passing`: the tests of a file pass."""

    project: ProjectAnalysis
    reachability: Reachability
    is_edited: Callable[[str], bool]
    is_passing: Callable[[str], bool]
    _flows: dict[str, tuple[Flow, ...]] = field(default_factory=dict)

    def rule_on(self, link: Link, sent: str, taken: str, declared: Collection[Ground] = ()) -> tuple[Ground, ...]:
        """What the rule says of a pair of fields; a test is only run where all else holds."""
        keys = sent.replace("[]", ".[]"), taken.replace("[]", ".[]")
        flows = self._list_flows(link)
        return self._rule_on_pairings(*keys, list(self._iter_pairings(link, flows, *keys)), declared)

    def rule_on_passing(self, link: Link, name: str, feeders: Collection[str]) -> tuple[Ground, ...]:
        """What the rule says of a field that the producer could hand on, of the one method that feeds it.

        The program hands it round the producer today: the value that the feeder gives under this name arrives in the
        consumer, and no other does.
        """
        flows = [f for f in self._list_all_flows(link) if f.target_keys[:1] == (name,) or f.whole]
        sources = {str(f.source) for f in flows if not f.whole}
        if len(feeders) != 1 or sources != set(feeders):
            return ()
        pairings = list(self._iter_pairings(link, [f for f in flows if not f.whole], name, name))
        grounds = self._rule_on_pairings(name, name, pairings, ())
        who = next(iter(feeders))
        says = f"the program hands what {who} gives as '{name}' to {link.consumer.node}.{link.consumer.method}"
        return tuple(Ground("passed", says, g.where) for g in grounds if g.kind != "nearly")

    def _rule_on_pairings(
        self, sent: str, taken: str, pairings: list[Pairing], declared: Collection[Ground]
    ) -> tuple[Ground, ...]:
        grounds = rule_on_pair(sent, taken, pairings, tuple(declared))
        if any(ground.kind == "test" for ground in grounds):
            pairings = [self._add_test_run(pairing) for pairing in pairings]
            grounds = rule_on_pair(sent, taken, pairings, tuple(declared))
        return grounds

    def _add_test_run(self, pairing: Pairing) -> Pairing:
        """The pairing, doubted where it stands in a test that does not pass."""
        if not pairing.is_test or pairing.doubts:
            return pairing
        path, _, line = pairing.place.rpartition(":")
        tests = self._find_fixture_tests(path, int(line)) or [path]
        return pairing if self.is_passing(tests[0]) else replace(pairing, doubts=("the test does not pass",))

    def find_omissions(self, link: Link, taken: str) -> Iterator[Ground]:
        """Passing tests that give the consumer what this producer gives, without one field, and hold the result."""
        for place in dict.fromkeys(f.place for f in self._list_flows(link) if f.exact):
            path, _, line = place.rpartition(":")
            if not self.project.texts.is_test(path) or any(self._iter_test_doubts(path, int(line))):
                continue
            flows = [f for f in self._list_flows(link) if f.place == place]
            given = {f.target_keys[0] for f in flows if f.target_keys} | {name for f in flows for name in f.beside}
            given |= {name for call in self._list_calls(link, path, int(line)) for name in self._list_given(link, call)}
            if not {taken, "*"} & given and self._is_run(link, path, int(line)) and self.is_passing(path):
                yield Ground("test", f"a passing test goes without '{taken}', and holds the result", place)

    # ---- the calls

    def _list_flows(self, link: Link) -> tuple[Flow, ...]:
        """What flows from the producer's method into the consumer's."""
        producer = f"{link.producer.node}.{link.producer.method}"
        return tuple(f for f in self._list_all_flows(link) if str(f.source) == producer)

    def _list_all_flows(self, link: Link) -> tuple[Flow, ...]:
        """What flows from any method's result into the consumer's."""
        consumer = f"{link.consumer.node}.{link.consumer.method}"
        if consumer not in self._flows:
            self._flows[consumer] = tuple(
                f for f in self.project.list_flows(consumer) if f.source.side == "result" and f.target.side == "input"
            )
        return self._flows[consumer]

    def _iter_pairings(self, link: Link, flows: Iterable[Flow], sent: str, taken: str) -> Iterator[Pairing]:
        for flow in flows:
            path, _, line = flow.place.rpartition(":")
            keys = ".".join(flow.source_keys), ".".join(flow.target_keys)
            if flow.whole:  # every field goes where its own name stands
                if flow.source_keys or flow.target_keys or sent != taken or {taken, "*"} & {*flow.beside}:
                    continue
                keys = sent, taken
            elif keys[0] != sent and keys[1] != taken:
                continue
            if not self._is_run(link, path, int(line)):
                yield Pairing(*keys, flow.place, doubts=("nobody runs it, or Python would not take it",), is_made=False)
                continue
            is_test = self.project.texts.is_test(path)
            doubts = [
                *self._iter_flow_doubts(link, flow),
                *(self._iter_test_doubts(path, int(line)) if is_test else ()),
            ]
            yield Pairing(*keys, flow.place, is_test, tuple(doubts), differs=not flow.exact)

    def _iter_flow_doubts(self, link: Link, flow: Flow) -> Iterator[str]:
        path, _, line = flow.place.rpartition(":")
        if not flow.exact:
            yield "something is made of it on the way"
        elif not flow.sole and not flow.whole:
            yield "another value may stand in its place"
        if flow.caught:
            yield "the code around it goes on where it fails"
        if self._is_wrapped(link):
            yield "a decorator of the project may read what it is given by name"
        if self.reachability.is_conditional(path, int(line), link.consumer.method or ""):
            yield "it is made under a condition"
        if flow.exact and self.project.is_flow_changed(flow):
            yield "other code stores another value there"

    def _iter_test_doubts(self, path: str, line: int) -> Iterator[str]:
        if self.is_edited(path):
            yield "this build wrote the test"
            return
        is_held = confirms_call(self.project.texts.read_content(path), line)
        if not is_held and not self._find_fixture_tests(path, line):
            yield "no assertion holds what comes of it"

    def _find_fixture_tests(self, path: str, line: int) -> list[str]:
        """The test files that take the fixture in whose own body a line stands."""
        inside = {c.inside for c in self.project.texts[path].calls if c.line == line}
        functions = [f for name in inside if (f := self.project.texts[path].functions.get(name)) is not None]
        names = {f.name for f in functions if "fixture" in f.words}
        return [
            test
            for test in self.project.texts.paths
            if names
            and self.project.texts.is_test(test)
            and any(p.name in names for f in self.project.texts[test].functions.values() for p in f.parameters)
        ]

    def _is_wrapped(self, link: Link) -> bool:
        """Whether a decorator of the project stands on the consumer's method: it may read a field by its name."""
        code = self.project.find_code(link.consumer.node, link.consumer.method or "")
        function = self.project.texts[code.path].functions.get(code.name) if code is not None else None
        if code is None or function is None:
            return False
        resolved = (self.project.index.look_up_dotted(code.path, d) for d in function.decorators)
        return any(isinstance(decorator, FunctionRef | ClassRef) for decorator in resolved)

    def _list_calls(self, link: Link, path: str, line: int) -> list[Call]:
        word = link.consumer.method or ""
        return [
            c for c in self.project.texts[path].calls if c.line == line and word in map(read_called_word, c.function)
        ]

    def _list_given(self, link: Link, call: Call) -> Collection[str]:
        code = self.project.find_code(link.consumer.node, link.consumer.method or "")
        function = self.project.texts[code.path].functions.get(code.name) if code is not None else None
        return call.keywords.keys() | (bind_arguments(function, call).keys() if function is not None else set())

    def _is_run(self, link: Link, path: str, line: int) -> bool:
        """Whether the call of the consumer in this line is one that is run, and that Python takes."""
        word = link.consumer.method or ""
        code = self.project.find_code(link.consumer.node, word)
        function = self.project.texts[code.path].functions.get(code.name) if code is not None else None
        if function is not None and not all(can_bind(call, function) for call in self._list_calls(link, path, line)):
            return False
        return self.reachability.is_run(path, line, word)
