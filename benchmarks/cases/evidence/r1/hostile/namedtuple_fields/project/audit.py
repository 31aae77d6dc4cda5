def count(papers, word):
    return sum(getattr(p, "ballot") == word for p in papers)
