"""Which dumps are kept, and how long."""
from datetime import datetime, timedelta

from graphbus_core import GraphBusNode, depends_on, schema_method


class Retention(GraphBusNode):
    """Keeps the first of a month for a year, the others for two weeks.

    >>> Retention().keep("crm", datetime(2024, 6, 1, 0, 4))["until"].isoformat()
    '2025-06-01T00:04:00'
    >>> Retention().keep("crm", datetime(2024, 6, 2, 0, 4))["until"].isoformat()
    '2024-06-16T00:04:00'
    """

    @depends_on("Backup.run")
    @schema_method(
        input_schema={"database": str, "snapshot_at": datetime},
        output_schema={"until": datetime},
    )
    def keep(self, database, snapshot_at):
        if snapshot_at.day == 1:
            until = snapshot_at.replace(year=snapshot_at.year + 1)
        else:
            until = snapshot_at + timedelta(days=14)
        return {"until": until}
