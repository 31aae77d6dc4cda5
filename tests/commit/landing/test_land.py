"""Landing branches in real repositories: what lands, what is left alone, and what stands afterwards."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from graphbus_core.commit.landing import advance as advancing
from graphbus_core.commit.landing.advance import hold_landing_lock, open_state, recover
from graphbus_core.commit.landing.land import Lander, Landing, LandingRequest, land, read_landings
from graphbus_core.commit.landing.repository import Repository
from graphbus_core.errors import Locked, LogDamaged, UsageError

MODULE = '''"""Prices."""


def price(net, rate):
    """The price."""
    total = net * (1 + rate)
    return total


def label(name):
    """The label."""
    return name.title()
'''
TESTS = "from shop import price\n\n\ndef test_price():\n    assert price(100, 0.5) == 150\n"


PLUGINS = ("schemathesis", "asyncio", "anyio", "hypothesispytest", "xdist", "pytest_cov", "pytest-lsp",
           "graphbus", "timeout", "playwright")  # fmt: skip


class Shop:
    """A repository with a module, its tests, and a branch for each change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "Ann")
        self.git("config", "user.email", "ann@example.org")
        self.git("config", "core.autocrlf", "false")
        self.write({"shop.py": MODULE, "tests/test_shop.py": TESTS})
        # The plug-ins of this suite are no matter of the shop's; one of them binds a socket, which a sandbox forbids.
        self.write({"pytest.ini": f"[pytest]\naddopts = {' '.join(f'-p no:{name}' for name in PLUGINS)}\n"})
        self.commit("base")

    def git(self, *words: str) -> str:
        done = subprocess.run(["git", *words], cwd=self.folder, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def write(self, files: dict[str, str | bytes]) -> None:
        for path, text in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def branch(self, name: str, files: dict[str, str | bytes], start: str = "main") -> None:
        self.git("switch", "-q", "-c", name, start)
        self.write(files)
        self.commit(name)
        self.git("switch", "-q", "main")

    def land(self, *branches: str, verify: str | None = None, dry_run: bool = False) -> list[Landing]:
        return land(self.folder, LandingRequest(branches, verify=verify, dry_run=dry_run))[0]

    def state(self) -> tuple[str, str, str]:
        return self.git("rev-parse", "HEAD"), self.git("status", "--porcelain"), (self.folder / "shop.py").read_text()


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


FEE = MODULE.replace("rate):", "rate, fee=0):").replace("    return total", "    total += fee\n    return total")
DISCOUNT = MODULE.replace("rate):", "rate, discount=0):").replace(
    "    total = net", "    net = net - discount\n    total = net"
)
UPPER = MODULE.replace("name.title()", "name.upper()")
LOWER = MODULE.replace("name.title()", "name.lower()")


def test_branches_land_one_after_the_other_with_trailers(shop: Shop) -> None:
    """Both edits and both tests are there, the tree is clean, and each landing is one commit."""
    shop.branch(
        "fee",
        {"shop.py": FEE, "tests/test_shop.py": TESTS + "\n\ndef test_fee():\n    assert price(100, 0, fee=5) == 105\n"},
    )
    shop.branch(
        "less",
        {
            "shop.py": DISCOUNT,
            "tests/test_shop.py": TESTS + "\n\ndef test_less():\n    assert price(100, 0, discount=5) == 95\n",
        },
    )
    landings = shop.land("fee", "less", verify="auto")
    assert [(entry.status, entry.why) for entry in landings] == [("landed", ""), ("landed", "")]
    _, status, text = shop.state()
    assert status == ""
    assert "discount=0" in text
    assert "fee=0" in text
    assert shop.git("log", "-1", "--format=%(trailers:key=Landed-branch,valueonly)").strip() == "less"
    assert len(shop.git("log", "-1", "--format=%P").split()) == 2
    assert [r["status"] for r in read_landings(Repository(shop.folder))] == ["landed", "landed"]


def test_a_landing_is_taken_back_and_what_came_later_stays(shop: Shop) -> None:
    """Undo is the same merge turned round."""
    shop.branch("upper", {"shop.py": UPPER})
    shop.branch("docs", {"README.md": "# Shop\n"})
    first, _ = shop.land("upper", "docs")
    back = Lander(Repository(shop.folder), LandingRequest((), verify=None)).take_back(first.id)
    assert back.status == "landed", back.why
    assert shop.state()[1:] == ("", MODULE)
    assert (shop.folder / "README.md").exists()


def test_a_conflict_is_told_by_symbol_and_changes_nothing(shop: Shop) -> None:
    """Three texts, and the place."""
    shop.branch("upper", {"shop.py": UPPER})
    shop.branch("lower", {"shop.py": LOWER})
    shop.land("upper")
    before = shop.state()
    landing = shop.land("lower")[0]
    assert landing.status == "refused"
    assert landing.conflicts[0]["symbol"] == "label"
    assert "title" in landing.conflicts[0]["base"]
    assert shop.state() == before


def test_a_test_that_only_both_together_break_refuses(shop: Shop) -> None:
    """Each side is green, the merged text is not: the tests of each side hold it."""
    shop.branch("strict", {"shop.py": MODULE.replace("    total = net", "    assert rate >= 0\n    total = net")})
    text = TESTS + "\n\ndef test_rebate():\n    assert price(100, -0.5) == 50\n"
    shop.branch("rebate", {"tests/test_shop.py": text})
    before = shop.git("rev-parse", "main")
    calls = '[f() for n, f in vars(t).items() if n.startswith("test_")]'
    verify = f"{sys.executable} -c 'import sys; sys.path.insert(0, \"tests\"); import test_shop as t; {calls}'"
    landings = shop.land("strict", "rebate", verify=verify)
    assert [entry.status for entry in landings] == ["landed", "refused"]
    assert "AssertionError" in landings[1].why
    assert shop.git("rev-parse", "main~1") == before


def test_a_function_that_both_changed_and_no_test_runs_is_a_question(shop: Shop) -> None:
    """Nothing says that the two fit."""
    shop.branch("strip", {"shop.py": MODULE.replace("    return name", "    name = name.strip()\n    return name")})
    shop.branch(
        "named",
        {"shop.py": MODULE.replace("label(name)", "label(name, mark='')").replace(".title()", ".title() + mark")},
    )
    landings = shop.land("strip", "named")
    assert [entry.status for entry in landings] == ["landed", "refused"]
    assert "both sides changed label" in landings[1].why


def test_a_call_by_the_old_name_is_refused_by_line(shop: Shop) -> None:
    """Renamed here, called there: git merges the two without a word."""
    shop.branch("renamed", {"shop.py": MODULE.replace("def label", "def title")})
    shop.branch("calling", {"desk.py": "from shop import label\n\nprint(label('a'))\n"})
    landings = shop.land("renamed", "calling")
    assert [entry.status for entry in landings] == ["landed", "refused"]
    assert "desk.py:1" in landings[1].why


def test_a_dry_run_moves_nothing(shop: Shop) -> None:
    """It proves as a landing does."""
    shop.branch("upper", {"shop.py": UPPER})
    before = shop.state()
    assert shop.land("upper", dry_run=True)[0].status == "provable"
    assert shop.state() == before


@pytest.mark.parametrize(
    ("prepare", "word"),
    [
        (lambda shop: shop.write({"shop.py": "dirty = 1\n"}), "Commit or stash"),
        (lambda shop: shop.git("checkout", "-q", "--detach"), "detached"),
        (lambda shop: (shop.folder / ".git/MERGE_HEAD").write_text(shop.git("rev-parse", "upper")), "a merge"),
    ],
)
def test_a_state_that_nothing_can_land_in_is_a_sentence(
    shop: Shop, prepare: Callable[[Shop], object], word: str
) -> None:
    """Before anything is looked at."""
    shop.branch("upper", {"shop.py": UPPER})
    prepare(shop)
    with pytest.raises(UsageError, match=word):
        shop.land("upper")


def test_names_and_pasts_that_do_not_meet_are_sentences(shop: Shop) -> None:
    """An unknown branch is bad usage; one without a common commit is left alone; one that is in is no work."""
    with pytest.raises(UsageError, match="no branch or commit 'nowhere'"):
        shop.land("nowhere")
    shop.git("checkout", "-q", "--orphan", "alone")
    shop.commit("alone")
    shop.git("switch", "-q", "main")
    assert "no commit in common" in shop.land("alone")[0].why
    assert shop.land("main")[0].status == "contained"


def test_files_that_are_not_python_go_their_own_ways(shop: Shop) -> None:
    """Lists of lines by union, JSON by key, binary files and broken Python not at all."""
    shop.write(
        {"CHANGES.md": "# Changes\n", "data.json": '{\n  "a": 1\n}\n', "logo.png": b"\x00\x01", "odd.py": "x = (\n"}
    )
    shop.commit("more")
    for name, number in (("one", "1"), ("two", "2")):
        shop.branch(
            name, {"CHANGES.md": f"# Changes\n- {name}\n", "data.json": f'{{\n  "a": 1,\n  "{name}": {number}\n}}\n'}
        )
    assert [entry.status for entry in shop.land("one", "two")] == ["landed", "landed"]
    assert sorted((shop.folder / "CHANGES.md").read_text().splitlines()) == ["# Changes", "- one", "- two"]
    assert (shop.folder / "data.json").read_text() == '{\n  "a": 1,\n  "one": 1,\n  "two": 2\n}\n'
    for path, texts, word in (
        ("logo.png", (b"\x00\x02", b"\x00\x03"), "not text"),
        ("odd.py", (b"y = (\n", b"z = (\n"), "does not parse"),
    ):
        start = shop.git("rev-parse", "main")
        for i, text in enumerate(texts):
            shop.branch(f"{path}-{i}", {path: text}, start)
        assert [entry.status for entry in shop.land(f"{path}-0", f"{path}-1")] == ["landed", "refused"]
        assert word in read_landings(Repository(shop.folder))[-1]["why"]


def test_line_ends_and_marks_stay(shop: Shop) -> None:
    """CRLF and a byte-order mark are bytes that nobody touched."""
    crlf = b"\xef\xbb\xbf" + MODULE.encode().replace(b"\n", b"\r\n")
    shop.write({"shop.py": crlf})
    shop.commit("crlf")
    shop.branch("upper", {"shop.py": crlf.replace(b"title()", b"upper()")})
    shop.branch("fee", {"shop.py": crlf.replace(b"(1 + rate)", b"(2 + rate)")})
    assert [entry.status for entry in shop.land("upper", "fee")] == ["landed", "landed"]
    text = (shop.folder / "shop.py").read_bytes()
    assert text == crlf.replace(b"title()", b"upper()").replace(b"(1 + rate)", b"(2 + rate)")


def test_a_hook_that_refuses_leaves_everything_as_it_was(shop: Shop) -> None:
    """It is asked as git asks it, before the branch moves."""
    shop.branch("upper", {"shop.py": UPPER})
    hook = shop.folder / ".git/hooks/pre-merge-commit"
    hook.write_text("#!/bin/sh\necho not today >&2\nexit 1\n")
    hook.chmod(0o755)
    before = shop.state()
    assert "not today" in shop.land("upper")[0].why
    assert shop.state() == before


def test_two_at_once_wait_for_nobody(shop: Shop) -> None:
    """The second says who is at work."""
    shop.branch("upper", {"shop.py": UPPER})
    with hold_landing_lock(Repository(shop.folder)), pytest.raises(Locked, match="at work"):
        shop.land("upper")


def test_an_untracked_file_in_the_way_is_kept(shop: Shop) -> None:
    """Git looks before it writes, and so nothing has moved."""
    shop.branch("docs", {"README.md": "# Shop\n"})
    shop.write({"README.md": "mine\n"})
    before = shop.git("rev-parse", "HEAD")
    assert "README.md" in shop.land("docs")[0].why
    assert (shop.folder / "README.md").read_text() == "mine\n"
    assert shop.git("rev-parse", "HEAD") == before


class Killed(BaseException):
    """As a kill -9 would: nothing of ours runs after it."""


@pytest.mark.parametrize("step", ["read-tree", "update-ref", "end"])
@pytest.mark.parametrize("after", [False, True])
def test_a_kill_leaves_what_the_next_one_finishes(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, step: str, after: bool
) -> None:
    """At every step, before it and after it: the branch is as after, and so are index and files."""
    shop.branch("upper", {"shop.py": UPPER, "new/more.py": "x = 1\n"})
    run = Repository.run

    def killing(self: Repository, *words: str, **named: object) -> str:
        moving = "update-ref" in words or words[:3] == ("read-tree", "-m", "-u")
        if moving and words[0] == step and not after:
            raise Killed
        printed = run(self, *words, **named)  # type: ignore[arg-type]
        if moving and words[0] == step:
            raise Killed
        return printed

    if step == "end":
        monkeypatch.setattr(advancing.Path, "unlink", _kill_at_journal(advancing.Path.unlink))
    monkeypatch.setattr(Repository, "run", killing)
    with pytest.raises(Killed):
        shop.land("upper")
    monkeypatch.undo()
    repository = Repository(shop.folder)
    assert "has been finished" in (recover(repository) or "")
    head, status, text = shop.state()
    assert (status, text) == ("", UPPER)
    assert shop.git("rev-parse", "main") == head
    assert (shop.folder / "new/more.py").read_text() == "x = 1\n"
    assert recover(repository) is None


def test_a_file_that_was_edited_after_a_kill_is_not_overwritten(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told, and nothing moves."""
    shop.branch("upper", {"shop.py": UPPER})
    monkeypatch.setattr(Repository, "run", _kill_at_move(Repository.run))
    with pytest.raises(Killed):
        shop.land("upper")
    monkeypatch.undo()
    shop.write({"shop.py": "mine = 1\n"})
    with pytest.raises(LogDamaged, match=r"shop\.py was edited"):
        recover(Repository(shop.folder))
    assert (shop.folder / "shop.py").read_text() == "mine = 1\n"
    assert (open_state(Repository(shop.folder)) / "journal.json").exists()


def _kill_at_move(run: Callable[..., str]) -> Callable[..., str]:
    def killing(self: Repository, *words: str, **named: object) -> str:
        if words[:3] == ("read-tree", "-m", "-u"):
            raise Killed
        return run(self, *words, **named)

    return killing


def _kill_at_journal(unlink: Callable[..., None]) -> Callable[..., None]:
    def killing(self: Path, missing_ok: bool = False) -> None:
        if self.name == "journal.json":
            raise Killed
        unlink(self, missing_ok=missing_ok)

    return killing


FIXTURE = "import pytest\nfrom shop import label\n\n\n@pytest.fixture\ndef name():\n    return 'ann'\n"


def test_the_tests_of_a_side_run_as_that_side_wrote_them(shop: Shop) -> None:
    """The other side's fixture bends the merged test, which passes; as it was written it fails."""
    base = FIXTURE + "\n\ndef test_old(name):\n    assert name\n"
    shop.branch("start", {"tests/test_label.py": base})
    shop.git("merge", "-q", "start")
    claim = "\n\ndef test_label(name):\n    assert label(name) == name.title()\n"
    shop.branch("claim", {"tests/test_label.py": base + claim})
    bent = base.replace("'ann'", "'A'")
    shop.branch("upper", {"shop.py": MODULE.replace("name.title()", "name.upper()"), "tests/test_label.py": bent})
    bent_claim = shop.land("claim", "upper", verify="auto")[-1]
    assert bent_claim.status == "refused"
    assert "test_label" in bent_claim.why


def test_a_test_that_fails_is_told_with_the_place_of_the_error(shop: Shop) -> None:
    """And so is a file of tests that cannot be imported any more: its tests are gone, and that says why."""
    raising = MODULE.replace(
        "    return name.title()", "    if not name:\n        raise KeyError(name)\n    return name"
    )
    calls = "from shop import label\n\n\ndef test_empty():\n    assert label('') == ''\n"
    shop.branch("raises", {"shop.py": raising})
    shop.branch("empty", {"tests/test_empty.py": calls})
    failed = shop.land("raises", "empty", verify="auto")[-1]
    assert "tests/test_empty.py::test_empty for one, as shop.py:13: KeyError: ''" in failed.why
    shop.branch("first", {"one.py": "import two\n\nONE = 1\n", "two.py": "TWO = 2\n"})
    shop.git("merge", "-q", "first")
    shop.branch("circle", {"two.py": "from one import ONE\n\nTWO = 2\n"})
    shop.branch("reads", {"tests/test_two.py": "import one\n\n\ndef test_two():\n    assert one.ONE\n"})
    gone = shop.land("circle", "reads", verify="auto")[-1]
    assert "tests/test_two.py::test_two for one, as two.py:1: ImportError" in gone.why


def test_tests_that_an_archive_leaves_out_are_run(shop: Shop) -> None:
    """What runs is a checkout of the tree; many projects keep their tests out of what they publish."""
    shop.write({".gitattributes": "tests export-ignore\n"})
    shop.commit("attributes")
    shop.branch("fee", {"shop.py": FEE})
    landing = shop.land("fee", verify="auto", dry_run=True)[0]
    assert "1 test" in landing.gates[-1].why
