import io

from fetchkit.bar import fetch_with_bar

out = io.StringIO()
assert fetch_with_bar(lambda address: iter([b"abc", b"d"]), "x", 4, out) == b"abcd"
assert "100%" in out.getvalue()
