from bus import on

orders = []


@on('stock.low')
def reorder(event):
    orders.append(50 - event['left'])
