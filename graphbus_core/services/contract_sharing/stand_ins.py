"""For who is not there yet: a stub of the other side, example payloads, and types by tools that exist."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any

from graphbus_core.contracts.examples import generate_examples
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.validation.validator import validator
from graphbus_core.errors import ContractError, UsageError
from graphbus_core.services.contract_sharing.pins import read_lock
from graphbus_core.services.contract_sharing.repositories import read_sightings
from graphbus_core.services.contract_sharing.verification import find_rewrite
from graphbus_core.sessions.contract_file import AgreedVersion, parse_contract_file
from graphbus_core.storage.atomic_files import write_atomic

MAX_BODY_BYTES = 1 << 20
TOOL_S = 120.0
# What writes types out of JSON Schema, the first that is there: its name, and its words after it. FILE is the schema.
TOOLS = {
    "typescript": (
        ("json2ts", ["--input", "FILE"]),
        ("quicktype", ["-s", "schema", "-l", "ts", "--just-types", "FILE"]),
    ),
    "go": (("go-jsonschema", ["-p", "contract", "FILE"]), ("quicktype", ["-s", "schema", "-l", "go", "FILE"])),
}
_INSTALL = {
    "typescript": "`npm install --save-dev json-schema-to-typescript`",
    "go": "`npm install --save-dev quicktype`, or go-jsonschema",
}


def find_version(text: str, folder: Path) -> AgreedVersion:
    """The version of a contract file, or of a pin by its name. Raises ContractError, UsageError."""
    name, _, number = text.partition("@")
    if Path(name).is_file():
        contract = parse_contract_file(Path(name).read_bytes(), name)[0]
        if number and not number.isdecimal():
            raise UsageError(f"{text!r} names no version; write {name}@2.")
        return contract.find_version(int(number) if number else None, name)
    pins = read_lock(folder)
    pin = next((one for one in pins if text in (one.name, one.label)), None)
    if pin is None:
        available = ", ".join(one.label for one in pins) or "nothing"
        raise UsageError(f"{text} is neither a contract file nor pinned here; pinned is {available}.")
    contract = read_sightings(pin, folder)[0].contract
    if (rewritten := find_rewrite(pin, contract)) is not None:
        raise ContractError(rewritten)
    return contract.versions[pin.version - 1]


def list_examples(version: AgreedVersion) -> list[Any]:
    """Payloads that the producer may send, and that the consumer takes."""
    takes = validator(version.schemas["consumer"], formats=True).check
    examples = generate_examples(Contract.from_json_schema(version.schemas["producer"]))
    return [payload for payload in examples if takes(payload) is None]


def build_stub(version: AgreedVersion, port: int, say: Callable[[str], None]) -> ThreadingHTTPServer:
    """A server on this machine. GET sends the next example, as the producer does; POST takes a payload as the consumer
    does: 200, or 422 with what is wrong. Raises ContractError."""
    examples, numbers = list_examples(version), count()
    if not examples:
        raise ContractError("No example of this contract could be made. Put one under `examples` in its schema.")
    takes = validator(version.schemas["consumer"], formats=True).check

    class Stub(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(200, examples[next(numbers) % len(examples)])

        def do_POST(self) -> None:
            size = self.headers.get("content-length", "")
            if not size.isdecimal() or int(size) > MAX_BODY_BYTES:
                self._answer(413, {"error": f"give a content-length of at most {MAX_BODY_BYTES}"})
                return
            try:
                payload = json.loads(self.rfile.read(int(size)))
            except ValueError as e:
                self._answer(400, {"error": f"not JSON: {e}"})
                return
            violation = takes(payload)
            self._answer(*((200, {"ok": True}) if violation is None else (422, {"error": str(violation)})))

        def _answer(self, status: int, body: Any) -> None:
            data = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *words: Any) -> None:
            say(format % words)

    return ThreadingHTTPServer(("127.0.0.1", port), Stub)


def generate_types(version: AgreedVersion, side: str, language: str, name: str, folder: Path) -> str:
    """Types of one side's contract, by a tool that is installed here. Raises UsageError where there is none."""
    import tempfile

    if language not in TOOLS:
        raise UsageError(f"--language is {language!r}; use {' or '.join(TOOLS)}.")
    local = str(folder / "node_modules" / ".bin")
    for tool, words in TOOLS[language]:
        program = shutil.which(tool, path=local) or shutil.which(tool)
        if program is None:
            continue
        with tempfile.TemporaryDirectory() as place:
            file = Path(place) / f"{name}.json"
            write_atomic(file, json.dumps(version.schemas[side]).encode())
            filled = [str(file) if word == "FILE" else word for word in words]
            done = subprocess.run([program, *filled], capture_output=True, timeout=TOOL_S, check=False)
        if done.returncode:
            raise ContractError(f"{tool} could not write types: {done.stderr.decode('utf-8', 'replace')[-500:]}")
        return done.stdout.decode("utf-8", "replace")
    tools = " nor ".join(tool for tool, _ in TOOLS[language])
    raise UsageError(f"Neither {tools} is installed here. Get one: {_INSTALL[language]}.")
