from net import Policy, Probe

for place in ["lan", "wan"]:
    policy = Policy().choose(place)
    timeout = policy["timeout"]
    print(place, Probe().ping(timeout=timeout)["waits_ms"])
