def show(node):
    return node.last
