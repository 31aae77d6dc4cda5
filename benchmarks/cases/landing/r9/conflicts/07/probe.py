from watch.ports import PortCheck


class Line:
    def close(self):
        pass


check = PortCheck(22, connect=lambda address, timeout: Line())
assert check.report("db1") == "port 22 on db1: ok"
