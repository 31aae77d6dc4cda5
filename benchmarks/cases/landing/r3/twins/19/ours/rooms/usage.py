"""Hours by room."""


def usage(connection):
    rows = connection.execute("SELECT room, SUM(hours) AS hours FROM booking GROUP BY room ORDER BY room")
    return {row["room"]: row["hours"] for row in rows}
