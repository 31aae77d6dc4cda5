from tickets import Status, Ticket


def test_status():
    ticket = Ticket("Printer on fire")
    assert ticket.status is Status.OPEN
    ticket.wait()
    assert ticket.status is Status.WAITING
