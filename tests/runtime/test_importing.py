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
    for name in [n for n in sys.modules if n.partition(".")[0] == "agents"]:  # of another test in this process
        monkeypatch.delitem(sys.modules, name)
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
    read = {
        "agents.json",
        "build_summary.json",
        "graph.json",
        "manifest.json",
        "schemas.json",
        "speaker.py",
        "topics.json",
        "words.py",
    }
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


def test_compiled_code_is_kept_for_the_next_run_and_an_altered_one_is_not_used(make_build, monkeypatch):
    from graphbus_core.runtime import loader

    monkeypatch.setattr(loader, "MIN_CACHED_MODULES", 1)
    build = make_build(project("built"))
    run_runtime(build).stop()
    (kept,) = (build / "runtime").iterdir()
    monkeypatch.setattr("builtins.compile", None)  # nothing is compiled any more
    with run_runtime(build) as executor:
        assert executor.call_method("Speaker", "say") == "built"
    monkeypatch.undo()
    monkeypatch.setattr(loader, "MIN_CACHED_MODULES", 1)
    content = kept.read_bytes()
    altered = content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]
    kept.write_bytes(altered)
    monkeypatch.setattr(loader.marshal, "loads", None)  # it is not even read
    with run_runtime(build) as executor:
        assert executor.call_method("Speaker", "say") == "built"
    monkeypatch.undo()
    assert kept.read_bytes() not in (altered, b"")  # and the run wrote its own over it
    monkeypatch.setattr(loader, "MIN_CACHED_MODULES", 1)
    with run_runtime(make_build(project("rebuilt"))) as executor:
        assert executor.call_method("Speaker", "say") == "rebuilt"


@pytest.mark.parametrize("forge", ["its own digest", "another key", "another purpose", "first fifth", "code of -O"])
def test_code_that_was_put_into_the_cache_does_not_run(make_build, monkeypatch, tmp_path, capsys, forge):
    """Manifest and sources are untouched; the file of compiled code holds another program under the right names."""
    import hashlib
    import marshal

    from graphbus_core.runtime import loader
    from graphbus_core.storage.signing import Seal, derive_seal

    monkeypatch.setattr(loader, "MIN_CACHED_MODULES", 1)
    build = make_build(project("built"))
    run_runtime(build).stop()
    (kept,) = (build / "runtime").iterdir()
    made_for, codes = marshal.loads(derive_seal(loader.PURPOSE).unwrap(kept.read_bytes()))
    evil = compile("print('PWNED')", "x", "exec")
    body = marshal.dumps((made_for, dict.fromkeys(codes, evil)))
    content = {
        "its own digest": hashlib.sha256(body).digest() + body,  # what the first edition believed
        "another key": Seal((b"k" * 32,)).wrap(body),
        "another purpose": derive_seal("scan cache").wrap(body),
        "first fifth": kept.read_bytes()[: kept.stat().st_size // 5],
        # Sealed here, and for another name of the file: this user ran the build with `python -O`.
        "code of -O": derive_seal(loader.PURPOSE).wrap(
            marshal.dumps(
                ((made_for[0], kept.name.replace("-0.bin", "-1.bin"), made_for[2]), dict.fromkeys(codes, evil))
            )
        ),
    }[forge]
    kept.write_bytes(content)
    with run_runtime(build) as executor:
        assert executor.call_method("Speaker", "say") == "built"
    assert "PWNED" not in capsys.readouterr().out


def test_a_pipe_in_place_of_compiled_code_does_not_hold_a_run_up(tmp_path):
    """An archive can hold one; opening it to read would wait for a writer that never comes."""
    import os

    from graphbus_core.storage.signing import read_sealed_file

    os.mkfifo(tmp_path / "code.bin")
    assert read_sealed_file(tmp_path / "code.bin", "compiled code") is None


def test_without_a_key_no_compiled_code_is_kept(make_build, monkeypatch):
    """A home that cannot be written, a read-only machine: runs compile, and nothing unsealed is left or read."""
    from graphbus_core.runtime import loader
    from graphbus_core.storage import signing

    monkeypatch.setattr(loader, "MIN_CACHED_MODULES", 1)
    monkeypatch.setattr(signing, "_list_key_folders", lambda: iter(()))
    build = make_build(project("built"))
    run_runtime(build).stop()
    assert not (build / "runtime").exists()


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


BY_NAME = {
    "agents/__init__.py": "",
    "agents/models.py": "class Color:\n    pass\n",
    "lib/__init__.py": "",
    "lib/lazy.py": 'WORD = "built"\n',
    "lib/literal.py": 'WORD = "literal"\n',
    "lib/listed.py": 'WORD = "listed"\n',
    "lib/never.py": 'WORD = "never"\n',
    "plug/here.py": 'WORD = "not asked for"\n',
    "agents/n.py": """
        import importlib
        import importlib.util as util
        import json
        from importlib import import_module as by_name
        from importlib import resources

        import lib.lazy
        from graphbus_core import GraphBusNode
        from .models import Color


        class N(GraphBusNode):
            def load(self, name):
                return importlib.import_module(name).WORD

            def known(self):
                return [
                    importlib.import_module("lib.lazy") is lib.lazy,
                    importlib.import_module("agents.models").Color is Color,
                    importlib.import_module(".models", __package__).Color is Color,
                    importlib.import_module(".models", "agents").Color is Color,
                    importlib.import_module(__name__).N is N,
                    importlib.import_module("json") is json,
                    importlib.util is util,
                    importlib.reload is not None,
                ]

            def literal(self):
                other = __import__("lib", fromlist=["listed"])
                return [by_name("lib.literal").WORD, other.listed.WORD]

            def data(self):
                return resources.files("lib")

            def own_data(self):
                return resources.files(__package__)

            def of_others(self):
                return resources.files("typer").name
    """,
}


class TestByName:
    @pytest.fixture
    def executor(self, make_build, tmp_path, monkeypatch):
        build = make_build(BY_NAME)
        root = tmp_path / "project"
        for file in root.glob("lib/*.py"):
            file.write_text('WORD = "edited after the build"\n')
        monkeypatch.chdir(root)
        monkeypatch.syspath_prepend(str(root))
        before = set(sys.modules)
        with run_runtime(build) as executor:
            yield executor
        assert not {n for n in set(sys.modules) - before if n.partition(".")[0] in ("lib", "agents", "plug")}

    def test_a_module_of_the_build_is_the_build_s(self, executor):
        assert executor.call_method("N", "known") == [True] * 8
        assert executor.call_method("N", "load", name="lib.lazy") == "built"

    def test_one_that_is_named_in_the_source_is_frozen(self, executor):
        assert executor.call_method("N", "literal") == ["literal", "listed"]

    @pytest.mark.parametrize("name", ["lib.never", "lib.none", "plug.here", "agents.nope"])
    def test_one_that_is_not_frozen_is_an_error_that_says_so(self, executor, name):
        with pytest.raises(ModuleNotFoundError, match=rf"'{name}' in this build: .*graphbus build"):
            executor.call_method("N", "load", name=name)

    def test_data_files_are_no_part_of_a_build_and_that_is_said(self, executor):
        with pytest.raises(FileNotFoundError, match="The data files of lib are not part of a build"):
            executor.call_method("N", "data")
        with pytest.raises(FileNotFoundError, match="The data files of agents are not"):
            executor.call_method("N", "own_data")
        assert executor.call_method("N", "of_others") == "typer"
