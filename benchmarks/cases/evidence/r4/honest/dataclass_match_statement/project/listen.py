from decoder import Decoder
from scanner import Frame, Scanner

for n in (1, 2):
    match Scanner().next(n):
        case Frame(kind="data", payload=payload):
            print(Decoder().decode(raw=payload)["text"])
