from box_office import BoxOffice
from usher import Usher


def test_lead():
    ticket = BoxOffice().sell()
    _, seat, *rest = ticket
    assert len(rest) == 2
    assert Usher().lead(seat)["says"].endswith("C14")
