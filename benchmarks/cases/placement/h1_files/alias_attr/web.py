def show(node):
    return len(node.history)
