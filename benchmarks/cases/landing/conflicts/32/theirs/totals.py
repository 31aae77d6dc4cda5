SQL = '''
select max(qty)
from line
'''


def biggest(con):
    return con.execute(SQL).fetchone()[0]
