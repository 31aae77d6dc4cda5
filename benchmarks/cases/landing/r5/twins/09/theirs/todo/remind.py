from datetime import datetime, timedelta

from todo import clock


def to_remind(tasks, ahead=timedelta(hours=1)):
    """Titles of the tasks that are due within the time ahead or late."""
    titles = []
    for task in tasks:
        due = datetime.strptime(task["due"], "%Y-%m-%d %H:%M").replace(tzinfo=clock.now().tzinfo)
        if due - clock.now() <= ahead:
            titles.append(task["title"])
    return titles
