from todo import clock


def new_task(title, due):
    """due: text as 2024-05-01 09:30, UTC."""
    return {"title": title, "due": due, "made": clock.stamp()}
