from pathlib import Path

from assay import Lab, Refinery, report


def test_report():
    golden = Path(__file__).parent / "golden" / "report.csv"
    assert report(Lab().assay("K1")) == golden.read_text()


def test_worth():
    assert Refinery().accept(grade=Lab().assay("K1").gold_ppm)["worth_it"]
