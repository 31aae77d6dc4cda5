from painter import Painter

print(Painter().paint(color="#000")["css"])
