"""Labels: what a person read in a function, against what was inferred of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphbus_core.inference.interfaces import InferredSignature
from graphbus_core.inference.shapes import Certainty, render_shape

FILE = Path(__file__).with_name("labels.txt")
SAME = {"Dict": "dict", "List": "list", "Mapping": "dict", "OrderedDict": "dict", "object": "Any"}


@dataclass(frozen=True)
class Label:
    """One labelled function. `takes`: name -> (type, whether it must be given)."""

    project: str
    path: str
    name: str
    takes: dict[str, tuple[str, bool]]
    gives: str


def labels() -> Iterator[Label]:
    """Every label of the file."""
    project = ""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if head := re.fullmatch(r"# ([\w.-]+/[\w.-]+)", line):
            project = head[1]
        elif "::" in line:
            place, _, contract = line.partition(" | ")
            path, _, name = place.partition("::")
            takes, _, gives = contract.rpartition("-> ")
            yield Label(project, path, name, dict(_takes(takes)), gives.strip())


def _takes(text_: str) -> Iterator[tuple[str, tuple[str, bool]]]:
    for part in _split(text_, ","):
        if part.strip():
            name, _, type_ = part.strip().partition(": ")
            yield name.rstrip("="), (type_.strip(), not name.endswith("="))


def _split(text_: str, by: str) -> list[str]:
    """At a mark that stands in no bracket and no quotes."""
    parts, depth, quoted = [""], 0, False
    for letter in text_:
        quoted ^= letter == '"'
        depth += (letter in "[{(") - (letter in "]})")
        if letter == by and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def judge(label: Label, found: InferredSignature | None) -> tuple[str, str]:
    """`right`, `missed` (says less than a person reads) or `wrong` (says something else), with the reason.

    A wrong answer is worse the surer it is: "wrong at certain" is its own verdict.
    """
    if found is None:
        return "missed", "nothing is known of it"
    missed: list[str] = []
    for name, (type_, required) in label.takes.items():
        taken = found.find_parameter(name)
        if taken is None or taken.required != required:
            return _wrong(Certainty.CERTAIN), f"the parameter {name}"
        verdict = _type(type_, render_shape(taken.told.shape))
        if verdict == "wrong":
            return _wrong(taken.told.level), f"{name} is {type_}, not {render_shape(taken.told.shape)}"
        if verdict == "missed":
            missed.append(f"{name} is {type_}")
    if len(found.takes) != len(label.takes):
        return _wrong(Certainty.CERTAIN), "it has other parameters"
    verdict = _type(label.gives, render_shape(found.gives.shape))
    if verdict == "wrong":
        return _wrong(found.gives.level), f"gives {label.gives}, not {render_shape(found.gives.shape)}"
    if verdict == "missed":
        missed.append(f"gives {label.gives}")
    return ("missed", "; ".join(missed)) if missed else ("right", "")


def _wrong(level: Certainty) -> str:
    return "wrong at certain" if level == Certainty.CERTAIN else "wrong"


def _type(wanted: str, got: str) -> str:
    """`right`: the same, or a refinement (`dict` -> `{sku: str}`); `?` in the label judges nothing."""
    if wanted == "?":
        return "right"
    if got == "?":
        return "missed"
    options = _split(got, "|")
    fit = all(any(_fits(one, two) for two in _split(wanted, "|")) for one in options)
    back = all(any(_fits(one, two) for one in options) for two in _split(wanted, "|"))
    return "right" if fit and back else "wrong"


def _fits(got: str, wanted: str) -> bool:
    if got == wanted or wanted == "?":
        return True
    if wanted.startswith("{") and got.startswith("{"):
        return _keys(got, wanted)
    one, inner = _head(got)
    two, asked = _head(wanted)
    if SAME.get(one, one) != SAME.get(two, two):
        return False
    if not asked or got.startswith("{"):
        return True  # `list` says nothing of its elements; known keys say more than `dict[str, Any]`
    if not inner and two[:1].isupper() and two not in SAME:
        return True  # a class of the project without its type arguments
    return len(inner) == len(asked) and all(_type(w, g) == "right" for g, w in zip(inner, asked, strict=True))


def _keys(got: str, wanted: str) -> bool:
    one, two = ({k: v for k, _, v in (p.partition(": ") for p in _split(t[1:-1], ","))} for t in (got, wanted))
    return one.keys() == two.keys() and all(_type(two[key], one[key]) == "right" for key in one)


def _head(type_: str) -> tuple[str, list[str]]:
    if type_.startswith("{"):
        return "dict", []
    head, bracket, rest = type_.partition("[")
    return head, _split(rest[:-1], ",") if bracket else []
