from invoicing import cli


def test_total(tmp_path, capsys):
    table = tmp_path / "rates.csv"
    table.write_text("# rates\nUSD,1.25\nGBP,0.8\n")
    assert cli.main(["total", str(table), "10", "usd", "4", "gbp"]) == 0
    assert capsys.readouterr().out == "13.00 EUR\n"


def test_unknown_command(capsys):
    assert cli.main(["nope"]) == 2
