"""What a merged text owes both sides: each promise is seen broken here once, and held beside it."""

from __future__ import annotations

from graphbus_core.editing.structural_merge import merge_sources
from graphbus_core.editing.structural_merge.promises import broken_promises

BASE = b"""def send(items, target):
    data = list(items)
    post(target, data)
    return data
"""
SORTED = BASE.replace(b"    post", b"    order = sorted(data)\n    post").replace(
    b"post(target, data)", b"post(target, order)"
)
LOGGED = BASE.replace(b"    return", b"    log(target)\n    return")


def test_a_merge_that_has_both_edits_holds() -> None:
    """The other tests would pass for a check that refuses everything."""
    merged = merge_sources(BASE, SORTED, LOGGED).candidates[0].data
    assert broken_promises(BASE, SORTED, LOGGED, merged) == []


def test_an_edit_that_is_lost_is_told() -> None:
    """One side's text alone is no merge."""
    told = [str(p) for p in broken_promises(BASE, SORTED, LOGGED, SORTED)]
    assert any("lost" in text and "log" in text for text in told)


def test_a_value_that_the_other_side_overwrites_is_told() -> None:
    """Both gave `order`; only the last one is ever read."""
    reverse = SORTED.replace(b"sorted(data)", b"data[::-1]")
    both = SORTED.replace(b"    order = sorted(data)\n", b"    order = sorted(data)\n    order = data[::-1]\n")
    told = broken_promises(BASE, SORTED, reverse, both)
    assert any(p.promise == "flow" and p.what.startswith("order") for p in told)


def test_a_block_that_both_sides_wrote_stands_once() -> None:
    """The same backup under two names for the copy is one backup too many."""
    block = b"    if target:\n        %b = target + '.bak'\n        copy(target, %b)\n        check(%b)\n"
    first = BASE.replace(b"    data =", block.replace(b"%b", b"copied") + b"    data =")
    second = BASE.replace(b"    post", block.replace(b"%b", b"saved") + b"    post")
    merged = merge_sources(BASE, first, second)
    assert merged.candidates
    for candidate in merged.candidates:
        assert any(p.promise == "repeat" for p in broken_promises(BASE, first, second, candidate.data))


def test_one_name_is_not_defined_twice() -> None:
    """The later definition would take the place of the earlier one without a word."""
    first, second = (BASE + b"\n\nLIMIT = %d\n" % n for n in (1, 2))
    merged = BASE + b"\n\nLIMIT = 1\nLIMIT = 2\n"
    assert any(p.promise == "name" for p in broken_promises(BASE, first, second, merged))


def test_a_wrap_takes_in_what_the_other_side_added_inside() -> None:
    """`with` around the old statements stands around the new one between them, too."""
    body = b"data = list(items)\n        post(target, data)\n        return data\n"
    wrapped = b"def send(items, target):\n    with lock:\n        " + body
    between = BASE.replace(b"    post", b"    data.append(0)\n    post")
    candidate = merge_sources(BASE, wrapped, between).candidates[0].data
    assert b"        data = list(items)\n        data.append(0)\n        post(target, data)\n" in candidate
    assert broken_promises(BASE, wrapped, between, candidate) == []


def test_what_one_side_removed_and_the_other_wrapped_is_a_conflict() -> None:
    """An empty `with` would be no merge, and no Python."""
    removed = BASE.replace(b"    post(target, data)\n", b"")
    wrapped = BASE.replace(b"    post(target, data)\n", b"    with lock:\n        post(target, data)\n")
    assert "removed by one side" in merge_sources(BASE, removed, wrapped).conflicts[0].reason


def test_two_definitions_of_one_name_are_a_conflict() -> None:
    """Neither is picked."""
    first, second = (BASE + b"\n\ndef close():\n    return %d\n" % n for n in (1, 2))
    conflict = merge_sources(BASE, first, second).conflicts[0]
    assert "each otherwise" in conflict.reason
    assert "return 1" in conflict.ours
    assert "return 2" in conflict.theirs


def test_a_statement_that_both_rewrote_is_a_conflict_with_three_texts() -> None:
    """Told by the symbol that it stands in."""
    first, second = (BASE.replace(b"list(items)", text) for text in (b"tuple(items)", b"set(items)"))
    conflict = merge_sources(BASE, first, second).conflicts[0]
    assert conflict.symbol == "send"
    assert ("list(items)" in conflict.base, "tuple" in conflict.ours, "set" in conflict.theirs) == (True, True, True)


def test_arguments_entries_and_names_of_both_sides_are_kept() -> None:
    """Each list is merged as the list that it is."""
    base = b'from os import path\n\n__all__ = ["one"]\nTABLE = {"a": 1}\nrun(check=True)\n'
    first = base.replace(b"path", b"path, sep").replace(b'"one"', b'"one", "two"').replace(b"1}", b'1, "b": 2}')
    second = (
        base.replace(b"path", b"path, name").replace(b'"one"', b'"one", "three"').replace(b"True", b"True, shell=False")
    )
    candidate = merge_sources(base, first, second).candidates[0].data.decode()
    for text in ("sep", "name", '"two"', '"three"', '"b": 2', "shell=False"):
        assert text in candidate
    assert broken_promises(base, first, second, candidate.encode()) == []


def test_a_reformatted_side_is_told_apart_from_a_changed_one() -> None:
    """Layout of the one, words of the other."""
    reformatted = BASE.replace(b"post(target, data)", b"post(\n        target,\n        data,\n    )")
    changed = BASE.replace(b"post(target, data)", b"post(target, data[1:])")
    merged = merge_sources(BASE, reformatted, changed)
    assert not merged.conflicts
    assert b"data[1:]" in merged.candidates[0].data
