LINES = """
e2e4 e7e5 g1f3 b8c6 f1b5 | Ruy Lopez
e2e4 e7e5 g1f3 b8c6 f1c4 | Italian
e2e4 c7c5 | Sicilian
d2d4 d7d5 c2c4 | Queen's Gambit
d2d4 g8f6 c2c4 g7g6 | King's Indian
"""


def _build(text):
    root = {}
    for line in filter(None, text.splitlines()):
        moves, name = line.split(" | ")
        node = root
        for uci in moves.split():
            node = node.setdefault(uci, {})
        node["name"] = name
    return root


TREE = _build(LINES)


def walk(moves):
    node, depth = TREE, 0
    for uci in moves:
        if uci not in node:
            break
        node = node[uci]
        depth += 1
    return node, depth
