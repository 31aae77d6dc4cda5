"""New code of one side, run on its own side and in the merged tree: what is as before lands, what is not is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.commit.landing import proof
from graphbus_core.commit.landing.evidence import Evidence
from graphbus_core.commit.landing.interference import Interference
from graphbus_core.commit.landing.land import Landing
from tests.commit.landing.test_land import PLUGINS, Shop

KEEPER = """from pathlib import Path


def note(gap):
    return 0


def time(start, stop):
    note(stop - start)


def keep(folder, text):
    file = Path(folder) / "kept.bin"
    if file.exists():
        return file.read_text()
    file.write_text(text)
    return text
"""
BASE = {
    "keeper.py": KEEPER,
    "tests/test_keeper.py": "from keeper import keep, time\n\n\ndef test_keep(tmp_path):\n    time(1, 3)\n"
                            "    assert keep(tmp_path, 'a') == keep(tmp_path, 'b') == 'a'\n",
    "clock.py": "def elapsed(start, stop):\n    return stop - start\n",
    "store.py": "class Store:\n    def __init__(self):\n        self.items = []\n\n    def add(self, item):\n"
                "        self.items.append(item)\n\n    def newest(self):\n        return self.items[-1]\n",
    "tests/test_clock.py": "from clock import elapsed\nfrom store import Store\n\n\ndef test_elapsed():\n"
                           "    assert elapsed(1, 3)\n    store = Store()\n    store.add('a')\n    store.add('b')\n"
                           "    assert store.newest() == 'b'\n",
}  # fmt: skip
READER = "from clock import elapsed\n\n\ndef is_slow(start, stop):\n    return elapsed(start, stop) > 60\n"
LOG = "from clock import elapsed\n\n\ndef log(start, stop):\n    elapsed(start, stop)\n"
TIMED = "from keeper import time\n\n\ndef timed(start, stop):\n    time(start, stop)\n    return 1\n"
KEPT = "from keeper import keep\n\n\ndef kept(folder, text):\n    return keep(folder, text)\n"
LAST = "def last(store):\n    return store.newest() if store.items else ''\n"
FIRST = "def first(store):\n    return store.items[0] if store.items else ''\n"
REVERSED = BASE["store.py"].replace("append(item)", "insert(0, item)").replace("[-1]", "[0]")
# What ours makes of a file, the new file of theirs, and what the refusal tells, or "" where it lands.
CASES = {
    "same": ("clock.py", "def elapsed(start, stop):\n    gap = -(start - stop)\n    return gap\n", READER, ""),
    "units": ("clock.py", "def elapsed(start, stop):\n    return (stop - start) * 1000\n", READER,
              "gives False on its side, and now gives True"),
    "rounds": ("clock.py", "def elapsed(start, stop):\n    return abs(stop - start)\n", READER, "is_slow("),
    "adapted": ("store.py", REVERSED, LAST, ""),
    "order": ("store.py", REVERSED, FIRST, "first(store=Store()"),
    "guarded": ("store.py", BASE["store.py"].replace("        return self.items[-1]", "        if not self.items:\n"
                "            return None\n        return self.items[-1]"), LAST,
                "no input was found that runs store.py:10"),  # and not that an empty store tells both apart
    "constant": ("clock.py", "def elapsed(start, stop):\n    return stop - start + 1\n", LOG,
                 "no input was found on which it shows what it does; elapsed(start=1, stop=3) gives 2 on its side"),
    "constant, and the same below": ("clock.py", "def elapsed(start, stop):\n    return -(start - stop)\n", LOG, ""),
    "unreached": ("clock.py", ("def elapsed(start, stop):\n    if start == 918273:\n        return 0\n"
                              "    return -(start - stop)\n"),
                  READER.replace("> 60", "* 2").replace("(start, stop) *", "(start % 7, stop) *"),
                  "no input was found that runs clock.py:3"),
    "gone through": ("clock.py", "def elapsed(start, stop):\n    return (stop - start) * 1000\n",
                     READER.replace("elapsed(start, stop) > 60", "sum(elapsed(start, s) for s in range(stop))"),
                     "on its side, and now gives"),
    "handed on": ("keeper.py", KEEPER.replace("stop - start", "-(start - stop)"), TIMED, ""),
    "handed on otherwise": ("keeper.py", KEEPER.replace("stop - start", "start - stop"), TIMED,
                            "whatever it was given, it gave the same"),
    "another file": ("keeper.py", KEEPER.replace(".bin", ".txt"), KEPT, ""),
    "another file, read otherwise": (
        "keeper.py", KEEPER.replace(".bin", ".txt").replace("read_text()", "read_text() * 2"), KEPT, "once more, kept(",
    ),
}  # fmt: skip


SETTINGS = f"[pytest]\npythonpath = .\naddopts = {' '.join(f'-p no:{n}' for n in PLUGINS)}\n"
# One landing a case: a search takes objects of every class and the files that tests left, and so would mix such cases.
ALONE = [name for name, case in CASES.items() if case[0] == "store.py" or case[2] == KEPT]


def place(number: int, path: str, text: str) -> tuple[str, str]:
    """A file of a case, under names of its own: `clock.py` becomes `clock3.py`, wherever it is imported, too."""
    folder, _, name = path.rpartition("/")
    own = f"{name.removesuffix('.py')}{number}.py"
    imports = re.compile(r"^from (keeper|clock|store) import", re.MULTILINE)
    return f"{folder}/{own}" if folder else own, imports.sub(rf"from \g<1>{number} import", text)


def land_cases(folder: Path, names: Sequence[str]) -> tuple[Landing, list[Interference]]:
    """One landing with the changes of some cases, each in files of its own; and of what was run to be told apart."""
    shop = Shop(folder)
    base: dict[str, str | bytes] = {"pytest.ini": SETTINGS}
    theirs: dict[str, str | bytes] = {}
    ours: dict[str, str | bytes] = {}
    for number, name in enumerate(names):
        changed, text, new, _ = CASES[name]
        group = ("keeper",) if changed == "keeper.py" else ("clock", "store")
        for path in BASE:
            if any(word in path for word in group):
                base |= [place(number, path, BASE[path])]
        ours |= [place(number, changed, text)]
        theirs |= [place(number, "reader.py", new)]
    shop.write(base)
    shop.commit("more")
    shop.branch("theirs", theirs)
    shop.write(ours)
    shop.commit("ours")
    judged: list[Interference] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proof, "SHOWN", len(CASES))  # else three are told
        patch.setattr(Evidence, "judge", partialmethod(judge_and_keep, judged, Evidence.judge))
        return shop.land("theirs", verify="auto", dry_run=True)[0], judged


def judge_and_keep(
    evidence: Evidence, judged: list[Interference], judge: Any, findings: Sequence[Interference]
) -> dict[Interference, str]:
    """As `Evidence.judge`, and what it was asked is kept."""
    judged += findings
    return dict(judge(evidence, findings))


@pytest.mark.timeout(400)  # up to seven cases in one landing
@pytest.mark.parametrize(
    "names",
    [
        *([name] for name in ALONE),
        [name for name, case in CASES.items() if name not in ALONE and not case[3]],
        [name for name, case in CASES.items() if name not in ALONE and case[3]],
    ],
    ids=[*ALONE, "as before", "not as before"],
)
def test_new_code_is_run_on_its_side_and_in_the_merged_tree(tmp_path: Path, names: list[str]) -> None:
    """Cases that end alike are in one landing: each is asked about, and each of those that stand is told."""
    landing, judged = land_cases(tmp_path, names)
    assert {f"reader{number}.py" for number in range(len(names))} == {finding.path for finding in judged}
    if not CASES[names[0]][3]:
        assert landing.status == "provable", landing.why
        assert "calls compared" in " ".join(gate.why for gate in landing.gates)
        return
    assert landing.status == "refused"
    texts = re.split(r"(?:: |; )(?=reader[0-9]+[.]py:)", landing.why)[1:]
    told = {re.match(r"reader([0-9]+)", text)[1]: text for text in texts}
    for number, name in enumerate(names):
        as_written = re.sub(rf"\b(clock|store|keeper){number}[.]py", r"\g<1>.py", told[str(number)])
        assert CASES[name][3] in as_written


@pytest.mark.parametrize("told", ["", "on its side, and now"])
def test_what_a_test_puts_something_in_the_place_of_is_run_by_itself(tmp_path: Path, told: str) -> None:
    """No test comes to what the other side changed: whether that does the same shows without the new code."""
    shop = Shop(tmp_path)
    plugins = " ".join(f"-p no:{n}" for n in PLUGINS)
    shop.write({**BASE, "pytest.ini": f"[pytest]\npythonpath = .\naddopts = {plugins}\n"})
    shop.commit("more")
    test = """import reader


def test_is_slow(monkeypatch):
    monkeypatch.setattr(reader, "elapsed", lambda start, stop: stop)
    assert reader.is_slow([], 61)
    assert not reader.is_slow([], 60)
"""
    new = READER.replace("elapsed(start, stop)", "elapsed(start.count(7), stop)")
    shop.branch("theirs", {"reader.py": new, "tests/test_reader.py": test})
    text = "(stop - start) * 1000" if told else "-(start - stop)"
    shop.write({"clock.py": f"def elapsed(start, stop):\n    return {text}\n"})
    shop.commit("ours")
    landing = shop.land("theirs", verify="auto", dry_run=True)[0]
    assert landing.is_good is not bool(told), landing.why
    assert told in landing.why
