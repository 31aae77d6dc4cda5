"""`graphbus run`, `graphbus replay` and `python -m graphbus_core.runtime`, as a person and as a program use them."""

import json
import os
import signal
import subprocess
import sys

import pytest

from graphbus_core.cli.main import main
from tests.runtime.bounded import ended, line


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch):
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO(""))


def graphbus(capsys, *args):
    code = main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return code, out, err


def test_publish_delivers_and_shows_who_heard_it(shop, capsys):
    code, out, err = graphbus(
        capsys, "run", shop, "--publish", "/Order/Created", "--payload", '{"id": 1, "sku": "apple"}'
    )
    assert (code, err) == (0, "")
    first, second, *summary = out.splitlines()
    assert "/Order/Created" in first
    assert "Inventory.on_order" in first
    assert "↳" in second
    assert "Shop.handle_event" in second
    assert "/Order/Created: 1 published, 1 delivered" in summary


def test_call_prints_what_is_returned(shop, capsys):
    code, out, _ = graphbus(
        capsys, "run", shop, "--call", "Inventory.check_stock", "--args", '{"sku": "apple", "qty": 1}'
    )
    assert code == 0
    assert json.loads(out) == {"available": True, "left": 3}


def test_json_is_one_line_an_event(shop, capsys):
    code, out, _ = graphbus(capsys, "run", shop, "--json", "--call", "Shop.order", "--args", '{"id": 4}')
    assert code == 0
    lines = [json.loads(line) for line in out.splitlines()]
    created, accepted, result, stats = lines
    assert created["event"]["topic"] == "/Order/Created"
    assert accepted["event"]["cause"] == created["event"]["event_id"]
    assert accepted["handlers"] == ["Shop.handle_event"]
    assert result == {"call": "Shop.order", "result": {"sold": True}}
    assert stats["stats"]["message_bus"]["messages_delivered"] == 2


def test_lines_of_standard_input_are_done_in_turn(shop, capsys, monkeypatch):
    import io

    lines = [
        '{"topic": "/Order/Created", "payload": {"id": 1, "sku": "apple"}}',
        "nonsense",
        '{"call": "Inventory.check_stock", "args": {"sku": "apple"}}',
    ]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
    code, out, _ = graphbus(capsys, "run", shop, "--json")
    told = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert [next(iter(one)) for one in told] == ["event", "event", "problem", "call", "stats"]
    assert told[3]["result"]["left"] == 2


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--call", "Inventory.check_stok"], "Did you mean 'check_stock'"),
        (["--call", "Inventry.check_stock"], "Did you mean 'Inventory'"),
        (["--call", "check_stock"], "Node.method"),
        (["--call", "Inventory.check_stock", "--args", '{"sku": '], "not JSON"),
        (["--call", "Inventory.check_stock", "--args", "[1]"], "JSON object"),
        (["--publish", "/T", "--payload", "3"], "JSON object"),
        (["--payload", "{}"], "more --payload"),
        (["--payload-checks", "maybe"], "off, warn or enforce"),
        (["--payload-checks", "enforce", "--publish", "/Order/Createt"], "Did you mean '/Order/Created'"),
        (["dead-letters", "burn"], "list, retry or purge"),
        (["dead-letters", "purge", "dl-9"], "no dead letter dl-9"),
        (["--stop-timeout", "-1"], "greater than 0"),
    ],
)
def test_bad_usage_is_one_paragraph_and_exit_code_2(shop, capsys, args, says):
    code, out, err = graphbus(capsys, "run", shop, *args)
    assert code == 2
    assert says in err
    assert "Traceback" not in out + err
    assert len(err.strip().splitlines()) == 1


def test_no_build_is_exit_code_2(tmp_path, capsys):
    code, _, err = graphbus(capsys, "run", tmp_path / "none")
    assert code == 2
    assert "graphbus build" in err


def test_a_failing_method_is_told_without_a_traceback(shop, capsys):
    code, _, err = graphbus(capsys, "run", shop, "--call", "Shop.asks")
    assert code == 2  # the node calls a method that is not there
    code, _, err = graphbus(capsys, "run", shop, "--call", "Inventory.price", "--args", '{"price": "x"}')
    assert code == 1
    assert "Inventory.price raised TypeError" in err
    assert "Traceback" not in err


def test_dead_letters_are_kept_listed_retried_and_purged(shop, capsys):
    code, out, err = graphbus(capsys, "run", shop, "--publish", "/Order/Created", "--payload", '{"id": 1}')
    assert code == 1
    assert "Inventory.on_order failed on /Order/Created: KeyError: 'sku'" in err
    code, out, _ = graphbus(capsys, "run", shop, "dead-letters")
    assert code == 0
    assert "dl-1" in out
    assert "KeyError" in out
    code, out, _ = graphbus(capsys, "run", shop, "dead-letters", "list", "--json")
    assert json.loads(out)["event"]["payload"] == {"id": 1}
    code, out, _ = graphbus(capsys, "run", shop, "dead-letters", "retry")
    assert code == 1
    assert "0 delivered, 1 failed" in out
    _, out, _ = graphbus(capsys, "run", shop, "dead-letters", "list", "--json")
    assert json.loads(out)["count"] == 2
    code, out, _ = graphbus(capsys, "run", shop, "dead-letters", "purge", "dl-1")
    assert (code, out) == (0, "1 dead letters purged.\n")
    _, out, _ = graphbus(capsys, "run", shop, "dead-letters")
    assert out == "No dead letters.\n"


def test_a_journal_is_shown_and_played_back(shop, tmp_path, capsys):
    journal = tmp_path / "j"
    graphbus(capsys, "run", shop, "--journal", journal, "--call", "Shop.order", "--args", '{"id": 1}')
    code, out, _ = graphbus(capsys, "replay", journal)
    assert code == 0
    assert [line.split()[1] for line in out.splitlines()] == ["call", "call", "/Order/Created", "/Order/Accepted"]
    _, out, _ = graphbus(capsys, "replay", journal, "--topic", "/Order/Acc*", "--json")
    assert [json.loads(line)["event"]["topic"] for line in out.splitlines()] == ["/Order/Accepted"]
    code, out, _ = graphbus(capsys, "replay", journal, "--to", shop, "--state", tmp_path / "state")
    assert code == 0
    assert "0 events and 1 call played, 3 followed" in out
    assert json.loads((tmp_path / "state").read_text())["nodes"]["Inventory"]["log"] == [1]


def test_state_is_kept_from_run_to_run(shop, tmp_path, capsys):
    for id in (1, 2):
        graphbus(capsys, "run", shop, "--state", tmp_path / "s", "--call", "Shop.order", "--args", f'{{"id": {id}}}')
    assert json.loads((tmp_path / "s").read_text())["nodes"]["Inventory"]["log"] == [1, 2]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_a_waiting_run_and_saves_its_state(shop, tmp_path, number, code):
    command = [sys.executable, "-m", "graphbus_core.runtime", "--artifacts", str(shop), "--wait"]
    state = tmp_path / "state"
    run = subprocess.Popen(
        [*command, "--state", str(state)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    try:
        assert line(run).startswith("2 nodes are running")
        assert run.poll() is None
        os.kill(run.pid, number)
        run.communicate(timeout=60)
    finally:
        ended(run)
    assert run.returncode == code
    assert state.exists()


def test_python_m_runtime_runs_a_build_to_the_end_of_its_input(shop):
    done = subprocess.run(
        [sys.executable, "-m", "graphbus_core.runtime", "--artifacts", str(shop)],
        input='{"topic": "/Order/Created", "payload": {"id": 1, "sku": "apple"}}\n',
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert "/Order/Accepted: 1 published, 1 delivered" in done.stdout


def test_trace_shows_each_call_inside_its_caller(shop, capsys):
    """With arguments, who called, and how it ended; what is hidden is hidden there, too."""
    code, out, _ = graphbus(
        capsys, "run", shop, "--trace", "--json", "--redact", "sku", "--call", "Shop.order", "--args", '{"id": 4}'
    )
    assert code == 0
    traced = [line["traced"] for line in map(json.loads, out.splitlines()) if "traced" in line]
    told = [(one["kind"], one["name"], one["inside"] or one["src"], one["depth"]) for one in traced]
    assert told == [
        ("here", "Inventory.check_stock", "Shop.order", 1),
        ("handler", "Inventory.on_order", "Shop.order", 1),
        ("handler", "Shop.handle_event", "Shop.order", 1),
        ("here", "Shop.order", "runtime", 0),
    ]
    assert traced[0]["arguments"] == {"sku": "***", "qty": 1}
    assert all(one["took_s"] >= 0 and one["error"] == "" for one in traced)
    code, out, _ = graphbus(
        capsys, "run", shop, "--trace", "--call", "Inventory.check_stock", "--args", '{"nobody": 1}'
    )
    assert code == 1
    assert "raised TypeError" in out
