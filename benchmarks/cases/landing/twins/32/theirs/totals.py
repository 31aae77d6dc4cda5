SQL = '''
select max(item)
from line
'''


def biggest(con):
    return con.execute(SQL).fetchone()[0]
