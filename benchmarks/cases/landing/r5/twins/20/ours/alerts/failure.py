from alerts.channel import notify


def on_failure(jobs):
    for job in jobs:
        notify(job["owner"], f"{job['name']} failed")
