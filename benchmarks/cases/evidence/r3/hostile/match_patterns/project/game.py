from chess_ import Chess
from judge_ import Judge

judge = Judge()
for text in "Nf3 Kg1".split():
    move = Chess().move(text)
    judge.on_move({"piece": move["piece"], "to": move["square"]})
    print(judge.last)
