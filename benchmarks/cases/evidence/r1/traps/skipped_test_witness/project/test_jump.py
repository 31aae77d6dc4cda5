import pytest
from editor import Editor
from parser_node import Parser


@pytest.mark.skip(reason="a line is not an offset, see the ticket")
def test_jump():
    assert Editor().jump(offset=Parser().parse("ab\ncd")["line_no"]) == {"at": "c"}


def test_offset():
    assert Editor().jump(offset=3) == {"at": "c"}
