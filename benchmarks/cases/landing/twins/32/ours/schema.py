import sqlite3

DDL = 'create table line (item text, quantity integer)'


def fresh():
    con = sqlite3.connect(':memory:')
    con.execute(DDL)
    con.execute('insert into line values (?, ?)', ('nut', 3))
    return con
