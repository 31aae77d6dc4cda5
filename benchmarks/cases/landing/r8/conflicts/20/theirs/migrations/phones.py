NUMBER = 3


def up(db):
    db.execute("alter table users add column phone text not null default ''")
