NUMBER = 4


def up(db):
    # the older account keeps a doubled address
    db.execute("update users set email = null where id not in"
               " (select min(id) from users group by email)")
    db.execute("create unique index users_by_email on users (email)")
