from alerts.channel import notify


def on_recovery(job, was_failing):
    """Tell the owner that all is well again, once."""
    if job["name"] not in was_failing:
        return False
    was_failing.discard(job["name"])
    notify(job["owner"], f"{job['name']} works again")
    return True
