"""A test that passes, and takes another road through its side's new code than on that side."""

from __future__ import annotations

from pathlib import Path

from tests.commit.landing.test_land import PLUGINS, Shop

BASE = {
    "work.py": "class Work:\n    def __init__(self):\n        self.done = []\n\n    def close(self):\n"
    "        self.done.append(1)\n",
    "run.py": "from work import Work\n\n\ndef run(work):\n    return work.done\n\n\ndef start():\n    return Work()\n",
    "tests/test_run.py": "from run import run, start\n\n\ndef test_run():\n    assert run(start()) == []\n",
}
LISTENS = BASE["work.py"].replace("(self):\n        self.done = []", "(self, heard=None):\n        self.done = []\n"
                                  "        self.heard = heard")  # fmt: skip
LISTENS = LISTENS.replace("append(1)\n", "append(1)\n        if self.heard:\n            self.heard()\n")
CLOSES = BASE["run.py"].replace("    return work.done", "    work.close()\n    return work.done")
TEST = "from run import run\nfrom work import Work\n\n\ndef test_heard():\n    heard = []\n"
TEST += "    run(Work(lambda: heard.append(1)))\n    work = Work(print)\n    assert work.heard\n"


def land(folder: Path, ours: dict[str, str]) -> tuple[str, str]:
    shop = Shop(folder)
    shop.write(
        {**BASE, "pytest.ini": f"[pytest]\npythonpath = .\naddopts = {' '.join(f'-p no:{n}' for n in PLUGINS)}\n"}
    )
    shop.commit("more")
    shop.branch("theirs", {"work.py": LISTENS, "tests/test_heard.py": TEST})
    shop.write(ours)
    shop.commit("ours")
    landing = shop.land("theirs", verify="auto", dry_run=True)[0]
    return landing.status, landing.why


def test_new_code_that_the_other_side_newly_calls_is_a_question(tmp_path: Path) -> None:
    status, why = land(
        tmp_path, {"run.py": CLOSES, "tests/test_run.py": BASE["tests/test_run.py"].replace("[]", "[1]")}
    )
    assert status == "refused"
    assert "work.py:8: tests/test_heard.py::test_heard runs it in the merged tree, and did not on its own side" in why


def test_what_takes_the_same_road_lands(tmp_path: Path) -> None:
    status, why = land(
        tmp_path, {"run.py": BASE["run.py"].replace("    return work.done", "    done = work.done\n    return done")}
    )
    assert status == "provable", why
