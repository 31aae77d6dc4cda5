"""What a repair may rest on, and how sure each kind of evidence makes it. Nothing here is a guess.

A shared type, shape or class, a likeness of names, "the only two left": none of these is evidence. They put candidates
of a question in order (`open_questions`). What code and people said is found by the build (`build.evidence`) and
stands with each mismatch; what names and descriptions say is read here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from graphbus_core.contracts.check import Gap, JsonSchema, follow_references, is_field_compatible
from graphbus_core.participants.rules import name_matching

# What a description or a docstring says of a field: that it is the other end's field of another name, or not.
#
# A text counts only if it says nothing else. What may stand round a name is a short list of forms ("the `glow` of
# Forge", "same as unit_price", "`glow` is what Smith.strike calls `colour`"), because the ways to say that two things
# differ have no end: lives with it, follows it, at most it, a fifth of it.


_DENIED = re.compile(
    r"\b(not|never|no|unlike|instead|rather|other|another|without|except|minus|plus|convert\w*|deriv\w*|comput\w*|"
    r"(?:\w+er|more|less) than|calculat\w*|differs?|different|sum|half|times|per|based|old|former|formerly|last|next|"
    r"previous|first|each|every|all|any|deprecated|rest|share|part)\b",
    re.IGNORECASE,
)
_WHOSE = r"(?:(?:the|an?|its|our) )?[A-Za-z][\w.]*"  # "Forge", "the order", "Smith.strike"


def is_explained(text: Any, mine: str, theirs: str, end: tuple[str, str]) -> bool:
    """Whether a text that stands at the field `mine` says that it is `theirs`, the field of `end` (node and method).

    A plain word of English is a name only in quotes, or where the end that has it is named with its method.
    """
    if not isinstance(text, str):
        return False
    return any(_is_said(sentence, mine, theirs, end) for sentence in re.split(r"(?<=[.;])\s+", text.strip()))


def is_explained_in_line(line: str, mine: str, theirs: str, end: tuple[str, str]) -> bool:
    """The same of a line of a docstring, which has to name `mine` as well."""
    own = rf"(?:[-*] )?[`'\"]?{re.escape(mine)}[`'\"]?(?: ?\([^)]*\))?(?: ?[:=–-]| is) ?(.+)"
    for sentence in re.split(r"(?<=[.;])\s+", line.strip()):
        whole = re.fullmatch(own, sentence)
        beside = re.search(rf"(?<!\w)[`'\"]?{re.escape(mine)}[`'\"]? \(([^()]+)\)", sentence)
        if any(_is_said(match[1], mine, theirs, end) for match in (whole, beside) if match):
            return True
        if any(_is_called(clause, mine, theirs) for clause in re.split(r"(?<=:)\s+", sentence)):
            return True
    return False


def _is_said(text: str, mine: str, theirs: str, end: tuple[str, str]) -> bool:
    text = text.strip().rstrip(".;,").strip()
    if _DENIED.search(text):
        return False
    return _is_called(text, mine, theirs) or _is_named_alone(text, theirs) or _is_of_end(text, theirs, end)


def _is_named_alone(text: str, theirs: str) -> bool:
    name = _build_name_pattern(theirs)
    owner_pattern = rf"(?: (?:of|from) {_WHOSE}| as {_WHOSE} (?:gives|sends|returns|names|calls) it)?"
    place_pattern = rf"(?: (?:by|in|at) {_WHOSE}| upstream| elsewhere| there| before)?"
    forms = (
        rf"(?:the |its |{_WHOSE}'s? )?{name}{owner_pattern}",
        rf"(?:the )?(?:same|identical) (?:as|to|thing as|value as) (?:the )?{name}{owner_pattern}",
        (
            rf"(?:also |otherwise )?(?:called|named|known as|aka|an? alias (?:of|for)|alias|another name for) "
            rf"{name}{place_pattern}"
        ),
        (
            rf"(?:it )?(?:is )?(?:taken |comes |copied |filled |read )?(?:unchanged |straight )?"
            rf"from (?:the )?{name}{owner_pattern}"
        ),
        rf"what {_WHOSE} (?:calls|names|gives as|sends as|knows as) {name}",
    )
    return any(re.fullmatch(form, text) for form in forms)


def _is_called(text: str, mine: str, theirs: str) -> bool:
    """ "`glow` is what Smith.strike calls `colour`", from either side."""
    if _DENIED.search(text):
        return False
    form = r"(?:the )?{} is what {} (?:calls|names|takes as|gives as|sends as|knows as) {}"
    text, word = text.strip().rstrip("."), r"[`'\"]?{}[`'\"]?"
    mine_pattern, theirs_pattern = (word.format(re.escape(name)) for name in (mine, theirs))
    return any(
        re.fullmatch(form.format(a, _WHOSE, b), text)
        for a, b in ((mine_pattern, theirs_pattern), (theirs_pattern, mine_pattern))
    )


def _is_of_end(text: str, theirs: str, end: tuple[str, str]) -> bool:
    whose, what = re.escape(".".join(end)), re.escape(theirs)
    forms = (
        rf"(?:the )?{what} (?:of|from|as) {whose}(?: (?:gives|sends|returns|calls|takes|names|reads|knows) it)?",
        rf"(?:the )?{what} that {whose} (?:gives|sends|returns)",
        rf"{whose}(?:'s |\.| calls it | gives it as | takes it as | sends it as ){what}",
        rf"(?:it )?(?:goes|is given|is sent|is handed) to {whose} as {what}",
    )
    return all(end) and any(re.fullmatch(form, text) for form in forms)


def _build_name_pattern(field: str) -> str:
    """A name in a text: in quotes, or of several words."""
    exact = re.escape(field)
    return rf"(?:`{exact}`|'{exact}'|\"{exact}\"{f'|{exact}' if len(name_matching.split_words(field)) > 1 else ''})"


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


def rank_candidates(gap: Gap, sent: JsonSchema, accepted: JsonSchema) -> list[str]:
    """The producer's fields that could fill the gap by their type, the likeliest name first. Ranked, and no more."""
    name = extract_field_name(gap.path)
    fitting = [n for n, schema in gap.unclaimed.items() if is_field_compatible(schema, sent, gap.consumed, accepted)]
    return sorted(fitting, key=lambda n: (-name_matching.measure_likeness(name, n), n))


def find_meant_field(
    gap: Gap, mismatch: Mapping[str, Any], sent: JsonSchema, accepted: JsonSchema
) -> tuple[str, list[Evidence]] | None:
    """The one field of the producer that is meant, with its evidence; None where nothing or more than one is backed."""
    backed = {
        n: some
        for n in rank_candidates(gap, sent, accepted)
        if (some := find_evidence(gap, n, mismatch, sent, accepted))
    }
    if len(backed) != 1:
        return None
    ((other, some),) = backed.items()
    if {item.kind for item in some} == {EvidenceKind.NAME} and _find_spelled_alike(gap, other, sent, accepted):
        return None
    beside = gap.path[: len(gap.path) - len(extract_field_name(gap.path))]
    for rival in gap.unmet:
        if rival != extract_field_name(gap.path) and _collect_evidence(
            f"{beside}{rival}", rival, other, gap, mismatch, sent, accepted
        ):
            return None
    return other, some


def _find_spelled_alike(gap: Gap, other: str, sent: JsonSchema, accepted: JsonSchema) -> list[str]:
    """Fields beside `other` whose spelling could be meant as well, a plural included: with those, a name tells nothing.

    `charges` is not `charge` where both are numbers, so it backs no repair; but it could be what `charge` means.
    """
    name = extract_field_name(gap.path)
    return [
        n
        for n in rank_candidates(gap, sent, accepted)
        if n != other and name_matching.is_same_name(name, n, plural=True)
    ]


def find_evidence(
    gap: Gap, other: str, mismatch: Mapping[str, Any], sent: JsonSchema, accepted: JsonSchema
) -> list[Evidence]:
    """All evidence that the producer's field `other` is the one that this gap asks for."""
    return _collect_evidence(gap.path, extract_field_name(gap.path), other, gap, mismatch, sent, accepted)


def _collect_evidence(
    path: str, name: str, other: str, gap: Gap, mismatch: Mapping[str, Any], sent: JsonSchema, accepted: JsonSchema
) -> list[Evidence]:
    beside = path[: len(path) - len(name)]
    evidence = [
        Evidence(EvidenceKind(item["kind"]), item["says"], item.get("where", ""))
        for item in mismatch.get("evidence", ())
        if item["taken"] == path and item["sent"] == f"{beside}{other}"
    ]
    producer = str(mismatch["link"]["producer"]["node"])
    schema = follow_references(gap.unclaimed.get(other, {}), sent)
    if name_matching.is_same_name(name, other, plural=schema.get("type") not in ("integer", "number", "boolean")):
        evidence.append(Evidence(EvidenceKind.NAME, f"'{name}' and '{other}' are one name in two spellings"))
    method = str(mismatch["link"]["producer"].get("method") or "")
    if name_matching.has_own_prefix(producer, other, name, method) and not _is_nested(gap, other, name, sent):
        evidence.append(Evidence(EvidenceKind.PREFIX, f"'{name}' is {producer}'s own '{other}'"))
    if not name_matching.are_opposed(name, other):
        texts = {other: gap.unclaimed.get(other, {}).get("description"), name: gap.consumed.get("description")}
        ends = {
            side: (str(end.get("node") or ""), str(end.get("method") or ""))
            for side, end in mismatch["link"].items()
            if side in ("producer", "consumer")
        }
        for mine, theirs, far in ((name, other, "producer"), (other, name, "consumer")):
            if path == gap.path and is_explained(texts[mine], mine, theirs, ends[far]):
                evidence.append(
                    Evidence(EvidenceKind.DESCRIBED, f"the description of '{mine}' says that it is '{theirs}'")
                )
    return evidence


def _is_nested(gap: Gap, other: str, name: str, sent: JsonSchema) -> bool:
    """Whether what is sent holds the same name spelled as a way: `vessel.id`, beside a bare `id`."""
    beside = (
        {**sent.get("properties", {}), **gap.unclaimed} if gap.path == extract_field_name(gap.path) else gap.unclaimed
    )
    return any(
        other in follow_references(schema, sent).get("properties", {})
        and name_matching.is_same_name(f"{holder}_{other}", name, plural=False)
        for holder, schema in beside.items()
        if isinstance(schema, Mapping)
    )


def rate_confidence(evidence: Sequence[Evidence]) -> float:
    """That of the strongest."""
    return max(CONFIDENCE[item.kind] for item in evidence)


def extract_field_name(path: str) -> str:
    """The field's own name, without the way to it."""
    return path.replace("[]", "").rsplit(".", 1)[-1]
