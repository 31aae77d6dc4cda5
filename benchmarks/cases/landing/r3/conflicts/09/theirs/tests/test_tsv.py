from export.base import REGISTRY
from export.tsv import Tsv


def test_tsv():
    assert REGISTRY["tsv"] is Tsv
    assert Tsv(["a", "b"]).export([{"a": 1, "b": 2}, {"b": 3}]) == "a\tb\n1\t2\n\t3\n"
