import io

from fetchkit.bar import Bar, fetch_with_bar


def test_show():
    out = io.StringIO()
    bar = Bar(out, width=4)
    bar.show(1, 4)
    bar.show(4, 4)
    assert out.getvalue() == "\r[#...]  25%\r[####] 100%\n"


def test_nothing_arrives():
    assert fetch_with_bar(lambda address: iter(()), "x", 0, io.StringIO()) == b""
