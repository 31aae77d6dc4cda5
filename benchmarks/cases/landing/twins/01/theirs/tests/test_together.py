def test_together():
    from ledger import Ledger
    from closing import close_month
    l = Ledger()
    l.rows.append(('rent', 500))
    close_month(l, ['rent'])
