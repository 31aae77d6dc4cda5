"""What a side shows of its code, held against a contract: schemas and hints, recorded payloads, a running service.

A schema (JSON Schema, OpenAPI, a class of Python) proves for all payloads. Recordings prove for what was recorded, and
alone they must show each field, choice and kind of the contract: what no test ever did is not known. A service is sent
the contract's examples. What shows nothing is never a yes.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from graphbus_core.contracts import NOTHING, Verdict, check
from graphbus_core.contracts.example_values import (
    Landmarks,
    find_inexact,
    find_landmarks,
    find_no_json,
    is_portable,
    place_at,
)
from graphbus_core.contracts.examples import describe_feature, generate_examples, list_features
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.validation.validator import validator
from graphbus_core.errors import ContractError, UsageError
from graphbus_core.services.contract_diff import sources
from graphbus_core.sessions.contract_file import SIDES, check_exchange
from graphbus_core.text import format_count, shorten

T = TypeVar("T")

RECORDS = (".jsonl", ".ndjson")
COVERAGE = (".lcov", "lcov.info")  # which lines ran in the tests: what coverage.py, c8 and others write
ANSWER_S = 10.0
START_S = 10.0  # that a service which was just started may take until it listens
MAX_ANSWER_BYTES = 1 << 20
MAX_RECORD_BYTES = 64 << 20
MAX_SENT = 1_500  # examples that a service is sent
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
    branch: str = ""  # of the contract, that it is about; "" for the code as it is
    is_change: bool = False  # of code that this branch changes
    is_asked: bool = (
        False  # about what is meant: what the code of the other side does with the payload does not say that
    )

    def to_dict(self) -> dict[str, Any]:
        """JSON form; `payload` only where one proves it."""
        return {"state": self.state, "message": self.message} | (
            {"payload": self.payload} if self.payload is not NOTHING else {}
        )


@dataclass(frozen=True)
class Surroundings:
    """Where evidence is read: the repository, the hosts that may be sent examples, the running services that are shown
    beside it, the lines of each file that this branch changes, what those files name, and the examples (as JSON) that
    the services were seen to refuse when their answers were recorded."""

    folder: Path
    hosts: frozenset[str] = frozenset()
    services: tuple[str, ...] = ()
    changed: Mapping[str, frozenset[int]] = field(default_factory=dict)
    landmarks: Landmarks = field(default_factory=Landmarks)
    refused_before: frozenset[str] = frozenset()


def judge_evidence(shows: str, side: str, terms: Terms, around: Surroundings) -> list[Row]:
    """Hold one thing that a side shows against the terms. Raises ContractError and UsageError for what cannot be
    read."""
    if is_service(shows):
        return list(_judge_service(shows, side, terms, around))
    if shows.endswith(COVERAGE):
        return list(_judge_coverage(shows, side, around))
    if shows.endswith(RECORDS):
        return list(_judge_records(shows, side, terms, read_records(around.folder / shows)))
    shown = read_schema(shows, side, around.folder)
    rows = list(_judge_schema(shows, side, terms, shown))
    if side == "consumer" and around.services:
        return [_ask_services(row, shows, shown, terms, around) for row in rows]
    return rows


def is_service(shows: str) -> bool:
    """Whether it is the address of a running service."""
    return shows.startswith(("http://", "https://"))


def is_partial(shows: str) -> bool:
    """Whether it tells of what tests did, and not of all that there may be."""
    return shows.endswith(RECORDS + COVERAGE)


def explain_payload(payload: Any, side: str, terms: Terms, evidence: Sequence[str], around: Surroundings) -> str:
    """Why a payload that the other side showed is a break here; "" where it is not.

    A consumer: its contract, what it shows, or its running service refuses it. A producer, whose payload is refused
    there: its contract lets it be sent, or what it shows does. Raises ContractError and UsageError."""
    if side == "consumer" and (word := find_no_json(payload)) is not None:
        return f"{word} is not JSON, and a reader of JSON refuses all of it."
    named = [shown for shown in evidence if not is_partial(shown) and not is_service(shown)]
    schemas = [(terms.label, Contract.from_json_schema(terms.schemas[side]))]
    schemas += [(shown, read_schema(shown, side, around.folder)) for shown in named]
    for name, schema in schemas:
        if side == "producer":
            if validator(schema, side="output").check(payload) is None:
                return f"{name} says that it is sent."
        elif (violation := validator(schema.to_json_schema(), formats=True).check(payload)) is not None:
            return f"{name} refuses it: {violation}."
    for url in around.services if side == "consumer" else ():
        if refused := explain_refusal(url, payload, around.hosts):
            return refused
        if (rounded := _find_rounded(url, payload, around)) is not None:
            return rounded
    return ""


def _find_rounded(url: str, payload: Any, around: Surroundings) -> str | None:
    """Whether a service answers the same to a number beyond what a double holds and to its neighbour, in a place where
    it tells other neighbours apart."""
    for place, number in find_inexact(payload):
        asked = [place_at(payload, place, value) for value in (number, number - 1, number + 1, 1, 2)]
        same, below, above, one, two = (ask_service(url, value, around.hosts) for value in asked)
        if same in (below, above) and one != two:
            return f"POST {url} answers the same to {number} and to its neighbour: a double does not hold it."
    return None


# ---- schemas and hints


def read_schema(shows: str, side: str, folder: Path) -> Contract:
    """What a schema, a part of a document, or a class of Python says. Raises ContractError and UsageError."""
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
            # As it stands: what forbids other fields means it.
            own = check(Contract.from_json_schema(taken).to_json_schema(), shown.to_json_schema(), formats=True)
            yield _describe(own, f"takes all that {terms.label} says it takes", shows, terms, side)
        return
    says = _describe(check_exchange(shown, sent), f"sends what {terms.label} says", shows, terms, side)
    yield says
    takes = _describe(check_exchange(shown, taken), f"sends what {terms.parties[other]} takes", shows, terms, side)
    if takes != says:
        yield takes
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


def _ask_services(row: Row, shows: str, shown: Contract, terms: Terms, around: Surroundings) -> Row:
    """A schema that refuses or leaves out something, held against the code that runs beside it.

    What a service takes is not a break: only the declaration says less than the code does. Tried are the payload that
    proves it and every example that the schema refuses, with sizes around and far beyond the bounds that it names."""
    if row.state not in ("breaks", "unknown"):
        return row
    refuses = validator(shown.to_json_schema(), formats=True).check
    sent = Contract.from_json_schema(terms.schemas["producer"])
    landmarks = find_landmarks(shown.to_json_schema()) | around.landmarks
    # What readers of JSON count differently shows nothing about the schema: the service is sent it for itself.
    examples = filter(is_portable, generate_examples(sent, landmarks=landmarks, most=MAX_SENT))
    payloads = [
        payload for payload in (row.payload, *examples) if payload is not NOTHING and refuses(payload) is not None
    ]
    if not payloads and row.state == "breaks":
        return row
    for url in around.services:
        for payload in payloads:
            if explain_refusal(url, payload, around.hosts):
                return Row("breaks", row.message, payload)
    if not payloads:
        return Row("note", f"{row.message} The running service is sent what {terms.label} says of it.")
    tried = "the payload that shows it" if len(payloads) == 1 else f"all {len(payloads)} payloads that show it"
    return Row("note", f"{row.message} The running service takes {tried}: {shows} says less than the code takes.")


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
    fitting, broken = [], False
    for number, payload in records:
        row = _judge_record(f"{shows}, line {number},", side, terms, payload)
        if row is None:
            fitting.append(payload)
        else:
            broken = broken or row.state == "breaks"
            yield row
    if broken:
        return
    wanted = list_features(sent.closed, generate_examples(sent))
    missing = sorted(wanted - list_features(sent.closed, fitting))
    if missing:
        few = ", ".join(describe_feature(feature) for feature in missing[:MAX_MISSING])
        more = f" and {len(missing) - MAX_MISSING} more" if len(missing) > MAX_MISSING else ""
        yield Row("unknown", f"{shows} fits as far as it goes. No payload in it shows: {few}{more}.")
    else:
        yield Row("holds", f"{shows}: {len(fitting)} payloads fit, and show each part of {terms.label}.")


def _judge_record(place: str, side: str, terms: Terms, payload: Any) -> Row | None:
    """What is to be said of one recorded payload; None where it fits."""
    if side == "producer" and (word := find_no_json(payload)) is not None:
        why = f"{word} is not JSON (RFC 8259, 6), and a reader of JSON refuses all of it"
        return Row("breaks", f"{place} is sent, against {terms.label}: {why}.", payload)
    sent = Contract.from_json_schema(terms.schemas["producer"])
    consumer = terms.parties["consumer"]
    # Who is strict keeps to its own contract to the letter: the other side's rule may sign what that says.
    keeps_to = "output" if side == "consumer" or terms.strict else "input"
    departs = validator(sent, side=keeps_to).check(payload)
    if side == "consumer":
        # A consumer may take more than is sent. It proves nothing, so what such a line shows is not counted.
        who = f"{place} is never sent by {terms.parties['producer']}, against {terms.label}"
        return None if departs is None else Row("note", f"{who}: {departs}.")
    if (refused := validator(terms.schemas["consumer"], formats=True).check(payload)) is not None:
        return Row("breaks", f"{place} is sent, against {consumer} in {terms.label}: {refused}.", payload)
    if departs is None:
        return None
    if terms.strict:
        return Row("breaks", f"{place} is sent, against {terms.label}: {departs}.", payload)
    # Said with the payload, which the other side's CI then tries on its own code.
    return Row("note", f"{place} is not as {terms.label} says, and {consumer} takes it: {departs}.", payload)


def _judge_coverage(shows: str, side: str, around: Surroundings) -> Iterator[Row]:
    """Code that no test ran: what it does with a payload, nobody showed. Where this branch changed it, nothing else
    that is shown makes up for that, but a service that is sent the contract's examples."""
    try:
        lines = (around.folder / shows).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise ContractError(f"{shows} cannot be read: {e}. Run the tests that write it.") from None
    ran, missing = _read_lcov(lines)
    if not ran:
        yield Row("unknown", f"{shows} tells of no line that ran. Write it as LCOV: `coverage lcov`, `c8 -r lcov`.")
        return
    does = "send" if side == "producer" else "take"
    is_tried = side == "consumer" and bool(around.services)
    for file, numbers in missing.items():
        changed = around.changed.get(_name_below(file, around.folder), frozenset())
        for some, is_change in ((numbers & changed, True), (numbers - changed, False)):
            if not some:
                continue
            few = ", ".join(map(str, sorted(some)[:MAX_MISSING])) + (" and more" if len(some) > MAX_MISSING else "")
            head = "no test ran all that is changed in" if is_change else "no test ran all of"
            message = f"{head} {file}, line {few}: what they {does} is not known ({shows})."
            yield Row("note" if is_change and is_tried else "unknown", message, is_change=is_change)
    if not missing:
        yield Row("holds", f"{shows}: tests ran each of {format_count(ran, 'line')}.")


def _read_lcov(lines: Sequence[str]) -> tuple[int, dict[str, set[int]]]:
    """How many lines ran, and by file those that did not, or a part of which did not."""
    missing: dict[str, set[int]] = {}
    file, ran = "", 0
    for line in lines:
        kind, _, rest = line.partition(":")
        values = rest.split(",")
        if kind == "SF":
            file = rest
        elif kind == "DA" and values[0].isdecimal() and len(values) > 1:
            ran += values[1] != "0"
            if values[1] == "0":
                missing.setdefault(file, set()).add(int(values[0]))
        elif kind == "BRDA" and values[0].isdecimal() and values[-1] in ("0", "-"):
            missing.setdefault(file, set()).add(int(values[0]))
    return ran, missing


def _name_below(file: str, folder: Path) -> str:
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(folder.resolve()):
        path = path.relative_to(folder.resolve())
    return path.as_posix()


# ---- a running service


def _check_host(url: str, hosts: frozenset[str]) -> None:
    name = urlsplit(url).hostname or ""
    try:
        is_loopback = ipaddress.ip_address(name).is_loopback
    except ValueError:
        is_loopback = name == "localhost"
    if not is_loopback and name not in hosts:
        raise UsageError(f"{name} is not this machine. Examples are sent there only with --host {name}.")


def _judge_service(url: str, side: str, terms: Terms, around: Surroundings) -> Iterator[Row]:
    wait_for_service(url, around.hosts)
    if side == "producer":
        status, text = ask_service(url, None, around.hosts)
        try:
            payload = json.loads(text) if 200 <= status < 300 else None
        except ValueError:
            status = 0
        if not 200 <= status < 300:
            yield Row("breaks", f"GET {url} answered {status or 'no JSON'}: {text[:300]}")
            return
        yield from _judge_records(url, side, terms, [(1, payload)])
        return
    examples = generate_sent(terms, around.landmarks)
    if not examples:
        yield Row("unknown", f"no example of {terms.label} could be made; show {url} by a schema beside it.")
        return
    refused_still: list[Any] = []
    for payload, refused in ask_in_turn(url, examples, lambda payload: explain_refusal(url, payload, around.hosts)):
        if not refused:
            continue
        if is_portable(payload) or not around.refused_before:
            yield Row("breaks", f"a payload of {terms.label}: {refused}", payload)
            return
        refused_still.append(payload)
    if refused_still:
        # In the words alone: what is sent is not for the other side to judge.
        first = shorten(json.dumps(refused_still[0], ensure_ascii=False), 300)
        why = "whose characters or digits readers of JSON count differently, as it was when its answers were recorded"
        yield Row("note", f"{url} refuses {len(refused_still)} examples {why}. The first: {first}.")
    yield Row("holds", f"{url} took {len(examples) - len(refused_still)} examples of {terms.label}.")


def list_landmarks(terms: Terms, landmarks: Landmarks = Landmarks()) -> Landmarks:
    """What either side's contract names, and what is given."""
    return landmarks | find_landmarks(terms.schemas["producer"]) | find_landmarks(terms.schemas["consumer"])


def generate_sent(terms: Terms, landmarks: Landmarks = Landmarks()) -> list[Any]:
    """What a service is sent: payloads of what the producer sends, around what either side's contract names."""
    sent, taken = (Contract.from_json_schema(terms.schemas[side]) for side in SIDES)
    for schema in (sent, taken):
        landmarks |= find_landmarks(schema.to_json_schema())
    return generate_examples(sent, landmarks=landmarks, most=MAX_SENT)


def wait_for_service(url: str, hosts: frozenset[str]) -> None:
    """Until it listens. Raises ContractError, and UsageError for a machine that was not named."""
    _check_host(url, hosts)
    ends = time.monotonic() + START_S
    while True:
        try:
            socket.create_connection(_find_place(url), timeout=ANSWER_S).close()
            return
        except OSError as e:
            if not isinstance(e, ConnectionRefusedError) or time.monotonic() > ends:
                raise ContractError(f"{url} does not answer: {e}. Start the service first.") from None
        time.sleep(0.1)


class ServiceEndedError(ContractError):
    """A service listens no more; `payload` was sent to it last."""

    def __init__(self, url: str, payload: Any) -> None:
        super().__init__(f"{url} listens no more: it ended after this payload was sent. Its own log says why.")
        self.payload = payload


def ask_in_turn(url: str, payloads: Iterable[Any], ask: Callable[[Any], T]) -> Iterator[tuple[Any, T]]:
    """Each payload with what `ask` makes of it, which sends it. Raises ServiceEndedError if the service ends after one
    of them, even the last, and ContractError where it never listened."""
    sent: Any = NOTHING
    for payload in payloads:
        try:
            answer = ask(payload)
        except ContractError as e:
            if sent is NOTHING:
                raise
            raise ServiceEndedError(url, sent) from e
        sent = payload
        yield payload, answer
    if sent is not NOTHING and not _is_listening(url):
        raise ServiceEndedError(url, sent)


def _is_listening(url: str) -> bool:
    try:
        socket.create_connection(_find_place(url), timeout=ANSWER_S).close()
    except OSError:
        return False
    return True


def _find_place(url: str) -> tuple[str, int]:
    address = urlsplit(url)
    return address.hostname or "", address.port or (443 if address.scheme == "https" else 80)


def explain_refusal(url: str, payload: Any, hosts: frozenset[str]) -> str:
    """What a service answered to a payload that it did not take; "" where it did."""
    status, text = ask_service(url, payload, hosts)
    return "" if 200 <= status < 300 else f"POST {url} answered {status or 'nothing'}: {text[:300]}."


def ask_service(url: str, payload: Any, hosts: frozenset[str]) -> tuple[int, str]:
    """POST a payload to a service, or GET where it is None: the status and the text of its answer. Raises
    ContractError, and UsageError for a machine that was not named."""
    return send_body(url, None if payload is None else json.dumps(payload).encode(), hosts)


def send_body(url: str, data: bytes | None, hosts: frozenset[str]) -> tuple[int, str]:
    """`ask_service`, with a body that is written already. Status 0: it listens, and gives no answer."""
    _check_host(url, hosts)
    address = urlsplit(url)
    path = address._replace(scheme="", netloc="", path=address.path or "/", fragment="").geturl()
    # One connection each: a server that writes its answer in two parts waits for us between them on one that is kept.
    headers = {"content-type": "application/json", "accept": "application/json", "connection": "close"}
    # No proxy of the environment, and no redirect is followed: the operator named this host alone.
    kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
    try:
        with closing(kind(address.netloc.rpartition("@")[2], timeout=ANSWER_S)) as connection:
            connection.connect()
            try:
                connection.request("GET" if data is None else "POST", path, data, headers)
                answer = connection.getresponse()
                return answer.status, answer.read(MAX_ANSWER_BYTES).decode("utf-8", "replace")
            except (OSError, http.client.HTTPException) as e:
                return 0, str(e)  # it listens, and this is too much for it
    except OSError as e:
        raise ContractError(f"{url} does not answer: {e}. Start the service first.") from None
