from functools import partial

from corpus import WORDS, Corpus
from trainer import Trainer

hint = Corpus().suggest()
train = partial(Trainer().train, size=hint["vector_size"])

for upto in range(1, len(WORDS) + 1):
    print(upto, train(words=upto)["weights"])
