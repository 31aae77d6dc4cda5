from plan import plan
from job import Job
assert plan([Job('a', 1), Job('b', 2)]) == ['a', 'b']
