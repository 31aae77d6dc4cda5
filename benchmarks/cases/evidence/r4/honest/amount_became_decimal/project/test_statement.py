from parser_case import RAW
from parser import Parser
from statement import Statement


def test_three_times_exactly():
    entry = Parser().parse(RAW)
    assert Statement().line(payee=entry["payee"], amount=entry["amount"])["text"] == "rent: 0.30"
