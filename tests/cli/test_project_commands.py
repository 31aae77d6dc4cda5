"""`init`, `doctor` and `watch`, as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphbus_core.cli import main as cli
from graphbus_core.cli.main import main

BROKEN = "def load():\n    return {'quantity': 3}\n\n\ndef total():\n    return load()['qty']\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plain project with tests and no settings."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "shop"\n')
    (tmp_path / "shop.py").write_text(BROKEN)
    (tmp_path / "tests").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_init_shows_first_and_writes_only_on_request(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What stands there stays, byte for byte; a second time it says that it is done."""
    before = (project / "pyproject.toml").read_bytes()
    assert main(["init"]) == 0
    assert "+[tool.graphbus]" in capsys.readouterr().out
    assert (project / "pyproject.toml").read_bytes() == before
    assert main(["init", "--write"]) == 0
    after = (project / "pyproject.toml").read_bytes()
    assert after.startswith(before)
    assert b'verify = "auto"' in after
    assert main(["init", "--write"]) == 2
    assert (project / "pyproject.toml").read_bytes() == after


@pytest.mark.parametrize("text", ["[tool.graphbus]\n", "broken = [\n"])
def test_init_adds_nothing_to_an_empty_table_or_to_what_is_no_toml(
    project: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "pyproject.toml").write_text(text)
    assert main(["init", "--write"]) == 2
    assert "pyproject.toml" in capsys.readouterr().err
    assert (project / "pyproject.toml").read_text() == text


def test_init_keeps_the_line_ends_of_the_file_and_finds_agents(project: Path) -> None:
    """Also where there are agents: their folder is the root."""
    (project / "pyproject.toml").write_bytes(b'[project]\r\nname = "shop"\r\n')
    (project / "agents").mkdir()
    (project / "agents" / "a.py").write_text("class A(GraphBusNode): ...\n")
    assert main(["init", "--write"]) == 0
    written = (project / "pyproject.toml").read_bytes()
    assert b'roots = ["agents"]\r\n' in written
    assert b"\n" not in written.replace(b"\r\n", b"")


def test_doctor_tells_names_of_keys_and_never_their_values(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is absent is told with the line that mends it; only what is broken fails."""
    monkeypatch.setenv("OPENAI_API_KEY", "a-value-of-the-test")
    assert main(["doctor", "--json"]) == 0
    out = capsys.readouterr().out
    assert "OPENAI_API_KEY" in out
    assert "a-value-of-the-test" not in out
    checks = {one["name"]: one for one in json.loads(out)["checks"]}
    assert checks["agents"]["mend"].startswith("graphbus infer")
    assert {"graphbus", "sandbox", "git", "settings", "[types]"} <= checks.keys()


def test_doctor_fails_on_a_setting_that_is_wrong(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With its line."""
    (project / "pyproject.toml").write_text("[tool.graphbus]\nroundz = 3\n")
    assert main(["doctor"]) == 1
    assert "pyproject.toml:2" in capsys.readouterr().out


def test_doctor_knows_every_extra_and_tells_its_version(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those of `pyproject.toml` that a user wants; the package whose version is told is one that the extra brings."""
    import tomllib
    from importlib.metadata import version

    from graphbus_core.cli.doctor import EXTRAS

    text = (Path(__file__).resolve().parents[2] / "pyproject.toml").read_text("utf-8")
    brought = tomllib.loads(text)["project"]["optional-dependencies"]
    assert set(EXTRAS) == set(brought) - {"all", "bench", "dev", "dist", "docs", "mutations"}
    for extra, (package, _) in EXTRAS.items():
        assert any(one.startswith(package) for one in brought[extra]), extra
    main(["doctor", "--json"])
    checks = {one["name"]: one for one in json.loads(capsys.readouterr().out)["checks"]}
    assert checks["[types]"]["says"].endswith(version("ty"))
    assert checks["git"]["says"].startswith("git version")
    assert {"nats", "serve"} <= checks.keys()


@pytest.mark.parametrize("package", ["numpy", "highspy", "pydantic_ai", "mcp", "uvicorn", "nats", "networkx", "pygls"])
def test_a_package_that_is_missing_is_named_with_its_extra(package: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`graphbus consent run` after a plain `pip install` was a traceback about numpy."""
    assert cli._report_error(ModuleNotFoundError(name=package), "consent", 2, False) == 2
    assert "pip install 'graphbus-core[" in capsys.readouterr().err


@pytest.mark.parametrize(("model", "code"), [("openai:gpt-6.1-terra", 1), ("Cart=rules", 0), ("nobody", 1)])
def test_doctor_says_whether_the_models_of_the_settings_can_speak(
    model: str,
    code: int,
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One without its key, and one that says no provider, would end a build."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    (project / "pyproject.toml").write_text(f'[tool.graphbus]\nmodel = ["{model}"]\n')
    assert main(["doctor", "--json"]) == code
    checks = {one["name"]: one for one in json.loads(capsys.readouterr().out)["checks"]}
    (one,) = (one for name, one in checks.items() if name.startswith("model "))
    assert one["ok"] is (code == 0)
    assert bool(one["mend"]) is (code == 1)


def test_doctor_asks_whether_a_server_of_ones_own_answers_and_tells_no_secret(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """First it listens, then it does not."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://me:a-secret@127.0.0.1:{port}/v1?key=a-secret")
        assert main(["doctor"]) == 0
        assert f"127.0.0.1:{port}, which answers" in capsys.readouterr().out
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "does not answer" in out
    assert "unset OPENAI_BASE_URL" in out
    assert "a-secret" not in out


def test_watch_looks_once_and_says_what_it_found(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A project without agents is read as `infer` does."""
    assert main(["watch", "--once"]) == 1
    assert "shop.py:6: ✗ GB501" in capsys.readouterr().out
    (project / "shop.py").write_text(BROKEN.replace("qty", "quantity"))
    assert main(["watch", "--once"]) == 0


def test_a_plain_project_has_a_baseline_too(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its findings are kept, and new ones count."""
    assert main(["infer"]) == 1
    assert main(["baseline", "."]) == 0
    assert main(["infer"]) == 0
    (project / "more.py").write_text(BROKEN)
    capsys.readouterr()
    assert main(["infer"]) == 1
    assert "shop.py:6: ✗" not in capsys.readouterr().out


def test_watch_tells_what_came_and_what_is_gone(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Between two looks."""
    from graphbus_core.cli.watch import print_changes

    first = print_changes(".", None)
    (project / "shop.py").write_text(BROKEN.replace("qty", "quantity"))
    assert print_changes(".", first) == {}
    assert "✓ gone: GB501" in capsys.readouterr().out
    (project / "shop.py").write_text(BROKEN)
    first = print_changes(".", None)
    capsys.readouterr()
    (project / "shop.py").write_text("def (")
    half_typed = print_changes(".", first)
    assert "gone" not in capsys.readouterr().out
    (project / "shop.py").write_text(BROKEN)
    assert print_changes(".", half_typed) == first
