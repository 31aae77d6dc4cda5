import time

from geo.join import Join
from geo.question import Question

question = Question().ask("shops in town")
began = time.perf_counter()
answer = Join().count(op=question["predicate"], how=question["how"])
took = time.perf_counter() - began
print("n =", answer["n"], "slow" if took > 60 else "fast")
