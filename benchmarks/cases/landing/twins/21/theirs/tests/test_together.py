def test_together():
    from quality import bad_lines
    assert bad_lines(['1C', 'x']) == 1
