"""Call changed functions, as they were and as they are, with values beside those that the tests call them with.

A script of its own, for the sandbox: it is started in a copy of the project, reads what to do from its standard input,
and imports nothing of GraphBus. One line of JSON a difference, each after the mark. Three roles, by the first word of
the command line: none leads; `watch` is put before the tests as `sitecustomize` and notes calls; `call` calls."""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

MAX_CALLS, MAX_INPUTS, MAX_CHARS = 20, 400, 20_000
BESIDE_TEXT, BESIDE_NUMBER = (None, "", "x", "X y"), (None, 0, 1, -1, 1_000)


def lead() -> None:
    """Watch the tests, then call each function with neighbours of what was seen, in both editions of its file."""
    request = json.loads(sys.stdin.buffer.read())
    with tempfile.TemporaryDirectory() as place:
        seen = Path(place) / "calls"
        (Path(place) / "sitecustomize.py").write_text(Path(__file__).read_text("utf-8") + "\nwatch()\n")
        path = os.pathsep.join(filter(None, (place, os.environ.get("PYTHONPATH"))))
        noted = {"GRAPHBUS_WATCHED": json.dumps(request["files"]), "GRAPHBUS_CALLS": str(seen)}
        environment = {**os.environ, **noted, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(
                ["sh", "-c", request["command"]], env=environment, check=False, capture_output=True, timeout=60
            )
        lines = seen.read_text("utf-8").splitlines() if seen.is_file() else []
    for name, before in request["files"].items():
        calls = [line for line in dict.fromkeys(lines) if ast.literal_eval(line)[0] == name][:MAX_CALLS]
        inputs = list(dict.fromkeys(neighbour for call in calls for neighbour in list_neighbours(call)))[:MAX_INPUTS]
        now = call_all(name, inputs)
        file = Path(name)
        text = file.read_bytes()
        try:
            file.write_text(before, "utf-8")
            was = call_all(name, inputs)
        finally:
            file.write_bytes(text)
        for asked, old, new in zip(inputs, was, now, strict=False):
            if old is not None and new is not None and old != new:
                said = {"call": asked, "before": json.loads(old), "now": json.loads(new)}
                print(request["mark"], json.dumps(said), flush=True)


def list_neighbours(call: str) -> Iterator[str]:
    """A call as it was seen, and others that differ from it in one value: away, none, empty, or another of its kind."""
    name, function, arguments = ast.literal_eval(call)
    for varied in vary(arguments):
        yield repr((name, function, varied))


def vary(value: Any) -> Iterator[Any]:
    """A value, and those beside it."""
    yield value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {k: v for k, v in value.items() if k != key}
            yield from ({**value, key: other} for other in vary(inner))
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from (type(value)([*value[:number], other, *value[number + 1 :]]) for other in vary(inner))
    elif isinstance(value, str):
        yield from BESIDE_TEXT
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from BESIDE_NUMBER


def call_all(name: str, inputs: list[str]) -> list[str | None]:
    """The results as JSON, of a process of its own; None where there was an error, or no JSON."""
    done = subprocess.run(
        [sys.executable, __file__, "call", name],
        input=json.dumps(inputs).encode(),
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"},
        check=False,
        capture_output=True,
        timeout=60,
    )
    try:
        results: list[str | None] = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        return []
    return results


def call(name: str) -> None:
    """Call a function of a file with each input, and print what came of it."""
    module = name.removesuffix(".py").removeprefix("src/").replace("/", ".").removesuffix(".__init__")
    loaded = importlib.import_module(module)
    results: list[str | None] = []
    for asked in json.loads(sys.stdin.buffer.read()):
        _, function, arguments = ast.literal_eval(asked)
        try:
            with contextlib.redirect_stdout(sys.stderr):
                text = json.dumps(getattr(loaded, function)(**arguments), sort_keys=True)
        except Exception:
            text = None
        results.append(text if text is not None and len(text) <= MAX_CHARS else None)
    print(json.dumps(results))


def watch() -> None:
    """Note the arguments of each call of a function that stands at the top of a watched file."""
    watched = {str(Path(name).resolve()): name for name in json.loads(os.environ["GRAPHBUS_WATCHED"])}
    out = open(os.environ["GRAPHBUS_CALLS"], "a", encoding="utf-8")  # noqa: SIM115 - for the life of the process

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        name = watched.get(os.path.realpath(code.co_filename)) if event == "call" else None
        if name is None or code.co_qualname != code.co_name or code.co_name.startswith("<") or code.co_flags & 0x2AC:
            return
        count = code.co_argcount + code.co_kwonlyargcount
        line = repr((name, code.co_name, {key: frame.f_locals[key] for key in code.co_varnames[:count]}))
        with contextlib.suppress(ValueError, SyntaxError):
            ast.literal_eval(line)
            if len(line) <= MAX_CHARS:
                out.write(line.replace("\n", " ") + "\n")
                out.flush()

    sys.setprofile(note)


if __name__ == "__main__" and not os.environ.get("GRAPHBUS_CALLS"):
    sys.path.insert(0, os.getcwd())
    call(sys.argv[2]) if sys.argv[1:2] == ["call"] else lead()
