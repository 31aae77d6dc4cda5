from report import Report


def test_no_summary_of_nothing():
    assert Report([]).render() == "Report\n======"
