import configparser
from newsletter import batches


def test_batches():
    settings = configparser.ConfigParser()
    settings.read_dict({"mail": {"batch": "2"}})
    assert list(batches(["a", "b", "c"], settings)) == [["a", "b"], ["c"]]


def test_unset():
    assert len(list(batches(["x"] * 25, configparser.ConfigParser()))) == 3
