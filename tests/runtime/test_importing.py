"""What runs is what was built: nothing of the working directory, of another build, or of an altered file."""

import sys

import pytest

from graphbus_core.errors import ArtifactError, NodeFailed
from graphbus_core.runtime import run_runtime

NODE = """
    import json as standard_json

    import agents.words
    from agents import words as from_package
    from agents.words import WORD
    from .words import WORD as relative
    from graphbus_core import GraphBusNode


    class Speaker(GraphBusNode):
        SYSTEM_PROMPT = "s"

        def say(self):
            import agents.words as late
            from agents import words

            assert agents.words is late is words is from_package
            assert WORD == relative
            return late.WORD

        def loads(self):
            return standard_json.loads("[1]")
"""


def project(word):
    return {"agents/words.py": f'WORD = "{word}"\n', "agents/speaker.py": NODE}


def test_editing_a_source_changes_nothing_until_the_next_build(make_build, tmp_path):
    build = make_build(project("built"))
    (tmp_path / "project/agents/words.py").write_text('WORD = "edited"\n')
    with run_runtime(build) as executor:
        assert executor.call_method("Speaker", "say") == "built"
        assert executor.call_method("Speaker", "loads") == [1]


def test_two_builds_in_one_process_do_not_mix(make_build):
    one, two = (run_runtime(make_build(project(word), name=word)) for word in ("one", "two"))
    assert [e.call_method("Speaker", "say") for e in (one, two, one)] == ["one", "two", "one"]
    assert type(one.nodes["Speaker"]) is not type(two.nodes["Speaker"])
    one.stop()
    assert two.call_method("Speaker", "say") == "two"
    two.stop()


def test_a_module_of_the_working_directory_does_not_leak_in(make_build, tmp_path, monkeypatch):
    build = make_build(project("built"))
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "agents").mkdir(parents=True)
    (elsewhere / "agents/__init__.py").write_text("")
    (elsewhere / "agents/words.py").write_text('WORD = "leaked"\n')
    (elsewhere / "agents/extra.py").write_text("")
    monkeypatch.chdir(elsewhere)
    monkeypatch.syspath_prepend(str(elsewhere))
    import agents.words  # type: ignore[import-not-found]

    with run_runtime(build) as executor:
        assert executor.call_method("Speaker", "say") == "built"
    assert agents.words.WORD == "leaked"
    for name in [n for n in sys.modules if n.partition(".")[0] == "agents"]:
        monkeypatch.delitem(sys.modules, name)


def test_a_module_that_was_not_frozen_is_named_and_not_taken_from_elsewhere(make_build, tmp_path, monkeypatch):
    build = make_build(
        {
            "agents/late.py": """
                from graphbus_core import GraphBusNode


                class Late(GraphBusNode):
                    SYSTEM_PROMPT = "l"

                    def imports(self):
                        name = "agents.unknown"
                        return __import__(name)
            """
        }
    )
    with run_runtime(build) as executor, pytest.raises(ModuleNotFoundError, match=r"agents\.unknown.*graphbus build"):
        executor.call_method("Late", "imports")


def test_any_altered_byte_of_any_file_is_refused_with_its_name(make_build):
    build = make_build(project("built"))
    files = [p for p in build.rglob("*") if p.is_file() and "cache" not in p.parts]
    read = {"agents.json", "graph.json", "topics.json", "manifest.json", "speaker.py", "words.py"}
    assert read <= {p.name for p in files}
    for file in files:
        if file.name not in read:
            continue
        content = file.read_bytes()
        middle = len(content) // 2
        file.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
        with pytest.raises(ArtifactError, match=file.name):
            run_runtime(build)
        file.write_bytes(content)
        file.rename(file.with_suffix(".gone"))
        with pytest.raises(ArtifactError, match=file.name):
            run_runtime(build)
        file.with_suffix(".gone").rename(file)
    run_runtime(build).stop()


def test_a_runtime_that_nobody_holds_leaves_no_modules_behind(make_build):
    import gc

    before = {n for n in sys.modules if n.startswith("graphbus_frozen_")}
    executor = run_runtime(make_build(project("built")))
    node = executor.nodes["Speaker"]
    executor.stop()
    assert node.say() == "built"
    del executor, node
    gc.collect()
    assert {n for n in sys.modules if n.startswith("graphbus_frozen_")} <= before


def test_compiled_code_is_kept_for_the_next_run_and_refused_when_altered(make_build, monkeypatch):
    from graphbus_core.runtime import code_cache

    monkeypatch.setattr(code_cache, "WORTH_KEEPING", 1)
    build = make_build(project("built"))
    run_runtime(build).stop()
    (kept,) = (build / "runtime").iterdir()
    monkeypatch.setattr("builtins.compile", None)  # nothing is compiled any more
    with run_runtime(build) as executor:
        assert executor.call_method("Speaker", "say") == "built"
    monkeypatch.undo()
    content = kept.read_bytes()
    kept.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
    with pytest.raises(ArtifactError, match=kept.name):
        run_runtime(build)
    kept.write_bytes(content)
    monkeypatch.setattr(code_cache, "WORTH_KEEPING", 1)
    with run_runtime(make_build(project("rebuilt"))) as executor:
        assert executor.call_method("Speaker", "say") == "rebuilt"


def test_classes_can_be_resolved_by_their_module(make_build):
    """Dataclasses, typing and pydantic look a class's module up by name."""
    build = make_build(
        {
            "agents/typed.py": """
                from __future__ import annotations

                import dataclasses
                import typing

                from graphbus_core import GraphBusNode


                @dataclasses.dataclass
                class Order:
                    id: int
                    next: Order | None = None


                class Typed(GraphBusNode):
                    SYSTEM_PROMPT = "t"

                    def hints(self):
                        return {k: str(v) for k, v in typing.get_type_hints(Order).items()}
            """
        }
    )
    with run_runtime(build) as executor:
        assert executor.call_method("Typed", "hints")["id"] == "<class 'int'>"


def test_a_module_that_cannot_be_imported_is_named(make_build, tmp_path):
    build = make_build(
        {
            "agents/bad.py": """
                import no_such_package_anywhere
                from graphbus_core import GraphBusNode


                class Bad(GraphBusNode):
                    SYSTEM_PROMPT = "b"
            """
        }
    )
    with pytest.raises(NodeFailed, match=r"Bad.*no_such_package_anywhere"):
        run_runtime(build)
