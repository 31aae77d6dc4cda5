"""The contract engine: verdicts right, counterexamples that hold, speed, bounds; with the peers in the same run.

    python benchmarks/contracts.py              some twenty seconds
    python benchmarks/contracts.py --large      two minutes more: jsonschema judges the largest counterexamples, too
    GRAPHBUS_SHARED=DIR                         where vectors/jsonsubschema/subtype.json lies (default: ../shared)
    GRAPHBUS_EXAMPLES=20                        schema pairs by chance, times 200
    GRAPHBUS_CLONES=DIR                         clones of the repositories in FIELD below, as DIR/OWNER/NAME or DIR/NAME

The verdicts were recorded by another project (vectors/README.md); most are of draft 4, which is the dialect asked for
where a schema does not declare one. A recorded verdict is counted apart where a value proves it wrong: one that
`jsonschema` accepts for the producer and rejects for the consumer, though the record says that it fits.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import timeit
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from jsonschema import validators

from graphbus_core.contracts import Contract, check, validator
from graphbus_core.contracts.parsing.json_schema import DRAFT4, DRAFT6, DRAFT7, DRAFT2019, detect_dialect

ROOT = Path(__file__).parent.parent
SHARED = Path(os.environ.get("GRAPHBUS_SHARED", ROOT.parent / "shared"))
EXAMPLES = 200 * int(os.environ.get("GRAPHBUS_EXAMPLES", "1"))
CLASSES = {
    DRAFT4: validators.Draft4Validator,
    DRAFT6: validators.Draft6Validator,
    DRAFT7: validators.Draft7Validator,
    DRAFT2019: validators.Draft201909Validator,
}
ROWS: list[tuple[str, str, str, bool | None]] = []


def row(what: str, measured: str, goal: str, ok: bool | None) -> None:
    """One line of the table, printed at once."""
    ROWS.append((what, measured, goal, ok))
    print(f"{what:<58} {measured:>26}  {goal:<18} {'-' if ok is None else 'ok' if ok else 'NO'}", flush=True)


def accepts(schema: Any, value: Any) -> bool:
    """What `jsonschema` says, asked without any code of ours but the name of the dialect."""
    made = CLASSES.get(detect_dialect(schema, "draft4"), validators.Draft202012Validator)
    return bool(made(schema).is_valid(value))


def refutes(a: Any, b: Any, value: Any) -> bool:
    """Whether a value proves that A does not lie within B."""
    try:
        return accepts(a, value) and not accepts(b, value)
    except Exception:
        return False


def refutes_fast(a: Any, b: Any, verdict: Any) -> bool | None:
    """The same of `jsonschema-rs`, for values of millions of parts; None where it is not installed."""
    try:
        import jsonschema_rs
    except ImportError:
        return None
    made = jsonschema_rs.Draft4Validator if detect_dialect(a, "draft4") == DRAFT4 else jsonschema_rs.Draft7Validator
    value = verdict.counterexample
    return bool(made(a).is_valid(value) and not made(b).is_valid(value))


def _parts(value: Any) -> int:
    if isinstance(value, list):
        return len(value) * (_parts(value[0]) if value else 1)
    return 1 + sum(map(_parts, value.values())) if isinstance(value, dict) else 1


def vectors() -> None:
    """The recorded verdicts, and a counterexample for every no."""
    file = SHARED / "vectors" / "jsonsubschema" / "subtype.json"
    if not file.exists():
        row("jsonsubschema verdicts", "data not there", f"see {file.parent}", None)
        return
    cases = json.loads(file.read_text())
    right = wrong = apart = noes = shown = bad = large = unasked = unknown = 0
    times = []
    for case in cases:
        a, b = case["s1"], case["s2"]
        start = process_time()
        verdict = check(a, b, dialect="draft4")
        times.append(process_time() - start)
        unknown += verdict.compatible is None
        if verdict.compatible is False:
            noes += 1
            if verdict.has_counterexample and _parts(verdict.counterexample) > 100_000:
                large += 1  # `jsonschema` needs ten seconds and more for each of these
                holds = refutes(a, b, verdict.counterexample) if "--large" in sys.argv else refutes_fast(a, b, verdict)
                shown, bad, unasked = shown + (holds is True), bad + (holds is False), unasked + (holds is None)
            elif verdict.has_counterexample:
                holds = refutes(a, b, verdict.counterexample)
                shown, bad = shown + holds, bad + (not holds)
        if verdict.compatible is case["subtype"]:
            right += 1
        elif case["subtype"] and verdict.compatible is False and refutes(a, b, verdict.counterexample):
            apart += 1
            print(f"    recorded as fitting, proved wrong by {verdict.counterexample!r}: {_short(a)}  |  {_short(b)}")
        else:
            wrong += 1
            print(f"    recorded {case['subtype']}, here {verdict.compatible}: {_short(a)}  |  {_short(b)}")
    judged = len(cases) - apart
    share = right / judged
    row(f"verdicts right ({apart} recorded wrongly, apart)", f"{right}/{judged} = {share:.1%}", "≥ 99 %", share >= 0.99)
    row("verdicts as recorded, right or wrong", f"{right}/{len(cases)} = {right / len(cases):.1%}", "", None)
    row("verdicts not decided (counted as wrong above)", str(unknown), "", None)
    asked = f" ({large} large ones: jsonschema-rs; {unasked} not asked)" if large and "--large" not in sys.argv else ""
    row(f"no's with a counterexample{asked}", f"{shown}/{noes} = {shown / noes:.1%}", "≥ 95 %", shown / noes >= 0.95)
    row("counterexamples that jsonschema does not confirm", str(bad), "0", bad == 0)
    middle = statistics.median(times)
    row("median of the suite", f"{middle * 1e3:.2f} ms", "≤ 1 ms", middle <= 0.001)
    row("slowest of the suite", f"{max(times) * 1e3:.0f} ms", "", None)


def _short(schema: Any) -> str:
    text = json.dumps(schema)
    return text if len(text) <= 70 else text[:69] + "…"


def best(call: Callable[[], Any], number: int) -> float:
    """Processor seconds of one call, the best of five rounds: another program on the machine does not count."""
    call()
    return min(timeit.repeat(call, timer=process_time, number=number, repeat=5)) / number


def speed() -> None:
    """Pairs of contracts of known size."""
    kinds = ["integer", "string", "number", "boolean", "string"]
    fields = {f"f{i}": {"type": kind} for i, kind in enumerate(kinds)}
    flat = {"type": "object", "properties": fields, "required": list(fields)}
    wider = {**flat, "properties": {**fields, "f0": {"type": "number"}}}
    took = best(lambda: check(flat, wider), 500)
    row("flat 5-field pair that fits, JSON Schema", f"{took * 1e6:.0f} µs", "≤ 50 µs", took <= 50e-6)
    took = best(lambda: check(Contract(flat), Contract(wider)), 500)
    row("flat 5-field pair that fits, a link read anew", f"{took * 1e6:.0f} µs", "≤ 50 µs", took <= 50e-6)
    other = {**flat, "properties": {**fields, "f4": {"type": "integer"}}}
    took = best(lambda: check(flat, other), 50)
    row("flat 5-field pair that does not fit, with its payload", f"{took * 1e6:.0f} µs", "", None)
    ints, floats = nested("integer"), nested("number")
    took = best(lambda: check(ints, floats), 10)
    row("200-field nested pair that fits", f"{took * 1e3:.1f} ms", "≤ 5 ms", took <= 5e-3)
    took = best(lambda: check(floats, ints), 3)
    row("200-field nested pair that does not fit, with its payload", f"{took * 1e3:.1f} ms", "", None)


def nested(kind: str) -> dict[str, Any]:
    """Twenty objects of ten fields."""
    inner = {f"f{i}": {"type": kind} for i in range(10)}
    one = {"type": "object", "properties": inner, "required": list(inner)}
    outer = {f"g{i}": one for i in range(20)}
    return {"type": "object", "properties": outer, "required": list(outer)}


def bounds() -> None:
    """Inputs made to hang a checker: each is answered, or given up, within its steps."""
    slowest, undecided = 0.0, 0
    cases = pathological()
    for name, a, b in cases:
        start = process_time()
        verdict = check(a, b)
        took = process_time() - start
        undecided += verdict.compatible is None
        if took > slowest:
            slowest, which = took, name
    row(
        f"slowest of {len(cases)} hostile inputs ({which}; {undecided} given up)",
        f"{slowest:.2f} s",
        "≤ 5 s",
        slowest <= 5,
    )


def pathological() -> list[tuple[str, Any, Any]]:
    """Deep nesting, exponential combinations, hostile patterns, pigeon holes, huge lengths."""

    def deep(depth: int, wrap: Callable[[Any], Any]) -> Any:
        made: Any = {"type": "integer"}
        for _ in range(depth):
            made = wrap(made)
        return made

    def field(inner: Any) -> Any:
        return {"type": "object", "properties": {"a": inner}, "required": ["a"]}

    def either(inner: Any) -> Any:
        return {"anyOf": [inner, {"type": "null"}]}

    def choice(i: int, kind: str) -> Any:
        return {"properties": {f"a{i}": {"type": kind}}, "required": [f"a{i}"]}

    choices = [{"anyOf": [choice(i, "string"), choice(i, "number")]} for i in range(25)]
    names = {f"^{chr(97 + i)}.*{chr(98 + i)}": {"type": "integer"} for i in range(15)}
    return [
        ("nested 3,000 deep", deep(3000, field), deep(2999, field)),
        ("anyOf 400 deep", deep(400, either), deep(399, either)),
        ("2^25 choices", {"type": "object", "allOf": choices}, {"minProperties": 25}),
        ("exponential pattern", {"type": "string", "pattern": "(a|b)*a(a|b){20}$"}, {"pattern": "^(.*a.*b){15}"}),
        ("nested stars", {"type": "string", "pattern": "^((a+)+)+$"}, {"pattern": "^((a*)*)*b$"}),
        ("a?^60 a^60", {"type": "string", "pattern": "^" + "(a?)" * 60 + "a" * 60 + "$"}, {"pattern": "^a{10,}$"}),
        (
            "pigeon holes",
            {"type": "array", "uniqueItems": True, "minItems": 40, "items": {"enum": list(range(39))}},
            False,
        ),
        ("a reference to itself", {"$ref": "#"}, {"type": "string"}),
        ("patterns that overlap", {"patternProperties": names}, {"patternProperties": {"b": {"minimum": 1}}}),
        ("a very long text", {"type": "string", "minLength": 10**9}, {"maxLength": 5}),
    ]


def payloads() -> None:
    """The fast road, beside pydantic on the same payload in the same run."""
    from pydantic import TypeAdapter
    from typing_extensions import TypedDict

    Order = TypedDict("Order", {"sku": str, "qty": int})  # noqa: UP013 - beside the contract of the same form
    payload = {"sku": "abc", "qty": 3}
    ours = validator(Contract.from_annotations({"sku": str, "qty": int})).check
    theirs = TypeAdapter(Order).validate_python
    independent = validators.Draft202012Validator(Contract.from_annotations({"sku": str, "qty": int}).to_json_schema())
    mine = best(lambda: ours(payload), 50_000)
    peer = best(lambda: theirs(payload), 50_000)
    slow = best(lambda: independent.is_valid(payload), 500)
    row("payload check {sku: str, qty: int}", f"{1e-6 / mine:.1f} M/s", "≥ pydantic", mine <= peer)
    row("    pydantic TypeAdapter(TypedDict), same run", f"{1e-6 / peer:.1f} M/s", "", None)
    row("    jsonschema, same run", f"{1e-6 / slow:.3f} M/s", "", None)


def by_chance() -> None:
    """Pairs by chance and payloads by chance: does any payload contradict a verdict?"""
    try:
        from hypothesis import HealthCheck, Phase, given, seed, settings, strategies as st

        from tests.contracts.schemas_by_chance import payloads as values, schemas
    except ImportError:
        row("pairs by chance", "hypothesis is not there", "", None)
        return
    counted = {True: 0, False: 0, None: 0, "contradicted": 0, "shown": 0}
    pairs = st.tuples(schemas, schemas) | st.tuples(schemas, schemas).map(lambda p: ({**p[0], **p[1]}, p[1]))

    @seed(random.Random(0).randrange(10**6))
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(pairs, st.lists(values, max_size=8))
    def run(pair: Any, tried: list[Any]) -> None:
        verdict = check(*pair)
        counted[verdict.compatible] += 1
        counted["shown"] += verdict.has_counterexample
        judged = [validators.Draft202012Validator(s) for s in pair]
        if verdict.compatible:
            counted["contradicted"] += any(judged[0].is_valid(v) and not judged[1].is_valid(v) for v in tried)

    run()
    text = f"{counted[True]} yes, {counted[False]} no, {counted[None]} ?"
    row(f"{EXAMPLES} pairs by chance", text, "", None)
    row("    verdicts that a payload contradicts", str(counted["contradicted"]), "0", counted["contradicted"] == 0)


def by_law() -> None:
    """Versions of contracts by chance: does the law of `compare` hold, and does every line prove itself?"""
    try:
        from tests.contracts.test_contract_change_law import changed, law
        from tests.contracts.types_by_chance import Types
    except ImportError:
        row("the law of changes", "the tests are not there", "", None)
        return
    rng = random.Random(5)
    types = Types(rng)
    counted = {"breaking": 0, "shown": 0, "undecided": 0}
    broken = 0
    pairs = 5 * EXAMPLES
    for _ in range(pairs):
        old = Contract.from_annotations(types.any()).to_json_schema()
        new = old
        for _ in range(rng.randrange(1, 4)):
            new = changed(new, rng)
        try:
            for key, value in law(old, new, rng.choice(["strict", "link", "lenient"])).items():
                counted[key] += value
        except AssertionError as e:
            broken += 1
            print(f"    {e}: {_short(old)} | {_short(new)}")
    row(f"{pairs} versions by chance: the law is broken", str(broken), "0", broken == 0)
    share = counted["shown"] / max(counted["breaking"], 1)
    shown = f"{counted['shown']}/{counted['breaking']} = {share:.1%}"
    row("    breaking lines with a payload of their own", shown, "≥ 95 %", share >= 0.95)


# Repository, file, the commit of the old edition, that of the new one.
FIELD = {
    "compose": ("compose-spec/compose-spec", "schema/compose-spec.json", "c6b8361ea563", "a08f8d51631b"),
    "discord": ("discord/discord-api-spec", "specs/openapi.json", "28a705c93d47", "74fda0fad044"),
    "tsconfig": ("SchemaStore/schemastore", "src/schemas/json/tsconfig.json", "7bf6701bf020", "afd1bdb88ae6"),
    "workflow": ("SchemaStore/schemastore", "src/schemas/json/github-workflow.json", "84f4e3192746", "7c910423df8b"),
}


def field() -> None:
    """Editions of public schemas, from clones: identity, and the diff with a payload for every line that breaks."""
    clones = os.environ.get("GRAPHBUS_CLONES")
    if not clones:
        row("schemas from the field", "clones not there", "GRAPHBUS_CLONES", None)
        return
    for name, (repository, path, *commits) in FIELD.items():
        clone = next(
            (p for p in (Path(clones) / repository, Path(clones) / repository.partition("/")[2]) if p.is_dir()), None
        )
        if clone is None:
            row(f"{name}: a diff, breaking lines proved", "clone not there", repository, None)
            continue
        with TemporaryDirectory() as folder:
            for which, commit in zip(("old", "new"), commits, strict=True):
                data = subprocess.run(["git", "-C", clone, "show", f"{commit}:{path}"], capture_output=True, check=True)
                (Path(folder) / f"{which}.json").write_bytes(data.stdout)
            # In a process of its own: memory is the most that a process ever had.
            run = [sys.executable, __file__, "--editions", folder]
            told = json.loads(subprocess.run(run, capture_output=True, check=True).stdout)
        proved, breaking = told["proved"], told["breaking"]
        ok = told["seconds"] <= 2 and told["same"] and proved == breaking and told["mb"] <= 100
        unsure = f", {told['unsure']} ?" if told["unsure"] else ""
        text = f"{told['seconds']:.2f} s, {proved}/{breaking} of {told['lines']}{unsure}, {told['mb']:.0f} MB"
        row(f"{name} ({told['kb']} kB, {told['reading']}): breaking lines proved", text, "≤ 2 s, all, 100 MB", ok)


def editions(folder: Path) -> dict[str, Any]:
    """What one diff took and told, under the reading that the command takes for it."""
    import resource

    from graphbus_core.services.contract_diff.differences import list_differences
    from graphbus_core.services.contract_diff.sources import CompareOptions, choose_reading, read_source

    how = CompareOptions("FULL")
    start = process_time()
    old, new = (read_source(str(folder / f"{which}.json"), how) for which in ("old", "new"))
    how = choose_reading(how, [*old.items.values(), *new.items.values()], None)
    told = list_differences(old, new, how)
    took = process_time() - start
    breaking = [t.finding for t in told if t.finding.code == "GB301"]
    unsure = sum(t.finding.code == "GB304" for t in told)
    return {
        "seconds": took,
        "same": all(check(i.schema, json.loads(json.dumps(i.schema))).compatible for i in new.items.values()),
        "proved": sum(f.has_payload for f in breaking),
        "breaking": len(breaking),
        "unsure": unsure,
        "lines": len(told),
        "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "kb": (folder / "new.json").stat().st_size // 1000,
        "reading": how.reading,
    }


if __name__ == "__main__":
    if "--editions" in sys.argv:
        print(json.dumps(editions(Path(sys.argv[-1]))))
        sys.exit()
    field()
    vectors()
    speed()
    bounds()
    payloads()
    by_chance()
    by_law()
    sys.exit(any(ok is False for *_, ok in ROWS))
