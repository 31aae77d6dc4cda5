from cutter import Cutter
from saw import Saw

print(Cutter().measure())
print(Saw().cut(size=1806))
