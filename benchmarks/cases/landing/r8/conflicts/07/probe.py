from fleet.costs import Lorry, quote
from fleet.route import Place, Route
from fleet.schedule import minutes

route = Route((Place("a", 0, 0), Place("b", 0, 1)))
assert 111 < minutes(route) < 112
assert 33 < Lorry(30.0).fuel(route) < 34, Lorry(30.0).fuel(route)
assert 50 < quote(Lorry(30.0), route, 1.5) < 51
