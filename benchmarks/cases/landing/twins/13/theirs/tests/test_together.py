def test_together():
    from tickets import Ticket
    from report import ratio
    ratio([Ticket('a')])
