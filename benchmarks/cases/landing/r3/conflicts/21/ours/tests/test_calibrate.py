from sensors.calibrate import calibrate, calibrate_file


def test_deviation():
    readings = [{"sensor": "a", "at": 1, "value": 1.0}, {"sensor": "a", "at": 2, "value": 4.0}]
    assert [reading["value"] for reading in calibrate(readings)] == [-1.5, 1.5]
    assert calibrate([]) == []


def test_no_such_sensor(tmp_path):
    path = tmp_path / "readings"
    path.write_text('{"sensor": "a", "at": 1, "value": 1.0}\n')
    assert calibrate_file(path, "b") == []
