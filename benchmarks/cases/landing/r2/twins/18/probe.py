import probe_net
assert probe_net.ping("h/x") == ("h", 5)
