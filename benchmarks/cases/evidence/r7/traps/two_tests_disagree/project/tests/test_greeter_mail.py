import directory
import greeter


def test_mail():
    found = directory.Directory().lookup(9)
    line = greeter.Greeter().greet(found["mail"])["line"]
    assert "kurz" in line
