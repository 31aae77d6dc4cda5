from news import Typesetter, Wire

wire, setter = Wire(), Typesetter()
stories = map(wire.latest, ["sport", "culture"])
print([c["lines"] for c in map(lambda story: setter.column(copy=story["text"]), stories)])
