from concert import BoxOffice, Door


def test_order_numbers_do_not_open_the_door():
    order = BoxOffice().sell(2)
    assert Door().admit(ticket=order["number"])["lamp"] == "red"


def test_tickets_do():
    assert Door().admit(ticket="T-1")["lamp"] == "green"
