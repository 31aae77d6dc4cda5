from conference import Agenda, Stage


def test_opening_talk():
    talk = Agenda().talk(0)
    assert Stage().clear(ends=sum(talk.values()))["bell"] == "0:30"
    assert talk["minutes"] == 30
