"""Alerts for the people who order stock."""

OUTBOX = []


def send_alert(recipient, text, channel="mail", urgent=False):
    """Queue one alert; a worker empties OUTBOX later."""
    OUTBOX.append({"to": recipient, "text": text, "via": channel, "urgent": urgent})


def alert_buyers(buyers, text, **options):
    """Same alert to every buyer; options go to send_alert."""
    for buyer in buyers:
        send_alert(buyer, text, **options)
    return len(buyers)
