"""Saved states changed by hand, with a checksum that is right again."""

import struct

_TABLE = []
for _byte in range(256):
    _word = _byte
    for _ in range(8):
        _word = _word >> 1 ^ (0x82F63B78 if _word & 1 else 0)
    _TABLE.append(_word)


def _crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def forged(state, at, new):
    """Write `new` over the bytes from `at` on; a negative place counts from the checksum."""
    data = bytearray(state[:-4])
    data[at : at + len(new) or None] = new
    return bytes(data) + struct.pack("<I", _crc32c(data))


def rows_at(state):
    """Return where the numbers of rows stand: counted, dropped, of other labels, nan."""
    compatible, _, label_bytes = struct.unpack_from("<IQQ", state, 20)
    end = 40 + compatible + label_bytes
    return end + -end % 8 + 8
