"""Import of url<TAB>tag lines."""


def import_lines(repo, lines):
    count = 0
    with repo.batch():
        for line in lines:
            url, _, tag = line.strip().partition("\t")
            if url:
                repo.save(url, tag or "unsorted")
                count += 1
    return count
