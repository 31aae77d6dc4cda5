from matcher import Matcher


def test_statement_line_is_matched():
    matcher = Matcher()
    matcher.expect("CA0817", 3800)
    matcher.expect("WEB-17", 900)
    assert matcher.statement([("thanks WEB-17 tea", 900)]) == ["WEB-17"]
    assert list(matcher.open) == ["CA0817"]
