"""models.safetensors: for each model of the zoo, by PyTorch in float64: the loss, samples of the output
and of every gradient, and the losses of 20 steps of SGD on 20 batches.

Parameters, inputs and targets come from formula.py, so a model of millions of parameters costs a
few kilobytes. Batch b uses the seeds 1000 + 3b (inputs), 1001 + 3b (second ids), 1002 + 3b (targets).

A residual network amplifies rounding: where a ReLU's argument crosses zero, or a batch normalisation
sees few values, PyTorch's own float32 gradients are off by up to 5 % of the largest, and 20 steps at a rate
of 0.01 by as much. The batches, the image size and the rates below are chosen so that float32 can
follow.

Arguments name the models to compute; the others are left as they are. Without any, all are computed.
"""

import json
import os
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from formula import read_safetensors, signed, whole, write_safetensors
from layers import Dot, Lstm, TokensToVectors, fill

STEPS, OUTPUT_SAMPLES, GRADIENT_SAMPLES = 20, 64, 32


class Chain(nn.Module):
    """Named layers; a name without parameters is a function."""

    def __init__(self, *steps):
        super().__init__()
        self.steps = []
        for step in steps:
            if isinstance(step, tuple):
                self.add_module(*step)
                self.steps.append(step[1])
            else:
                self.steps.append(step)

    def forward(self, x):
        for step in self.steps:
            x = step(x)
        return x


class Block(nn.Module):
    """He et al.: two 3x3 convolutions and a shortcut."""

    def __init__(self, inputs, outputs, stride, norm):
        super().__init__()
        kind, make = norm
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.add_module(kind + "1", make(outputs))
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.add_module(kind + "2", make(outputs))
        self.norms = [self.get_submodule(kind + "1"), self.get_submodule(kind + "2")]
        self.downsample = None
        if stride != 1 or inputs != outputs:
            shortcut = nn.Conv2d(inputs, outputs, 1, stride, bias=False)
            self.downsample = nn.Sequential(shortcut, make(outputs))

    def forward(self, x):
        y = F.relu(self.norms[0](self.conv1(x)))
        y = self.norms[1](self.conv2(y))
        return F.relu(y + (x if self.downsample is None else self.downsample(x)))


def resnet(stem, widths, depth, classes, norm):
    """`stem` is a list of steps that ends with widths[0] channels."""
    steps, inputs = list(stem), widths[0]
    for stage, outputs in enumerate(widths):
        blocks = []
        for index in range(depth):
            stride = 2 if stage > 0 and index == 0 else 1
            blocks.append(Block(inputs, outputs, stride, norm))
            inputs = outputs
        steps.append(("layer%d" % (stage + 1), nn.Sequential(*blocks)))
    average = lambda x: x.mean(dim=(2, 3))
    return Chain(*steps, average, ("fc", nn.Linear(inputs, classes)))


GROUP = ("gn", lambda channels: nn.GroupNorm(2, channels))
BATCH = ("bn", nn.BatchNorm2d)


def pool(x):
    return F.max_pool2d(x, 2)


def flat(x):
    return torch.flatten(x, 1)


def small_stem(channels, width, norm):
    conv = nn.Conv2d(channels, width, 3, 1, 1, bias=False)
    return [("conv1", conv), (norm[0] + "1", norm[1](width)), F.relu]


def large_stem(channels, width, norm):
    conv = nn.Conv2d(channels, width, 7, 2, 3, bias=False)
    shrink = lambda x: F.max_pool2d(x, 3, 2, 1)
    return [("conv1", conv), (norm[0] + "1", norm[1](width)), F.relu, shrink]


def resnet18(norm):
    return resnet(small_stem(3, 64, norm), (64, 128, 256, 512), 2, 10, norm)


def resnet20(norm):
    return resnet(small_stem(3, 16, norm), (16, 32, 64), 3, 10, norm)


def torchvision_resnet18(norm):
    return resnet(large_stem(3, 64, norm), (64, 128, 256, 512), 2, 10, norm)


def femnist_resnet18(norm):
    return resnet(large_stem(1, 32, norm), (32, 64, 128, 256), 2, 62, norm)


def small_cnn(extent):
    return Chain(
        ("conv1", nn.Conv2d(1, 16, 3, padding=1)), F.relu, pool,
        ("conv2", nn.Conv2d(16, 32, 3, padding=1)), F.relu, pool, flat,
        ("fc1", nn.Linear(32 * (extent // 4) ** 2, 10)),
    )  # fmt: skip


def mlp():
    return Chain(flat, ("fc1", nn.Linear(784, 128)), F.relu, ("fc2", nn.Linear(128, 10)))


def gn_lenet():
    steps = []
    for i, (inputs, outputs) in enumerate([(3, 32), (32, 32), (32, 64)], start=1):
        steps += [("conv%d" % i, nn.Conv2d(inputs, outputs, 5, padding=2))]
        steps += [("gn%d" % i, nn.GroupNorm(2, outputs)), F.relu, pool]
    return Chain(*steps, flat, ("fc1", nn.Linear(1024, 10)))


def celeba_cnn():
    steps = []
    for i, inputs in enumerate([3, 32, 32, 32], start=1):
        steps += [("conv%d" % i, nn.Conv2d(inputs, 32, 3, padding=1)), pool, F.relu]
    return Chain(*steps, flat, ("fc1", nn.Linear(800, 2)))


def cifar10_cnn():
    return Chain(
        ("conv1", nn.Conv2d(3, 6, 5)), F.relu, pool,
        ("conv2", nn.Conv2d(6, 16, 5)), F.relu, pool, flat,
        ("fc1", nn.Linear(400, 120)), F.relu,
        ("fc2", nn.Linear(120, 84)), F.relu,
        ("fc3", nn.Linear(84, 10)),
    )  # fmt: skip


def femnist_cnn():
    return Chain(
        ("conv1", nn.Conv2d(1, 32, 5, padding=2)), F.relu, pool,
        ("conv2", nn.Conv2d(32, 64, 5, padding=2)), F.relu, pool, flat,
        ("fc1", nn.Linear(3136, 512)), F.relu,
        ("fc2", nn.Linear(512, 62)),
    )  # fmt: skip


def shakespeare_lstm():
    return Chain(
        ("embedding", TokensToVectors(92, 8)),
        ("lstm", Lstm(8, 256, 2, True)), flat, F.relu,
        ("fc1", nn.Linear(20480, 92)),
    )  # fmt: skip


def reddit_lstm():
    return Chain(
        ("embedding", TokensToVectors(9999, 200, padding_idx=0)),
        ("lstm", Lstm(200, 256, 2, False)),
        ("fc1", nn.Linear(256, 128)), F.relu,
        ("fc2", nn.Linear(128, 9999)),
    )  # fmt: skip


def sent140_lstm():
    return Chain(
        ("embedding", TokensToVectors(10000, 300)),
        ("lstm", Lstm(300, 100, 2, False)),
        ("fc1", nn.Linear(100, 2)),
    )  # fmt: skip


IMAGE, TOKENS, PAIRS = "image", "tokens", "pairs"
COLOUR, GREY = (3, 32, 32), (1, 28, 28)
# name: (model, batch, learning rate, input kind, input shape or id bounds, classes)
MODELS = {
    "cifar10-cnn": (cifar10_cnn, 4, 0.1, IMAGE, COLOUR, 10),
    "gn-lenet": (gn_lenet, 3, 0.05, IMAGE, COLOUR, 10),
    "femnist-logistic": (
        lambda: Chain(flat, ("fc1", nn.Linear(784, 62))), 5, 0.1, IMAGE, GREY, 62),
    "femnist-cnn": (femnist_cnn, 3, 0.1, IMAGE, GREY, 62),
    "femnist-resnet18 norm=batch extent=64": (
        lambda: femnist_resnet18(BATCH), 4, 1e-5, IMAGE, (1, 64, 64), 62),
    "femnist-resnet18 norm=group": (lambda: femnist_resnet18(GROUP), 2, 0.003, IMAGE, GREY, 62),
    "torchvision-resnet18 norm=group": (
        lambda: torchvision_resnet18(GROUP), 2, 1e-4, IMAGE, COLOUR, 10),
    "resnet18 norm=group": (lambda: resnet18(GROUP), 2, 1e-5, IMAGE, COLOUR, 10),
    "resnet18 norm=batch": (lambda: resnet18(BATCH), 2, 1e-5, IMAGE, COLOUR, 10),
    "resnet20 norm=group": (lambda: resnet20(GROUP), 2, 5e-4, IMAGE, COLOUR, 10),
    "resnet20 norm=batch": (lambda: resnet20(BATCH), 4, 1e-4, IMAGE, COLOUR, 10),
    "logistic": (lambda: Chain(flat, ("fc1", nn.Linear(784, 10))), 5, 0.1, IMAGE, GREY, 10),
    "mlp": (mlp, 5, 0.1, IMAGE, GREY, 10),
    "small-cnn": (lambda: small_cnn(28), 4, 0.1, IMAGE, GREY, 10),
    "small-cnn extent=8": (lambda: small_cnn(8), 4, 0.1, IMAGE, (1, 8, 8), 10),
    "celeba-cnn": (celeba_cnn, 2, 0.1, IMAGE, (3, 84, 84), 2),
    "shakespeare-lstm": (shakespeare_lstm, 2, 0.5, TOKENS, (80, 92), 92),
    "reddit-lstm": (reddit_lstm, 3, 0.5, TOKENS, (10, 9999), 9999),
    "sent140-lstm": (sent140_lstm, 3, 0.5, TOKENS, (25, 10000), 2),
    "matrix-factorization": (lambda: Dot(610, 9724, 20), 16, 0.5, PAIRS, (610, 9724), 0),
}  # fmt: skip


def batch(kind, shape, classes, size, number):
    seed = 1000 + 3 * number
    if kind == IMAGE:
        x = torch.from_numpy(signed(seed, (size, *shape))).double()
    elif kind == TOKENS:
        x = torch.from_numpy(whole(seed, (size, shape[0]), shape[1]))
    else:
        columns = [whole(seed, (size,), shape[0]), whole(seed + 1, (size,), shape[1])]
        x = torch.from_numpy(np.stack(columns, 1))
    if classes > 0:
        return x, torch.from_numpy(whole(seed + 2, (size,), classes))
    return x, torch.from_numpy(whole(seed + 2, (size,), 10)).double() / 2 + 0.5


def sampled(seed, values, count):
    values = values.detach().numpy().reshape(-1)
    return values[whole(seed, (count,), values.size)]


def case(make, size, rate, kind, shape, classes):
    model = make().double()
    fill(model)
    criterion = nn.CrossEntropyLoss() if classes > 0 else nn.MSELoss()
    x, target = batch(kind, shape, classes, size, 0)
    with torch.no_grad():
        outputs = model.eval()(x)
    model.train()
    found = {"outputs": sampled(6999, outputs, OUTPUT_SAMPLES), "outputs.norm": outputs.norm()}
    optimizer, losses = torch.optim.SGD(model.parameters(), lr=rate), []
    for step in range(STEPS):
        x, target = batch(kind, shape, classes, size, step)
        optimizer.zero_grad()
        loss = criterion(model(x), target)
        loss.backward()
        losses.append(loss.item())
        if step == 0:
            gradients = [p.grad for p in model.parameters()]
            samples = [sampled(7000 + i, g, GRADIENT_SAMPLES) for i, g in enumerate(gradients)]
            found["gradients"] = np.stack(samples)
            found["gradients.norm"] = np.array([g.norm() for g in gradients])
            found["gradients.largest"] = np.array([g.abs().max() for g in gradients])
        optimizer.step()
    found["losses"] = np.array(losses)
    names = [[name, list(p.shape)] for name, p in model.named_parameters()]
    print(sum(p.numel() for p in model.parameters()), losses[0], losses[-1], flush=True)
    return found, {"batch": size, "rate": rate, "parameters": names}


def main():
    path = os.path.join(os.path.dirname(__file__), "models.safetensors")
    chosen = sys.argv[1:] or list(MODELS)
    old, known = read_safetensors(path) if sys.argv[1:] else ({}, {})
    tensors, settings = {}, {}
    for name, description in MODELS.items():
        if name in chosen:
            print(name, end=" ", flush=True)
            found, metadata = case(*description)
            settings[name] = json.dumps(metadata, separators=(",", ":"))
            for key, values in found.items():
                tensors[name + "/" + key] = np.atleast_1d(values)
        else:
            settings[name] = known[name]
            tensors.update({key: values for key, values in old.items() if key.startswith(name + "/")})
    write_safetensors(path, tensors, settings)


if __name__ == "__main__":
    main()
