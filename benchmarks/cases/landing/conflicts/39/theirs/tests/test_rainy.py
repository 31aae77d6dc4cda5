import icons
import rainy


def test_rain():
    rainy.enable()
    assert icons.icon('rain') == '/'
