def test_shape(reduced):
    assert reduced == {"shape": [1]}
