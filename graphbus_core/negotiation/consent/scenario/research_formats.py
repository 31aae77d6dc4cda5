"""GENIUS and NegMAS domains as scenarios: a domain and one utility profile an advocate, from the texts of their XML.

Additive profiles (discrete, integer and real issues; linear and triangular evaluators) and hyper-rectangles. As in
GENIUS: a discrete value counts weight x evaluation / highest evaluation, an integer one offset + slope x (value -
lower bound) within 0 and 1, and the reservation value is the minimum. Discounts are ignored: turns cost nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from xml.etree import ElementTree

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.consent.scenario.model import Advocate, Conditional, Issue, Scenario, build_minimum_line
from graphbus_core.negotiation.consent.scenario.yaml_format import MAX_NUMBER

# The games of "LLM-Deliberation" (arXiv 2309.17234) as scenarios: from the texts of their files, as they are.
#
# `config.txt` has one party a line; `scores_files/PARTY.txt` one line an issue and the minimum last. Issues are called
# A, B, … and options A1, A2, …, as the games' texts call them. Roles `p1` and `p2` hold vetoes. Pure: texts come in.


VETO_ROLES = frozenset({"p1", "p2"})


def read_game(files: Mapping[str, str], where: str = "") -> Scenario:
    """The scenario of one game folder. `files`: path inside the folder → text.

    Raises ScenarioError that names file and line.
    """
    config = files.get("config.txt")
    if config is None:
        raise ScenarioError(f"{where or 'the folder'}: config.txt is missing; it names one party a line.")
    parties: list[tuple[str, str, str, str]] = []
    for number, line in enumerate(config.splitlines(), 1):
        if not line.strip():
            continue
        # Commas inside an incentive are not escaped in the published files, and the fields we need come first.
        fields = [f.strip() for f in line.split(",")]
        if len(fields) < 4:
            raise ScenarioError(
                f"{_format_location(where, 'config.txt', number)}: a party is name, file, role, incentive, model."
            )
        parties.append((fields[0], fields[1], fields[2], fields[3]))
    if not parties:
        raise ScenarioError(f"{_format_location(where, 'config.txt', 1)}: no party is named.")
    # Seats go by name in the whole protocol; two of one name could not be told apart in a vote.
    doubled = {p[0] for p in parties if sum(q[0] == p[0] for q in parties) > 1}
    if doubled:
        raise ScenarioError(f"{_format_location(where, 'config.txt', 1)}: the party {min(doubled)!r} is named twice.")
    tables = {file: _parse_scores(files, file, where) for _, file, _, _ in parties}
    shape = [len(row) for row in tables[parties[0][1]][0]]
    for _, file, _, _ in parties:
        _check_shape(tables[file][0], shape, file, parties[0][1], where)
    issues = _parse_issues(shape, files.get("global_instructions.txt", ""))
    advocates = []
    for name, file, role, incentive in parties:
        scores, minimum = tables[file]
        text = files.get(f"individual_instructions/{incentive}/{file}.txt", "")
        advocates.append(
            Advocate(
                name=name,
                priority=f"The interests of {name}",
                scores=scores,
                minimum=minimum,
                # The games call a deal below the minimum impossible, which is what a red line is.
                red_lines=(build_minimum_line(name, minimum),),
                # As in the paper: without p1 and p2 nothing is agreed.
                veto=role in VETO_ROLES,
                brief=_fill_numbers(text, scores, minimum),
            )
        )
    # The first line of the instructions names the matter; it is all that a list of decisions has room for.
    topic = files.get("global_instructions.txt", "").strip().splitlines()
    return Scenario(
        topic=topic[0].strip() if topic else "LLM-Deliberation game",
        issues=issues,
        advocates=tuple(advocates),
        opening=_parse_opening(files.get("initial_deal.txt", ""), issues),
    )


def _parse_scores(files: Mapping[str, str], file: str, where: str) -> tuple[tuple[tuple[float, ...], ...], float]:
    path = f"scores_files/{file}.txt"
    if path not in files:
        raise ScenarioError(f"{_format_location(where, path, 0)}: missing; config.txt names the party file {file!r}.")
    rows: list[tuple[float, ...]] = []
    for number, line in enumerate(files[path].splitlines(), 1):
        if not line.strip():
            continue
        try:
            rows.append(tuple(float(v) for v in line.split(",")))
        except ValueError:
            raise ScenarioError(
                f"{_format_location(where, path, number)}: {line.strip()!r} is not a list of numbers."
            ) from None
        if not all(abs(v) <= MAX_NUMBER for v in rows[-1]):  # nor is nan
            raise ScenarioError(f"{_format_location(where, path, number)}: numbers from -1e15 to 1e15 can be weighed.")
    if len(rows) < 2 or len(rows[-1]) != 1:
        raise ScenarioError(
            f"{_format_location(where, path, len(rows))}: the last line is the minimum total, one number."
        )
    return tuple(rows[:-1]), rows[-1][0]


def _check_shape(scores: tuple[tuple[float, ...], ...], shape: list[int], file: str, first: str, where: str) -> None:
    path = f"scores_files/{file}.txt"
    if len(scores) != len(shape):
        raise ScenarioError(
            f"{_format_location(where, path, len(scores) + 1)}: {len(scores)} issues, but {first}.txt has {len(shape)}."
        )
    for number, (row, width) in enumerate(zip(scores, shape, strict=True), 1):
        if len(row) != width:
            raise ScenarioError(
                f"{_format_location(where, path, number)}: {len(row)} options, but {first}.txt has {width}."
            )


def _parse_issues(shape: list[int], text: str) -> tuple[Issue, ...]:
    issues = []
    for i, width in enumerate(shape):
        letter = chr(ord("A") + i) if i < 26 else f"I{i + 1}-"
        title = re.search(rf"Issue {letter}:\s*\"?([^\"\n]+)", text)
        # Names of options are not in the score files. The games' texts call them A1, A2, and people refer to these.
        options = tuple(f"{letter}{n}" for n in range(1, width + 1))
        meanings = {}
        for option in options:
            match = re.search(rf"\b{option}\b:?\s*(.+)", text)
            if match:
                meanings[option] = match.group(1).strip()
        issues.append(Issue(letter, options, None, title.group(1).strip() if title else "", meanings))
    return tuple(issues)


def _parse_opening(text: str, issues: tuple[Issue, ...]) -> tuple[int, ...] | None:
    option_names = [v.strip() for v in text.split(",") if v.strip()]
    if len(option_names) != len(issues):
        # An initial deal of another length belongs to another game of the same folder. It is only where the talk
        # starts.
        return None
    indexes = [issue.index(option) for issue, option in zip(issues, option_names, strict=True)]
    return None if None in indexes else tuple(i for i in indexes if i is not None)


def _fill_numbers(text: str, scores: tuple[tuple[float, ...], ...], minimum: float) -> str:
    """A party's private instructions with its numbers in the places left for them."""
    for i, row in enumerate(scores):
        letter = chr(ord("A") + i)
        text = text.replace(f"#{letter}_MAX_NUM", f"{max(row):g}")
        for n, value in enumerate(row, 1):
            text = text.replace(f"#{letter}{n}_NUM", f"{value:g}")
    return text.replace("#MIN_NUM", f"{minimum:g}")


def _format_location(where: str, path: str, line: int) -> str:
    place = f"{where.rstrip('/')}/{path}" if where else path
    return f"{place}:{line}" if line else place


# Fine enough for a choice, and coarse enough that three real issues still make few thousand packages.
REAL_STEPS = 20  # a real range is cut into this many equal steps
MAX_OPTIONS = 100_000
Element = ElementTree.Element


def is_domain(text: str) -> bool | None:
    """True for a domain, False for a utility profile, None for anything else (a report, a pareto list)."""
    try:
        root = _parse_xml(text, "")
    except ScenarioError:
        return None
    if root.tag == "negotiation_template":
        return True
    # Results of tournaments are XML in the same folder, and neither of the two.
    if root.tag != "utility_space" or next(root.iter("issue"), None) is None:
        return None
    valued = any(next(root.iter(tag), None) is not None for tag in ("weight", "evaluator", "ufun", "reservation"))
    return not valued


def read_genius(domain: tuple[str, str] | None, profiles: Mapping[str, str]) -> Scenario:
    """The scenario of a domain (file name, text) with these profiles (file name → text), in the given order.

    Advocates carry the names of the profiles' files. Raises ScenarioError that names the file, and the line where
    the XML itself is broken.
    """
    if not profiles:
        raise ScenarioError(
            f"{domain[0] if domain else 'the domain'}: no utility profile (utility_space) lies beside it."
        )
    first = next(iter(profiles.items()))
    name, text = domain or first
    root = _parse_xml(text, name)
    issues = tuple(_parse_issue(e, name) for e in _find_issue_elements(root))
    if not issues:
        raise ScenarioError(f"{name}: the domain has no issue.")
    advocates = []
    for file, content in profiles.items():
        # By the file, because profiles of one domain often carry the same name inside.
        seat = file.rsplit("/", 1)[-1].removesuffix(".xml")
        advocates.append(_parse_profile(_parse_xml(content, file), file, seat, issues))
    # "root" and "any" are what the editors of GENIUS write when nobody chose a name.
    title = next(
        (o.get("name") for o in root.iter("objective") if o.get("name") not in (None, "", "root", "any")), None
    )
    return Scenario(
        topic=title or name.rsplit("/", 1)[-1].removesuffix(".xml"), issues=issues, advocates=tuple(advocates)
    )


def _parse_xml(text: str, file: str) -> Element:
    # Entities can expand to gigabytes. No domain in use has one.
    if "<!ENTITY" in text:
        raise ScenarioError(f"{file}: entities are not read.")
    try:
        # Bytes and not text: the declaration may name an encoding, which Python refuses for text.
        return ElementTree.fromstring(text.strip().encode())
    except ElementTree.ParseError as e:
        raise ScenarioError(f"{file}:{e.position[0]}: this is not XML: {e}.") from None


def _find_issue_elements(root: Element) -> list[Element]:
    """The issues in the order of their index."""
    elements = list(root.iter("issue"))
    try:
        return sorted(elements, key=lambda e: int(e.get("index", "0")))
    except ValueError:
        # A folder of files with other indices still has an order: that of the file.
        return elements


def _read_kind(e: Element) -> str:
    return (e.get("vtype") or e.get("type") or e.get("etype") or "discrete").lower()


def _parse_issue(e: Element, file: str) -> Issue:
    name = e.get("name") or f"issue {e.get('index')}"
    kind = _read_kind(e)
    if kind == "discrete":
        options = tuple(v for item in e.findall("item") if (v := item.get("value")) is not None)
        if not options or len(set(options)) != len(options):
            raise ScenarioError(f"{file}: the issue {name!r} has {'a value twice' if options else 'no value'}.")
        return Issue(name, options)
    low, high = _read_bounds(e, file, name)
    if kind == "integer":
        # Rounded, since bounds are written as 0.0 and 10.0.
        count = round(high) - round(low) + 1
        if count > MAX_OPTIONS:
            raise ScenarioError(f"{file}: the issue {name!r} has {count} values; 1 to {MAX_OPTIONS} are read.")
        numbers = tuple(float(v) for v in range(round(low), round(high) + 1))
    elif kind == "real":
        step = (high - low) / REAL_STEPS
        # A range of one value would give the same option twenty times.
        numbers = tuple(low + step * n for n in range(REAL_STEPS + 1)) if step else (low,)
    else:
        raise ScenarioError(f"{file}: the issue {name!r} is of the kind {kind!r}; discrete, integer and real are read.")
    if not numbers or len(numbers) > MAX_OPTIONS:
        raise ScenarioError(f"{file}: the issue {name!r} has {len(numbers)} values; 1 to {MAX_OPTIONS} are read.")
    # Ten digits, so that 0.1 + 0.2 is not shown with seventeen.
    return Issue(name, tuple(f"{v:.10g}" for v in numbers), numbers)


def _read_bounds(e: Element, file: str, name: str) -> tuple[float, float]:
    span = e.find("range")
    source = span if span is not None else e
    return _read_number(source, "lowerbound", file, name), _read_number(source, "upperbound", file, name)


def _read_number(e: Element, attribute: str, file: str, name: str, default: float | None = None) -> float:
    raw = e.get(attribute)
    if raw is None:
        if default is not None:
            return default
        raise ScenarioError(f"{file}: {name!r} lacks {attribute}.")
    try:
        value = float(raw)
    except ValueError:
        raise ScenarioError(f"{file}: {name!r} has {attribute}={raw!r}, which is not a number.") from None
    if not abs(value) <= MAX_NUMBER:  # nor is nan
        raise ScenarioError(f"{file}: {name!r} has {attribute}={raw!r}; numbers from -1e15 to 1e15 can be weighed.")
    return value


def _parse_profile(root: Element, file: str, seat: str, issues: tuple[Issue, ...]) -> Advocate:
    reservation = root.find(".//reservation")
    minimum = _read_number(reservation, "value", file, "reservation", 0.0) if reservation is not None else 0.0
    boxes = root.findall(".//hyperRectangle")
    elements = _find_issue_elements(root)
    by_name = {e.get("name"): e for e in elements}
    scores: list[tuple[float, ...]] = []
    weights = {w.get("index"): _read_number(w, "value", file, "weight") for w in root.iter("weight")}
    for position, issue in enumerate(issues):
        e = by_name.get(issue.name)
        if e is None and position < len(elements):
            # By position where names differ: old profiles were written against a renamed domain.
            e = elements[position]
        if e is None:
            raise ScenarioError(f"{file}: there is no evaluation of the issue {issue.name!r}.")
        default = 0.0 if boxes else 1.0
        # With weights for some issues, an issue without one counts nothing; with none at all each counts in full.
        weight = weights.get(e.get("index"), default if not weights else 0.0)
        scores.append(tuple(weight * v for v in _compute_values(e, issue, file, bool(boxes))))
    return Advocate(
        name=seat,
        priority=f"The profile {seat}",
        scores=tuple(scores),
        conditionals=_parse_boxes(root, issues, elements, file),
        minimum=minimum,
        red_lines=(build_minimum_line(seat, minimum),),
    )


def _compute_values(e: Element, issue: Issue, file: str, boxed: bool) -> tuple[float, ...]:
    """What each option is worth before the weight, between 0 and 1."""
    if _read_kind(e) == "discrete":
        return _read_evaluations(e, issue, file, boxed)
    evaluator = e.find("evaluator")
    if evaluator is None:
        return (0.0,) * len(issue.options)
    worth = _build_evaluator(evaluator, issue, file)
    return tuple(worth(v) for v in issue.numbers or ())


def _read_evaluations(e: Element, issue: Issue, file: str, boxed: bool) -> tuple[float, ...]:
    """Each option's evaluation, as a share of the highest."""
    raw = {i.get("value"): _read_number(i, "evaluation", file, issue.name, 0.0) for i in e.findall("item")}
    highest = max(raw.values(), default=0.0)
    missing = [o for o in issue.options if o not in raw]
    # A box gives values itself, so an option without an evaluation is worth nothing there. Elsewhere it is a mistake.
    if missing and not boxed:
        raise ScenarioError(f"{file}: the issue {issue.name!r} has no evaluation of {missing[0]!r}.")
    # Below this the highest is nought but for rounding, and the division would blow it up.
    return tuple(raw.get(o, 0.0) / highest if highest >= 1e-5 else 0.0 for o in issue.options)


def _build_evaluator(evaluator: Element, issue: Issue, file: str) -> Callable[[float], float]:
    """What a number is worth: a line (GENIUS has two spellings of it), a constant, or a triangle."""
    kind = (evaluator.get("ftype") or "linear").lower()
    if kind == "linear" and evaluator.get("slope") is not None:
        low = (issue.numbers or (0.0,))[0]
        slope = _read_number(evaluator, "slope", file, issue.name)
        offset = _read_number(evaluator, "offset", file, issue.name, 0.0)
        return lambda v: _clip_to_unit(offset + slope * (v - low))
    p = [_read_number(evaluator, f"parameter{n}", file, issue.name, 0.0) for n in range(4)]
    if kind == "linear":
        return lambda v: _clip_to_unit(p[0] + p[1] * v)
    if kind == "constant":
        return lambda v: _clip_to_unit(p[0])
    if kind == "triangular":
        return lambda v: _evaluate_triangle(v, p[0], p[1], p[2])
    raise ScenarioError(f"{file}: {issue.name!r} has the evaluator {kind!r}; linear, constant and triangular are read.")


def _evaluate_triangle(v: float, low: float, high: float, top: float) -> float:
    if v < low or v > high:
        return 0.0
    if v < top:
        return (v - low) / (top - low)
    # A triangle may end at its top: then all of it rises.
    return 1 - (v - top) / (high - top) if high > top else 1.0


def _clip_to_unit(v: float) -> float:
    # GENIUS keeps every evaluation between nought and one, whatever the line says.
    return min(1.0, max(0.0, v))


def _parse_boxes(
    root: Element, issues: tuple[Issue, ...], elements: list[Element], file: str
) -> tuple[Conditional, ...]:
    """Hyper-rectangles: a utility that counts inside a box of the issues' ranges."""
    position = {e.get("index"): n for n, e in enumerate(elements)}
    utility = root.find(".//utility")
    scale = _read_number(utility, "maxutility", file, "utility", 1.0) if utility is not None else 1.0
    conditionals = []
    for ufun in root.iter("ufun"):
        weight = _read_number(ufun, "weight", file, "ufun", 1.0)
        for box in ufun.findall("hyperRectangle"):
            when: dict[int, frozenset[int]] = {}
            for side in box:
                n = position.get(side.get("index"))
                if n is None:
                    raise ScenarioError(
                        f"{file}: a hyperRectangle names the issue {side.get('index')}, which does not exist."
                    )
                inside = _find_inside(side, issues[n], file)
                if side.tag == "EXCLUDES":
                    inside = frozenset(range(len(issues[n].options))) - inside
                # Two sides may bound one issue from below and from above.
                when[n] = when.get(n, inside) & inside
            worth = weight * _read_number(box, "utility", file, "hyperRectangle") / (scale or 1.0)
            conditionals.append(Conditional(when, worth))
    return tuple(conditionals)


def _find_inside(side: Element, issue: Issue, file: str) -> frozenset[int]:
    value = side.get("value")
    if value is not None:
        index = issue.index(value)
        if index is None:
            raise ScenarioError(f"{file}: a hyperRectangle names {value!r}, which {issue.name!r} does not have.")
        return frozenset({index})
    low, high = _read_number(side, "min", file, issue.name), _read_number(side, "max", file, issue.name)
    numbers = issue.numbers or tuple(float(n) for n in range(len(issue.options)))
    return frozenset(n for n, v in enumerate(numbers) if low <= v <= high)
