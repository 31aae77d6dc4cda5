from accounts import Team
from farewell import Farewell

team, sent = Team(2), []
Farewell(team, lambda to, text: sent.append(to))
account = team.open("ann", "ann@x.org", "123")
team.close("ann")
assert sent == ["ann@x.org"], sent
assert account.email == account.phone == ""
