"""What `sharing` knows of the library is held against runs of it, and against nodes that hide."""

from __future__ import annotations

import ast
import collections
import contextlib
import copy
import importlib
import io
import itertools
import types
from pathlib import Path

import pytest

from graphbus_core.artifacts.placement import analyze_agents
from graphbus_core.artifacts.sharing import library
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.prompt import SystemPrompt

CASES = Path(__file__).parent / "placement"


def read_cases(name):
    """Sources of one node each, by name: `### NAME` stands before each of them."""
    parts = (CASES / name).read_text(encoding="utf-8").split("### ")[1:]
    return [pytest.param(rest, id=head) for head, _, rest in (part.partition("\n") for part in parts)]


def judge(source):
    """Of the node N, beside the others of its module."""
    nodes = {"N": None}
    for kind in [part for part in ast.parse(source).body if isinstance(part, ast.ClassDef)]:
        if {"GraphBusNode", *nodes} & {getattr(base, "id", "") for base in kind.bases}:
            nodes[kind.name] = None
    agents = [AgentDefinition(name, "m", name, "m.py", "", SystemPrompt("")) for name in nodes]
    return analyze_agents(agents, {"m": source}.get).get("N")


@pytest.mark.parametrize("source", read_cases("hidden.txt"))
def test_a_node_that_keeps_something_wherever_it_hides_it_is_not_shared(source):
    assert judge(source) is not None


@pytest.mark.parametrize("source", read_cases("shared.txt"))
def test_a_node_that_keeps_nothing_is_shared_though_it_changes_much_for_one_event(source):
    assert judge(source) is None


# Arguments that functions of the library take, and what is too slow, too far away, or ends the run.
SAMPLES = (
    *([3, 1, 2], "b a", {"a": 1}, b"xy", 5, 0.5, (2, 1), len, ["b", "a"], '{"a": [1]}', "%Y", [("a", 1)]),
    *(types.SimpleNamespace(n=1), bytearray(8), "<a><b/></a>"),
)
NOT_RUN = (
    "time.sleep",
    "xml.etree.ElementTree.ElementTree",
    "enum.auto",
    "concurrent.futures.",
    "asyncio.",
    "urllib.request.",
    "threading.",
    "builtins.object",
    "contextlib.redirect_stdout",
    "mimetypes.MimeTypes",  # a number among the samples is an open file to it, which it reads and closes
)
EFFECTS = [name for name in library.EFFECTS if not name.startswith((*NOT_RUN, "graphbus_core."))]
IMMUTABLE = (
    *(str, bytes, int, float, complex, type(None), tuple, frozenset, range, slice, type, object),
    *(types.FunctionType, types.BuiltinFunctionType),
)


def find_function(name):
    """What a dotted name of a row stands for; None where this Python has none of it."""
    words = name.split(".")
    for cut in range(len(words) - 1, 0, -1):
        with contextlib.suppress(ImportError, AttributeError):
            found = importlib.import_module(".".join(words[:cut]))
            for word in words[cut:]:
                found = getattr(found, word)
            return found
    return None


def iter_calls(function):
    """Arguments that it takes, with what it gave for them, called twice."""
    for count in range(3):
        for given in itertools.islice(itertools.product(SAMPLES, repeat=count), 400):
            first, second = (tuple(copy.deepcopy(part) for part in given) for _ in range(2))
            with contextlib.redirect_stdout(io.StringIO()):
                try:
                    results = function(*first), function(*second)
                except Exception:
                    continue
            yield given, first, results


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # what a sample is to a function is its own affair
@pytest.mark.parametrize("name", EFFECTS)
def test_a_row_of_the_library_says_what_a_run_shows(name):
    """It changes no argument but the one named, gives the same again if steady, and nothing to change if plain."""
    effect, function = library.EFFECTS[name], find_function(name)
    if function is None:
        pytest.skip(f"this Python has no {name}")
    for given, used, (first, second) in iter_calls(function):
        for index, (before, after) in enumerate(zip(given, used, strict=True)):
            assert index == effect.changes or repr(before) == repr(after), f"{name}{given} changed argument {index}"
        if effect.gives == "plain":
            if effect.steady and not name.startswith("typing.") and "0x" not in repr(first):
                assert repr(first) == repr(second), f"{name}{given}"
            assert not isinstance(first, list | dict | set | bytearray), f"{name}{given} gives {first!r}"
            assert not hasattr(first, "__next__"), f"{name}{given} gives what can be used up"
        elif effect.gives in ("copy", "data"):
            assert all(first is not part for part in used if not isinstance(part, IMMUTABLE)), f"{name}{given}"


VIEWS = ("collections.ChainMap", "builtins.memoryview")  # a change of them is one of what they were made of
# What these give is not asked: one of its methods may wait for somebody else, or it stands in a memo, which is given.
NOT_ASKED = ("copy.deepcopy", "queue.", "socket.", "tempfile.", "argparse.ArgumentParser", "urllib.", "contextlib.")
MAKERS = [name for name in EFFECTS if library.EFFECTS[name].gives in ("copy", "data", "object", "iterator")]
MAKERS = [*(name for name in MAKERS if not name.startswith(NOT_ASKED)), "builtins.memoryview"]
PARTS = ([3, 1, 2], {"a": 1}, bytearray(b"12345678"), {"a": ["b"]}, ["b", "a"], collections.deque([1]))
GIVEN = ((), ("zz",), ({"zz": 1},), ([7],), ("zz", 5), (0,), (0, 5))


def iter_methods(made):
    """What somebody may call of it, but what makes or ends it; and `read`, to which a number may be an open file."""
    names = set(dir(made)) - {"__class__", "__init__", "__reduce__", "__reduce_ex__", "__del__", "__exit__", "read"}
    for name in sorted(name for name in names if not name.startswith("_") or name.startswith("__")):
        with contextlib.suppress(Exception):
            if callable(method := getattr(made, name)):
                yield method


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("name", MAKERS)
def test_what_a_row_gives_changes_nothing_that_it_was_made_of(name):
    """Each of its methods is called, and what it was made of is the same before and after, but of a view."""
    function = find_function(name)
    changed = set()
    for given in itertools.chain(itertools.product(PARTS), itertools.product(SAMPLES, PARTS)):
        used = copy.deepcopy(given)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
            function(*used)  # what it changes by itself is in its row
            made, before = function(*used), repr(used)
            for method, more in itertools.product(iter_methods(made), GIVEN):
                with contextlib.suppress(Exception):
                    method(*copy.deepcopy(more))
                if repr(used) != before:
                    changed.add(method.__name__)
                    break
    assert not changed or name in VIEWS, f"what {name} gives changes its arguments by {changed}"
    assert changed or name not in VIEWS


@pytest.mark.parametrize("name", sorted(library._BLIND))
def test_what_is_blind_makes_the_same_of_equal_keys(name):
    """1, 1.0 and True, alone and beside another argument: equal results, or an error each."""
    function = find_function(name)
    for others in ((), (2,), ("1",), ([1, 2],)):
        results = []
        for key in (1, 1.0, True):
            try:
                result = function(key, *others)
                results.append(list(result) if hasattr(result, "__next__") else result)
            except Exception:
                results.append("an error")
        assert results[0] == results[1] == results[2] or name == "builtins.round", (name, others, results)


@pytest.mark.parametrize("name", sorted(library._COUNTING))
def test_what_counts_flags_makes_the_same_of_1_and_true(name):
    """To the last letter: a text of what it gives may be made."""
    function, results = find_function(name), []
    for others in ((), (2,), (2, 3), (2024, 1)):
        for key in (1, True):
            with contextlib.suppress(Exception):
                results.append((repr(list(others)), repr(function(*others, key)).replace("True", "1")))
    assert len(results) > 1
    assert len(set(results)) * 2 == len(results)
