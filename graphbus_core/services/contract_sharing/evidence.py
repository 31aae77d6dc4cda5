"""What a side shows of its code, held against a contract: schemas and hints, recorded payloads, a running service.

A schema (JSON Schema, OpenAPI, a class of Python) proves for all payloads. Recordings prove for what was recorded, and
alone they must show each field, choice and kind of the contract: what no test ever did is not known. A service is sent
the contract's examples. What shows nothing is never a yes.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from graphbus_core.contracts import NOTHING, Verdict, check
from graphbus_core.contracts.examples import describe_feature, generate_examples, list_features
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.validation.validator import validator
from graphbus_core.errors import ContractError, UsageError
from graphbus_core.services.contract_diff import sources
from graphbus_core.sessions.contract_file import SIDES, check_exchange

RECORDS = (".jsonl", ".ndjson")
ANSWER_S = 10.0
MAX_ANSWER_BYTES = 1 << 20
MAX_RECORD_BYTES = 64 << 20
MAX_MISSING = 5  # features that are named of those no recording shows


@dataclass(frozen=True)
class Terms:
    """What code is held to: a pair of contracts, and what it is called. `strict`: this side lets the rule sign for it,
    so its code must keep to its own contract to the letter."""

    label: str
    schemas: dict[str, Any]
    parties: dict[str, str]
    strict: bool = False


@dataclass(frozen=True)
class Row:
    """One answer: holds, breaks, unknown, or a note."""

    state: str
    message: str
    payload: Any = NOTHING

    def to_dict(self) -> dict[str, Any]:
        """JSON form; `payload` only where one proves it."""
        return {"state": self.state, "message": self.message} | (
            {"payload": self.payload} if self.payload is not NOTHING else {}
        )


def judge_evidence(shows: str, side: str, terms: Terms, folder: Path, hosts: frozenset[str]) -> list[Row]:
    """Hold one thing that a side shows against the terms. Raises ContractError and UsageError for what cannot be
    read."""
    if shows.startswith(("http://", "https://")):
        return list(_judge_service(shows, side, terms, hosts))
    if shows.endswith(RECORDS):
        return list(_judge_records(shows, side, terms, read_records(folder / shows)))
    return list(_judge_schema(shows, side, terms, _read_schema(shows, side, folder)))


def is_partial(shows: str) -> bool:
    """Whether it shows some payloads, and not all that there may be."""
    return shows.endswith(RECORDS)


# ---- schemas and hints


def _read_schema(shows: str, side: str, folder: Path) -> Contract:
    how = sources.CompareOptions(side="output" if side == "producer" else "input", root=folder)
    is_file = (folder / shows.partition("#")[0]).exists()
    items = sources.read_source(str(folder / shows) if is_file else shows, how, str(folder)).items
    if len(items) != 1 or next(iter(items.values())).parts:
        raise UsageError(f"{shows} holds several contracts; name one: FILE#/pointer or 'FILE#POST /orders body'.")
    schema = next(iter(items.values())).schema
    return schema if isinstance(schema, Contract) else Contract.from_json_schema(schema)


def _judge_schema(shows: str, side: str, terms: Terms, shown: Contract) -> Iterator[Row]:
    other = SIDES[1 - SIDES.index(side)]
    sent, taken = terms.schemas["producer"], terms.schemas["consumer"]
    if side == "consumer":
        yield _describe(check_exchange(sent, shown), f"takes all that {terms.label} sends", shows, terms, other)
        if unnamed := _find_unnamed(Contract.from_json_schema(taken), shown):
            yield Row("unknown", f"{shows} says nothing of {', '.join(unnamed)}, which {terms.label} names.")
        if terms.strict:
            own = check(Contract.from_json_schema(taken).opened, shown.to_json_schema(), formats=True)
            yield _describe(own, f"takes all that {terms.label} says it takes", shows, terms, side)
        return
    yield _describe(check_exchange(shown, sent), f"sends what {terms.label} says", shows, terms, side)
    yield _describe(check_exchange(shown, taken), f"sends what {terms.parties[other]} takes", shows, terms, side)
    if terms.strict:
        own = check(shown.closed, Contract.from_json_schema(sent).closed, formats=True)
        yield _describe(own, f"sends nothing that {terms.label} does not name", shows, terms, side)


def _describe(verdict: Verdict, claim: str, shows: str, terms: Terms, sender: str) -> Row:
    if verdict.compatible is True:
        return Row("holds", f"{shows} {claim}.")
    why = "; ".join(str(reason.message) for reason in verdict.reasons[:3])
    if verdict.compatible is None:
        return Row("unknown", f"whether {shows} {claim} was not decided: {why}.")
    return Row("breaks", f"{shows} does not hold to {terms.label}: {why}.", verdict.counterexample)


def _find_unnamed(taken: Contract, shown: Contract) -> list[str]:
    """The fields that the contract bounds, and of which the schema that is shown says nothing."""
    return [
        name
        for name, field in taken.fields.items()
        if field not in (True, {})
        and shown.fields.get(name, True) in (True, {})
        and "$ref" not in shown.to_json_schema()
    ]


# ---- recordings


def read_records(file: Path) -> list[tuple[int, Any]]:
    """The payloads of a file of JSON lines, each with its line. Raises ContractError with the line that is not JSON."""
    try:
        if file.stat().st_size > MAX_RECORD_BYTES:
            raise ContractError(f"{file} has more than {MAX_RECORD_BYTES >> 20} MB. Keep one payload of a kind.")
        lines = file.read_bytes().splitlines()
    except OSError as e:
        raise ContractError(f"{file} cannot be read: {e.strerror or e}. Run the tests that record it.") from None
    records: list[tuple[int, Any]] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                records.append((number, json.loads(line)))
            except ValueError as e:
                raise ContractError(f"{file}, line {number}, is not JSON: {e}. Write one payload a line.") from None
    if not records:
        raise ContractError(f"{file} holds no payload. Run the tests that record it.")
    return records


def _judge_records(shows: str, side: str, terms: Terms, records: list[tuple[int, Any]]) -> Iterator[Row]:
    sent = Contract.from_json_schema(terms.schemas["producer"])
    # A consumer's tests may feed only what the producer can send: a stand-in that sends more hides what is missing.
    checks = [(validator(sent, side="output" if side == "consumer" or terms.strict else "input").check, terms.label)]
    if side == "producer":
        taken = validator(terms.schemas["consumer"], formats=True).check
        checks.append((taken, f"{terms.parties['consumer']} in {terms.label}"))
    broken = False
    for number, payload in records:
        for check_payload, who in checks:
            if (violation := check_payload(payload)) is not None:
                broken = True
                what = "is sent" if side == "producer" else f"is never sent by {terms.parties['producer']}"
                yield Row("breaks", f"{shows}, line {number}, {what}, against {who}: {violation}.", payload)
                break
    if broken:
        return
    wanted = list_features(sent.closed, generate_examples(sent))
    missing = sorted(wanted - list_features(sent.closed, [payload for _, payload in records]))
    if missing:
        few = ", ".join(describe_feature(feature) for feature in missing[:MAX_MISSING])
        more = f" and {len(missing) - MAX_MISSING} more" if len(missing) > MAX_MISSING else ""
        yield Row("unknown", f"{shows} fits as far as it goes. No payload in it shows: {few}{more}.")
    else:
        yield Row("holds", f"{shows}: all {len(records)} payloads fit, and show each part of {terms.label}.")


# ---- a running service


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: Any, **_named: Any) -> None:
        """A service that sends us elsewhere is not followed: the operator named this host alone."""
        return


def _check_host(url: str, hosts: frozenset[str]) -> None:
    name = urlsplit(url).hostname or ""
    try:
        is_loopback = ipaddress.ip_address(name).is_loopback
    except ValueError:
        is_loopback = name == "localhost"
    if not is_loopback and name not in hosts:
        raise UsageError(f"{name} is not this machine. Examples are sent there only with --host {name}.")


def _judge_service(url: str, side: str, terms: Terms, hosts: frozenset[str]) -> Iterator[Row]:
    _check_host(url, hosts)
    sent = Contract.from_json_schema(terms.schemas["producer"])
    if side == "producer":
        status, text = _ask_service(url, None)
        try:
            payload = json.loads(text) if 200 <= status < 300 else None
        except ValueError:
            status = 0
        if not 200 <= status < 300:
            yield Row("breaks", f"GET {url} answered {status or 'no JSON'}: {text[:300]}")
            return
        yield from _judge_records(url, side, terms, [(1, payload)])
        return
    examples = generate_examples(sent)
    if not examples:
        yield Row("unknown", f"no example of {terms.label} could be made; show {url} by a schema beside it.")
        return
    for payload in examples:
        status, text = _ask_service(url, payload)
        if not 200 <= status < 300:
            yield Row("breaks", f"POST {url} answered {status} to a payload of {terms.label}: {text[:300]}", payload)
            return
    yield Row("holds", f"{url} took {len(examples)} examples of {terms.label}.")


def _ask_service(url: str, payload: Any) -> tuple[int, str]:
    data = None if payload is None else json.dumps(payload).encode()
    headers = {"content-type": "application/json", "accept": "application/json"}
    request = urllib.request.Request(url, data, headers)
    # Without the proxies of the environment: what is sent to this machine stays on it.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect())
    try:
        with opener.open(request, timeout=ANSWER_S) as answer:
            return answer.status, answer.read(MAX_ANSWER_BYTES).decode("utf-8", "replace")
    except urllib.error.HTTPError as e:
        return e.code, e.read(MAX_ANSWER_BYTES).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as e:
        raise ContractError(f"{url} does not answer: {e}. Start the service first.") from None
