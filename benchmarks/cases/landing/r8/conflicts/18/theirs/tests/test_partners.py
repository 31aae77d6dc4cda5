from crm.letters import LetterWriter
from crm.partners import PartnerRepository


def load(text):
    repository = PartnerRepository()
    repository.load(text)
    return repository


def test_load():
    repository = load("20;Blue\n10; Red\n")
    assert [p.name for p in repository.all()] == ["Red", "Blue"]


def test_ids_keep_their_zeros():
    repository = load("0020;Blue\nA7;Green\n")
    assert LetterWriter(repository).address("0020") == "Blue (no. 0020)"
    assert repository.get("A7").name == "Green"


def test_address():
    repository = load("20;Blue\n")
    first = repository.all()[0].partner_id
    assert LetterWriter(repository).address(first) == "Blue (no. 20)"
