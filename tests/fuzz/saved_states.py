"""Fuzz the bytes of saved matrices and sweeps: ``saved_states.py [COUNT] [SEED]``.

Every prefix and every single-bit flip of golden bytes must be refused. Then COUNT times bytes of
sweeps are changed at random, their length and checksum mostly mended so that the parts behind these
are reached: what comes out is a `StateError`, or an object that writes the same bytes and whose
numbers can be asked for. Whatever else is raised ends the run with the bytes that raised it.
"""

import random
import struct
import sys
import warnings
import zlib

import numpy as np

import confmat as cm

warnings.simplefilter("ignore")

_Y, _SCORES = [0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, -0.0]
_WEIGHTS = [0.5, 1.25, 3.0, 1.0, 1e-300]
GOLDEN = [
    cm.ConfusionMatrix([[3, 1], [0, 2**62]]),
    cm.ConfusionMatrix([[3.5, 1], [0, 2]], labels=["", "漢\0字"]),
    cm.confusion_matrix([True, False], [True, True], sample_weight=[0.5, 2.0]),
    cm.confusion_matrix([7, -1, None], [7, 9, 7], smoothing=0.5),
    cm.sweep(_Y, _SCORES),
    cm.sweep(_Y, np.array(_SCORES, dtype=np.float32), sample_weight=_WEIGHTS),
    cm.sweep(_Y, _SCORES, sample_weight=[2**33, 1, 2, 3, 4]),
    cm.sweep(["", "漢\0字"], [-np.inf, 0.0], pos_label="漢\0字"),
    cm.sweep(["yes"], [0.5], pos_label="yes"),
    cm.sweep(_Y, _SCORES, bins=1024),
    cm.sweep(_Y, _SCORES, bins="unit"),
    cm.sweep(_Y, [*_SCORES[:4], 0.10001], bins="float16"),
    cm.sweep([*_Y, 1], [*_SCORES, 0.8001], bins=1024),
    cm.sweep(_Y, _SCORES, bins=[-1.0, 0.0, 0.2, 0.5, 0.7, 1.0]),
    cm.sweep(_Y, _SCORES, bins=[-1, 1], sample_weight=_WEIGHTS),
]
_TOTAL = {cm.Sweep: 16, cm.BinnedSweep: 16}  # where the length stands
_BYTES = (0, 1, 2, 127, 128, 255)
_WORDS = (0, 1, 2**31, 2**32, 2**53, 2**62, 2**63 - 1, 2**63, 2**64 - 1)
_DOUBLES = (-0.0, -1.0, 1e308, 5e-324, np.inf, -np.inf, np.nan, 0.5, 1e150)


def mend(data, total_at):
    """Write the length and the checksum that these bytes would have."""
    if len(data) >= total_at + 12:
        struct.pack_into("<Q", data, total_at, len(data))
    if len(data) > 4:
        data[-4:] = struct.pack("<I", zlib.crc32(data[:-4]))


def change(rng, data):
    """Change bytes, words or doubles; cut, repeat or add some."""
    kind = rng.randrange(10)
    at = rng.randrange(8, len(data)) if len(data) > 8 else 0
    if kind < 4:
        data[at] = rng.choice(_BYTES) if kind else data[at] ^ 1 << rng.randrange(8)
    elif kind < 7:
        at -= at % 2  # fields begin there
        word = struct.pack("<Q", rng.choice(_WORDS))
        data[at : at + 8] = word if kind < 6 else struct.pack("<d", rng.choice(_DOUBLES))
    elif kind == 7:
        del data[at : at + rng.choice((1, 4, 8, 16))]
    else:
        data[at:at] = data[at : at + rng.choice((1, 4, 8, 16))]


def ask(back):
    """Ask for what every user asks for; errors of ours are answers."""
    for use in (str, repr, hash, lambda x: x + x, lambda x: x - x, lambda x: x.overall()):
        try:
            use(back)
        except cm.ConfmatError:
            continue


def read(kind, data):
    """Return whether these bytes are refused, and check what they hold if they are not."""
    try:
        back = kind.from_bytes(bytes(data))
    except cm.StateError:
        return True
    assert back.to_bytes() == bytes(data), "other bytes come back"
    ask(back)
    return False


def exhaust(golden):
    """Read every prefix and every bit flip; return how many these are."""
    kind, whole = type(golden), golden.to_bytes()
    for length in range(len(whole)):
        assert read(kind, whole[:length]), f"a prefix of {length} bytes is read"
    for bit in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        assert read(kind, flipped), f"bit {bit} does not matter"
    assert not read(kind, whole)
    return 9 * len(whole)


def main(count=100_000, seed=1):
    """Run, and print how many bytes were read and refused."""
    tried = sum(map(exhaust, GOLDEN))
    rng = random.Random(seed)
    # Matrices are changed at random by the target counts_states of confmat_fuzz.
    sweeps = [golden for golden in GOLDEN if not isinstance(golden, cm.ConfusionMatrix)]
    states = [(type(golden), golden.to_bytes()) for golden in sweeps]
    refused = 0
    for at in range(count):
        kind, whole = states[at % len(states)]
        data = bytearray(whole)
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            change(rng, data)
        if rng.randrange(20):
            mend(data, _TOTAL[kind])
        try:
            refused += read(kind, data)
        except BaseException:
            print(f"{kind.__name__}.from_bytes(bytes.fromhex('{data.hex()}'))", file=sys.stderr)
            raise
    print(f"saved states: {tried} prefixes and bit flips, {count} mutations, {refused} refused")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
