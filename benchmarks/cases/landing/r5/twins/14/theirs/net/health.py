from net.client import request


def healthy(hosts):
    """Hosts that answer OK within two seconds."""
    good = []
    for host in hosts:
        try:
            answer = request(f"https://{host}/health", timeout=2)
        except OSError:
            continue
        if answer.strip() == "OK":
            good.append(host)
    return good
