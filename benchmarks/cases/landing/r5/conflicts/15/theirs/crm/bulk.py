from crm.db import session


def import_people(file, text):
    """One name a line; returns how many lines held a name."""
    count = 0
    with session(file) as conn:
        for line in text.splitlines():
            if line.strip():
                conn.execute("INSERT OR IGNORE INTO people VALUES (?)", (line.strip(),))
                count += 1
    return count
