from accounts import Team
from farewell import Farewell


def test_farewell_is_sent_on_close():
    team, sent = Team(2), []
    Farewell(team, lambda to, text: sent.append((to, text)))
    team.open("ann", "ann@x.org")
    team.close("ann")
    assert [to for to, _ in sent] == ["ann@x.org"]
    assert sent[0][1].startswith("Dear Ann,")


def test_no_address_no_mail():
    team, sent = Team(2), []
    Farewell(team, lambda to, text: sent.append(to))
    team.open("bot", "")
    team.close("bot")
    assert sent == []
