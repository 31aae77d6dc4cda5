import codecs
import zlib

from graphbus_core import GraphBusNode, subscribe

new_decoder = codecs.getincrementaldecoder('utf-8')


class Teleprinter(GraphBusNode):
    '''Text from the line, block by block.'''

    def __init__(self):
        super().__init__()
        self.decode = new_decoder(errors='replace').decode

    @subscribe('/coast/line/block')
    def block(self, octets: list[int]) -> str:
        return self.decode(bytes(octets))


class Telegram(GraphBusNode):
    '''A whole telegram with its checksum.'''

    def __init__(self):
        super().__init__()
        self.checksum = zlib.crc32

    @subscribe('/coast/line/telegram')
    def telegram(self, blocks: list[list[int]]) -> dict:
        decoder = new_decoder(errors='replace')
        crc, text = 0, ''
        for octets in map(bytes, blocks):
            crc = self.checksum(octets, crc)
            text += decoder.decode(octets)
        text += decoder.decode(b'', final=True)
        return {'text': text, 'crc': f'{crc:08x}'}
