"""Safetensors in both directions: writes from-python.safetensors, checks from-java.safetensors.

from-java.safetensors was written by SafetensorsTest, which still writes the same bytes.
"""

import os

import numpy as np

from formula import read_safetensors, signed, write_safetensors

SHAPES = {"conv.weight": (4, 3, 2, 2), "conv.bias": (4,), "scale": (), "empty": (0, 5)}


def expected():
    return {name: signed(1 + i, shape) for i, (name, shape) in enumerate(SHAPES.items())}


def main():
    here = os.path.dirname(__file__)
    write_safetensors(os.path.join(here, "from-python.safetensors"), expected(), {"note": "grüße"})
    tensors, metadata = read_safetensors(os.path.join(here, "from-java.safetensors"))
    assert metadata == {"note": "grüße"}, metadata
    assert list(tensors) == list(SHAPES), list(tensors)
    for name, values in expected().items():
        assert np.array_equal(tensors[name], values), name
        assert tensors[name].shape == values.shape, name
    print("from-java.safetensors: as expected")


if __name__ == "__main__":
    main()
