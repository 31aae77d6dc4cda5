from chess import Ladder, Referee


def test_winner_scores(monkeypatch):
    monkeypatch.setattr(Referee, "publish", lambda self, topic, payload: None)
    result = Referee().finish("Ann", "Bo")
    ladder = Ladder()
    ladder.on_over({"player": result["winner"]})
    assert ladder.points == {"Bo": 1}
