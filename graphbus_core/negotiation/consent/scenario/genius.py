"""GENIUS and NegMAS domains as scenarios: a domain and one utility profile an advocate, from the texts of their XML.

Additive profiles (discrete, integer and real issues; linear and triangular evaluators) and hyper-rectangles. As in
GENIUS: a discrete value counts weight x evaluation / highest evaluation, an integer one offset + slope x (value -
lower bound) within 0 and 1, and the reservation value is the minimum. Discounts are ignored: turns cost nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from xml.etree import ElementTree

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.consent.scenario.scenario import Advocate, Conditional, Issue, Scenario, minimum_of
from graphbus_core.negotiation.consent.scenario.yaml_lines import MAX_NUMBER

# Fine enough for a choice, and coarse enough that three real issues still make few thousand packages.
REAL_STEPS = 20  # a real range is cut into this many equal steps
MAX_OPTIONS = 100_000
Element = ElementTree.Element


def is_domain(text: str) -> bool | None:
    """True for a domain, False for a utility profile, None for anything else (a report, a pareto list)."""
    try:
        root = _parse(text, "")
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
    root = _parse(text, name)
    issues = tuple(_issue(e, name) for e in _issue_elements(root))
    if not issues:
        raise ScenarioError(f"{name}: the domain has no issue.")
    advocates = []
    for file, content in profiles.items():
        # By the file, because profiles of one domain often carry the same name inside.
        seat = file.rsplit("/", 1)[-1].removesuffix(".xml")
        advocates.append(_profile(_parse(content, file), file, seat, issues))
    # "root" and "any" are what the editors of GENIUS write when nobody chose a name.
    title = next(
        (o.get("name") for o in root.iter("objective") if o.get("name") not in (None, "", "root", "any")), None
    )
    return Scenario(
        topic=title or name.rsplit("/", 1)[-1].removesuffix(".xml"), issues=issues, advocates=tuple(advocates)
    )


def _parse(text: str, file: str) -> Element:
    # Entities can expand to gigabytes. No domain in use has one.
    if "<!ENTITY" in text:
        raise ScenarioError(f"{file}: entities are not read.")
    try:
        # Bytes and not text: the declaration may name an encoding, which Python refuses for text.
        return ElementTree.fromstring(text.strip().encode())
    except ElementTree.ParseError as e:
        raise ScenarioError(f"{file}:{e.position[0]}: this is not XML: {e}.") from None


def _issue_elements(root: Element) -> list[Element]:
    """The issues in the order of their index."""
    found = list(root.iter("issue"))
    try:
        return sorted(found, key=lambda e: int(e.get("index", "0")))
    except ValueError:
        # A folder of files with other indices still has an order: that of the file.
        return found


def _kind(e: Element) -> str:
    return (e.get("vtype") or e.get("type") or e.get("etype") or "discrete").lower()


def _issue(e: Element, file: str) -> Issue:
    name = e.get("name") or f"issue {e.get('index')}"
    kind = _kind(e)
    if kind == "discrete":
        options = tuple(v for item in e.findall("item") if (v := item.get("value")) is not None)
        if not options or len(set(options)) != len(options):
            raise ScenarioError(f"{file}: the issue {name!r} has {'a value twice' if options else 'no value'}.")
        return Issue(name, options)
    low, high = _bounds(e, file, name)
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


def _bounds(e: Element, file: str, name: str) -> tuple[float, float]:
    span = e.find("range")
    source = span if span is not None else e
    return _number(source, "lowerbound", file, name), _number(source, "upperbound", file, name)


def _number(e: Element, attribute: str, file: str, name: str, default: float | None = None) -> float:
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


def _profile(root: Element, file: str, seat: str, issues: tuple[Issue, ...]) -> Advocate:
    reservation = root.find(".//reservation")
    minimum = _number(reservation, "value", file, "reservation", 0.0) if reservation is not None else 0.0
    boxes = root.findall(".//hyperRectangle")
    elements = _issue_elements(root)
    by_name = {e.get("name"): e for e in elements}
    scores: list[tuple[float, ...]] = []
    weights = {w.get("index"): _number(w, "value", file, "weight") for w in root.iter("weight")}
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
        scores.append(tuple(weight * v for v in _values(e, issue, file, bool(boxes))))
    return Advocate(
        name=seat,
        priority=f"The profile {seat}",
        scores=tuple(scores),
        conditionals=_boxes(root, issues, elements, file),
        minimum=minimum,
        red_lines=(minimum_of(seat, minimum),),
    )


def _values(e: Element, issue: Issue, file: str, boxed: bool) -> tuple[float, ...]:
    """What each option is worth before the weight, between 0 and 1."""
    if _kind(e) == "discrete":
        return _evaluated(e, issue, file, boxed)
    evaluator = e.find("evaluator")
    if evaluator is None:
        return (0.0,) * len(issue.options)
    worth = _function(evaluator, issue, file)
    return tuple(worth(v) for v in issue.numbers or ())


def _evaluated(e: Element, issue: Issue, file: str, boxed: bool) -> tuple[float, ...]:
    """Each option's evaluation, as a share of the highest."""
    raw = {i.get("value"): _number(i, "evaluation", file, issue.name, 0.0) for i in e.findall("item")}
    highest = max(raw.values(), default=0.0)
    missing = [o for o in issue.options if o not in raw]
    # A box gives values itself, so an option without an evaluation is worth nothing there. Elsewhere it is a mistake.
    if missing and not boxed:
        raise ScenarioError(f"{file}: the issue {issue.name!r} has no evaluation of {missing[0]!r}.")
    # Below this the highest is nought but for rounding, and the division would blow it up.
    return tuple(raw.get(o, 0.0) / highest if highest >= 1e-5 else 0.0 for o in issue.options)


def _function(evaluator: Element, issue: Issue, file: str) -> Callable[[float], float]:
    """What a number is worth: a line (GENIUS has two spellings of it), a constant, or a triangle."""
    kind = (evaluator.get("ftype") or "linear").lower()
    if kind == "linear" and evaluator.get("slope") is not None:
        low = (issue.numbers or (0.0,))[0]
        slope = _number(evaluator, "slope", file, issue.name)
        offset = _number(evaluator, "offset", file, issue.name, 0.0)
        return lambda v: _unit(offset + slope * (v - low))
    p = [_number(evaluator, f"parameter{n}", file, issue.name, 0.0) for n in range(4)]
    if kind == "linear":
        return lambda v: _unit(p[0] + p[1] * v)
    if kind == "constant":
        return lambda v: _unit(p[0])
    if kind == "triangular":
        return lambda v: _triangle(v, p[0], p[1], p[2])
    raise ScenarioError(f"{file}: {issue.name!r} has the evaluator {kind!r}; linear, constant and triangular are read.")


def _triangle(v: float, low: float, high: float, top: float) -> float:
    if v < low or v > high:
        return 0.0
    if v < top:
        return (v - low) / (top - low)
    # A triangle may end at its top: then all of it rises.
    return 1 - (v - top) / (high - top) if high > top else 1.0


def _unit(v: float) -> float:
    # GENIUS keeps every evaluation between nought and one, whatever the line says.
    return min(1.0, max(0.0, v))


def _boxes(root: Element, issues: tuple[Issue, ...], elements: list[Element], file: str) -> tuple[Conditional, ...]:
    """Hyper-rectangles: a utility that counts inside a box of the issues' ranges."""
    position = {e.get("index"): n for n, e in enumerate(elements)}
    utility = root.find(".//utility")
    scale = _number(utility, "maxutility", file, "utility", 1.0) if utility is not None else 1.0
    found = []
    for ufun in root.iter("ufun"):
        weight = _number(ufun, "weight", file, "ufun", 1.0)
        for box in ufun.findall("hyperRectangle"):
            when: dict[int, frozenset[int]] = {}
            for side in box:
                n = position.get(side.get("index"))
                if n is None:
                    raise ScenarioError(
                        f"{file}: a hyperRectangle names the issue {side.get('index')}, which does not exist."
                    )
                inside = _inside(side, issues[n], file)
                if side.tag == "EXCLUDES":
                    inside = frozenset(range(len(issues[n].options))) - inside
                # Two sides may bound one issue from below and from above.
                when[n] = when.get(n, inside) & inside
            worth = weight * _number(box, "utility", file, "hyperRectangle") / (scale or 1.0)
            found.append(Conditional(when, worth))
    return tuple(found)


def _inside(side: Element, issue: Issue, file: str) -> frozenset[int]:
    value = side.get("value")
    if value is not None:
        index = issue.index(value)
        if index is None:
            raise ScenarioError(f"{file}: a hyperRectangle names {value!r}, which {issue.name!r} does not have.")
        return frozenset({index})
    low, high = _number(side, "min", file, issue.name), _number(side, "max", file, issue.name)
    numbers = issue.numbers or tuple(float(n) for n in range(len(issue.options)))
    return frozenset(n for n, v in enumerate(numbers) if low <= v <= high)
