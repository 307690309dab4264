"""Writes what libzfp 1.0.0 makes of some runs of floats. Run from the repository's root.

Lines: tolerance, number of values, then as little-endian hex: the values, libzfp's fixed-accuracy
stream without header, and what libzfp decodes from it. Needs the shared library of Debian's libzfp1.
"""

import ctypes

import numpy as np

zfp = ctypes.CDLL("libzfp.so.1")
POINTER = ctypes.c_void_p
zfp.zfp_field_1d.restype = POINTER
zfp.zfp_field_1d.argtypes = [POINTER, ctypes.c_int, ctypes.c_size_t]
zfp.zfp_stream_open.restype = POINTER
zfp.zfp_stream_open.argtypes = [POINTER]
zfp.zfp_stream_set_accuracy.restype = ctypes.c_double
zfp.zfp_stream_set_accuracy.argtypes = [POINTER, ctypes.c_double]
zfp.zfp_stream_maximum_size.restype = ctypes.c_size_t
zfp.zfp_stream_maximum_size.argtypes = [POINTER, POINTER]
zfp.stream_open.restype = POINTER
zfp.stream_open.argtypes = [POINTER, ctypes.c_size_t]
for name in ("zfp_stream_set_bit_stream",):
    getattr(zfp, name).argtypes = [POINTER, POINTER]
    getattr(zfp, name).restype = None
zfp.zfp_stream_rewind.argtypes = [POINTER]
zfp.zfp_stream_rewind.restype = None
for name in ("zfp_compress", "zfp_decompress"):
    getattr(zfp, name).argtypes = [POINTER, POINTER]
    getattr(zfp, name).restype = ctypes.c_size_t
ZFP_TYPE_FLOAT = 3


def run(values, tolerance):
    data = np.ascontiguousarray(values, dtype="<f4")
    field = zfp.zfp_field_1d(data.ctypes.data, ZFP_TYPE_FLOAT, len(data))
    stream = zfp.zfp_stream_open(None)
    zfp.zfp_stream_set_accuracy(stream, tolerance)
    room = zfp.zfp_stream_maximum_size(stream, field)
    buffer = ctypes.create_string_buffer(room)
    bits = zfp.stream_open(ctypes.addressof(buffer), room)
    zfp.zfp_stream_set_bit_stream(stream, bits)
    zfp.zfp_stream_rewind(stream)
    size = zfp.zfp_compress(stream, field)
    assert size > 0
    back = np.zeros(len(data), dtype="<f4")
    target = zfp.zfp_field_1d(back.ctypes.data, ZFP_TYPE_FLOAT, len(back))
    zfp.zfp_stream_rewind(stream)
    assert zfp.zfp_decompress(stream, target) > 0
    return buffer.raw[:size], back


random = np.random.default_rng(90)
cases = []
for n in (1, 2, 3, 4, 5, 6, 7, 8, 33):
    for tolerance in (1e-1, 1e-3, 1e-6):
        cases.append((tolerance, random.normal(0, 0.1, n)))
for tolerance in (1.0, 1e-2, 1e-3, 1e-4, 1e-9, 1e-20):
    cases.append((tolerance, random.normal(0, 1, 101) * np.exp(random.normal(-2, 2, 101))))
cases.append((1e-3, np.zeros(9)))
cases.append((1e-3, np.full(10, -0.7)))
cases.append((1e-3, np.sin(np.arange(200) / 9)))
cases.append((1e-3, random.normal(0, 1e30, 21)))
cases.append((1e-3, random.normal(0, 1e-30, 21)))
cases.append((1e24, random.normal(0, 1e30, 21)))
cases.append((1e-24, random.normal(0, 1e-20, 21)))
mixed = random.normal(0, 1, 64)
mixed[::5] = 0
mixed[::7] *= 1e-7
cases.append((1e-5, mixed))

with open("core/src/test/resources/dev/grapevine/compression/values/zfp.txt", "w") as out:
    for tolerance, values in cases:
        values = values.astype("<f4")
        stream, back = run(values, tolerance)
        out.write(f"{tolerance} {len(values)} {values.tobytes().hex()} {stream.hex()} {back.tobytes().hex()}\n")
