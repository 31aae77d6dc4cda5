import sqlite3

from kiosk import Kiosk
from loyalty import Loyalty

COLUMNS = ["article", "pieces", "paid"]
db = sqlite3.connect(":memory:")
db.execute(f"create table sale ({', '.join(COLUMNS)})")
INSERT = "insert into sale values (" + ", ".join(":" + name for name in COLUMNS) + ")"
for article, pieces in (("comic", 1), ("paper", 5)):
    with db:
        db.execute(INSERT, Kiosk().sell(article, pieces))
print(db.execute("select sum(paid) from sale").fetchone()[0])
print(Loyalty().credit(3.99))
