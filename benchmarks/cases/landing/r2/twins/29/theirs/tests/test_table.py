from table_score import row


def test_row():
    assert row([]) == "best 0"
