from embeddings import Options, Word2Vec

options = Options().parse()
print(Word2Vec().build(options["vector_size"]))
