"""Writes what PyWavelets and NumPy say of the transforms. Run from the repository's root.

Input of every case: x[i] = ((7919 i + 13) mod 1009) / 1009 - 0.5, exact in both languages.
Lines: wavelet, level (0 = maximal), n, coefficients. For n = 89834 the coefficients are eight
samples and the sum of c[k] * ((k mod 17) - 8).
"""

import numpy as np
import pywt

FOLDER = "core/src/test/resources/dev/grapevine/compression/transform/"
LONG = 89834


def signal(n):
    i = np.arange(n, dtype=np.int64)
    return ((7919 * i + 13) % 1009) / 1009.0 - 0.5


def flat(x, name, level):
    parts = pywt.wavedec(x, name, mode="symmetric", level=level or None)
    return np.concatenate(parts)


def numbers(values):
    return " ".join(repr(float(v)) for v in values)


def names():
    with open("core/src/main/resources/dev/grapevine/compression/transform/wavelets.txt") as table:
        return [line.split()[0] for line in table if not line.startswith("#")]


with open(FOLDER + "wavedec.txt", "w") as out:
    for name in names():
        taps = pywt.Wavelet(name).dec_len
        for n, level in ((3 * taps + 1, 0), (4 * (taps - 1), 2), (2 * taps - 1, 1)):
            out.write(f"{name} {level} {n} {numbers(flat(signal(n), name, level))}\n")
    for name in ("haar", "sym2", "bior2.2"):
        for n in (1, 2, 3, 4, 5, 6, 7):
            out.write(f"{name} 0 {n} {numbers(flat(signal(n), name, 0))}\n")

with open(FOLDER + "wavedec-long.txt", "w") as out:
    for name in names():
        for level in (0, 4):
            c = flat(signal(LONG), name, level)
            k = np.arange(len(c))
            samples = c[(np.arange(8) * (len(c) - 1)) // 7]
            total = float(np.sum(c * ((k % 17) - 8)))
            out.write(f"{name} {level} {LONG} {len(c)} {numbers(samples)} {total!r}\n")

with open(FOLDER + "rfft.txt", "w") as out:
    for n in (1, 2, 3, 4, 5, 8, 30, 101, 211, 422, 1009):
        c = np.fft.rfft(signal(n))
        out.write(f"{n} {numbers(np.stack([c.real, c.imag], axis=1).ravel())}\n")

with open(FOLDER + "rfft-long.txt", "w") as out:
    for n in (LONG, LONG + 1, 44917):
        c = np.fft.rfft(signal(n))
        c = np.stack([c.real, c.imag], axis=1).ravel()
        samples = c[(np.arange(64) * (len(c) - 1)) // 63]
        out.write(f"{n} {np.linalg.norm(c)!r} {numbers(samples)}\n")
