from estate import Estate
from match import Match


def test_flat():
    flat = Estate().flat()
    match = Match()
    assert match.score(room_count=flat["rooms"]) == {"score": 40}
