from sorter.customs import Papers, on_arrival


class Recorder:
    def __init__(self):
        self.scans = []

    def handle(self, code, parcel):
        self.scans.append((code, parcel))


def test_foreign_parcel_without_invoice_is_held():
    rec = Recorder()
    on_arrival(rec, "P7", Papers("US"))
    assert rec.scans == [("IN", "P7"), ("HOLD", "P7")]


def test_domestic_parcel_passes():
    rec = Recorder()
    on_arrival(rec, "P8", Papers("DE"))
    assert rec.scans == [("IN", "P8")]
