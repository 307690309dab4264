"""Numbers that Python and Java (Formula.java) compute alike, and a minimal safetensors reader and writer."""

import json
import math
import struct

import numpy as np


def bits(seed, count):
    """24 well mixed bits for each of `count` positions."""
    with np.errstate(over="ignore"):
        h = np.arange(count, dtype=np.uint32) * np.uint32(0x9E3779B9)
        h += np.uint32(seed * 0x85EBCA6B & 0xFFFFFFFF)
        h ^= h >> np.uint32(16)
        h *= np.uint32(0x7FEB352D)
        h ^= h >> np.uint32(15)
        h *= np.uint32(0x846CA68B)
        h ^= h >> np.uint32(16)
    return h >> np.uint32(8)


def signed(seed, shape):
    """float32 values in [-1, 1), exact."""
    count = math.prod(shape)
    values = bits(seed, count).astype(np.float32) * np.float32(2.0**-23) - np.float32(1)
    return values.reshape(shape)


def whole(seed, shape, bound):
    """Whole numbers in [0, bound)."""
    return (bits(seed, math.prod(shape)).astype(np.int64) % bound).reshape(shape)


def parameter(seed, name, shape):
    """Weights of the size PyTorch starts with; scales near 1, biases near 0."""
    values = signed(seed, shape)
    if len(shape) > 1:
        return values * np.float32(1 / math.sqrt(math.prod(shape[1:])))
    tenth = values * np.float32(0.1)
    return tenth + np.float32(1) if name.endswith(("weight", "running_var")) else tenth


def write_safetensors(path, tensors, metadata=None):
    """https://github.com/huggingface/safetensors#format; float32 only."""
    header, blobs, begin = {}, [], 0
    if metadata:
        header["__metadata__"] = metadata
    for name, values in tensors.items():
        blob = np.ascontiguousarray(values, dtype="<f4").tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(np.shape(values)),
            "data_offsets": [begin, begin + len(blob)],
        }
        begin += len(blob)
        blobs.append(blob)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(blobs))


def read_safetensors(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        assert entry["dtype"] == "F32", entry
        begin, end = entry["data_offsets"]
        blob = data[8 + length + begin : 8 + length + end]
        tensors[name] = np.frombuffer(blob, "<f4").reshape(entry["shape"])
    return tensors, metadata
