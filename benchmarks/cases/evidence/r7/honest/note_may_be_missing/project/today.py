from form import Form
from label import Label

for number in (1, 2):
    form = Form().sent(number)
    print(Label().print_(note=form["note"])["text"])
