"""What a repair may rest on, and how sure each kind of evidence makes it. Nothing here is a guess.

A shared type, shape or class, a likeness of names, "the only two left": none of these is evidence. They put candidates
of a question in order (`open_questions`). What code and people said is found by the build (`build.evidence`) and
stands with each mismatch; what names and descriptions say is read here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from graphbus_core.contracts.gaps import Gap, JsonSchema, fits, resolve
from graphbus_core.participants.rules import names
from graphbus_core.participants.rules.said import explains


class EvidenceKind(StrEnum):
    """A kind of evidence, by the word that stands in the log."""

    FLOW = "flow"  # a call in the project carries this value there
    ALIAS = "alias"  # Annotated[str, Alias("qty")]
    TEST = "test"  # a test that was there before, and passes, carries it there
    NAME = "name"  # one name up to case, separators or plural, and nothing else it could be
    PREFIX = "prefix"  # the producer's own class as prefix
    DESCRIBED = "described"  # a description or docstring of one end names the other's field
    CODE = "code"  # the code does it already; only the contract does not say so
    DEFAULT = "default"  # the code has a default for it
    PASSED = "passed"  # it is received under this very name, and handed on unchanged
    BODY = "body"  # every use in the body takes the wider type
    ANSWER = "answer"  # somebody was asked, and said so


# The one table of confidence. A number says how often this kind of evidence was seen to be right, in tenths.
CONFIDENCE: Mapping[EvidenceKind, float] = {
    EvidenceKind.ANSWER: 1.0,
    EvidenceKind.CODE: 0.95,
    EvidenceKind.FLOW: 0.95,
    EvidenceKind.ALIAS: 0.95,
    EvidenceKind.TEST: 0.9,
    EvidenceKind.NAME: 0.9,
    EvidenceKind.DEFAULT: 0.9,
    EvidenceKind.PASSED: 0.85,
    EvidenceKind.PREFIX: 0.85,
    EvidenceKind.BODY: 0.8,
    EvidenceKind.DESCRIBED: 0.8,
}


@dataclass(frozen=True)
class Evidence:
    """One reason to believe that two fields are one. `says`: in words; `where`: file:line, or nothing."""

    kind: EvidenceKind
    says: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.says} ({self.where})" if self.where else self.says


def candidates(gap: Gap, sent: JsonSchema, taken: JsonSchema) -> list[str]:
    """The producer's fields that could fill the gap by their type, the likeliest name first. Ranked, and no more."""
    name = last(gap.path)
    fitting = [n for n, schema in gap.unclaimed.items() if fits(schema, sent, gap.consumed, taken)]
    return sorted(fitting, key=lambda n: (-names.alike(name, n), n))


def meant(
    gap: Gap, mismatch: Mapping[str, Any], sent: JsonSchema, taken: JsonSchema
) -> tuple[str, list[Evidence]] | None:
    """The one field of the producer that is meant, with its evidence; None where nothing or more than one is backed."""
    found = {n: some for n in candidates(gap, sent, taken) if (some := backing(gap, n, mismatch, sent, taken))}
    if len(found) != 1:
        return None
    ((other, some),) = found.items()
    if {one.kind for one in some} == {EvidenceKind.NAME} and _spelled_alike(gap, other, sent, taken):
        return None
    beside = gap.path[: len(gap.path) - len(last(gap.path))]
    for rival in gap.unmet:
        if rival != last(gap.path) and _backed(f"{beside}{rival}", rival, other, gap, mismatch, sent, taken):
            return None
    return other, some


def _spelled_alike(gap: Gap, other: str, sent: JsonSchema, taken: JsonSchema) -> list[str]:
    """Fields beside `other` whose spelling could be meant as well, a plural included: with those, a name tells nothing.

    `charges` is not `charge` where both are numbers, so it backs no repair; but it could be what `charge` means.
    """
    name = last(gap.path)
    return [n for n in candidates(gap, sent, taken) if n != other and names.same(name, n, plural=True)]


def backing(gap: Gap, other: str, mismatch: Mapping[str, Any], sent: JsonSchema, taken: JsonSchema) -> list[Evidence]:
    """All evidence that the producer's field `other` is the one that this gap asks for."""
    return _backed(gap.path, last(gap.path), other, gap, mismatch, sent, taken)


def _backed(
    path: str, name: str, other: str, gap: Gap, mismatch: Mapping[str, Any], sent: JsonSchema, taken: JsonSchema
) -> list[Evidence]:
    beside = path[: len(path) - len(name)]
    found = [
        Evidence(EvidenceKind(one["kind"]), one["says"], one.get("where", ""))
        for one in mismatch.get("evidence", ())
        if one["taken"] == path and one["sent"] == f"{beside}{other}"
    ]
    producer = str(mismatch["link"]["producer"]["node"])
    schema = resolve(gap.unclaimed.get(other, {}), sent)
    if names.same(name, other, plural=schema.get("type") not in ("integer", "number", "boolean")):
        found.append(Evidence(EvidenceKind.NAME, f"'{name}' and '{other}' are one name in two spellings"))
    method = str(mismatch["link"]["producer"].get("method") or "")
    if names.own_prefix(producer, other, name, method) and not _nested(gap, other, name, sent):
        found.append(Evidence(EvidenceKind.PREFIX, f"'{name}' is {producer}'s own '{other}'"))
    if not names.opposed(name, other):
        texts = {other: gap.unclaimed.get(other, {}).get("description"), name: gap.consumed.get("description")}
        ends = {
            side: (str(end.get("node") or ""), str(end.get("method") or ""))
            for side, end in mismatch["link"].items()
            if side in ("producer", "consumer")
        }
        for mine, theirs, far in ((name, other, "producer"), (other, name, "consumer")):
            if path == gap.path and explains(texts[mine], mine, theirs, ends[far]):
                found.append(
                    Evidence(EvidenceKind.DESCRIBED, f"the description of '{mine}' says that it is '{theirs}'")
                )
    return found


def _nested(gap: Gap, other: str, name: str, sent: JsonSchema) -> bool:
    """Whether what is sent holds the same name spelled as a way: `vessel.id`, beside a bare `id`."""
    beside = {**sent.get("properties", {}), **gap.unclaimed} if gap.path == last(gap.path) else gap.unclaimed
    return any(
        other in resolve(schema, sent).get("properties", {}) and names.same(f"{holder}_{other}", name, plural=False)
        for holder, schema in beside.items()
        if isinstance(schema, Mapping)
    )


def confidence(some: Sequence[Evidence]) -> float:
    """That of the strongest."""
    return max(CONFIDENCE[one.kind] for one in some)


def last(path: str) -> str:
    """The field's own name, without the way to it."""
    return path.replace("[]", "").rsplit(".", 1)[-1]
