"""References to other files, brought into one document. Nothing is fetched, and nothing outside the folder is read.

A relative reference is a file below `root`; a URI is a file only where a map says so. Any other URI stays as it is: an
unknown type, equal to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from graphbus_core.contracts.reading import dialects
from graphbus_core.contracts.reading.walk import DATA, SCHEMA_MAPS, escaped, everything
from graphbus_core.errors import ContractError

# A bound on what one contract may pull in: references could lead through a whole disk.
MAX_FILES = 2_000
# Of OpenAPI and AsyncAPI: what stands under these keys is called as its author likes.
_NAMED = SCHEMA_MAPS | {"callbacks", "channels", "content", "headers", "mediaTypes", "messages", "operations", "paths"}
_NAMED |= {"additionalOperations", "parameters", "pathItems", "requestBodies", "responses", "schemas", "webhooks"}
Load = Callable[[str], Any]  # a file of the folder, by its path below it -> the document in it


class Bundle:
    """One document with the files that it refers to under `$defs`."""

    def __init__(self, load: Load, root: Path | None, maps: Mapping[str, str]) -> None:
        self._load, self._root, self._maps = load, root, maps
        self._files: dict[str, Any] = {}

    def whole(self, schema: Any, file: str) -> Any:
        """The schema of a file, in 2020-12, with everything that it refers to. Raises ContractError."""
        made = self._read(schema, file, "")
        if not self._files or not isinstance(made, dict):
            return made
        return {**made, "$defs": {**made.get("$defs", {}), **self._files}}

    def api(self, document: Any, file: str) -> Any:
        """An OpenAPI or AsyncAPI document with the files that it refers to under `x-files`. Raises ContractError."""
        made = self._rebased(document, file, "")
        return {**made, "x-files": self._files} if self._files and isinstance(made, dict) else made

    def _rebased(self, one: Any, file: str, prefix: str, names: bool = False) -> Any:
        """The same with every reference led into the one document; what is data stays as it is.

        `names` says that the keys are names somebody chose: a response may be called `default`, a field `const`.
        """
        if isinstance(one, list):
            return [self._rebased(part, file, prefix) for part in one]
        if not isinstance(one, dict):
            return one
        made = {
            # Data is copied as it stands: a payload in an example may have the key `$ref`.
            k: v if k in DATA and not names else self._rebased(v, file, prefix, k in _NAMED and not names)
            for k, v in one.items()
        }
        ref = one.get("$ref")
        return {**made, "$ref": self._led_file(ref, file, prefix)} if isinstance(ref, str) else made

    def _led_file(self, ref: str, file: str, prefix: str) -> str:
        uri, fragment = urldefrag(ref)
        if not uri:
            return f"#{prefix}{fragment}"
        path = self._path(uri, file)
        if path is None:
            return ref
        # The escapes of a JSON pointer: a file name holds slashes.
        name = escaped(path)
        if path not in self._files:
            if len(self._files) >= MAX_FILES:
                raise ContractError(f"{file} refers to more than {MAX_FILES:,} files.")
            found = self._load(path)
            self._files[path] = True  # taken, before the file is met again within itself
            self._files[path] = self._rebased(found, path, f"/x-files/{name}")
        return f"#/x-files/{name}{fragment}"

    def _read(self, schema: Any, file: str, prefix: str) -> Any:
        draft = dialects.dialect_of(schema)
        modern = dialects.modern(schema, draft)
        if not isinstance(modern, dict):
            return modern
        own = modern.get("$id")
        needed = [one for _, one in everything(modern) if isinstance(one, dict) and isinstance(one.get("$ref"), str)]
        leads = {
            one["$ref"]: self._leads(one["$ref"], file, prefix, own if isinstance(own, str) else "") for one in needed
        }
        if all(old == new for old, new in leads.items()):
            return modern
        return _led(modern, leads)

    def _leads(self, ref: str, file: str, prefix: str, own: str) -> str:
        uri, fragment = urldefrag(ref)
        if not uri or uri == own:
            return f"#{prefix}{fragment}" if prefix else ref
        path = self._path(uri, file)
        if path is None:
            return ref
        name = f"file:{path}".replace("/", ":")
        if name not in self._files:
            if len(self._files) >= MAX_FILES:
                raise ContractError(f"{file} refers to more than {MAX_FILES:,} files.")
            try:
                found = self._load(path)
            except ContractError:
                # A schema with a URI of its own means its neighbours at that URI, and those are not here.
                if not urlsplit(own).scheme or uri in self._maps:
                    raise
                return urljoin(own, ref)  # beside its own URI, not beside the file: a document that is not here
            self._files[name] = True  # taken, before the file is met again within itself
            self._files[name] = self._read(found, path, f"/$defs/{name}")
        return f"#/$defs/{name}{fragment}"

    def _path(self, uri: str, file: str) -> str | None:
        """The file below the folder that a URI means; None where it means none."""
        # What somebody mapped on purpose goes before everything that could be found.
        if uri in self._maps:
            return self._maps[uri]
        if urlsplit(uri).scheme or uri.startswith("//"):
            return None
        if self._root is None:
            return None
        target = (self._root / file).parent / unquote(uri)
        try:
            # Resolved on both sides, or a link in the folder would lead out of it.
            return str(target.resolve().relative_to(self._root.resolve()))
        except ValueError:
            raise ContractError(
                f"{file} refers to {uri}, which leads out of the folder; use --map {uri}=FILE."
            ) from None


def _led(schema: Any, leads: Mapping[str, str]) -> Any:
    from graphbus_core.contracts.reading.walk import mapped

    if not isinstance(schema, dict):
        return schema
    made = mapped(schema, lambda one: _led(one, leads))
    return {**made, "$ref": leads[made["$ref"]]} if made.get("$ref") in leads else made
