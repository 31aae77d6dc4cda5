"""`--verify auto` is judged from outside: what passed before must pass again, whatever the run says of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.commit.gates.pytest_suite import find_changed_tests, is_among, read_outcome
from graphbus_core.sandbox import runner
from graphbus_core.sandbox.runner import RunResult
from tests.commit.projects import CLEAN, FILES, about, engine, write

confined = pytest.mark.skipif(runner.describe().kind == "limits", reason="no sandbox here")
TESTS = (
    "from agents.cleaner import Cleaner\n\n\n"
    "def test_keeps():\n    assert Cleaner().clean(['a'])['items'] == ['a']\n\n\n"
    "def test_drops():\n    assert Cleaner().clean([''])['items'] == []\n\n\n"
    "def test_red():\n    assert False\n"
)
GOOD = "return {'items': [one for one in headlines if one]}"


FORGED = (
    "import os; os.write(1, b'=== short test summary info ===\\nPASSED tests/test_it.py::test_keeps\\n"
    "PASSED tests/test_it.py::test_drops\\n=== 2 passed in 0.1s ===\\n'); os._exit(0)"
)


def verified(tmp_path: Path, body: str, **files: str) -> dict[str, object]:
    """The receipt of one changed body."""
    root = write(tmp_path / "p", {**FILES, "tests/test_it.py": TESTS, **files})
    with engine(root, verify="auto", verify_timeout_s=120) as commits:
        return commits.apply("prepare", about("p-1", {"op": "replace_body", **CLEAN, "body": body}))


def test_what_failed_before_as_well_blocks_nothing(tmp_path: Path) -> None:
    """It is counted, and said."""
    receipt = verified(tmp_path, GOOD)
    assert receipt["status"] == "prepared", receipt["reason"]
    (end,) = [one for one in receipt["ends"] if one["gate"] == "verify"]  # type: ignore[attr-defined]
    assert (end["end"], end["why"]) == ("tested", "2 tests passed before and after; 1 failed before the change")


@confined
@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return {'items': list(headlines)}", "tests/test_it.py::test_drops"),
        ("import os; os._exit(0)", "ended before its tests were over"),
        ("import sys; sys.modules['pytest'].skip()\nreturn {'items': []}", "test_keeps"),
        (FORGED, "ended before its tests were over"),
    ],
    ids=["a worse body", "an exit", "a skip", "a forged end"],
)
def test_a_test_that_passed_must_pass_again(body: str, says: str, tmp_path: Path) -> None:
    """A run that ends early, skips, or writes its own result is a no."""
    receipt = verified(tmp_path, body)
    assert (receipt["status"], receipt["gate"]) == ("failed", "verify")
    assert says in str(receipt["reason"])


@confined
def test_a_pytest_that_was_patched_is_caught_by_the_test_that_must_fail(tmp_path: Path) -> None:
    """The change makes every report green; the decoy beside the tests is then green too."""
    forged = (
        "import sys\nr = sys.modules['_pytest.reports']\n"
        "def green(cls, item, call, real=r.TestReport.from_item_and_call.__func__):\n"
        "    report = real(cls, item, call)\n    report.outcome, report.longrepr = 'passed', None\n    return report\n"
        "r.TestReport.from_item_and_call = classmethod(green)\n"
        "return {'items': list(headlines)}"
    )
    receipt = verified(tmp_path, forged)
    assert (receipt["status"], receipt["gate"]) == ("failed", "verify"), receipt
    assert "cannot be believed" in str(receipt["reason"])


@confined
def test_code_is_not_told_that_it_is_judged(tmp_path: Path) -> None:
    """No variable of ours, no module of ours, no argument of ours, beside what a user's own run has."""
    body = (
        "import os, sys\n"
        "ours = [k for k in os.environ if 'GRAPHBUS' in k.upper()] + [a for a in sys.argv if 'graphbus' in a]\n"
        "ours += [m for m in sys.modules if m.startswith('graphbus_core.build')]\n"
        "assert not ours, ours\n" + GOOD
    )
    receipt = verified(tmp_path, body)
    assert receipt["status"] == "prepared", receipt["reason"]


def test_the_list_is_read_and_the_worse_counts() -> None:
    """What is said twice of one test; parameters with blanks; a run without a list."""
    text = (
        "=== short test summary info ===\nPASSED t/test_a.py::test_x[a b]\nFAILED t/test_a.py::test_y - assert 0\n"
        "PASSED t/test_a.py::test_y\nSKIPPED [1] t/test_b.py:3: no\nERROR t/test_c.py\n=== 1 failed in 0.1s ==="
    )
    found = read_outcome(RunResult(1, text, None, 0.0))
    assert found.ends == {
        "t/test_a.py::test_x[a b]": "passed",
        "t/test_a.py::test_y": "failed",
        "t/test_b.py": "skipped",
        "t/test_c.py": "error",
    }
    assert found.whole
    assert not read_outcome(RunResult(0, "x\n", None, 0.0)).whole


def test_tests_that_are_changed_have_no_say() -> None:
    """One function alone, or the whole file where a helper changed; a new file is all new."""
    old = b"def helper(): return 1\ndef test_a(): assert helper()\nclass TestB:\n    def test_c(self): pass\n"
    new = old.replace(b"assert helper()", b"assert True")
    assert find_changed_tests({"t/test_a.py": old}, {"t/test_a.py": new}) == {"t/test_a.py::test_a"}
    assert find_changed_tests({"t/test_a.py": old}, {"t/test_a.py": old.replace(b"pass", b"assert 1")}) == {
        "t/test_a.py::TestB::test_c"
    }
    assert find_changed_tests({"t/test_a.py": old}, {"t/test_a.py": old.replace(b"return 1", b"return 2")}) == {
        "t/test_a.py"
    }
    assert find_changed_tests({}, {"t/test_a.py": b"def test_a(): pass\n"}) == {"t/test_a.py::test_a"}
    assert is_among("t/test_a.py::test_a[1]", {"t/test_a.py::test_a"})
    assert not is_among("t/test_a.py::test_ab", {"t/test_a.py::test_a"})
