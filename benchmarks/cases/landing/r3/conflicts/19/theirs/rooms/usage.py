"""Hours by room."""


def usage(connection):
    rows = connection.execute("SELECT room, SUM(hours) AS hours FROM booking GROUP BY room ORDER BY room")
    return {row["room"]: row["hours"] for row in rows}


def by_owner(connection):
    rows = connection.execute("SELECT owner, SUM(hours) AS hours FROM booking GROUP BY owner ORDER BY owner")
    return {row["owner"] or "nobody": row["hours"] for row in rows}
