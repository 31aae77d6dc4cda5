def test_together():
    from split import chunks
    assert chunks([1, 2, 3])
