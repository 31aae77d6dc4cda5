from todo import items
from todo.deadlines import sort_out

got = sort_out([items.new("old", "2001-01-01"), items.new("far", "2999-01-01T10:00:00Z")])
assert got == {"late": ["old"], "soon": []}, got
