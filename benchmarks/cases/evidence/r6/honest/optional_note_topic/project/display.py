from graphbus_core import GraphBusNode, subscribe


class Display(GraphBusNode):
    width = 22

    @subscribe("/Booking/Reserved")
    def show(self, room: str, hour: int, guest: str):
        line = f"{hour:02d}:00 {guest}"
        if len(line) > self.width:
            line = line[: self.width - 1] + "…"
        return {"door": room, "line": line}
