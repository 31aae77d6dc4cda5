from hives import Diary

print(Diary().write(hive=1, frames=2)["line"])
