from graphbus_core import GraphBusNode, subscribe

from . import db


class Spacing(GraphBusNode):
    """Miles between two arrivals."""

    @subscribe("/atc/spacing")
    def spacing(self, lead: str, follow: str) -> float:
        row = db.con.execute(
            "select nm from spacing where lead = ? and follow = ?", (db.wake(lead), db.wake(follow))
        ).fetchone()
        return row[0] if row else 3.0


class Strips(GraphBusNode):
    @subscribe("/atc/contact")
    def contact(self, callsign: str, kind: str) -> dict:
        with db.con:
            db.con.execute("insert or replace into strip values (?, ?)", (callsign, kind))
        return {"callsign": callsign, "wake": db.wake(kind)}


class Sector(GraphBusNode):
    @subscribe("/atc/sector")
    def heavies(self, minimum: int) -> list[str]:
        rows = db.con.execute(
            "select callsign from strip join aircraft using (type) where mtow >= ? order by callsign", (minimum,)
        )
        return [name for name, in rows]


class SlotPlan(GraphBusNode):
    """Best landing order for a list of arrivals, in a scratch database."""

    @subscribe("/atc/slots")
    def plan(self, arrivals: list[str]) -> dict:
        scratch = db.connect()
        try:
            scratch.executemany("insert or ignore into strip values (?, ?)", (a.split("/") for a in arrivals))
            rows = scratch.execute(
                "select callsign, wake from strip join aircraft using (type) order by mtow desc, callsign"
            ).fetchall()
        finally:
            scratch.close()
        return {"order": [r[0] for r in rows], "wakes": "".join(r[1] for r in rows)}
