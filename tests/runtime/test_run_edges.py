"""`graphbus run` where things go wrong around the delivery: views, exits, signals, state, standard input."""

import json
import os
import signal
import subprocess
import sys

import pytest

from graphbus_core.cli.main import main
from graphbus_core.runtime import RuntimeExecutor
from tests import forking
from tests.runtime.bounded import ended, line as line_of

NODES = {
    "agents/n.py": r"""
        import os
        import sys

        from graphbus_core import GraphBusNode, subscribe


        class Auth(GraphBusNode):
            def login(self, user, password):
                self.publish("/Auth/Tried", {"user": user, "password": password})
                return {"ok": True}

            def named(self, node_name, method_name="x", payload=None):
                return {"n": node_name, "m": method_name}

            def quit(self):
                sys.exit(0)

            def odd(self):
                self.publish("/Odd", {(1, 2): float("nan"), "text": "\u2603\ud800\x1b[2J"})
                return {"nan": float("nan"), "text": "\u2603\ud800"}

            def show(self, password):
                raise ValueError(f"no {password}")


        class Keeper(GraphBusNode):
            def __init__(self):
                self.seen = []

            @subscribe("/**")
            def on_any(self, topic, payload):
                self.seen.append(len(payload))
                if "password" in payload and os.environ.get("FAIL"):
                    raise ValueError("got " + payload["password"])

            @subscribe("/Quit")
            def on_quit(self, payload):
                sys.exit(0)

            def get_state(self):
                if os.environ.get("BADSTATE"):
                    return {"x": object()}
                return {"seen": self.seen}

            def set_state(self, state):
                self.seen = state["seen"]

            def what(self):
                return self.seen


        class Frail(GraphBusNode):
            def __init__(self):
                if os.environ.get("BREAK"):
                    raise ValueError("broken on purpose")
                if os.environ.get("EXIT") == "init":
                    sys.exit(0)

            def on_start(self):
                self.publish("/Up", {"n": 1})
                if os.environ.get("EXIT") == "start":
                    sys.exit(0)

            def on_stop(self):
                if os.environ.get("BADSTOP"):
                    raise ValueError("stop failed")
                if os.environ.get("EXIT") == "stop":
                    sys.exit(0)

            def get_state(self):
                return {"o": 1}
    """
}


@pytest.fixture
def nodes(make_build):
    return make_build(NODES)


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch):
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO(""))


def graphbus(capsys, *args):
    code = main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


@pytest.fixture
def started():
    """Starts the command; whatever a test left running is ended."""
    runs = []

    def start(*args, **environment):
        runs.append(_started(*args, **environment))
        return runs[-1]

    yield start
    for run in runs:
        ended(run)


def _started(*args, **environment):
    return forking.Popen(
        [sys.executable, "-m", "graphbus_core.cli.main", *map(str, args)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | environment,
    )


def test_a_view_that_cannot_show_an_event_stops_no_delivery(nodes, capsys, monkeypatch):
    from graphbus_core.cli.run.views import LineView

    def broken(*_):
        raise RuntimeError("no ink")

    monkeypatch.setattr(LineView, "event", broken)
    code, out, err = graphbus(capsys, "run", nodes, "--publish", "/T", "--call", "Keeper.what")
    assert code == 0
    assert "no ink" in err
    assert "/T: 1 published, 1 delivered" in out


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_what_a_terminal_cannot_say_is_written_out(nodes, as_json, started):
    run = started("run", nodes, *as_json, "--call", "Auth.odd", PYTHONIOENCODING="ascii")
    out, err = run.communicate(timeout=60)
    assert (run.returncode, err) == (0, b"")
    assert b"\\u2603" in out
    assert b"\x1b[2J" not in out
    assert b"NaN" not in out
    for line in out.splitlines() if as_json else ():
        json.loads(line)
    assert b"delivered" in out


def test_a_journal_is_shown_whatever_it_holds(nodes, tmp_path, capsys, started):
    journal = tmp_path / "j"
    graphbus(capsys, "run", nodes, "--journal", journal, "--publish", "/T", "--payload", '{"x": "\\ud800\\u2603"}')
    show = started("replay", journal, PYTHONIOENCODING="ascii")
    out, err = show.communicate(timeout=60)
    assert (show.returncode, err) == (0, b"")
    assert b"\\ud800" in out


def test_events_of_a_start_are_shown_with_who_hears_them(nodes, capsys):
    _, out, _ = graphbus(capsys, "run", nodes, "--json", "--call", "Keeper.what")
    first = json.loads(out.splitlines()[0])
    assert (first["event"]["topic"], first["handlers"]) == ("/Up", ["Keeper.on_any"])


@pytest.mark.parametrize(
    ("what", "says"),
    [
        (["--call", "Auth.quit"], "sys.exit(0)"),
        (["--publish", "/Quit"], "Keeper.on_quit failed on /Quit: SystemExit: 0"),
    ],
)
def test_a_node_that_calls_sys_exit_has_failed(nodes, capsys, what, says):
    code, out, err = graphbus(capsys, "run", nodes, *what, "--call", "Keeper.what")
    assert code == 1
    assert says in err
    assert json.loads(out[out.index("[") : out.index("]") + 1])  # the rest was done


@pytest.mark.parametrize(("when", "says"), [("init", "made"), ("start", "started"), ("stop", "on_stop failed")])
def test_a_node_that_calls_sys_exit_as_it_comes_or_goes_has_failed(nodes, capsys, monkeypatch, when, says):
    monkeypatch.setenv("EXIT", when)
    code, _, err = graphbus(capsys, "run", nodes, "--call", "Keeper.what")
    assert code == 1
    assert says in err
    assert "sys.exit(0)" in err


def test_a_module_that_calls_sys_exit_has_failed(make_build, capsys):
    text = "import sys\nfrom graphbus_core import GraphBusNode\n\nclass N(GraphBusNode):\n    pass\n\nsys.exit()\n"
    code, _, err = graphbus(capsys, "run", make_build({"agents/n.py": text}))
    assert code == 1
    assert "sys.exit(None)" in err


def test_a_line_that_is_nested_too_deeply_is_passed_over(nodes, capsys, monkeypatch):
    import io

    lines = ["[" * 200_000, '{"topic": "/T", "payload": ' + '{"a":' * 50_000, '{"call": "Keeper.what"}']
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
    code, out, err = graphbus(capsys, "run", nodes)
    assert code == 1
    assert err.count("nested too deeply") == 2
    assert "1" in out


@pytest.mark.parametrize("line", [b"", b'{"publish": "/T"}\n'])
def test_sigterm_is_a_normal_end_of_a_run_fed_by_standard_input(nodes, tmp_path, line, started):
    run = started("run", nodes, "--json", "--state", tmp_path / "s")
    run.stdin.write(line or b'{"publish": "/Other"}\n')
    run.stdin.flush()
    told = [json.loads(line_of(run)) for _ in range(2)]  # of the start, and of the line
    run.send_signal(signal.SIGTERM)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, err) == (0, b"")
    assert told[1]["event"]["topic"] == ("/T" if line else "/Other")
    assert "stats" in json.loads(out.splitlines()[-1])
    assert json.loads((tmp_path / "s").read_text())["nodes"]["Keeper"]["seen"] == [1, 0]


def test_a_node_that_was_left_out_keeps_its_saved_state(nodes, tmp_path, capsys, monkeypatch):
    file = tmp_path / "s"
    assert graphbus(capsys, "run", nodes, "--state", file, "--call", "Keeper.what")[0] == 0
    assert json.loads(file.read_text())["nodes"]["Frail"] == {"o": 1}
    monkeypatch.setenv("BREAK", "1")
    code, _, err = graphbus(capsys, "run", nodes, "--state", file, "--skip-broken", "--publish", "/T")
    assert code == 1
    assert "left out Frail" in err
    assert json.loads(file.read_text())["nodes"] == {"Frail": {"o": 1}, "Keeper": {"seen": [1, 0]}}


def test_a_file_that_is_no_state_is_not_written_over(nodes, tmp_path):
    from graphbus_core.errors import UsageError

    file = tmp_path / "notes"
    file.write_text("mine")
    with RuntimeExecutor(str(nodes)) as executor, pytest.raises(UsageError, match="not a saved state"):
        executor.save_state(file)
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    ("environment", "state", "says"),
    [
        ("BADSTATE", "s", "The state of Keeper cannot be saved"),
        ("BADSTOP", "s", "Frail.on_stop failed: ValueError: stop failed"),
        ("NOTHING", "afile/s", "The state cannot be saved"),
    ],
)
def test_a_stop_that_fails_is_said_and_exit_code_1(nodes, tmp_path, capsys, monkeypatch, environment, state, says):
    (tmp_path / "afile").write_text("")
    monkeypatch.setenv(environment, "1")
    code, _, err = graphbus(capsys, "run", nodes, "--state", tmp_path / state, "--call", "Keeper.what")
    assert code == 1
    assert says in err


def test_a_method_may_have_parameters_named_as_ours(nodes, capsys):
    args = '{"node_name": "a", "method_name": "b", "payload": {}}'
    code, out, _ = graphbus(capsys, "run", nodes, "--call", "Auth.named", "--args", args)
    assert code == 0
    assert json.loads(out[out.index("{\n") : out.index("\n}") + 2]) == {"n": "a", "m": "b"}


def test_a_journal_without_a_bus_is_bad_usage(nodes, tmp_path, capsys):
    code, _, err = graphbus(capsys, "run", nodes, "--no-message-bus", "--journal", tmp_path / "j")
    assert code == 2
    assert "journal" in err


def test_a_hidden_field_shows_nowhere(nodes, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("FAIL", "1")
    args = ["--args", '{"user": "u", "password": "hunter2"}']
    show = ["--call", "Auth.show", "--args", '{"password": "hunter2"}']
    login = ["--call", "Auth.login", *args, *show, "--redact", "password", "--journal", tmp_path / "j"]
    code, out, err = graphbus(capsys, "run", nodes, *login)
    assert code == 1
    assert "got ***" in err
    assert "raised ValueError: no ***" in err
    listed = graphbus(capsys, "run", nodes, "dead-letters")[1]
    assert "***" in listed
    assert "hunter2" not in out + err + listed + (tmp_path / "j").read_text()
    code, _, err = graphbus(capsys, "run", nodes, "dead-letters", "retry", "dl-1")
    assert code == 2
    assert "real values" in err
    code, out, err = graphbus(capsys, "run", nodes, "dead-letters", "retry")
    assert code == 1
    assert "dl-1 was not retried" in err
    assert "0 delivered, 1 failed" in out


def test_failures_are_told_when_the_store_of_dead_letters_is_full(nodes, capsys, monkeypatch):
    from graphbus_core.config import RuntimeConfig
    from graphbus_core.runtime.command_run import CommandRun, PublishCommand

    class Told:
        problems: list[str] = []

        def problem(self, what):
            self.problems.append(what)

        def event(self, *_): ...

        result = summary = event

    monkeypatch.setenv("FAIL", "1")
    with CommandRun(RuntimeConfig(artifacts_dir=str(nodes), dead_letter_limit=1), view := Told()) as session:
        for number in range(3):
            session.execute(PublishCommand("/T", {"password": str(number)}))
    assert [text[-5:] for text in view.problems] == ["got 0", "got 1", "got 2"]


def test_a_replay_says_what_failed(nodes, tmp_path, capsys, monkeypatch):
    journal = tmp_path / "j"
    graphbus(capsys, "run", nodes, "--journal", journal, "--publish", "/T", "--payload", '{"password": "x"}')
    monkeypatch.setenv("FAIL", "1")
    code, _, err = graphbus(capsys, "replay", journal, "--to", nodes)
    assert code == 1
    assert err == "graphbus: Keeper.on_any failed on /T: ValueError: got x\n"


def test_a_torn_file_of_dead_letters_is_said_and_stops_no_run(nodes, capsys):
    graphbus(capsys, "run", nodes, "--call", "Keeper.what")
    file = nodes / "runtime" / "dead_letters.jsonl"
    file.parent.mkdir(exist_ok=True)
    file.write_text('{"id": "dl-1", "top')
    code, _, err = graphbus(capsys, "run", nodes, "--call", "Keeper.what")
    assert code == 0
    assert "half a dead letter" in err
    assert "half a dead letter" in graphbus(capsys, "run", nodes, "dead-letters")[2]
