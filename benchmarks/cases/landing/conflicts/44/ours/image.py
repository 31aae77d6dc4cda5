def crop(row, left=0, w=None):
    stop = None if w is None else left + w
    return row[left:stop]
