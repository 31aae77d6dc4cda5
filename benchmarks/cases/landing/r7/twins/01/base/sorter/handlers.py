"""What happens when a parcel passes under a scanner."""


class ScanHandlers:
    def __init__(self, log=None):
        self.log = log if log is not None else []
        self.state = {}

    def handle(self, code, parcel):
        """Dispatch a scan; codes we do not know are logged and skipped."""
        method = getattr(self, "do_" + code.lower(), self.do_unknown)
        method(parcel)
        return self.state.get(parcel)

    def do_in(self, parcel):
        self.state[parcel] = "arrived"

    def do_hold(self, parcel):
        self.state[parcel] = "held"

    def do_out(self, parcel):
        if self.state.get(parcel) == "held":
            raise RuntimeError(f"{parcel} is held")
        self.state[parcel] = "shipped"

    def do_unknown(self, parcel):
        self.log.append(f"ignored scan of {parcel}")
