from arcade import Board, Match


def test_post():
    result = Match().result()
    assert Board().post(player=result["player_id"], score=result["points"]) == {"row": "#31: 9000"}
