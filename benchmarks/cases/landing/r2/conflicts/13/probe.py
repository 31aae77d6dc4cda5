import rights
assert rights.may_write("bob") is False
