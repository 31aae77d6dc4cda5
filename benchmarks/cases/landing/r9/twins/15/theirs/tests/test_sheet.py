from photos import sheet
from photos.workspace import Workspace


def test_frame():
    assert sheet.frame("Rome").splitlines()[1] == "|    | Rome"


def test_name_of_the_sheet():
    with Workspace("t") as ws:
        assert sheet.contact_sheet(ws, "italy", ["Rome", "Pisa"]).name == "italy.txt"


def test_publish(tmp_path, monkeypatch):
    made = tmp_path / "made.txt"
    made.write_text("ITALY")
    monkeypatch.setattr(sheet, "contact_sheet", lambda ws, title, captions: made)
    (tmp_path / "www").mkdir()
    sheet.publish("italy", [], tmp_path / "www")
    assert (tmp_path / "www" / "made.txt").read_text() == "ITALY"
