from collections import deque

from graphbus_core import GraphBusNode, subscribe


def waiting_room(player, level, rooms={}):
    queue = rooms.setdefault(level, deque())
    if queue and queue[0] != player:
        return queue.popleft()
    queue.append(player)
    return None


class CasualPairing(GraphBusNode):
    @subscribe("/Chess/Seek")
    def on_seek(self, player: str, rating: int) -> dict:
        rival = waiting_room(player, rating // 200)
        return {"player": player, "against": rival}


class RoundRobin(GraphBusNode):
    """Berger tables by the circle method."""

    @subscribe("/Chess/RoundRobin")
    def on_table(self, players: list, round_no: int) -> list:
        ring = deque(players[1:])
        if len(players) % 2 == 0:
            first = players[0]
        else:
            ring.append(players[0])
            first = None
        ring.rotate(round_no)
        line = [first, *ring]
        half = len(line) // 2
        return [(a, b) for a, b in zip(line[:half], reversed(line[half:])) if a and b]
