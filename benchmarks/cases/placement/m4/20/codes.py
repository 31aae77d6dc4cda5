'''Lists of the coast station.'''
import csv
import io

SHIPS = '''callsign,name,mmsi
DABC,Seeadler,211000001
OXYZ,Havfruen,219000002
PEFG,Noordster,244000003
SKLM,Vasa,265000004
DRTU,Lotse,211000005
'''

Q_CODES = csv.reader(io.StringIO('QTH,position\nQRM,interference\nQSL,receipt\nQRT,stop sending\nQRX,wait\n'))


def ships():
    return csv.DictReader(io.StringIO(SHIPS))


register = {row['callsign']: row for row in ships()}
meanings = map(tuple, Q_CODES)
