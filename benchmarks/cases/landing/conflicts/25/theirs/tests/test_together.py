def test_together():
    from ticket import fare
    assert fare(['A', 'B'], 'A', 'Z') == 0
