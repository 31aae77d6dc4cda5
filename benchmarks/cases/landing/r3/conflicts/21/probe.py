import pathlib
import tempfile

from sensors.calibrate import calibrate_file

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "readings"
    path.write_text('{"sensor": "a", "at": 1, "value": 1.0}\n{"sensor": "a", "at": 2, "value": 2.0}\n')
    got = [reading["value"] for reading in calibrate_file(path, "a")]
assert got == [-0.5, 0.5], got
