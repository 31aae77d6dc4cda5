from post.label import Label
from post.register import Register

found = Register().find("Allston")
print(Label().print(town=found["town"], zip=f"{found['zip']:05d}")["text"])
