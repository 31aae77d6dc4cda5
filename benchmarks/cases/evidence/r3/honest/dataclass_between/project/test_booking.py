from theatre.booking import Booking


def test_booking():
    booking = Booking("Mae", "A1")
    assert booking.seat == "A1"
