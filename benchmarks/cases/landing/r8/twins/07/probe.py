from fleet.costs import Lorry, quote
from fleet.route import Place, Route
from fleet.schedule import minutes

route = Route((Place("a", 0, 0), Place("b", 0, 1)))
assert 111 < minutes(route) < 112
assert abs(Lorry(30.0).detour(route) - 1) < 1e-9
assert quote(Lorry(30.0), route) == 30.0
