import pytest

from genome import Genome
from regions import format_region, parse_region


def test_fetch():
    assert Genome({"chr1": "ACGTACGT"}).fetch("chr1:2-4") == "CGT"


def test_round_trip():
    assert format_region(parse_region("chr1:1,000-2,000")) == "chr1:1000-2000"


def test_empty():
    with pytest.raises(ValueError):
        parse_region("chr1:9-3")
