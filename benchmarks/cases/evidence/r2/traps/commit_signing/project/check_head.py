from keyring import Keyring, Repo

head = vars(Repo().head())
for role in ("author", "committer"):
    print(role, Keyring().verify(signer=head[role], sha=head["sha"])["good"])
