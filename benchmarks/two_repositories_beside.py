"""The changes of two repositories with Pact, and with a plain diff of OpenAPI: found, false alarms, setup, servers.

    python benchmarks/two_repositories_beside.py --pact PYTHON --openapi FOLDER [--cases FOLDER] [--only 07,12]

PYTHON is an interpreter with pact-python; FOLDER has `openapi-diff` and `@useoptic/optic` of npm in `node_modules`.
What is not given is not run. To each tool its best case:

- Pact: the shop's pact holds each order that its tests record, written anew after each change, and billing's CI plays
  it to the running service (`benchmarks/two_repositories_rivals`). The file is handed over; a team needs a broker.
- OpenAPI diff: billing's document holds its schema as the body of POST /orders. The shop, which mostly writes none, has
  one too: its types as the answer of GET /orders. Old and new of each are compared.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from _two_repositories_road import EXAMPLES, ROOT, SHOWS, find_free_port, find_modules, read_texts

RIVALS = ROOT / "benchmarks" / "two_repositories_rivals"
SCHEMA_OF_SHOP = """
import json
from graphbus_core.services.contract_diff import sources
read = sources.read_source("shop.orders:Order", sources.CompareOptions(side="output"))
print(json.dumps(next(iter(read.items.values())).schema.to_json_schema()))
"""
Judge = Callable[[Path, Path], bool]


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A command in a folder."""
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "OPTIC_TELEMETRY_LEVEL": "off", "CI": "true"}
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, check=False, env=env)


def lay_out(folder: Path, change: dict[str, Any] | None, before: Path | None = None) -> None:
    """Both repositories in a folder, edited, recorded and compiled. What was compiled before is taken where no source
    of it changed. Raises RuntimeError where one is not healthy."""
    for name in SHOWS:
        shutil.copytree(EXAMPLES / name, folder / name, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
    (folder / "billing" / "node_modules").symlink_to(find_modules() or "/nowhere")
    for edit in change["edits"] if change else ():
        file = folder / ("shop" if change and change["side"] == "producer" else "billing") / edit["file"]
        text = file.read_text("utf-8")
        if text.count(edit["old"]) != 1:
            raise RuntimeError(f"{edit['file']}: {edit['old']!r} is there {text.count(edit['old'])} times")
        file.write_text(text.replace(edit["old"], edit["new"]), "utf-8")
    steps = [([sys.executable, "-m", "tests.record_orders"], "shop")]
    if before is not None and read_texts(before / "billing" / "src") == read_texts(folder / "billing" / "src"):
        shutil.copytree(before / "billing" / "dist", folder / "billing" / "dist")
    else:
        steps.append((["npm", "run", "--silent", "build"], "billing"))
    for words, name in steps:
        done = run(words, folder / name)
        if done.returncode:
            raise RuntimeError(f"{name} is not healthy: {(done.stdout + done.stderr)[-300:]}")


def judge_by_pact(python: str) -> Judge:
    """Red where the shop's test cannot write its pact, or billing does not honor it."""

    def judge(_: Path, now: Path) -> bool:
        written = run([python, str(RIVALS / "shop_pact.py"), "recorded/orders.jsonl", str(now)], now / "shop")
        if written.returncode:
            return True
        port = find_free_port()
        service = subprocess.Popen(
            ["node", "dist/server.js"],
            cwd=now / "billing",
            env={**os.environ, "PORT": str(port)},
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            assert service.stdout is not None
            service.stdout.readline()  # it listens
            address = f"http://127.0.0.1:{port}"
            pact = str(now / "shop-billing.json")
            return bool(run([python, str(RIVALS / "billing_pact.py"), pact, address], now).returncode)
        finally:
            os.killpg(service.pid, signal.SIGKILL)

    return judge


def name_null(schema: Any) -> Any:
    """A schema in the words of OpenAPI 3.0, which has no type null and no const."""
    if isinstance(schema, list):
        return [name_null(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: name_null(value) for key, value in schema.items()}
    null, kinds = {"type": "null"}, schema.get("type")
    if isinstance(kinds, list) and "null" in kinds:
        others = [kind for kind in kinds if kind != "null"]
        schema |= {"type": others[0] if len(others) == 1 else others, "nullable": True}
    for key in ("anyOf", "oneOf"):
        if null in schema.get(key, []):
            rest = [part for part in schema.pop(key) if part != null]
            schema |= {**(rest[0] if len(rest) == 1 else {key: rest}), "nullable": True}
    if "const" in schema:
        schema["enum"] = [schema.pop("const")]
    return schema


def write_documents(folder: Path, version: str) -> list[Path]:
    """The OpenAPI documents of both sides."""
    taken = json.loads((folder / "billing" / "schemas" / "order.json").read_text("utf-8"))
    read = run([sys.executable, "-c", SCHEMA_OF_SHOP], folder / "shop")
    if read.returncode:
        raise RuntimeError(read.stderr[-300:])
    sent = json.loads(read.stdout)
    definitions = sent.pop("$defs", {})
    text = json.dumps(sent).replace("#/$defs/", "#/components/schemas/")
    parts = json.loads(json.dumps(definitions).replace("#/$defs/", "#/components/schemas/"))
    taken.pop("$schema", None)
    answer = {"200": {"description": "taken"}}
    ours = {"200": {"description": "an order", "content": {"application/json": {"schema": json.loads(text)}}}}
    body = {"required": True, "content": {"application/json": {"schema": taken}}}
    documents = {
        "billing": ({"post": {"operationId": "take", "requestBody": body, "responses": answer}}, {}),
        "shop": ({"get": {"operationId": "send", "responses": ours}}, parts),
    }
    files = []
    for name, (operation, schemas) in documents.items():
        document = {
            "openapi": version,
            "info": {"title": name, "version": "1"},
            "paths": {"/orders": operation},
            "components": {"schemas": schemas},
        }
        files.append(folder / f"{name}.openapi.json")
        files[-1].write_text(json.dumps(name_null(document) if version < "3.1" else document), "utf-8")
    return files


def judge_by_openapi(words: list[str], more: list[str], version: str) -> Judge:
    """Red where the tool finds a breaking difference in a document of either side."""

    def judge(before: Path, now: Path) -> bool:
        pairs = zip(write_documents(before, version), write_documents(now, version), strict=True)
        changed = [(old, new) for old, new in pairs if old.read_bytes() != new.read_bytes()]
        return any(run([*words, str(old), str(new), *more], now).returncode for old, new in changed)

    return judge


def count_lines(*files: str) -> int:
    """Lines that a user writes: no blank ones, no comments."""
    text = "\n".join((RIVALS / file).read_text("utf-8") for file in files)
    return sum(bool(line.strip()) and not line.strip().startswith(("#", '"""')) for line in text.splitlines())


def main() -> int:
    """Print a line a change, then a row a tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path, default=ROOT / "benchmarks" / "cases" / "two_repositories")
    parser.add_argument("--only", default="")
    parser.add_argument("--pact", default="", help="an interpreter with pact-python")
    parser.add_argument("--openapi", type=Path, help="a folder with node_modules")
    options = parser.parse_args()
    judges: dict[str, tuple[Judge, str]] = {}
    if options.pact:
        judges["Pact"] = (
            judge_by_pact(options.pact),
            f"{count_lines('shop_pact.py', 'billing_pact.py')} lines, 1 broker",
        )
    if options.openapi:
        tools = options.openapi.resolve() / "node_modules" / ".bin"
        judges["openapi-diff"] = (
            judge_by_openapi([str(tools / "openapi-diff")], [], "3.0.3"),
            "2 documents, 0 servers",
        )
        judges["optic diff"] = (
            judge_by_openapi([str(tools / "optic"), "diff"], ["--check"], "3.1.0"),
            "2 documents, 0 servers",
        )
    if not judges or find_modules() is None:
        print("not run: give --pact or --openapi, and have TypeScript and @types/node (NODE_MODULES)")
        return 0
    changes = [json.loads(file.read_text("utf-8")) for file in sorted(options.cases.glob("*.json"))]
    changes = [one for one in changes if not options.only or one["id"] in options.only.split(",")]
    ends: dict[str, list[tuple[bool, bool]]] = {name: [] for name in judges}
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        before = Path(place) / "before"
        lay_out(before, None)
        for name, (judge, _) in judges.items():
            assert not judge(before, before), f"{name} is red before any change: its red would prove nothing"
        for change in changes:
            now = Path(place) / change["id"]
            try:
                lay_out(now, change, before)
            except RuntimeError as e:
                print(f"{change['id']} not tried: {e}")
                continue
            red = {name: judge(before, now) for name, (judge, _) in judges.items()}
            for name, is_red in red.items():
                ends[name].append((change["breaking"], is_red))
            print(change["id"], change["side"], f"breaking={change['breaking']}", red, change["title"], flush=True)
            shutil.rmtree(now)
    for name, (_, setup) in judges.items():
        broken = [is_red for breaks, is_red in ends[name] if breaks]
        rest = [is_red for breaks, is_red in ends[name] if not breaks]
        print(f"{name}: found {sum(broken)} of {len(broken)}, false alarms {sum(rest)} of {len(rest)}; {setup}")
    print(f"{time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
