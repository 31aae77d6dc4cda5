import os
import tempfile

from trail.idle import IdleReport
from trail.journal import Journal

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "audit.log")
    journal = Journal(path)
    journal.append(500, "kim", "login")
    assert journal.events() == [(500, "kim", "login")]
    idle = IdleReport(path, ["kim", "pat"]).idle_since(400)
    assert idle == ["pat"], idle
