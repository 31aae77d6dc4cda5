# stateful
import sqlite3

from graphbus_core import GraphBusNode, subscribe


class ParkingDeck(GraphBusNode):
    def __init__(self, places=2):
        super().__init__()
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.execute("CREATE TABLE car (plate TEXT PRIMARY KEY)")
        self.places = places

    @subscribe("/Deck/In")
    def on_in(self, payload):
        with self.db as db:
            db.execute("INSERT OR IGNORE INTO car VALUES (?)", (payload["plate"],))
            (taken,) = db.execute("SELECT count(*) FROM car").fetchone()
        self.publish("/Deck/Sign", {"free": self.places - taken})
