def crop(row, left=0, width=None):
    stop = None if width is None else left + width
    return row[left:stop]
