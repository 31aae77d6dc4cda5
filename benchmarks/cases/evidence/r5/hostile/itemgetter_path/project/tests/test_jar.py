from jar.nodes import Jar, Scale
from jar.report import report


def test_report():
    scale, jar = Scale(), Jar()
    scale.publish = lambda topic, payload: None
    for spoon in (1, 2):
        jar.on_weight({"mass_g": scale.weigh(spoon)["grams"]})
    assert report(jar) == "now 30 all 45"
