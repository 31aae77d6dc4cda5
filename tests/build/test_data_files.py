"""A build says where its sources read files beside them."""

import json

from graphbus_core.build.builder import MAX_NAMED, explain_data_files, find_data_files
from graphbus_core.cli.main import main

NODE = b"from graphbus_core import GraphBusNode\n\n\nclass N(GraphBusNode):\n    def go(self):\n        return %s\n"


def test_only_code_that_may_read_a_file_beside_it_is_named():
    reading = [
        NODE % b"open(__file__)",
        b"import importlib.resources as r\n",
        b"from importlib import util, resources\n",
        b"import pkgutil\npkgutil.get_data('a', 'b')\n",
    ]
    assert find_data_files({f"{i}.py": text for i, text in enumerate(reading)}) == (
        "0.py:6",
        "1.py:1",
        "2.py:1",
        "3.py:2",
    )
    quiet = [NODE % b"1  # not __file__", b"import importlib\n", b"resources = 1\nmy__file__ = 2\n"]
    assert find_data_files({f"{i}.py": text for i, text in enumerate(quiet)}) == ()


def test_the_sentence_is_bounded():
    assert explain_data_files(tuple(f"{i}.py:1" for i in range(MAX_NAMED + 3))).startswith("0.py:1, ")
    assert "and 3 more" in explain_data_files(tuple(f"{i}.py:1" for i in range(MAX_NAMED + 3)))


def test_a_build_says_it_and_keeps_it(tmp_path, capsys):
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents/n.py").write_bytes(NODE % b"open(__file__).read()")
    build = ["build", str(tmp_path / "agents"), "--output-dir", str(tmp_path / "out")]
    assert main(build) == 0
    assert "agents/n.py:6: a file beside a module" in capsys.readouterr().out
    assert json.loads((tmp_path / "out/build_summary.json").read_text())["data_files"] == ["agents/n.py:6"]
    assert main([*build, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["data_files"] == ["agents/n.py:6"]
