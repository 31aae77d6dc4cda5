from club import Club
from poster import Poster

print(len(Club().members()["ids"]))
print(Poster().print_(names=["Zoe", "Al"])["text"])
