def recipients(db):
    """Addresses for the spring letter, each once."""
    rows = db.execute("SELECT email FROM present")
    return sorted({email.lower() for (email,) in rows if email})
