NUMBER = 1


def up(db):
    db.execute("create table users (id integer primary key, name text not null)")
