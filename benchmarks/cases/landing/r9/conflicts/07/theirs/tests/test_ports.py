from watch.ports import PortCheck


class Line:
    closed = False

    def close(self):
        self.closed = True


def test_open_port():
    line = Line()
    assert PortCheck(22, connect=lambda address, timeout: line).run("db1")
    assert line.closed


def test_closed_port():
    def refuse(address, timeout):
        raise ConnectionRefusedError(address)

    assert not PortCheck(22, connect=refuse).run("db1")


def test_describe():
    assert PortCheck(22).describe("db1") == "port 22 on db1"
