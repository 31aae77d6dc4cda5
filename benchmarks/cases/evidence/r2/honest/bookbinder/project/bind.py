from bindery import Folder, Sewing

folded = Folder().fold(pages=160)
job = {"paper": folded["paper"]} | {"gatherings": folded["signatures"]}
print(Sewing().sew(**job)["thread_cm"])
