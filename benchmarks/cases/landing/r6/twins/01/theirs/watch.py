"""Gives up on a client that has used all its attempts."""


def deadline(client, started):
    attempts = client.settings["retries"]
    return started + attempts * client.wait_seconds()


def overdue(client, started, now):
    return now > deadline(client, started)
