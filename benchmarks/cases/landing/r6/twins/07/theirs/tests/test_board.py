from board import board


def test_board():
    assert board("mon") == "MON: soup / bread"
