"""What a node is given: arguments from providers, a memory that lasts, and rules that name themselves."""

import asyncio
import json
import sys
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings

from graphbus_core import GraphBusNode, depends_on, publishes, schema_method, subscribe
from graphbus_core.config import RuntimeConfig
from graphbus_core.contracts import validator
from graphbus_core.errors import ConfigError, NodeFailed, PolicyRefused
from graphbus_core.runtime import RuntimeExecutor
from graphbus_core.runtime.injection.policy import Policy
from graphbus_core.runtime.injection.providers import Providers
from graphbus_core.testing import payloads, running, sample
from tests.runtime.bounded import run as bounded_run

SHOP = {
    "agents/db.py": "class Database:\n    def __init__(self, rows=()):\n        self.rows = list(rows)\n",
    "agents/shop.py": """
        from __future__ import annotations

        from graphbus_core import GraphBusNode, subscribe
        from agents.db import Database

        made = []


        class Shop(GraphBusNode):
            SYSTEM_PROMPT = "I sell."

            def __init__(self, db: Database, limit=3, clock=None, memory=None):
                super().__init__(memory=memory)
                self.db, self.limit, self.clock = db, limit, clock
                made.append(self)

            @subscribe("/Order")
            def on_order(self, payload):
                self.memory.state["last"] = payload["id"]
                self.memory.note(id=payload["id"])
                self.db.rows.append(payload["id"])

            def last(self):
                return self.memory.state.get("last")


        class Other(GraphBusNode):
            SYSTEM_PROMPT = "I look."

            def __init__(self, db: Database | None = None):
                self.db = db
    """,
}


class Database:
    """The program's own class of that name: the frozen one is another."""

    closed: list = []

    def __init__(self):
        self.rows = []

    def close(self):
        self.closed.append("closed")


class TestProviders:
    def test_one_thing_is_made_once_and_closed_in_reverse_order(self, make_build):
        folder = str(make_build(SHOP))
        log = []

        def make_db():
            log.append("db made")
            yield Database()
            log.append("db closed")

        def make_clock():
            log.append("clock made")
            yield lambda: 5
            log.append("clock closed")

        provide = {"agents.db.Database": make_db, "clock": make_clock}
        with RuntimeExecutor(folder, provide=provide) as executor:
            shop, other = executor.nodes["Shop"], executor.nodes["Other"]
            assert shop.db is other.db
            assert (shop.limit, shop.clock()) == (3, 5)
            assert log == ["db made", "clock made"]
        assert log[2:] == ["clock closed", "db closed"]

    def test_types_are_matched_by_their_names(self, make_build):
        """The program imports `agents.db` itself; the build has a copy of its own."""
        Named = type("Database", (Database,), {"__module__": "agents.db"})
        with RuntimeExecutor(str(make_build(SHOP)), provide={Named: Named}) as executor:
            assert type(executor.nodes["Shop"].db) is Named
        assert Database.closed.pop() == "closed"

    def test_what_nobody_provides_is_named_before_any_node_is_made(self, make_build):
        executor = RuntimeExecutor(str(make_build(SHOP)))
        with pytest.raises(NodeFailed, match=r"Shop.*wants db: Database \(.*shop\.py:\d+\).*nothing provides it"):
            executor.start()
        assert executor.nodes == {}

    @pytest.mark.parametrize("inside", [False, True])
    def test_async_providers(self, make_build, inside):
        folder = str(make_build(SHOP))
        log = []

        async def make_db():
            await asyncio.sleep(0)
            yield Database()
            await asyncio.sleep(0)
            log.append("closed")

        provide = {"agents.db.Database": make_db}
        if inside:

            async def main():
                async with RuntimeExecutor(folder, provide=provide) as executor:
                    assert executor.nodes["Shop"].db.rows == []

            bounded_run(main())
        else:
            with RuntimeExecutor(folder, provide=provide) as executor:
                assert executor.nodes["Shop"].db.rows == []
        assert log == ["closed"]

    @pytest.mark.parametrize("text", ["nonsense", "json:", "nowhere:x", "json:loads"])
    def test_what_cannot_provide_is_refused(self, text):
        with pytest.raises(ConfigError, match="--provide"):
            Providers(texts=(text,))

    def test_a_provider_by_text(self):
        providers = Providers(texts=("clock=time:time_ns", "pathlib:Path"))
        assert sorted(providers._typed) == ["pathlib.Path"]

    def test_a_type_goes_by_its_public_name(self, monkeypatch):
        """Where a package takes a class from a private module of its own, its public name is the one people write."""

        class Pool:
            pass

        Pool.__module__, Pool.__qualname__ = "shop_db._pool", "Pool"
        monkeypatch.setitem(sys.modules, "shop_db._pool", SimpleNamespace(Pool=Pool))
        assert sorted(Providers({Pool: Pool})._typed) == ["shop_db._pool.Pool"]
        monkeypatch.setitem(sys.modules, "shop_db", SimpleNamespace(Pool=Pool))
        for key in (Pool, "shop_db._pool.Pool", "shop_db.Pool"):
            assert sorted(Providers({key: Pool})._typed) == ["shop_db.Pool"]


def test_a_memory_lasts(make_build, tmp_path):
    config = RuntimeConfig(artifacts_dir=str(make_build(SHOP)), state_file=str(tmp_path / "s"))
    for n in (1, 2):
        with RuntimeExecutor(config, provide={"agents.db.Database": Database}) as executor:
            assert executor.call_method("Shop", "last") == (n - 1 or None)
            executor.publish("/Order", {"id": n})
    kept = json.loads((tmp_path / "s").read_text())["memory"]["Shop"]
    assert kept == {"state": {"last": 2}, "history": [{"id": 1}, {"id": 2}]}


class Inventory(GraphBusNode):
    """The stock."""

    @schema_method(input_schema={"sku": str}, output_schema={"left": int})
    def check(self, sku):
        return {"left": 3}

    def wipe(self):
        return "wiped"


@depends_on("Inventory")
class Seller(GraphBusNode):
    """Sells."""

    @subscribe("/Order/Placed")
    @publishes("/Order/Done", {"left": int})
    def on_order(self, payload):
        self.publish("/Order/Done", {"left": self.call("Inventory", "check", sku=payload["sku"])["left"]})

    def wipe(self):
        return self.call("Inventory", "wipe")


class TestRunning:
    """`graphbus_core.testing.harness`."""

    def test_events_are_recorded_and_can_be_waited_for(self):
        async def main():
            async with running([Seller, Inventory]) as app:
                app.publish("/Order/Placed", {"sku": "apple"})
                event = await app.until("/Order/Done", timeout_s=1)
                assert event.payload == {"left": 3}
                with pytest.raises(AssertionError, match=r"no event of /Nope .*: /Order/Placed, /Order/Done"):
                    await app.until("/Nope", timeout_s=0.01)

        bounded_run(main())

    def test_a_stand_in_answers_with_a_valid_sample_or_as_it_is_told(self):
        with running([Seller], stand_ins=[Inventory]) as app:
            app.publish("/Order/Placed", {"sku": "apple"})
            (done,) = app.list_payloads("/Order/Done")
            assert type(done["left"]) is int
            assert app.calls("Inventory") == [("check", {"sku": "apple"})]
        with running([Seller], stand_ins=[Inventory], answers={"Inventory.check": {"left": 7}}) as app:
            app.publish("/Order/Placed", {"sku": "pear"})
            assert app.list_payloads("/Order/Done") == [{"left": 7}]

    def test_a_folder_is_built_and_run(self, make_build, graphbus_running):
        folder = make_build(SHOP).parent
        app = graphbus_running(folder, provide={"agents.db.Database": Database})
        app.publish("/Order", {"id": 4})
        assert app.call("Shop", "last") == 4

    @settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(payloads({"sku": str, "qty": int, "tags": list[str], "price": float | None}))
    def test_payloads_fit_their_contract(self, payload):
        from graphbus_core.contracts import Contract

        contract = Contract.from_annotations({"sku": str, "qty": int, "tags": list[str], "price": float | None})
        assert validator(contract).check(payload) is None

    def test_a_sample_fits(self, graphbus_sample):
        made = graphbus_sample({"sku": str, "n": int})
        assert sorted(made) == ["n", "sku"]
        assert sample({"type": "integer", "minimum": 5}) >= 5


class TestPolicy:
    """Who may call, publish and hear what; a refusal names the rule."""

    RULES = [
        {"name": "sellers", "who": "Seller", "call": ["Inventory.check*"], "publish": ["/Order/*"]},
        {"name": "stock", "who": "Inv*", "hear": []},
    ]

    def test_what_a_rule_allows_goes_and_what_it_does_not_is_refused_by_name(self):
        with running([Seller, Inventory], policy=Policy(self.RULES)) as app:
            app.publish("/Order/Placed", {"sku": "x"})
            assert app.list_payloads("/Order/Done") == [{"left": 3}]
            with pytest.raises(PolicyRefused, match=r"Seller may not call Inventory.wipe.*rule 'sellers'.*check\*"):
                app.call("Seller", "wipe")
            with pytest.raises(PolicyRefused, match="publish to /Stock"):
                app.nodes["Seller"].publish("/Stock", {})
            assert app.call("Inventory", "wipe") == "wiped"  # nothing is said of the program outside

    def test_a_subscription_that_is_not_allowed_stops_the_start(self):
        rules = [{"name": "deaf", "who": "Seller", "hear": ["/Other"]}]
        with pytest.raises(PolicyRefused, match=r"subscribe to /Order/Placed.*'deaf'"):
            running([Seller, Inventory], policy=Policy(rules)).__enter__()

    def test_rules_are_read_from_a_project(self, tmp_path):
        file = tmp_path / "pyproject.toml"
        assert not Policy.from_pyproject(file)
        file.write_text('[[tool.graphbus.policy]]\nwho = "A"\ncall = ["B.*"]\n')
        assert Policy.from_pyproject(file).explain_refusal("A", "call", "C.x")
        assert Policy.from_pyproject(file).explain_refusal("A", "call", "B.x") is None

    @pytest.mark.parametrize("rule", [{}, {"who": "A", "cal": []}, {"who": "A", "call": "B"}, {"who": 3}])
    def test_a_rule_that_cannot_be_is_refused(self, rule):
        with pytest.raises(ConfigError, match="Rule 1"):
            Policy([rule])


class TestHealth:
    """`executor.health()`."""

    def test_it_says_live_and_ready_and_why_not(self, make_build, tmp_path):
        config = RuntimeConfig(artifacts_dir=str(make_build(SHOP)), journal=str(tmp_path / "kept" / "j"))
        executor = RuntimeExecutor(config, provide={"agents.db.Database": Database})
        assert executor.health().to_dict()["live"] is False
        with executor:
            assert executor.health().to_dict() == {"live": True, "ready": True, "reasons": []}
            (tmp_path / "kept").rename(tmp_path / "gone")
            assert "journal" in executor.health().reasons[0]
            (tmp_path / "gone").rename(tmp_path / "kept")

    def test_a_node_that_was_left_out_is_a_reason(self, make_build):
        config = RuntimeConfig(artifacts_dir=str(make_build(SHOP)), skip_broken=True)
        with RuntimeExecutor(config) as executor:
            health = executor.health()
            assert (health.live, health.ready) == (True, False)
            assert "Shop" in health.reasons[0]
