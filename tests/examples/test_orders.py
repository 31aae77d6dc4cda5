"""The example `orders`: a database from a provider, a stand-in, a call that policy denies, a memory over kill -9."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from graphbus_core.build.builder import build_project
from graphbus_core.cli.examples import example
from graphbus_core.config import BuildConfig
from graphbus_core.errors import PolicyRefused
from graphbus_core.runtime import RuntimeExecutor
from graphbus_core.runtime.injection.policy import Policy
from graphbus_core.testing import running
from tests import forking


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    """A copy of the example, built."""
    folder = Path(shutil.copytree(example("orders"), tmp_path / "orders"))
    build_project(BuildConfig(root_package=str(folder), output_dir=str(folder / ".graphbus")))
    return folder


def stocked() -> sqlite3.Connection:
    """A stock of three apples."""
    db = sqlite3.connect(":memory:", check_same_thread=False)
    db.execute("CREATE TABLE stock (sku TEXT PRIMARY KEY, left INTEGER)")
    db.execute("INSERT INTO stock VALUES ('apple', 3)")
    return db


def test_the_database_is_provided(orders: Path) -> None:
    with RuntimeExecutor(str(orders / ".graphbus"), provide={sqlite3.Connection: stocked}) as executor:
        executor.publish("/Order/Placed", {"sku": "apple"})
        assert executor.bus is not None
        assert executor.bus.get_message_history(1)[0].payload == {"sku": "apple", "left": 2}


def test_the_shop_with_a_stand_in(orders: Path) -> None:
    with running(orders, stand_ins=["Stock"], answers={"Stock.take": {"left": 41}}) as app:
        app.publish("/Order/Placed", {"sku": "pear"})
        assert app.list_payloads("/Order/Done") == [{"sku": "pear", "left": 41}]
        assert app.calls("Stock") == [("take", {"sku": "pear"})]


def test_the_policy_denies_by_name(orders: Path) -> None:
    policy = Policy.from_pyproject(orders / "pyproject.toml")
    provide = {sqlite3.Connection: stocked}
    refused = pytest.raises(PolicyRefused, match=r"Shop may not call Stock\.wipe.*'shop-only-takes'")
    with RuntimeExecutor(str(orders / ".graphbus"), provide=provide, policy=policy) as executor, refused:
        executor.call_method("Shop", "wipe")


def test_the_memory_survives_kill_9(orders: Path) -> None:
    """Every order that was acknowledged is counted once, whenever the run died."""
    command = [sys.executable, "-m", "graphbus_core.runtime", "--artifacts", ".graphbus"]
    command += ["--journal", "run.jsonl", "--state", "state.json", "--json"]
    line = json.dumps({"topic": "/Order/Placed", "payload": {"sku": "apple"}}) + "\n"
    done = 0
    for wait in (0.0, 0.02, 0.05):
        child = subprocess.Popen(command, cwd=orders, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        watchdog = threading.Timer(60, child.kill)  # ends the reading below, too
        watchdog.start()
        try:
            assert child.stdin is not None
            assert child.stdout is not None
            for _ in range(3):
                child.stdin.write(line)
                child.stdin.flush()
                assert any("/Order/Done" in said for said in iter(child.stdout.readline, ""))
            done += 3
            time.sleep(wait)
        finally:
            watchdog.cancel()
            child.kill()
            child.wait(30)
    last = subprocess.run(
        [*command, "--call", "Shop.sold"], cwd=orders, capture_output=True, text=True, timeout=60, env=os.environ
    )
    results = [json.loads(one)["result"] for one in last.stdout.splitlines() if '"result"' in one]
    assert results == [{"sold": done}], last.stdout + last.stderr


FORGOT_AWAIT = """def sold(self) -> dict[str, int]:
        print(self.anodes.Stock.look(sku="apple")["left"])
"""


def strictly(orders: Path) -> list[str]:
    """What `mypy --strict` says of the example."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--config-file", os.devnull, "agents"],
        cwd=orders,
        env={**os.environ, "MYPYPATH": ".graphbus/types"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "rror:" in done.stdout or "Success" in done.stdout, done.stdout + done.stderr
    return [one for one in done.stdout.splitlines() if ": error:" in one]


def test_mypy_finds_the_misspelt_call(orders: Path) -> None:
    """In the example itself, sync and awaited; also a wrong argument, and a result taken for another type."""
    shop = orders / "agents" / "shop.py"
    text = shop.read_text()
    assert strictly(orders) == []
    for right, wrong in (
        ("self.nodes.Stock.take(sku", "self.nodes.Stock.tak(sku"),
        ('self.anodes.Stock.look(sku="apple")', "self.anodes.Stock.look(sku=3)"),
        ('{"wiped": self.nodes.Stock.wipe()["wiped"]}', '{"wiped": self.nodes.Stock.take(sku="apple")}'),
        ("def sold(self) -> dict[str, int]:\n", FORGOT_AWAIT),
    ):
        assert right in text
        text = text.replace(right, wrong)
    shop.write_text(text)
    found = "\n".join(strictly(orders))
    for told in ('"_Stock" has no attribute "tak"', 'expected "str"', '"str": "bool"', "is not indexable"):
        assert told in found, found


def test_validate_finds_the_forbidden_call_alone(orders: Path) -> None:
    """`graphbus validate` reads the example's settings: what its policy forbids is an error, as the build says."""
    command = [sys.executable, "-m", "graphbus_core.cli.main", "validate", "."]
    done = forking.run(command, cwd=orders, capture_output=True, text=True, timeout=100)
    assert (done.returncode, "?" in done.stdout, done.stderr) == (1, False, ""), done.stdout + done.stderr
    assert "GB111 Shop may not call Stock.wipe" in done.stdout
    assert "1 error." in done.stdout


def test_an_awaited_call(orders: Path) -> None:
    """`await self.anodes.Stock.look(sku=…)` does what its type says."""
    with RuntimeExecutor(str(orders / ".graphbus"), provide={sqlite3.Connection: stocked}) as executor:
        assert executor.call_method("Shop", "apples") == {"left": 3}


def test_the_build_finds_what_the_run_would_refuse(orders: Path) -> None:
    """The denied call, with file, line and rule; and an argument that no provider gives, where some are configured."""
    command = [sys.executable, "-m", "graphbus_core.cli.main", "build", ".", "--output-dir", ".graphbus"]

    def built() -> tuple[int, str]:
        done = forking.run(command, cwd=orders, capture_output=True, text=True, timeout=100)
        return done.returncode, done.stdout

    shop = (orders / "agents" / "shop.py").read_text().splitlines()
    line = 1 + next(i for i, one in enumerate(shop) if "Stock.wipe()" in one)
    code, text = built()
    assert (code, f"agents/shop.py:{line}: Shop may not call Stock.wipe" in text, "shop-only-takes" in text) == (
        1,
        True,
        True,
    ), text
    settings = orders / "pyproject.toml"
    settings.write_text(settings.read_text().replace("Stock.look", "Stock.*"))
    assert built()[0] == 0
    stock = orders / "agents" / "stock.py"
    stock.write_text(stock.read_text().replace("db: sqlite3.Connection)", "db: sqlite3.Connection, clock: object)"))
    code, text = built()
    assert (code, "its __init__ wants clock: object (agents/stock.py:" in text) == (1, True), text
    settings.write_text(
        settings.read_text().replace('["providers:database"]', '["providers:database", "clock=time:time"]')
    )
    assert built()[0] == 0
