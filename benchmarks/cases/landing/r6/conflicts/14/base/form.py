def submit(subscribers, data):
    try:
        subscribers.save(data.get("email", ""))
    except ValueError as error:
        return {"ok": False, "error": str(error)}
    return {"ok": True}
