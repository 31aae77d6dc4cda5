from panel import cost, covered_bases, load_panel

PANEL = [("chr1", 11, 20), ("chr2", 5, 5)]


def test_load_skips_blank_lines():
    assert len(load_panel(["chr1:11-20", "", "chr2:5-5"])) == 2


def test_covered_bases():
    assert covered_bases(PANEL) == 11


def test_cost():
    assert cost(PANEL, 0.5) == 5.5
