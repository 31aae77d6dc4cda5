def clean(email):
    return email.strip().lower()


def submit(subscribers, data):
    try:
        subscribers.save(clean(data.get("email", "")))
    except ValueError as error:
        return {"ok": False, "error": str(error)}
    return {"ok": True}
