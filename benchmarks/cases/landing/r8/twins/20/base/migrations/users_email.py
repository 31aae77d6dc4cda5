NUMBER = 2


def up(db):
    db.execute("alter table users add column email text")
    db.execute("update users set email = name || '@corp.example'")
