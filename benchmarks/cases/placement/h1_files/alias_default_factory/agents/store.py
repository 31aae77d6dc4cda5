ALL: list = []
