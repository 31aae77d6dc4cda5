import os, tempfile
import audit

path = os.path.join(tempfile.mkdtemp(), "a.log")
audit.record(path, "ann", "login")
with open(path) as file:
    assert file.read().endswith("ann login\n")
