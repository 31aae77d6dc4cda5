from chess_club.pairing import Pairing
from chess_club.recorder import Recorder

if __name__ == "__main__":
    drawn = Pairing().draw(["Magnus", "Ian"])
    recorder = Recorder()
    print(recorder.sheet(white=drawn["first"], black=drawn["second"])["title"])
