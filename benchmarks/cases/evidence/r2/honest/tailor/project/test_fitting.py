from workshop.fitting import fit


def test_suit():
    assert round(fit("Mr. Bean")["hours"], 2) == 6.84
