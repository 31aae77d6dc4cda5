from net import client, health

waits = []
client._transport = lambda url, timeout, retries: waits.append(timeout) or "OK"
health.healthy(["a"])
assert waits == [2], waits
