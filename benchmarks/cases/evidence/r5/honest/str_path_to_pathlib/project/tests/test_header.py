import pytest

from collect.items import Collector, Header


@pytest.fixture
def item():
    return Collector().item("test_a.py::test_x")


def test_line(item):
    assert Header().line(path=item["path"]) == {"line": "== test_a.py in suite"}
