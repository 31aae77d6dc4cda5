"""Where a `$ref` leads: documents, their resources and anchors, and the meta-schemas that everybody may refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from graphbus_core.contracts.parsing.json_schema import (
    DRAFT4,
    DRAFT7,
    NOWHERE,
    REFERENCES,
    detect_dialect,
    follow_pointer,
    iter_in_place,
    iter_subschemas,
)
from graphbus_core.contracts.verdict import Budget, Inconclusive

MAX_DEPTH = 200
_ANCHORS = frozenset({"$anchor", "$dynamicAnchor", "$recursiveAnchor"})


class SchemaDocument:
    """One schema document. Its index is made when the first reference is followed."""

    def __init__(self, root: Any, draft: int, budget: Budget, uri: str = "") -> None:
        self.root, self.draft, self.uri = root, draft, uri
        self._budget = budget
        self._indexed = False
        self._resources: dict[str, Any] = {}
        self._anchors: dict[tuple[str, str], Any] = {}
        self._bases: dict[int, str] = {}
        self.dynamic: dict[str, list[Any]] = {}  # $dynamicAnchor -> the places that carry it

    def find_base(self, node: Any) -> str:
        """The URI against which references in a node are resolved."""
        self.index()
        return self._bases.get(id(node), self.uri)

    def find_resource(self, uri: str) -> Any:
        """The resource of that URI in this document, or None."""
        self.index()
        return self._resources.get(uri)

    def find_anchor(self, uri: str, name: str) -> Any:
        """The place that an anchor names, or None."""
        self.index()
        return self._anchors.get((uri, name))

    def index(self) -> None:
        """Find every `$id` and anchor, once."""
        if self._indexed:
            return
        self._indexed = True
        self._resources[self.uri] = self.root
        stack: list[tuple[Any, str, int]] = [(self.root, self.uri, 0)]
        while stack:
            node, base, depth = stack.pop()
            self._budget.spend()
            if depth > MAX_DEPTH:
                raise Inconclusive("reference", "the schema is nested too deeply to follow its references")
            base = self._register_id(node, base)
            if base != self.uri:  # which is what a node without an entry has
                self._bases[id(node)] = base
            if not _ANCHORS.isdisjoint(node):
                self._register_anchors(node, base)
            # Schemas alone: what stands under a keyword that nobody knows looks like one, and names nothing.
            stack.extend((v, base, depth + 1) for _, v in iter_subschemas(node) if isinstance(v, dict))

    def _register_id(self, node: dict[str, Any], base: str) -> str:
        """The base URI within a node: its own, where it is a resource by itself."""
        name = node.get("id" if self.draft == DRAFT4 else "$id")
        if not isinstance(name, str) or ("$ref" in node and self.draft <= DRAFT7):  # a `$ref` hid all beside it
            return base
        uri, fragment = urldefrag(urljoin(base, name))
        if fragment and self.draft <= DRAFT7:  # `"$id": "#name"` was how an anchor was written before `$anchor`
            self._anchors.setdefault((base, fragment), node)
            return base
        self._resources.setdefault(uri, node)
        return uri

    def _register_anchors(self, node: dict[str, Any], base: str) -> None:
        """Remember the names that a node gives itself within its resource. The first of two that are alike counts."""
        for key in ("$anchor", "$dynamicAnchor"):
            if isinstance(node.get(key), str):
                self._anchors.setdefault((base, node[key]), node)
        if isinstance(node.get("$dynamicAnchor"), str):
            self.dynamic.setdefault(node["$dynamicAnchor"], []).append(node)
        if node.get("$recursiveAnchor") is True:
            self.dynamic.setdefault("", []).append(node)


class DocumentLibrary:
    """The documents of one decision."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._known: dict[str, SchemaDocument] = {}
        self._loopless: set[int] = set()  # ids of texts from which no reference comes back in place

    def follow(self, document: SchemaDocument, node: Any, key: str) -> tuple[SchemaDocument, Any]:
        """The document and the schema that `node[key]` refers to. Raises Inconclusive."""
        ref = node[key]
        if not isinstance(ref, str):
            raise Inconclusive("reference", f"{key} {ref!r} is not a reference")
        target_document, target = self._follow_static(document, node, ref)
        if key == "$ref" or not isinstance(target, dict):
            return target_document, target
        return self._follow_dynamic(target_document, target, ref, key)

    def refuse_loops(self, text: Any, document: SchemaDocument) -> None:
        """A schema that comes back to itself for the same value says nothing: there is no value to go down into."""
        if id(text) in self._loopless:
            return
        # Depth first with a stack of our own: a chain of references may be longer than Python's.
        stack: list[tuple[Any, SchemaDocument, bool]] = [(text, document, False)]
        path: set[int] = set()
        while stack:
            node, where, is_leaving = stack.pop()
            if is_leaving:
                path.discard(id(node))
                self._loopless.add(id(node))
                continue
            if not isinstance(node, dict) or id(node) in self._loopless:
                continue
            if id(node) in path:
                raise Inconclusive("reference", "a reference comes back to itself for the same value")
            self._budget.spend()
            path.add(id(node))
            stack.append((node, where, True))
            stack.extend((sub, sub_document, False) for sub, sub_document in self._iter_in_place(node, where))

    def _iter_in_place(self, schema: dict[str, Any], where: SchemaDocument) -> Iterator[tuple[Any, SchemaDocument]]:
        """The schemas that speak of the same value as this one, each with its document."""
        for key in REFERENCES:
            if isinstance(schema.get(key), str):
                target_document, target = self.follow(where, schema, key)
                yield target, target_document
        if "$ref" in schema and where.draft <= DRAFT7:
            return
        yield from ((sub, where) for _, sub in iter_in_place(schema))

    def _follow_static(self, document: SchemaDocument, node: Any, ref: str) -> tuple[SchemaDocument, Any]:
        if ref == "#" and not document.find_base(node):
            return document, document.root
        uri, fragment = urldefrag(urljoin(document.find_base(node), ref))
        where = document
        resource = document.find_resource(uri)
        if resource is None and uri == document.uri:
            resource = document.root
        if resource is None:
            where = self._load_published(uri)
            resource = where.find_resource(uri)
        if not fragment:
            return where, resource
        if not fragment.startswith("/"):
            target = where.find_anchor(uri, unquote(fragment))
            if target is None:
                raise Inconclusive("reference", f"the reference {ref!r} names no anchor")
            return where, target
        target = follow_pointer(resource, fragment)
        if target is NOWHERE:
            raise Inconclusive("reference", f"the reference {ref!r} leads nowhere")
        return where, target

    def _follow_dynamic(
        self, document: SchemaDocument, target: dict[str, Any], ref: str, key: str
    ) -> tuple[SchemaDocument, Any]:
        """A dynamic reference, where there is only one place that it can mean."""
        if key == "$recursiveRef":
            name, dynamic = "", target.get("$recursiveAnchor") is True
        else:
            name = ref.rpartition("#")[2]
            dynamic = target.get("$dynamicAnchor") == name
        if not dynamic:
            return document, target
        for uri in _ENTRIES:
            if document.uri.startswith(uri.rpartition("/")[0]) and document.uri:
                entry = self._load_published(uri)
                return entry, entry.root
        if len(document.dynamic.get(name, ())) > 1 or self._known:
            raise Inconclusive("reference", f"the dynamic reference {ref!r} may mean several places")
        return document, target

    def _load_published(self, uri: str) -> SchemaDocument:
        known_document = self._known.get(uri)
        if known_document is not None:
            return known_document
        from jsonschema_specifications import REGISTRY

        try:
            contents = REGISTRY.contents(uri)
        except Exception:  # any registry's way to say that it does not know
            try:
                contents = REGISTRY.contents(uri + "#")
            except Exception:
                raise Inconclusive("reference", f"the reference to {uri!r} leads out of the schema") from None
        document = SchemaDocument(contents, detect_dialect(contents), self._budget, uri)
        document.index()
        self._known[uri] = document
        return document


_ENTRIES = ("https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2019-09/schema")
