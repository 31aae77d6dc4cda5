from writer import TableWriter

print(repr(TableWriter().dump("|", "\n")["text"]))
