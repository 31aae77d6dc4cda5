"""Public OpenAPI documents: what is read, single edits at random places, two editions of large ones, foreign suites.

    python benchmarks/openapi.py --data FOLDER [--breaking 50] [--harmless 20] [--seed 1] [--jobs 1]

FOLDER holds `documents/` (one file an API), `read/` (folders of documents, any depth), `editions/NAME/{old,new}.*`, and
`suites/{openapi-diff,oasdiff}` (clones). Nothing is fetched; `_openapi_sources` lays such a folder out from clones.
The edits are of `_openapi_edits` and `_openapi_harmless`, which know the specification alone.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks._openapi_edits import BREAKING, SCHEMA_KINDS, Edit, draw_edits
from benchmarks._openapi_harmless import HARMLESS
from benchmarks._openapi_suites import find_go_cases, find_java_cases
from graphbus_core.contracts.loaders import loader
from graphbus_core.contracts.loaders.json_yaml import parse_document
from graphbus_core.contracts.loaders.loader import LoadResult
from graphbus_core.errors import ContractError
from graphbus_core.findings import Level
from graphbus_core.services.contract_diff.differences import list_differences
from graphbus_core.services.contract_diff.sources import CompareOptions

HOW = CompareOptions("FULL", "link")


def read(document: Any) -> LoadResult:
    data = json.dumps(document).encode()
    return loader.read_file("api.json", lambda _: data, None)


def judge(old: LoadResult, edit: Edit) -> tuple[bool, bool, str]:
    """Whether an edit was reported as an error, with a payload; and what was said."""
    try:
        told = list_differences(old, read(edit.document), HOW)
    except ContractError as e:
        return True, False, f"refused: {e}"
    errors = [entry.finding for entry in told if entry.finding.level is Level.ERROR]
    return (
        bool(errors),
        any(error.has_payload for error in errors),
        "; ".join(" ".join([e.message, *e.reasons]) for e in errors[:2]),
    )


def try_document(path: Path, breaking: int, harmless: int, seed: int) -> dict[str, Any]:
    document = parse_document(path.read_bytes(), path.name)
    begun = time.process_time()
    old = read(document)
    row: dict[str, Any] = {"name": path.stem, "missed": [], "mute": [], "false": [], "found": 0, "shown": 0}
    row |= {"in_union": 0, "schema_edits": 0, "harmless": 0}
    for edit in draw_edits(document, BREAKING, breaking, seed):
        found, shown, said = judge(old, edit)
        place = f"{path.stem} {edit.kind} /{'/'.join(map(str, edit.pointer))}"
        row["found"] += found
        row["in_union"] += edit.in_union
        if not found:
            row["missed"].append(place)
        if edit.kind in SCHEMA_KINDS:
            row["schema_edits"] += 1
            row["shown"] += shown
            if found and not shown:
                row["mute"].append(f"{place}: {said}")
    for edit in draw_edits(document, HARMLESS, harmless, seed):
        found, _, said = judge(old, edit)
        row["harmless"] += 1
        if found:
            row["false"].append(f"{path.stem} {edit.kind} /{'/'.join(map(str, edit.pointer))}: {said}")
    row["seconds"] = time.process_time() - begun
    return row


def try_edits(folder: Path, options: argparse.Namespace) -> None:
    files = sorted(file for file in folder.iterdir() if file.suffix in loader.SUFFIXES)
    print(f"\n{'document':24} {'found':>9} {'in unions':>9} {'payload':>9} {'false':>7} {'s':>6}")
    sums: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(try_document, f, options.breaking, options.harmless, options.seed) for f in files]
        for job in jobs:
            try:
                row = job.result()
            except ContractError as e:
                print(f"not read  {str(e)[:200]}", flush=True)
                continue
            total = row["found"] + len(row["missed"])
            sums.update({k: v for k, v in row.items() if isinstance(v, int)})
            sums.update({"breaking": total, "false": len(row["false"])})
            print(
                f"{row['name'][:24]:24} {row['found']:>4}/{total:<4} {row['in_union']:>9} {row['shown']:>4}/"
                f"{row['schema_edits']:<4} {len(row['false']):>3}/{row['harmless']:<3} {row['seconds']:6.1f}",
                flush=True,
            )
            for what in ("missed", "false", "mute"):
                for place in row[what]:
                    print(f"    {what:7} {place}", flush=True)
    print(
        f"{len(files)} documents: {sums['found']} of {sums['breaking']} breaking edits found ({sums['in_union']} in "
        f"unions), {sums['shown']} of {sums['schema_edits']} in schemas with a payload, {sums['false']} of "
        f"{sums['harmless']} harmless ones reported"
    )


def find_documents(folder: Path) -> Iterator[tuple[Path, Path]]:
    """(root of the repository, file) of everything below that says it is OpenAPI, Swagger or AsyncAPI."""
    for root in sorted(child for child in folder.iterdir() if child.is_dir()):
        for file in sorted(root.rglob("*")):
            if file.suffix in loader.SUFFIXES and file.is_file():
                head = file.read_bytes()[:4_000]
                if any(word in head for word in (b"openapi", b"swagger", b"asyncapi")):
                    yield root, file


def try_reading(folder: Path) -> None:
    counted: Counter[str] = Counter()
    for root, file in find_documents(folder):
        name = str(file.relative_to(root))
        try:
            document = parse_document(file.read_bytes(), name)
            if not isinstance(document, Mapping) or not {"openapi", "swagger", "asyncapi"} & document.keys():
                continue
            counted["documents"] += 1
            loader.read_file(name, loader.build_folder_loader(root), root)
            counted["read"] += 1
        except ContractError as e:
            valid = is_valid(document, file)
            counted["valid"] += valid
            print(f"{'valid, and not read' if valid else 'not valid'}  {root.name}/{name}: {str(e)[:200]}")
    valid_count = counted["read"] + counted["valid"]
    print(
        f"{counted['read']} of {counted['documents']} documents of public repositories are read, which is "
        f"{counted['read'] / max(valid_count, 1):.1%} of the valid ones"
    )


def is_valid(document: Mapping[str, Any], file: Path) -> bool:
    """Whether another program calls a document valid; AsyncAPI, which it does not read, counts as valid."""
    from openapi_spec_validator import validate

    if "asyncapi" in document:
        return True
    try:
        validate(document, base_uri=file.resolve().as_uri())
    except Exception:  # it has a dozen ways to say so, and dies of some documents
        return False
    return True


EDITIONS = """
import resource, sys, time
from pathlib import Path
from graphbus_core.services.contract_diff import sources
from graphbus_core.services.contract_diff.differences import list_differences
from graphbus_core.gc_control import pause_garbage_collection
how = sources.CompareOptions("FULL", "link")
with pause_garbage_collection():  # as the command does
    told = list_differences(sources.read_source(sys.argv[1], how), sources.read_source(sys.argv[2], how), how)
errors = [t.finding for t in told if t.finding.level == "error"]
shown = sum(f.has_payload for f in errors)
size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
lines = f"{len(told)} lines, {len(errors)} break, {shown} with a payload"
print(f"{time.process_time():.1f} s, {size} MB, {lines}")
"""


def try_editions(folder: Path) -> None:
    for pair in sorted(child for child in folder.iterdir() if child.is_dir()):
        old, new = (next(pair.glob(f"{name}.*")) for name in ("old", "new"))
        asked = [sys.executable, "-c", EDITIONS, str(old), str(new)]
        done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=900)
        print(f"{pair.name:16} {new.stat().st_size / 1e6:5.1f} MB  {done.stdout.strip() or done.stderr.strip()[-300:]}")


def try_suites(folder: Path) -> None:
    """Where another tool's own tests expect something else; `openapi_suites.tsv` says why, for each."""
    with (Path(__file__).parent / "openapi_suites.tsv").open(newline="") as table:
        reasons = {(row["suite"], row["case"], row["here"]) for row in csv.DictReader(table, delimiter="\t")}
    for name, find in (("openapi-diff", find_java_cases), ("oasdiff", find_go_cases)):
        cases = list(find(folder / name)) if (folder / name).is_dir() else []
        counted: Counter[str] = Counter()
        for case in cases:
            sides = [(file.name, loader.build_folder_loader(file.parent), file.parent) for file in (case.old, case.new)]
            try:
                old, new = (loader.read_file(*side) for side in sides)
                told = [entry.finding for entry in list_differences(old, new, HOW)]
                errors = [finding for finding in told if finding.level is Level.ERROR]
                here, said = "breaks" if errors else "fits", errors[0].message[:120] if errors else ""
            except ContractError as e:
                here, said = "refused", str(e)[:150]
            is_same = here == ("breaks" if case.breaks else "fits")
            counted["agree" if is_same else here] += 1
            if not is_same and (name, case.name, here) not in reasons:
                counted["without a reason"] += 1
                print(f"{here:8}  {case.name} ({case.new.name}) {said}")
        others = ", ".join(f"{counted[what]} {what}" for what in ("breaks", "fits", "refused", "without a reason"))
        print(f"{name}: {counted['agree']} of {len(cases)} agree; here {others}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--breaking", type=int, default=50)
    parser.add_argument("--harmless", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    for name, run in (("read", try_reading), ("editions", try_editions), ("suites", try_suites)):
        if (options.data / name).is_dir():
            run(options.data / name)
    if (options.data / "documents").is_dir():
        try_edits(options.data / "documents", options)
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most in this process")


if __name__ == "__main__":
    main()
