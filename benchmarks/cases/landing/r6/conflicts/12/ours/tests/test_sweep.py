from sweep import Sweep


def test_work_keeps_the_newest():
    files = ["a", "b", "c"]
    assert Sweep(files, 1, []).run() == ["a", "b"]
    assert files == ["c"]


def test_notes_are_forgotten():
    notes = ["old"]
    Sweep([], 1, notes).after()
    assert notes == []
