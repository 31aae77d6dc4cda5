from migrate import Table

table = Table()
table.add_constraint("adult", "age >= 18")
print(table.accepts("Ed", 17), table.accepts("Flo", 18))
