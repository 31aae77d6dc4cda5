from tickets import Ticket


def test_wait_after_close():
    ticket = Ticket("Printer on fire")
    ticket.close()
    closed = ticket.status
    ticket.wait()
    assert ticket.status == closed
