from regions import parse_region, to_bed


def test_bed_line():
    assert to_bed(parse_region("chr7:101-150")) == "chr7\t100\t150"
