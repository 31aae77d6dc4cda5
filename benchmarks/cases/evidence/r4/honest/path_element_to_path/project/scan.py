from keys import Keys
from query import Query


def queries(count):
    q = Query()
    for n in range(count):
        key = Keys().make("Task", n)
        yield q.ancestor(path_element=key["path"])["gql"]


print(*queries(2), sep="; ")
