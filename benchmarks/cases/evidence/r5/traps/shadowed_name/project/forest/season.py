from forest.nodes import Saw, Survey


def season(plot):
    counted = Survey().count(plot)
    trees = counted["trees"]
    yields = [3] * trees
    for trees in [sum(yields)]:
        boards = Saw().cut(logs=trees)["boards"]
    return boards
