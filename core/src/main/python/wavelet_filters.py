"""Writes the wavelets' low-pass filters, as PyWavelets has them, to the resource that WaveletFilters reads.

Run from the repository's root: python3 core/src/main/python/wavelet_filters.py
Each line: name, decomposition low-pass, reconstruction low-pass. The high-pass filters follow from
them (asserted here): dec_hi[k] = (-1)^(k+1) rec_lo[k], rec_hi[k] = (-1)^k dec_lo[k].
"""

import pywt

NAMES = (
    ["haar"]
    + [f"db{i}" for i in range(1, 11)]
    + [f"sym{i}" for i in range(2, 11)]
    + [f"coif{i}" for i in range(1, 4)]
    + pywt.wavelist("bior")
    + pywt.wavelist("rbio")
)
TARGET = "core/src/main/resources/dev/grapevine/compression/transform/wavelets.txt"

with open(TARGET, "w") as out:
    out.write(f"# Written by wavelet_filters.py from PyWavelets {pywt.__version__}; do not edit.\n")
    for name in NAMES:
        w = pywt.Wavelet(name)
        assert all(w.dec_hi[k] == (-1) ** (k + 1) * w.rec_lo[k] for k in range(w.dec_len))
        assert all(w.rec_hi[k] == (-1) ** k * w.dec_lo[k] for k in range(w.dec_len))
        decompose = ",".join(repr(v) for v in w.dec_lo)
        reconstruct = ",".join(repr(v) for v in w.rec_lo)
        out.write(f"{name} {decompose} {reconstruct}\n")
