from sweep import Sweep

notes = ["x"]
Sweep(["a", "b"], 1, notes).run()
assert notes == []
