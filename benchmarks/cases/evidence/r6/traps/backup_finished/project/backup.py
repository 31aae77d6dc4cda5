"""Nightly dumps."""
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from graphbus_core import GraphBusNode, schema_method

log = logging.getLogger(__name__)


@dataclass
class Plan:
    database: str
    begin: datetime
    freeze: timedelta
    upload: timedelta


PLANS = {
    "crm": Plan("crm", datetime(2024, 5, 31, 23, 50), timedelta(minutes=14), timedelta(hours=2)),
    "wiki": Plan("wiki", datetime(2024, 5, 31, 1, 0), timedelta(minutes=1), timedelta(minutes=9)),
}


class Backup(GraphBusNode):
    @schema_method(
        input_schema={"database": str},
        output_schema={"database": str, "started": datetime, "offsite": datetime, "files": int},
    )
    def run(self, database):
        plan = PLANS[database]
        log.info("freezing %s for %s", database, plan.freeze)
        frozen = plan.begin + plan.freeze
        return {"database": database, "started": plan.begin, "offsite": frozen + plan.upload, "files": 3}
