"""Writes what libfpzip 1.3.0 makes of some runs of floats. Run from the repository's root.

Lines: precision, number of values, then as little-endian hex: the values, libfpzip's stream with
header, and what libfpzip decodes from it. Needs the shared library of Debian's libfpzip1.
"""

import ctypes

import numpy as np

fpzip = ctypes.CDLL("libfpzip.so.1")
POINTER = ctypes.c_void_p


class FPZ(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("type", "prec", "nx", "ny", "nz", "nf")]


fpzip.fpzip_write_to_buffer.restype = ctypes.POINTER(FPZ)
fpzip.fpzip_write_to_buffer.argtypes = [POINTER, ctypes.c_size_t]
fpzip.fpzip_read_from_buffer.restype = ctypes.POINTER(FPZ)
fpzip.fpzip_read_from_buffer.argtypes = [POINTER]
for name in ("write", "read"):
    for part, result, arguments in (
        ("_header", ctypes.c_int, 1),
        ("", ctypes.c_size_t, 2),
        ("_close", None, 1),
    ):
        function = getattr(fpzip, f"fpzip_{name}{part}")
        function.restype = result
        function.argtypes = [ctypes.POINTER(FPZ), POINTER][:arguments]


def run(values, precision):
    buffer = ctypes.create_string_buffer(1024 + 16 * len(values))
    stream = fpzip.fpzip_write_to_buffer(ctypes.addressof(buffer), len(buffer))
    header = stream.contents
    header.type, header.prec, header.nx = 0, precision, len(values)
    header.ny = header.nz = header.nf = 1
    assert fpzip.fpzip_write_header(stream)
    size = fpzip.fpzip_write(stream, values.ctypes.data)
    assert size > 0
    fpzip.fpzip_write_close(stream)
    back = np.zeros(len(values), dtype="<f4")
    stream = fpzip.fpzip_read_from_buffer(ctypes.addressof(buffer))
    assert fpzip.fpzip_read_header(stream)
    assert fpzip.fpzip_read(stream, back.ctypes.data) == size
    fpzip.fpzip_read_close(stream)
    return buffer.raw[:size], back


random = np.random.default_rng(90)
cases = [(p, random.normal(0, 0.1, n)) for n in (1, 2, 7, 40) for p in (10, 18, 32)]
cases += [(p, np.sin(np.arange(300) / 9)) for p in (12, 16, 17, 24, 32)]
cases.append((32, np.array([0.0, -0.0, 0.0, -0.0, -1.0, -0.0, 1e-40, -1e-44, 3e38, -3e38] * 12)))
cases.append((18, np.zeros(1500)))
cases.append((32, np.repeat(random.normal(0, 1, 50), 24)))
cases.append((32, np.array([1.0, np.nan, 2.0, np.inf, -np.inf, 0.0] * 20)))

with open("core/src/test/resources/dev/grapevine/compression/values/fpzip.txt", "w") as out:
    for precision, values in cases:
        values = values.astype("<f4")
        stream, back = run(values, precision)
        out.write(f"{precision} {len(values)} {values.tobytes().hex()} {stream.hex()} {back.tobytes().hex()}\n")
