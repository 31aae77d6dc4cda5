from grader import Grader

try:
    from hw.usb_scale import Scale
except ImportError:
    from sim import Scale

print(Grader().grade(grams=Scale().read()["value"])["egg"])
