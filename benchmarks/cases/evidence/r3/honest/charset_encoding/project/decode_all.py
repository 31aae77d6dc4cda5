from mailbox_.decoder import Decoder
from mailbox_.sniffer import Sniffer


def arguments(header):
    sniffed = Sniffer().sniff(header)
    return {"charset": sniffed.get("encoding"), "hex": sniffed.get("hex")}


def main():
    for header in ("utf-8 c3a4", "latin-1 e4f6"):
        print(Decoder().decode(**arguments(header))["text"])


main()
