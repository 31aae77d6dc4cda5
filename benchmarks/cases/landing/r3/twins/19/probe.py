from rooms.db import connect, free
from rooms.ical import take_over
from rooms.usage import usage

connection = connect()
assert take_over(connection, ["blue,2024-05-01,8,11"]) == (1, 0)
assert usage(connection) == {"blue": 3}
assert not free(connection, "blue", "2024-05-01")
