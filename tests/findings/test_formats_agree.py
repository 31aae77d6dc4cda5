"""One program for each code: text, JSON, GitHub, SARIF, JUnit, Markdown and the exit code say the same findings."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from graphbus_core.cli.main import main
from graphbus_core.findings.codes import CODES, Level
from graphbus_core.testing import write_files

HEAD = "from graphbus_core import GraphBusNode, depends_on, schema_method\n\n"


METHOD = """
    @schema_method(input_schema={}, output_schema={"x": int})
    def f(self):
        return {"x": 1}
"""
A = f"\nclass A(GraphBusNode):{METHOD}"
FAR = '{"type": "object", "properties": {"x": {"$ref": "https://example.org/x"}}, "required": ["x"]}'


def _pair(
    output: str, given: str, takes: str = "x", link: str = "A.give", wanted: str = '{"x": str}'
) -> dict[str, str]:
    """Two components: what the one gives as a schema, what the other takes."""
    text = f"""{HEAD}
class A(GraphBusNode):
    @schema_method(input_schema={{}}, output_schema={output})
    def give(self):
        return {given}


class B(GraphBusNode):
    @depends_on("{link}")
    @schema_method(input_schema={{"x": str}}, output_schema={{}})
    def take(self, {takes}):
        return {{}}
"""
    return {"agents/nodes.py": text}


def _schemas(before: object, after: object) -> dict[str, str]:
    return {"old.json": json.dumps(before), "new.json": json.dumps(after)}


def _api(*paths: str) -> dict[str, object]:
    get = {"get": {"responses": {"200": {"description": "fine"}}}}
    return {"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "paths": dict.fromkeys(paths, get)}


SCHEMA = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
VALIDATE, DIFF, INFER = ["validate", "agents"], ["contracts", "diff", "old.json", "new.json"], ["infer", "."]
PROGRAMS: dict[str, tuple[list[str], dict[str, str]]] = {
    "GB101": (VALIDATE, _pair('{"x": int}', '{"x": 1}')),
    "GB102": (VALIDATE, _pair(FAR, '{"x": "a"}')),
    "GB103": (VALIDATE, _pair('{"x": str}', '{"x": "1"}', link="A.gives")),
    "GB104": (VALIDATE, _pair('{"x": "no such type"}', '{"x": 1}')),
    "GB105": (
        VALIDATE,
        {
            "agents/nodes.py": HEAD
            + A
            + METHOD.replace("f(", "g(")
            + '\n\n@depends_on("A")\nclass B(GraphBusNode):'
            + METHOD.replace("input_schema={}", 'input_schema={"x": int}').replace("f(self", "take(self, x")
        },
    ),
    "GB106": (
        VALIDATE,
        {
            "agents/__init__.py": "",
            "agents/a.py": HEAD + "from agents.b import B\n" + A,
            "agents/b.py": "from agents.a import A\n\n\nclass B(A):\n    pass\n",
        },
    ),
    "GB107": (VALIDATE, {"agents/a.py": HEAD + A, "agents/b.py": HEAD + A}),
    "GB108": (
        VALIDATE,
        {"agents/a.py": HEAD + A.replace("):\n", "):\n    def __init__(self, db):\n        self.db = db\n", 1)},
    ),
    "GB109": (
        VALIDATE,
        {
            "agents/nodes.py": HEAD.replace("import ", "import subscribe, ")
            + '\nclass A(GraphBusNode):\n    @subscribe("/t")\n    def on(self, sku, qty): ...\n'
        },
    ),
    "GB110": (VALIDATE, {"agents/nodes.py": HEAD + "\nclass A(GraphBusNode): ...\n", "agents/bad.py": "def x(:\n"}),
    "GB111": (
        VALIDATE,
        {
            "agents/nodes.py": HEAD.replace("import ", "import publishes, ")
            + '\nclass A(GraphBusNode):\n    @publishes("/t", {"x": str})\n    def f(self): ...\n',
            "pyproject.toml": '[[tool.graphbus.policy.rules]]\nname = "quiet"\nwho = "A"\npublish = []\n',
        },
    ),
    "GB201": (VALIDATE, _pair('{"x": str}', '{"x": "aba"}', takes="y")),
    "GB202": (VALIDATE, _pair('{"x": str}', '{"y": "aba"}')),
    "GB301": (DIFF, _schemas({**SCHEMA, "required": []}, SCHEMA)),
    "GB302": (DIFF, _schemas(_api("/a", "/b"), _api("/a"))),
    "GB303": (DIFF, _schemas(SCHEMA, {**SCHEMA, "required": []})),
    "GB304": (DIFF, _schemas(SCHEMA, {**SCHEMA, "properties": {"x": {"$ref": "https://example.org/x"}}})),
    "GB501": (INFER, {"a.py": 'def load():\n    return {"quantity": 3}\n\n\ntotal = load()["qty"]\n'}),
    "GB502": (INFER, {"a.py": "class A:\n    def f(self):\n        return 1\n\n\ndef g():\n    return A().h\n"}),
    "GB503": (INFER, {"a.py": "def f(a):\n    return a\n\n\ndef g():\n    return f(b=1)\n"}),
    "GB504": (INFER, {"a.py": 'def f(a: int) -> int:\n    return a\n\n\ndef g() -> int:\n    return f("x")\n'}),
    "GB505": (INFER, {"a.py": 'def f() -> int:\n    return "x"\n\n\ndef g() -> int:\n    return f()\n'}),
    "GB506": (
        INFER,
        {
            "a.py": "class Row:\n    name = 1\n\n\ndef find(key: str) -> Row | None:\n"
            "    return Row() if key else None\n\n\n"
            "def g(key: str) -> int:\n    return find(key).name\n"
        },
    ),
    "GB901": (VALIDATE, {"agents/nodes.py": HEAD + A + "# graphbus: ignore[GB101] known\n"}),
    "GB902": (VALIDATE, _pair('{"x": int}', '{"x": 1}')),
    "GB903": (VALIDATE, {"agents/nodes.py": HEAD + A}),
    "GB904": (VALIDATE, {"agents/nodes.py": HEAD + A + "# graphbus: ignore[GB101]\n"}),
}
KEPT = {"fingerprint": "0" * 16, "code": "GB101", "file": "agents/old.py", "subject": "Old"}
MORE = {
    "GB902": '[[tool.graphbus.ignore]]\ncode = "GB101"\nfiles = "**"\nreason = "May"\nuntil = "2020-01"\n',
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> list[str]:
    """The command of a code, and its program in the current folder."""
    command, files = PROGRAMS[request.param]
    write_files(tmp_path, {"pyproject.toml": MORE.get(request.param, ""), **files})
    if request.param == "GB903":
        (tmp_path / "graphbus-baseline.json").write_text(json.dumps({"version": 1, "findings": [KEPT]}))
    monkeypatch.chdir(tmp_path)
    return command


def _read_sarif(text: str) -> list[str]:
    return [r["ruleId"] for r in json.loads(text)["runs"][0]["results"] if not r.get("suppressions")]


def _read_junit(text: str) -> list[str]:
    return [case.attrib["name"][:5] for case in ElementTree.fromstring(text).iter("testcase")]


READ = {
    "json": lambda text: [finding["code"] for finding in json.loads(text)["findings"]],
    "text": lambda text: re.findall(r"^(?:\S+:\d+: )?[✗!·?] (GB\d{3})", text, re.M),
    "github": lambda text: re.findall(r"title=GraphBus (GB\d{3})::", text),
    "markdown": lambda text: re.findall(r"^\| . \| \[(GB\d{3})\]", text, re.M),
    "sarif": _read_sarif,
    "junit": _read_junit,
}


def _run(command: list[str], capsys: pytest.CaptureFixture[str], form: str) -> tuple[int, Counter[str]]:
    code = main([*command, "--format", form])
    return code, Counter(READ[form](capsys.readouterr().out))


def test_every_code_of_the_page_has_a_program() -> None:
    """A code that nothing tells is a promise that nobody keeps."""
    assert sorted(PROGRAMS) == sorted(CODES)


@pytest.mark.parametrize("project", PROGRAMS, indirect=True)
def test_every_format_tells_the_same(
    project: list[str], capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    """And exit 1 means that one of them is an error."""
    name = request.node.callspec.params["project"]
    results = {form: _run(project, capsys, form) for form in READ}
    exit_code, codes = results["json"]
    assert codes[name] > 0, codes
    assert {form: result for form, result in results.items() if result != (exit_code, codes)} == {}
    undecided = 3 if name == "GB304" else True  # of `contracts diff`: neither yes nor no
    assert exit_code == undecided * any(CODES[code].level is Level.ERROR for code in codes)


@pytest.mark.parametrize("project", sorted(set(PROGRAMS) - {"GB901", "GB902", "GB903", "GB904"}), indirect=True)
@pytest.mark.parametrize("how", ["ignored", "baseline"])
def test_what_is_silenced_is_silent_in_every_format(
    project: list[str], capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest, how: str
) -> None:
    """By the settings or by the baseline: it counts nowhere, and the command passes."""
    main([*project, "--format", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    table = "tool.graphbus.contracts" if project is DIFF else "tool.graphbus"
    if how == "ignored":
        codes = json.dumps(sorted({finding["code"] for finding in findings}))
        settings = f'[[{table}.ignore]]\ncodes = {codes}\nfiles = "**"\nreason = "May"\n'
    else:
        Path("graphbus-baseline.json").write_text(json.dumps({"version": 1, "findings": findings}))
        settings = f'[{table}]\nbaseline = "graphbus-baseline.json"\n'
    own = Path("pyproject.toml")
    own.write_text(settings + (own.read_text() if own.exists() else ""))
    for form in READ:
        exit_code, counted = _run(project, capsys, form)
        silenced = Counter(f["code"] for f in findings) if form == "junit" else Counter()  # there they are skipped
        assert (form, exit_code, counted) == (form, 0, silenced)
