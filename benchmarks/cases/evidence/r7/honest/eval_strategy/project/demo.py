from arguments import Arguments
from loop import Loop

print(Arguments(no_cuda=True).parse())
print(Loop().configure(evaluation_strategy="epoch"))
