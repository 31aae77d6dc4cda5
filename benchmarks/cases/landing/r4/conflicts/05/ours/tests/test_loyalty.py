import loyalty


def test_points():
    loyalty.POINTS.clear()
    loyalty.on_paid({"invoice": "X", "user_id": "ann", "cents": 1250})
    loyalty.on_paid({"invoice": "Y", "user_id": "ann", "cents": 99})
    assert loyalty.POINTS["ann"] == 12
