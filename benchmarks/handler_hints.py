"""Whether `validate` and a run say the same of payloads: `python benchmarks/handler_hints.py --cases FOLDER [--show]`.

FOLDER holds modules of one class `Node` with one handler of `/Case/In`, whose payload has a hint, and two lists of JSON
payloads: `GOOD`, which the hint takes, and `BAD`, which it does not, as a stranger says. Each module is built alone,
with the modules of the folder that end in `_types`.

    validate   the payload alone as a producer's contract, held against the handler's as a link is: written as JSON, in
               which a date is a text of that form
    run time   the payload is published with `payload_checks="enforce"`

A payload is right where both say what the stranger says. `differ`: the two do not say the same, whoever is right. The
bus carries objects only and refuses the rest at `publish`: of such a payload a run says no, and one that the hint takes
has a row of its own, as no handler can hear it.
"""

from __future__ import annotations

import argparse
import ast
import logging
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from graphbus_core.analysis.scan import scan  # noqa: E402
from graphbus_core.build import build_project  # noqa: E402
from graphbus_core.config import BuildConfig, RuntimeConfig  # noqa: E402
from graphbus_core.contracts.check import check  # noqa: E402
from graphbus_core.contracts.parsing.contract import Contract  # noqa: E402
from graphbus_core.contracts.parsing.json_schema import map_subschemas  # noqa: E402
from graphbus_core.contracts.parsing.type_forms import TYPE_FORMATS  # noqa: E402
from graphbus_core.errors import BadPayload, GraphBusError  # noqa: E402
from graphbus_core.runtime import RuntimeExecutor  # noqa: E402

TOPIC = "/Case/In"


def read_payloads(path: Path) -> dict[str, list[Any]]:
    """`GOOD` and `BAD` of a module, without running it."""
    found: dict[str, list[Any]] = {}
    for statement in ast.parse(path.read_bytes()).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="GOOD" | "BAD" as name)], value=value):
                found[name] = ast.literal_eval(value)
    if found.keys() != {"GOOD", "BAD"}:
        raise SystemExit(f"{path.name} has no lists GOOD and BAD of literals.")
    return found


def find_contract(folder: Path) -> Any:
    """The contract of what the handler hears, as `validate` reads it; True where it has none, which takes anything."""
    (agent,) = (a for a in scan(folder).agents if a.class_name == "Node")
    handler = agent.subscriptions[0].handler_name
    methods = [m for m in agent.methods if m.name == handler]
    return methods[0].input_schema.json_schema if methods and methods[0].input_schema is not None else True


def is_linked(payload: Any, contract: Any) -> bool:
    """Whether the payload, as it is written in JSON, fits on a link to the handler."""
    sent, taken = Contract({"enum": [payload]}), Contract(drop_annotations(contract))
    return check(sent, taken, formats=True).compatible is True


def drop_annotations(schema: Any) -> Any:
    """A contract without the formats that count neither on a link nor in a run, as they stand for no Python type."""
    if not isinstance(schema, dict):
        return schema
    kept = {k: v for k, v in schema.items() if k != "format" or v in TYPE_FORMATS}
    return map_subschemas(kept, drop_annotations)


def is_delivered(runtime: RuntimeExecutor, payload: Any) -> bool:
    """Whether a run with enforced checks takes it: it was published, and its handler ran, and did not fail."""
    before = dict(runtime.get_stats()["message_bus"])
    try:
        runtime.publish(TOPIC, payload)
    except BadPayload:
        return False
    after = runtime.get_stats()["message_bus"]
    is_heard: bool = after["messages_delivered"] > before["messages_delivered"]
    return is_heard and after["errors"] == before["errors"]


def judge(path: Path, rows: Counter[str], show: bool) -> None:
    """Count each payload of one module."""
    folder = Path(tempfile.mkdtemp(prefix="graphbus-hints-"))
    try:
        for beside in (path, *path.parent.glob("*_types.py")):
            shutil.copy(beside, folder / beside.name)
        contract = find_contract(folder)
        rows["handlers without a contract"] += contract is True
        build_project(BuildConfig(root_package=str(folder), output_dir=str(folder / ".graphbus")))
        config = RuntimeConfig(artifacts_dir=str(folder / ".graphbus"), payload_checks="enforce")
        with RuntimeExecutor(config) as runtime:
            for said, payloads in read_payloads(path).items():
                for payload in payloads:
                    if said == "GOOD" and not isinstance(payload, dict):
                        rows["no object"] += 1
                        continue
                    static = is_linked(payload, contract)
                    ran = is_delivered(runtime, payload)
                    wanted = said == "GOOD"
                    rows[f"{said} payloads"] += 1
                    rows[f"{said} right"] += static is ran is wanted
                    rows["differ"] += static is not ran
                    if show and not static is ran is wanted:
                        print(f"{path.name}: {said} {payload!r}: validate says {static}, a run {ran}")
    except GraphBusError as error:
        rows["not built"] += 1
        print(f"{path.name}: {error}")
    finally:
        shutil.rmtree(folder)


def main() -> int:
    """The totals; exits 1 where any payload is not right."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", required=True, type=Path)
    parser.add_argument("--show", action="store_true", help="name each payload that is not right")
    args = parser.parse_args()
    rows: Counter[str] = Counter()
    logging.disable(logging.CRITICAL)  # each refused payload would be a traceback
    paths = [path for path in sorted(args.cases.glob("*.py")) if not path.stem.endswith("_types")]
    for path in paths:
        judge(path, rows, args.show)
    right, all_of = (rows["GOOD right"] + rows["BAD right"], rows["GOOD payloads"] + rows["BAD payloads"])
    print(
        f"{len(paths)} handlers, {rows['not built']} not built, {rows['handlers without a contract']} have no contract"
    )
    print(f"good payloads taken by both {rows['GOOD right']} of {rows['GOOD payloads']}")
    print(f"good payloads that are no object: {rows['no object']} (the bus takes objects only)")
    print(f"bad payloads refused by both {rows['BAD right']} of {rows['BAD payloads']}")
    print(f"validate and a run differ on {rows['differ']} (goal 0)")
    return 0 if right == all_of and not rows["not built"] and paths else 1


if __name__ == "__main__":
    sys.exit(main())
