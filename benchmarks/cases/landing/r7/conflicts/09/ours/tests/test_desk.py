from seedbank.desk import hand_out
from seedbank.store import Store


def test_hand_out_is_kept(tmp_path):
    path = tmp_path / "seeds.db"
    s = Store(path)
    with s.unit():
        s.save("rye", 100)
    assert hand_out(s, "rye", 30) == 70
    s.close()
    assert Store(path).grams("rye") == 70
