from graphbus_core import GraphBusNode, subscribe

L = "0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011".split()
G = [code[::-1].translate(str.maketrans("01", "10")) for code in L]
R = [code.translate(str.maketrans("01", "10")) for code in L]
PARITY = "LLLLLL LLGLGG LLGGLG LLGGGL LGLLGG LGGLLG LGGGLL LGLGLG LGLGGL LGGLGL".split()


def check_digit(twelve: str) -> int:
    return -sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(twelve)) % 10


class TicketBarcode(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.tables = {"L": L, "G": G}

    @subscribe("/Theatre/Ticket/Printed")
    def encode(self, venue: int, show: int, seat: int) -> dict:
        body = f"2{venue % 1000:03d}{show % 10000:04d}{seat % 10000:04d}"
        digits = body + str(check_digit(body))
        left = "".join(self.tables[p][int(d)] for p, d in zip(PARITY[int(digits[0])], digits[1:7]))
        right = "".join(R[int(d)] for d in digits[7:])
        return {"digits": digits, "bars": f"101{left}01010{right}101"}
