"""Writes PyTorch's half, bfloat16 and quint8 versions of some floats. Run from the repository's root.

Lines: kind, then as little-endian hex the values and what they are after the way there and back.
"""

import numpy as np
import torch

generator = torch.Generator().manual_seed(90)


def hexed(tensor):
    return tensor.numpy().astype("<f4").tobytes().hex()


def affine(x):
    """Scale and zero point as torch.ao.quantization.MinMaxObserver chooses them for quint8."""
    low = min(float(x.min()), 0.0)
    high = max(float(x.max()), 0.0)
    scale = np.float32((high - low) / 255)
    zero = int(min(255, max(0, -round(low / float(scale)))))
    return torch.quantize_per_tensor(x, float(scale), zero, torch.quint8).dequantize()


def wide(n):
    x = torch.randn(n, generator=generator) * torch.exp(4 * torch.randn(n, generator=generator))
    special = [0.0, -0.0, 65504.0, -65504.0, 6e-8, 2.9e-8, 1e-7, 1e-40, 1.00390625, 1.01171875]
    return torch.cat([x, torch.tensor(special)])


with open("core/src/test/resources/dev/grapevine/compression/values/torch.txt", "w") as out:
    x = wide(200)
    x = x[x.abs() < 65505]
    out.write(f"float16 {hexed(x)} {hexed(x.half().float())}\n")
    out.write(f"bfloat16 {hexed(x)} {hexed(x.bfloat16().float())}\n")
    for shift, spread in ((0, 1), (0.3, 0.2), (-2, 0.1), (5, 3), (0, 1e-5)):
        x = shift + spread * torch.randn(150, generator=generator)
        out.write(f"affine8 {hexed(x)} {hexed(affine(x))}\n")
