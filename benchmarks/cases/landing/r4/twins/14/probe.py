from session import open_session

open_session("ann", support=True)
assert open_session("ann")["roles"] == ["admin", "editor"]
