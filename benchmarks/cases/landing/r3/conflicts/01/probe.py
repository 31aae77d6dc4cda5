import contextlib
import io
import pathlib
import tempfile

from invoicing import cli

with tempfile.TemporaryDirectory() as folder:
    table = pathlib.Path(folder) / "rates.csv"
    table.write_text("USD,1.25\nXXX,bad\n")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert cli.main(["export", str(table)]) == 0
    assert out.getvalue().split() == ["USD", "1.2500"], out.getvalue()
