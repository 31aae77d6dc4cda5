from invoicing import cli


def test_format_table():
    assert cli.format_table({"EUR": 1.0, "USD": 1.25, "CHF": 0.95}).splitlines() == [
        "CHF     0.9500", "USD     1.2500"]


def test_export_is_listed(capsys):
    cli.main([])
    assert "export" in capsys.readouterr().out
