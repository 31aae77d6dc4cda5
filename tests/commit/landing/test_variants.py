"""Tests in variants: what is changed in them, what is looked at, and what a landing learns from them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from graphbus_core.commit.landing.replay.effects import find_lost_effect
from graphbus_core.commit.landing.replay.variants import LOOK, MARK, write_variants
from tests.commit.landing.test_land import PLUGINS, Shop

TEST = """ROWS = [1, 2]
PATHS = ["a"]
PATHS = [path.upper() for path in PATHS]


def test_rows():
    assert len(ROWS + [int("3")]) == 3 and not PATHS == ["b"]


def test_other():
    pass
"""


def list_variants(text: str) -> dict[str, str]:
    return {node.name: ast.unparse(node) for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


def test_a_variant_changes_what_a_test_gives_and_looks_where_it_looks() -> None:
    """The first is the test as it is written; what it expects stays; a name that is given twice is left alone."""
    variants = list_variants(write_variants(TEST, ["test_rows"], [7, "x"]))
    first, *others = variants.values()
    assert next(iter(variants)) == f"test_rows{MARK}0"
    assert first.count(f"{LOOK}(") == 4  # two looks, and what each tells of an error
    assert "int('3')" in first
    assert len(others) > 5
    assert all("'b'" not in text and "PATHS =" not in text for text in others)
    assert len({text.partition("\n")[2] for text in variants.values()}) == len(variants)


def test_the_same_text_has_the_same_variants() -> None:
    """On both trees, or nothing could be compared."""
    assert write_variants(TEST, ["test_rows"], [7]) == write_variants(TEST, ["test_rows"], [7])


BEFORE = "class Repo:\n    def save(self):\n        self.db.run()\n        self.db.commit()\n"
LOST = "class Repo:\n    def save(self):\n        self.db.run()\n\n    def commit(self):\n        self.db.commit()\n"
MOVED = LOST.replace("run()\n", "run()\n        self.end()\n").replace("def commit", "def end")


@pytest.mark.parametrize(("now", "lost"), [(BEFORE, ""), (LOST, "commit"), (MOVED, "")])
def test_a_call_for_its_effect_that_is_not_made_any_more_is_told(now: str, lost: str) -> None:
    """It leaves nothing that could be compared."""
    start = "import sql\n\n\ndef open_it(repo):\n    repo.db = sql.connect()\n\n\n"
    before_lines = {("a.py", line) for line in range(1, 20)}
    now_lines = {("a.py", line) for line in (range(1, 11) if now == LOST else range(1, 20))}
    trees = [{"a.py": ast.parse(start + text)} for text in (BEFORE, now)]
    assert find_lost_effect(trees[0], before_lines, trees[1], now_lines) == lost


CACHE = """class Cache:
    def __init__(self, clock):
        self.clock = clock
        self.kept = {}

    def put(self, key, value, ttl=60):
        self.kept[key] = (value, self.clock() + ttl)

    def get(self, key):
        value, end = self.kept.get(key, (None, 0))
        return value if self.clock() < end else None
"""
CACHE_TEST = """from cache import Cache


def test_cache():
    assert Cache(lambda: 0).get('a') is None
"""
MILLISECONDS = CACHE.replace("self.clock() +", "self.clock() * 1000 +").replace(
    "self.clock() <", "self.clock() * 1000 <"
)
KEPT = MILLISECONDS.replace("+ ttl", "+ ttl * 1000")
SESSIONS = """class Sessions:
    def __init__(self, cache):
        self.cache = cache

    def enter(self, user):
        self.cache.put(user, user, ttl=1800)

    def user(self, name):
        return self.cache.get(name)
"""
SESSIONS_TEST = """from cache import Cache
from sessions import Sessions


def test_sessions():
    now = [0.0]
    sessions = Sessions(Cache(lambda: now[0]))
    sessions.enter('ada')
    assert sessions.user('ada') == 'ada'
    now[0] = 1900.0
    assert sessions.user('ada') is None
"""


@pytest.mark.parametrize(("cache", "told"), [(MILLISECONDS, "a variant of tests/test_sessions.py"), (KEPT, "")])
def test_variants_see_what_a_test_passes_by(tmp_path: Path, cache: str, told: str) -> None:
    """The other side's milliseconds let a test of seconds pass, and a neighbour of it tells."""
    shop = Shop(tmp_path)
    options = " ".join(f"-p no:{name}" for name in PLUGINS)
    shop.write(
        {
            "cache.py": CACHE,
            "tests/test_cache.py": CACHE_TEST,
            "pytest.ini": f"[pytest]\npythonpath = .\naddopts = {options}\n",
        }
    )
    shop.commit("more")
    shop.branch("theirs", {"sessions.py": SESSIONS, "tests/test_sessions.py": SESSIONS_TEST})
    shop.write({"cache.py": cache})
    shop.commit("ours")
    landing = shop.land("theirs", verify="auto", dry_run=True)[0]
    assert landing.is_good is not bool(told), landing.why
    assert told in landing.why
