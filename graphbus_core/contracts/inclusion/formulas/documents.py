"""Where a `$ref` leads: documents, their resources and anchors, and the meta-schemas that everybody may refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from graphbus_core.contracts.reading.dialects import DRAFT4, DRAFT7, dialect_of
from graphbus_core.contracts.reading.walk import DATA, NOWHERE, REFERENCES, follow, in_place
from graphbus_core.contracts.values.budget import Budget, GivesUp

MAX_DEPTH = 200


class Document:
    """One schema document. Its index is made when the first reference is followed."""

    def __init__(self, root: Any, draft: int, budget: Budget, uri: str = "") -> None:
        self.root, self.draft, self.uri = root, draft, uri
        self._budget = budget
        self._indexed = False
        self._resources: dict[str, Any] = {}
        self._anchors: dict[tuple[str, str], Any] = {}
        self._bases: dict[int, str] = {}
        self.dynamic: dict[str, list[Any]] = {}  # $dynamicAnchor -> the places that carry it

    def base_of(self, node: Any) -> str:
        """The URI against which references in a node are resolved."""
        self.index()
        return self._bases.get(id(node), self.uri)

    def resource(self, uri: str) -> Any:
        """The resource of that URI in this document, or None."""
        self.index()
        return self._resources.get(uri)

    def anchor(self, uri: str, name: str) -> Any:
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
            self._budget.take()
            if depth > MAX_DEPTH:
                raise GivesUp("reference", "the schema is nested too deeply to follow its references")
            if isinstance(node, list):
                stack.extend((n, base, depth + 1) for n in node if isinstance(n, dict | list))
                continue
            base = self._bases[id(node)] = self._identified(node, base)
            self._anchored(node, base)
            stack.extend((v, base, depth + 1) for k, v in node.items() if k not in DATA and isinstance(v, dict | list))

    def _identified(self, node: dict[str, Any], base: str) -> str:
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

    def _anchored(self, node: dict[str, Any], base: str) -> None:
        """Remember the names that a node gives itself within its resource. The first of two that are alike counts."""
        for key in ("$anchor", "$dynamicAnchor"):
            if isinstance(node.get(key), str):
                self._anchors.setdefault((base, node[key]), node)
        if isinstance(node.get("$dynamicAnchor"), str):
            self.dynamic.setdefault(node["$dynamicAnchor"], []).append(node)
        if node.get("$recursiveAnchor") is True:
            self.dynamic.setdefault("", []).append(node)


class Library:
    """The documents of one decision."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._known: dict[str, Document] = {}
        self._loopless: set[int] = set()  # ids of texts from which no reference comes back in place

    def follow(self, document: Document, node: Any, key: str) -> tuple[Document, Any]:
        """The document and the schema that `node[key]` refers to. Raises GivesUp."""
        ref = node[key]
        if not isinstance(ref, str):
            raise GivesUp("reference", f"{key} {ref!r} is not a reference")
        target_document, target = self._static(document, node, ref)
        if key == "$ref" or not isinstance(target, dict):
            return target_document, target
        return self._dynamic(target_document, target, ref, key)

    def refuse_loops(self, text: Any, document: Document) -> None:
        """A schema that comes back to itself for the same value says nothing: there is no value to go down into."""
        if id(text) in self._loopless:
            return
        # Depth first with a stack of our own: a chain of references may be longer than Python's.
        stack: list[tuple[Any, Document, bool]] = [(text, document, False)]
        path: set[int] = set()
        while stack:
            one, where, left = stack.pop()
            if left:
                path.discard(id(one))
                self._loopless.add(id(one))
                continue
            if not isinstance(one, dict) or id(one) in self._loopless:
                continue
            if id(one) in path:
                raise GivesUp("reference", "a reference comes back to itself for the same value")
            self._budget.take()
            path.add(id(one))
            stack.append((one, where, True))
            stack.extend((sub, found, False) for sub, found in self._in_place(one, where))

    def _in_place(self, one: dict[str, Any], where: Document) -> Iterator[tuple[Any, Document]]:
        """The schemas that speak of the same value as this one, each with its document."""
        for key in REFERENCES:
            if isinstance(one.get(key), str):
                found, target = self.follow(where, one, key)
                yield target, found
        if "$ref" in one and where.draft <= DRAFT7:
            return
        yield from ((sub, where) for _, sub in in_place(one))

    def _static(self, document: Document, node: Any, ref: str) -> tuple[Document, Any]:
        if ref == "#" and not document.base_of(node):
            return document, document.root
        uri, fragment = urldefrag(urljoin(document.base_of(node), ref))
        where = document
        resource = document.resource(uri)
        if resource is None and uri == document.uri:
            resource = document.root
        if resource is None:
            where = self._published(uri)
            resource = where.resource(uri)
        if not fragment:
            return where, resource
        if not fragment.startswith("/"):
            found = where.anchor(uri, unquote(fragment))
            if found is None:
                raise GivesUp("reference", f"the reference {ref!r} names no anchor")
            return where, found
        found = follow(resource, fragment)
        if found is NOWHERE:
            raise GivesUp("reference", f"the reference {ref!r} leads nowhere")
        return where, found

    def _dynamic(self, document: Document, target: dict[str, Any], ref: str, key: str) -> tuple[Document, Any]:
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
                entry = self._published(uri)
                return entry, entry.root
        if len(document.dynamic.get(name, ())) > 1 or self._known:
            raise GivesUp("reference", f"the dynamic reference {ref!r} may mean several places")
        return document, target

    def _published(self, uri: str) -> Document:
        found = self._known.get(uri)
        if found is not None:
            return found
        from jsonschema_specifications import REGISTRY

        try:
            contents = REGISTRY.contents(uri)
        except Exception:  # any registry's way to say that it does not know
            try:
                contents = REGISTRY.contents(uri + "#")
            except Exception:
                raise GivesUp("reference", f"the reference to {uri!r} leads out of the schema") from None
        made = Document(contents, dialect_of(contents), self._budget, uri)
        made.index()
        self._known[uri] = made
        return made


_ENTRIES = ("https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2019-09/schema")
