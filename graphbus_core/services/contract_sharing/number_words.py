"""What descriptions say of the numbers that the other side reads: a number has no unit but in words.

"At a price in cents" is part of what was agreed, and nothing can compute whether other words mean the same. So where
the description of such a number, or of the object that holds it, is changed or taken away, it is asked about. Words
where there were none are free, and white space, line breaks and case do not count.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphbus_core.analysis.contract_history import unpack_revision
from graphbus_core.contracts import NOTHING
from graphbus_core.contracts.example_values import walk_leaves
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.parsing.json_schema import IN_PLACE, follow_pointer, is_number, iter_subschemas
from graphbus_core.contracts.validation.validator import validator
from graphbus_core.errors import ContractError
from graphbus_core.services.contract_sharing.changed_lines import find_base
from graphbus_core.services.contract_sharing.evidence import Row, Terms, is_partial, is_service, read_schema
from graphbus_core.services.contract_sharing.sensitivity import ANY_NAME, ITEM, Place, describe_place
from graphbus_core.sessions.contract_file import SharedContract
from graphbus_core.text import join_few, shorten

READ_S = 120.0
MAX_PARTS = 20_000  # of a schema whose parts lead to each other, of which there may be no end of places
_STEPS = {"items": ITEM, "prefixItems": ITEM, "additionalProperties": ANY_NAME, "patternProperties": ANY_NAME}
MAX_NAMED = 5
_SHOWN_CHARS = 300


@dataclass(frozen=True)
class Words:
    """What descriptions say, by the place of the values that they speak of, and where numbers stand."""

    said: dict[Place, list[str]] = field(default_factory=dict)
    numbers: set[Place] = field(default_factory=set)


@dataclass(frozen=True)
class Change:
    """Words that are gone from a place, those that came, and the numbers there."""

    place: Place
    gone: tuple[str, ...]
    new: tuple[str, ...]
    numbers: tuple[Place, ...]


def judge_words(
    contract: SharedContract,
    terms: Terms,
    evidence: Sequence[str],
    recorded: Sequence[Any],
    folder: Path,
    is_read: Callable[[Place], bool] | None = None,
    *,
    fetch: bool = True,
) -> Iterator[Row]:
    """What a change makes the shown schemas say otherwise of numbers that the consumer reads. `terms`: of the version
    that is pinned; `recorded`: what the tests send; `is_read`: whether answers are known to depend on a place."""
    named = [shown for shown in evidence if not is_partial(shown) and not is_service(shown)]
    taken = {place for place, _ in walk_values(terms.schemas["consumer"])}
    reads = is_read or (lambda place: place in taken)
    agreed = _find_accepted(contract, terms)
    for shown in named:
        try:
            now = collect_words(read_schema(shown, "producer", folder).to_json_schema())
        except ContractError:
            continue  # a row of its own already
        accepted = collect_words(agreed)
        if not find_changes_of_words(now, accepted, reads) and not find_changes_of_words(accepted, now, reads):
            continue
        schema = _read_before(shown, folder, fetch)
        for change in find_changes_of_words(accepted if schema is None else collect_words(schema), now, reads):
            if not change.new or _leave_out(change.new, accepted.said.get(change.place, ())):
                yield _describe(change, shown, contract.name, terms, _find_payload(change, agreed, recorded))


def find_changes_of_words(before: Words, now: Words, reads: Callable[[Place], bool]) -> list[Change]:
    """The words that were there and are not now, of numbers that stand there in both and are read."""
    changes = []
    numbers = sorted(place for place in before.numbers & now.numbers if reads(place))
    for place, said in before.said.items():
        is_now = now.said.get(place, [])
        gone = _leave_out(said, is_now)
        concerned = tuple(number for number in numbers if place in list_speaking(number))
        if gone and concerned:
            changes.append(Change(place, gone, _leave_out(is_now, said), concerned))
    return changes


def collect_words(schema: Any) -> Words:
    """The words and the numbers of a schema."""
    words = Words()
    for place, part in walk_values(schema):
        text = part.get("description")
        if isinstance(text, str) and text.strip() and text not in words.said.setdefault(place, []):
            words.said[place].append(text)
        kinds = part.get("type")
        constants = [part.get("const"), *(part["enum"] if isinstance(part.get("enum"), list) else ())]
        if {"integer", "number"}.intersection([kinds] if isinstance(kinds, str) else kinds or ()) or any(
            map(is_number, constants)
        ):
            words.numbers.add(place)
    return words


def walk_values(schema: Any) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Each schema with the place of the values that it speaks of, outermost first; items of a list are one place, as
    are those of a map. What references lead to stands in each place; what leads to itself, once."""
    waiting: deque[tuple[Place, Any, tuple[int, ...]]] = deque([((), schema, ())])
    for _ in range(MAX_PARTS):
        if not waiting:
            return
        place, part, above = waiting.popleft()
        if not isinstance(part, dict) or id(part) in above:
            continue
        yield place, part
        above = (*above, id(part))
        if isinstance(ref := part.get("$ref"), str) and ref.startswith("#"):
            waiting.append((place, follow_pointer(schema, ref), above))
        for (word, *rest), inner in iter_subschemas(part):
            if word == "properties":
                waiting.append(((*place, str(rest[0])), inner, above))
            elif word in _STEPS:
                waiting.append(((*place, _STEPS[word]), inner, above))
            elif word in IN_PLACE and word not in ("not", "if"):
                waiting.append((place, inner, above))


def list_speaking(number: Place) -> list[Place]:
    """Whose descriptions speak of a number: its own, and that of the object that holds it; of a list what holds for its
    items."""
    own = _list_with_lists(number)
    return [*own, *(_list_with_lists(own[-1][:-1]) if own[-1] else ())]


def _list_with_lists(place: Place) -> list[Place]:
    """A place, and the lists that it is an item of, innermost first."""
    places = [place]
    while places[-1][-1:] in ((ITEM,), (ANY_NAME,)):
        places.append(places[-1][:-1])
    return places


def _find_accepted(contract: SharedContract, terms: Terms) -> Any:
    """What the producer declares in the last version, up to the one that is pinned, that the consumer accepted itself.
    A rule signs what fits by its types, and cannot read words."""
    accepted = terms.schemas["producer"]
    for version in contract.versions:
        rules = {signature["side"] for signature in version.signatures if signature.get("by") == "rule"}
        if "consumer" not in rules:
            accepted = version.schemas["producer"]
        if f"{contract.name}@{version.number}" == terms.label:
            break
    return accepted


def _read_before(shown: str, folder: Path, fetch: bool) -> Any:
    """The schema as it was before this change, in a process of its own, as it may be a module; None where it is not
    known."""
    commit = find_base(folder, fetch)
    if commit is None:
        return None
    try:
        with unpack_revision(str(folder), commit) as place:
            command = [sys.executable, "-m", __name__, shown]
            done = subprocess.run(command, cwd=place, capture_output=True, check=False, timeout=READ_S)
        return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None
    except (ContractError, subprocess.TimeoutExpired, ValueError, IndexError):
        return None


def _find_payload(change: Change, agreed: Any, recorded: Sequence[Any]) -> Any:
    """A recorded payload with such a number; if there is one, with something else that was not agreed."""
    holding = [
        payload
        for payload in recorded
        if {tuple(ITEM if isinstance(name, int) else name for name in place) for place, _ in walk_leaves(payload)}
        & set(change.numbers)
    ]
    departs = validator(Contract.from_json_schema(agreed), side="output").check
    return next((payload for payload in holding if departs(payload) is not None), next(iter(holding), NOTHING))


def _describe(change: Change, shown: str, name: str, terms: Terms, payload: Any) -> Row:
    gone, new = (shorten(" ".join(" ".join(some).split()), _SHOWN_CHARS) for some in (change.gone, change.new))
    numbers = join_few([describe_place(number) for number in change.numbers], MAX_NAMED)
    is_now = f'and is "{new}"' if new else "and is taken away"
    return Row(
        "unknown",
        f'{shown}: the description of {describe_place(change.place)} was "{gone}" {is_now}. '
        f"{terms.parties['consumer']} reads {numbers}, and a number has no unit but in words. Is that meant? Then say "
        f"`Meant: {name}` at the end of a commit message, or let {terms.parties['consumer']} sign it.",
        payload,
        is_asked=True,
    )


def _leave_out(some: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    known = set(map(_even, others))
    return tuple(text for text in some if _even(text) not in known)


def _even(text: str) -> str:
    """A text without what does not count."""
    return " ".join(text.split()).casefold()


if __name__ == "__main__":
    print("\n" + json.dumps(read_schema(sys.argv[1], "producer", Path()).to_json_schema()))
