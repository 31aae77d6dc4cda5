"""The graph of agents, the data links between them, and the links that do not fit (seed 002 §2.9, design §5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any

from graphbus_core.errors import GraphBusError
from graphbus_core.model.field_mapping import FieldMapping

if TYPE_CHECKING:
    import networkx as nx


class LinkOrigin(StrEnum):
    """How a data link was found, most certain first (design §5)."""

    METHOD = "method"  # @depends_on("Fetcher.fetch_headlines") on a method
    TOPIC = "topic"  # a topic with a declared payload, and a subscriber
    CALL = "call"  # code that hands one method's result to another
    CLASS = "class"  # guessed: a class dependency where only one pairing of methods can be meant


@dataclass(frozen=True)
class Endpoint:
    """One end of a data link: a method's output or input, or a topic's payload."""

    node: str
    method: str | None = None
    topic: str | None = None

    def __str__(self) -> str:
        return f"{self.node}.{self.method}" if self.method else f"{self.node} -> {self.topic}"


@dataclass(frozen=True)
class Link:
    """Data flows from what `producer` promises to what `consumer` takes.

    `evidence` says where that was seen (`called at main.py:12`). `feeds` are the pairs of fields that code hands over,
    (`quantity`, `qty`); `("", "data")` is the whole payload as one field, `("", "")` something made of it, and no pair
    at all the whole payload as it is. `beside` are fields of the consumer that come from elsewhere, `*` for some that
    nobody can name. `own`: the consumer calls the producer in its own body, so its own code feeds it. `guarded`: the
    call stands under a condition, which may rule out what the contract allows. `mapping` is what the payload is
    delivered through.
    """

    producer: Endpoint
    consumer: Endpoint
    origin: LinkOrigin
    evidence: tuple[str, ...] = ()
    feeds: tuple[tuple[str, str], ...] = ()
    beside: tuple[str, ...] = ()
    own: bool = False
    guarded: bool = False
    mapping: FieldMapping | None = field(default=None, hash=False)

    @property
    def guessed(self) -> bool:
        """Whether nothing but a class dependency speaks for the link: it is shown, and is not a finding."""
        return self.origin is LinkOrigin.CLASS

    @property
    def id(self) -> str:
        """A stable name of the link."""
        return f"{self.producer} => {self.consumer}"

    def to_dict(self) -> dict[str, Any]:
        """The form in `graph.json`; what says nothing is left out, as in builds of the first edition."""
        data: dict[str, Any] = {
            "producer": vars(self.producer),
            "consumer": vars(self.consumer),
            "origin": self.origin.value,
        }
        more = {
            "evidence": list(self.evidence),
            "feeds": [list(pair) for pair in self.feeds],
            "beside": list(self.beside),
            "own": self.own,
            "guarded": self.guarded,
            **(self.mapping.to_dict() if self.mapping is not None else {}),
        }
        # Builds of the first edition have no such keys. What says nothing is left out, so that both read alike.
        return {**data, **{name: value for name, value in more.items() if value}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Link:
        """Inverse of `to_dict`."""
        return cls(
            Endpoint(**data["producer"]),
            Endpoint(**data["consumer"]),
            LinkOrigin(data["origin"]),
            tuple(data.get("evidence", ())),
            tuple((pair[0], pair[1]) for pair in data.get("feeds", ())),
            tuple(data.get("beside", ())),
            bool(data.get("own", False)),
            bool(data.get("guarded", False)),
            FieldMapping.from_dict(data),
        )


@dataclass(frozen=True)
class Mismatch:
    """A link whose contracts do not fit (conflict type 1 of seed 000), with the payload that proves it.

    `compatible` is False (proved) or None (could not be decided, treated as no). `reasons` are sentences;
    `paths` the fields they speak of, as `headlines[].title`. `counterexample` is what the producer may send
    and the consumer rejects; None where none could be constructed.

    `evidence`: what code and people say of which field of the producer is which of the consumer
    (`{"sent", "taken", "kind", "says", "where"}`). `in_cycle`: the consumer feeds the producer, by whatever way.
    """

    link: Link
    compatible: bool | None
    reasons: tuple[str, ...]
    paths: tuple[str, ...] = ()
    counterexample: Any = None
    evidence: tuple[Mapping[str, str], ...] = ()
    in_cycle: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The form in `build_summary.json` and of `validate --json`."""
        return {
            "link": self.link.to_dict(),
            "producer": str(self.link.producer),
            "consumer": str(self.link.consumer),
            "compatible": self.compatible,
            "reasons": list(self.reasons),
            "paths": list(self.paths),
            "counterexample": self.counterexample,
            # As above: readers of `validate --json` must not meet keys that mean nothing for them.
            **({"evidence": [dict(entry) for entry in self.evidence]} if self.evidence else {}),
            **({"in_cycle": True} if self.in_cycle else {}),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Mismatch:
        """Inverse of `to_dict`."""
        return cls(
            Link.from_dict(data["link"]),
            data["compatible"],
            tuple(data["reasons"]),
            tuple(data["paths"]),
            data["counterexample"],
            tuple(data.get("evidence", ())),
            bool(data.get("in_cycle")),
        )


@dataclass(frozen=True)
class Edge:
    """`target` needs `source`, so `source` is activated first. `metadata["reasons"]` says where it was found."""

    source: str
    target: str
    edge_type: str  # depends_on | schema_depends | topic: the strongest reason
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The form in `graph.json` (networkx node-link)."""
        return {
            "source": self.source,
            "target": self.target,
            "edge_type": self.edge_type,
            "metadata": dict(self.metadata),
        }


class AgentGraph:
    """Who needs whom. `graph` is the same as a `networkx.DiGraph`, made when it is first asked for.

    Node attributes are those of seed 002 §2.9 (`node_name, module, class_name, system_prompt, schemas, subscriptions,
    metadata`), edge attributes `edge_type` and `metadata`. networkx itself is imported only by `graph` (an import
    costs more than linking 1,000 agents).
    """

    def __init__(
        self,
        nodes: Mapping[str, Mapping[str, Any]] | None = None,
        edges: Iterable[Edge] = (),
        links: Iterable[Link] = (),
        order: Iterable[str] | None = None,
    ) -> None:
        self.nodes: Mapping[str, Mapping[str, Any]] = dict(nodes or {})
        self.edges = tuple(edges)
        self.links = tuple(links)
        self._order = None if order is None else tuple(order)
        # Made when it is asked for: linking a thousand agents is quicker than importing networkx.
        self._graph: nx.DiGraph[str] | None = None
        self._needs: dict[str, tuple[str, ...]] | None = None

    def __len__(self) -> int:
        return len(self.nodes)

    def __contains__(self, name: object) -> bool:
        return name in self.nodes

    def __iter__(self) -> Iterator[str]:
        return iter(self.nodes)

    @property
    def graph(self) -> nx.DiGraph[str]:
        """The networkx graph: for layouts, paths and whatever else networkx can do. A view; changes stay in it."""
        if self._graph is None:
            try:
                import networkx as nx  # heavy: only who asks pays, for the import and for the install
            except ModuleNotFoundError:
                raise GraphBusError(
                    "AgentGraph.graph is a networkx graph: pip install 'graphbus-core[graph]'. `nodes`, `edges`, "
                    "`links` and the activation order need no networkx."
                ) from None
            self._graph = nx.DiGraph()
            self._graph.add_nodes_from((name, dict(attributes)) for name, attributes in self.nodes.items())
            for edge in self.edges:
                self._graph.add_edge(edge.source, edge.target, edge_type=edge.edge_type, metadata=dict(edge.metadata))
        return self._graph

    def needs(self, name: str) -> tuple[str, ...]:
        """The nodes that `name` needs directly, by name."""
        if self._needs is None:
            gathered: dict[str, list[str]] = {node: [] for node in self.nodes}
            # Gathered in one pass over the edges. Asked node by node it would be a pass for each.
            for edge in self.edges:
                gathered[edge.target].append(edge.source)
            self._needs = {node: tuple(sorted(sources)) for node, sources in gathered.items()}
        return self._needs.get(name, ())

    def get_agent_activation_order(self) -> list[str]:
        """Names in the order of activation: dependencies first; inside a cycle by name (design §5)."""
        if self._order is None:
            self._order = sort_by_activation({name: self.needs(name) for name in self.nodes})
        return list(self._order)

    def to_dict(self) -> dict[str, Any]:
        """The form in `graph.json`: networkx node-link, with the data links and the order in `graph`."""
        return {
            "directed": True,
            "multigraph": False,
            "graph": {
                "activation_order": self.get_agent_activation_order(),
                "links": [link.to_dict() for link in self.links],
            },
            "nodes": [{"id": name, **attributes} for name, attributes in self.nodes.items()],
            "edges": [edge.to_dict() for edge in self.edges],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> AgentGraph:
        """Inverse of `to_dict`; also reads what `networkx.node_link_data` writes."""
        about = data.get("graph", {})
        return cls(
            {node["id"]: {k: v for k, v in node.items() if k != "id"} for node in data["nodes"]},
            (
                Edge(e["source"], e["target"], e.get("edge_type", "depends_on"), e.get("metadata", {}))
                for e in data["edges"]
            ),
            (Link.from_dict(link) for link in about.get("links", ())),
            about.get("activation_order"),
        )


GraphBusGraph = AgentGraph  # the seed's other name for it


def sort_by_activation(needs: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Sort names so that what a name needs stands before it; cycles are condensed, then sorted by name.

    Names that are needed but not in `needs` are left out. Linear in names and needs, up to the sorting of names
    (design §15 wants 10,000 agents in a chain).
    """
    # Sorted on entry, so that the order of a dictionary never decides who starts first.
    needs_by_name = {name: sorted(n for n in set(needs[name]) if n in needs and n != name) for name in sorted(needs)}
    components = _find_components(needs_by_name)
    component_of = {name: number for number, names in enumerate(components) for name in names}
    waiting: dict[int, set[int]] = {number: set() for number in range(len(components))}
    frees: dict[int, list[int]] = {number: [] for number in waiting}
    for name, before in needs_by_name.items():
        number = component_of[name]
        for other in before:
            if (first := component_of[other]) != number and first not in waiting[number]:
                waiting[number].add(first)
                frees[first].append(number)
    # A heap by the first name of each component: of those that may start, the least starts.
    ready = [(components[number][0], number) for number, before in waiting.items() if not before]
    heapify(ready)  # ties in name order
    order: list[str] = []
    while ready:
        _, number = heappop(ready)
        order.extend(components[number])
        for later in frees[number]:
            waiting[later].discard(number)
            if not waiting[later]:
                heappush(ready, (components[later][0], later))
    return tuple(order)


def find_cycles(needs: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Names that need each other, directly or by others: every circle of two or more, sorted."""
    needs_by_name = {name: [other for other in some if other in needs] for name, some in needs.items()}
    return sorted(component for component in _find_components(needs_by_name) if len(component) > 1)


def _find_components(needs: Mapping[str, list[str]]) -> list[list[str]]:
    """The strongly connected components (Tarjan 1972, with a stack of our own: chains are 10,000 deep)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    components: list[list[str]] = []
    for root in needs:
        if root in index:
            continue
        work = [(root, iter(needs[root]))]
        index[root] = low[root] = len(index)
        # A set beside the stack, because looking for a name in a list would make a long chain quadratic.
        stack.append(root)
        on_stack.add(root)
        while work:
            name, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(needs[other])))
                    break
                if other in on_stack:
                    low[name] = min(low[name], index[other])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[name])
                if low[name] == index[name]:
                    component = [stack.pop()]
                    while component[-1] != name:
                        component.append(stack.pop())
                    on_stack.difference_update(component)
                    # Sorted: inside of a circle nobody is first, and the name is a rule that everybody can see.
                    components.append(sorted(component))
    return components


# What of two contracts meets on a link: all of it, or the fields that code hands over. Pure, on JSON Schemas.


JsonSchema = Mapping[str, Any]


def narrow_to_link(
    link: Link, sent_schema: JsonSchema | None, taken_schema: JsonSchema | None
) -> tuple[JsonSchema, JsonSchema] | None:
    """What is sent and what is taken on a link, as objects that can be checked; None where nothing is promised.

    A field that comes from elsewhere is left out. Under a condition, what the condition may rule out (a field that is
    not there, None) is taken to be ruled out: a finding must be sure.
    """
    if link.own or sent_schema is None or taken_schema is None:
        return None
    if link.mapping is not None:
        sent_schema = link.mapping.map_schema(sent_schema)
    if link.feeds:
        return _build_fed_objects(link, sent_schema, taken_schema)
    if link.beside:
        taken_schema = _remove_fields(taken_schema, link.beside)
    return (_narrow_to_certain(sent_schema, taken_schema) if link.guarded else sent_schema), taken_schema


def find_fields_beside(sent: Mapping[str, JsonSchema], taken: JsonSchema) -> dict[str, frozenset[str]]:
    """Of several producers that feed one method together: which of its fields each link need not bring.

    `sent`: what each link's producer gives, by the link's id. A field that none of them gives is missed by those that
    have something left to offer, else by the first: a fault that is told three times looks like three.
    """
    fields, required = frozenset(taken.get("properties", ())), frozenset(taken.get("required", ()))
    given = {key: frozenset(schema.get("properties", ())) for key, schema in sent.items()}
    always = {key: frozenset(schema.get("required", ())) for key, schema in sent.items()}
    missing = required - frozenset().union(*given.values())
    blamed = [key for key in sent if given[key] - fields] or list(sent)[:1]
    beside = {}
    for key in sent:
        others = frozenset().union(*(always[other] for other in always if other != key))
        beside[key] = ((others - given[key]) | (missing if key not in blamed else frozenset())) & fields
    return beside


def _remove_fields(taken_schema: JsonSchema, beside: tuple[str, ...]) -> JsonSchema:
    fields = {name: field for name, field in taken_schema.get("properties", {}).items() if name not in beside}
    required = [name for name in taken_schema.get("required", ()) if name in fields and "*" not in beside]
    return {**taken_schema, "properties": fields, "required": required}


def _build_fed_objects(
    link: Link, sent_schema: JsonSchema, taken_schema: JsonSchema
) -> tuple[JsonSchema, JsonSchema] | None:
    sent_fields: dict[str, Any] = {}
    taken_fields: dict[str, Any] = {}
    for source, target in link.feeds:
        field = taken_schema.get("properties", {}).get(target)
        is_known, source_field = _find_at_path(sent_schema, source)
        if field is None or not is_known:
            continue
        taken_fields[target] = field
        if source_field is not None:
            sent_fields[target] = (
                source_field if target not in sent_fields else {"anyOf": [sent_fields[target], source_field]}
            )
    if not taken_fields:
        return None
    sent_object = {
        **_copy_definitions(sent_schema),
        "type": "object",
        "properties": sent_fields,
        "required": sorted(sent_fields),
    }
    other = {
        **_copy_definitions(taken_schema),
        "type": "object",
        "properties": taken_fields,
        "required": sorted(taken_fields),
    }
    return _narrow_to_certain(sent_object, other), other


def _find_at_path(schema: JsonSchema, path: str) -> tuple[bool, JsonSchema | None]:
    """Whether a contract says what lies at a path, and what it is (None: surely nothing)."""
    current: JsonSchema = schema
    for step in path.split(".") if path else ():
        if step == "[]":
            items = current.get("items")
            if not isinstance(items, Mapping):
                return False, None
            current = items
        elif current.get("type") == "object" and "properties" in current:
            if step not in current["properties"]:
                return not current.get("additionalProperties") and current is schema, None
            current = current["properties"][step]
        else:
            return False, None
    return True, {k: v for k, v in current.items() if k not in ("$defs", "$schema")}


def _copy_definitions(schema: JsonSchema) -> dict[str, Any]:
    return {"$defs": schema["$defs"]} if "$defs" in schema else {}


def _narrow_to_certain(sent_schema: JsonSchema, taken_schema: JsonSchema) -> JsonSchema:
    """What is sent where the field is there and, if the other side takes no None, is not None."""
    fields = {}
    for name, field_schema in sent_schema.get("properties", {}).items():
        other = taken_schema.get("properties", {}).get(name)
        fields[name] = _remove_null(field_schema) if other is not None and not _is_nullable(other) else field_schema
    needed = [name for name in taken_schema.get("required", ()) if name in fields]
    return {**sent_schema, "properties": fields, "required": sorted({*sent_schema.get("required", ()), *needed})}


def _is_nullable(field: JsonSchema) -> bool:
    kinds = field.get("type")
    listed = kinds if isinstance(kinds, list) else [kinds]
    return "null" in listed or any(_is_nullable(option) for option in field.get("anyOf", ()))


def _remove_null(field: JsonSchema) -> JsonSchema:
    if isinstance(field.get("type"), list):
        kinds = [kind for kind in field["type"] if kind != "null"]
        return {**field, "type": kinds[0] if len(kinds) == 1 else kinds} if kinds else field
    if "anyOf" in field:
        options = [option for option in field["anyOf"] if option.get("type") != "null"]
        return (options[0] if len(options) == 1 else {**field, "anyOf": options}) if options else field
    return field
