from operator import attrgetter

from chess import Ladder, Pairing

rating = attrgetter("elo")

for name in ["Anand", "Polgar"]:
    standing = Ladder().rank(name)
    print(Pairing().match(player=name, rating=rating(standing))["board"])
