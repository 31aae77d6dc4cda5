from bus import emit


def take(shelf, item, n):
    shelf[item] -= n
    if shelf[item] < 5:
        emit('stock.low', {'article': item, 'left': shelf[item]})
    return shelf[item]
