from pathlib import Path

from water.nodes import Archive, Lab, Sample


def test_old_documents_load():
    assert Sample.load(Path("archive/1998.xml").read_text()).well == "north"


def test_keep():
    got = Lab().analyse("east")
    assert "6.9" in Archive().keep(well=got["well"], ph=got["ph_value"])["xml"]
