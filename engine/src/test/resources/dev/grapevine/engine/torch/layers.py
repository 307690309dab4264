"""layers.safetensors: output, loss and every gradient of single layers, computed by PyTorch in float64.

A case's name holds all its settings, so that the Java test builds the same layer from it. Inputs,
parameters and targets come from formula.py; the loss is the mean squared error of the output.
"after" is what follows in the same pass: 1 for a ReLU, 2 for a ReLU and a 2x2 max pooling.
"""

import os

import numpy as np
import torch
from torch import nn

from formula import parameter, signed, whole, write_safetensors

CASES = [
    "conv2d batch=2 in=1 height=5 width=5 out=1 kernel=3 stride=1 pad=1 bias=1",
    "conv2d batch=3 in=3 height=9 width=7 out=5 kernel=5 stride=1 pad=2 bias=1",
    "conv2d batch=2 in=5 height=11 width=9 out=19 kernel=3 stride=2 pad=1 bias=0",
    "conv2d batch=1 in=16 height=8 width=8 out=16 kernel=3 stride=1 pad=1 bias=1",
    "conv2d batch=2 in=19 height=6 width=6 out=5 kernel=1 stride=1 pad=0 bias=1",
    "conv2d batch=2 in=4 height=7 width=7 out=16 kernel=1 stride=2 pad=0 bias=0",
    "conv2d batch=2 in=6 height=14 width=14 out=16 kernel=5 stride=1 pad=0 bias=1",
    "conv2d batch=2 in=17 height=12 width=5 out=33 kernel=3 stride=1 pad=1 bias=1",
    "conv2d batch=2 in=3 height=15 width=15 out=16 kernel=7 stride=2 pad=3 bias=0",
    "conv2d batch=2 in=2 height=11 width=8 out=3 kernel=2 stride=3 pad=0 bias=1",
    "conv2d batch=1 in=3 height=10 width=10 out=8 kernel=4 stride=2 pad=1 bias=1",
    "conv2d batch=2 in=32 height=4 width=4 out=48 kernel=3 stride=2 pad=1 bias=0",
    "conv2d batch=7 in=3 height=8 width=8 out=32 kernel=5 stride=1 pad=2 bias=1",
    "conv2d batch=3 in=16 height=8 width=8 out=32 kernel=3 stride=1 pad=1 bias=0",
    "conv2d batch=2 in=32 height=7 width=10 out=16 kernel=3 stride=1 pad=2 bias=1",
    "conv2d batch=2 in=16 height=14 width=14 out=32 kernel=5 stride=1 pad=2 bias=1",
    "conv2d batch=3 in=16 height=13 width=10 out=16 kernel=5 stride=1 pad=0 bias=0",
    "conv2d batch=2 in=32 height=9 width=11 out=16 kernel=5 stride=1 pad=4 bias=1",
    "linear batch=1 in=1 out=1",
    "linear batch=5 in=7 out=3",
    "linear batch=3 in=5 out=19",
    "linear batch=8 in=300 out=92",
    "linear batch=13 in=64 out=62",
    "groupnorm batch=2 channels=6 height=5 width=7 groups=2",
    "groupnorm batch=3 channels=19 height=4 width=3 groups=1",
    "groupnorm batch=2 channels=5 height=3 width=3 groups=5",
    "groupnorm batch=2 channels=32 height=8 width=8 groups=2",
    "groupnorm batch=2 channels=64 height=2 width=2 groups=32",
    "batchnorm batch=4 channels=3 height=5 width=7",
    "batchnorm batch=3 channels=19 height=4 width=3",
    "batchnorm batch=2 channels=16 height=8 width=8",
    "batchnorm batch=5 channels=1 height=3 width=3",
    "groupnorm batch=2 channels=19 height=5 width=7 groups=1 after=1",
    "groupnorm batch=3 channels=6 height=9 width=7 groups=2 after=2",
    "groupnorm batch=2 channels=32 height=8 width=8 groups=2 after=2",
    "batchnorm batch=3 channels=19 height=4 width=3 after=1",
    "batchnorm batch=2 channels=16 height=8 width=8 after=2",
    "batchnorm batch=3 channels=5 height=7 width=5 after=2",
    "relupool batch=2 channels=5 height=8 width=6",
    "relupool batch=2 channels=16 height=7 width=9",
    "relu batch=3 channels=5 height=7 width=9",
    "tanh batch=3 channels=5 height=7 width=9",
    "sigmoid batch=3 channels=5 height=7 width=9",
    "maxpool batch=2 channels=5 height=8 width=8 kernel=2 stride=2 pad=0",
    "maxpool batch=2 channels=19 height=7 width=9 kernel=2 stride=2 pad=0",
    "maxpool batch=3 channels=3 height=9 width=9 kernel=3 stride=2 pad=1",
    "maxpool batch=1 channels=16 height=6 width=6 kernel=3 stride=1 pad=0",
    "avgpool batch=2 channels=5 height=8 width=8 kernel=2 stride=2 pad=0",
    "avgpool batch=2 channels=19 height=7 width=9 kernel=3 stride=2 pad=0",
    "globalavgpool batch=2 channels=19 height=5 width=3",
    "globalavgpool batch=3 channels=16 height=4 width=4",
    "embedding batch=3 length=5 tokens=11 dimensions=4 padding=-1",
    "embedding batch=4 length=9 tokens=6 dimensions=19 padding=0",
    "lstm batch=1 length=1 in=1 hidden=1 layers=1 all=1",
    "lstm batch=3 length=4 in=5 hidden=7 layers=1 all=1",
    "lstm batch=2 length=5 in=8 hidden=16 layers=2 all=0",
    "lstm batch=5 length=3 in=19 hidden=33 layers=2 all=1",
    "lstm batch=8 length=6 in=3 hidden=8 layers=3 all=0",
    "lstm batch=14 length=3 in=4 hidden=32 layers=1 all=1",
    "dot batch=6 users=7 items=11 dimensions=20",
    "dot batch=3 users=4 items=3 dimensions=5",
]

# Losses are tested on logits straight from the formula, scaled by 3 to leave the linear range.
LOSSES = [
    "crossentropy batch=5 classes=7",
    "crossentropy batch=3 classes=62",
    "mse batch=4 outputs=3",
    "bce batch=6 outputs=1",
    "bce batch=3 outputs=5",
]


class TokensToVectors(nn.Embedding):
    def forward(self, tokens):
        return super().forward(tokens.long())


class Lstm(nn.LSTM):
    def __init__(self, size, hidden, layers, every):
        super().__init__(size, hidden, layers, batch_first=True)
        self.every = every

    def forward(self, x):
        states, _ = super().forward(x)
        return states if self.every else states[:, -1]


class Dot(nn.Module):
    def __init__(self, users, items, dimensions):
        super().__init__()
        self.user_factors = nn.Embedding(users, dimensions)
        self.item_factors = nn.Embedding(items, dimensions)

    def forward(self, pairs):
        user, item = pairs[:, 0].long(), pairs[:, 1].long()
        return (self.user_factors(user) * self.item_factors(item)).sum(dim=1)


def build(name):
    """Layer and input of a case."""
    kind, *settings = name.split()
    s = {key: int(value) for key, value in (word.split("=") for word in settings)}
    batch = s["batch"]
    if kind == "conv2d":
        layer = nn.Conv2d(s["in"], s["out"], s["kernel"], s["stride"], s["pad"], bias=s["bias"] == 1)
        return layer, signed(900, (batch, s["in"], s["height"], s["width"]))
    if kind == "linear":
        return nn.Linear(s["in"], s["out"]), signed(900, (batch, s["in"]))
    if kind == "lstm":
        x = signed(900, (batch, s["length"], s["in"]))
        return Lstm(s["in"], s["hidden"], s["layers"], s["all"] == 1), x
    if kind == "embedding":
        padding = None if s["padding"] < 0 else s["padding"]
        layer = TokensToVectors(s["tokens"], s["dimensions"], padding_idx=padding)
        return layer, whole(900, (batch, s["length"]), s["tokens"])
    if kind == "dot":
        pairs = np.stack([whole(900, (batch,), s["users"]), whole(901, (batch,), s["items"])], 1)
        return Dot(s["users"], s["items"], s["dimensions"]), pairs
    layer = {
        "groupnorm": lambda: nn.GroupNorm(s["groups"], s["channels"]),
        "batchnorm": lambda: nn.BatchNorm2d(s["channels"]),
        "relupool": lambda: nn.Sequential(nn.ReLU(), nn.MaxPool2d(2)),
        "relu": nn.ReLU,
        "tanh": nn.Tanh,
        "sigmoid": nn.Sigmoid,
        "maxpool": lambda: nn.MaxPool2d(s["kernel"], s["stride"], s["pad"]),
        "avgpool": lambda: nn.AvgPool2d(s["kernel"], s["stride"], s["pad"]),
        "globalavgpool": lambda: nn.AdaptiveAvgPool2d(1),
    }[kind]()
    return layer, signed(900, (batch, s["channels"], s["height"], s["width"]))


def fill(module):
    """Parameters and running statistics by formula, seeded by their position."""
    with torch.no_grad():
        for index, (name, values) in enumerate(module.named_parameters()):
            values.copy_(torch.from_numpy(parameter(1 + index, name, tuple(values.shape))).double())
        moving = [(n, b) for n, b in module.named_buffers() if not n.endswith("tracked")]
        for index, (name, values) in enumerate(moving):
            values.copy_(torch.from_numpy(parameter(501 + index, name, tuple(values.shape))).double())


def followed(name, y):
    after = name.partition("after=")[2] or "0"
    y = y if after == "0" else torch.relu(y)
    return nn.functional.max_pool2d(y, 2) if after == "2" else y


def layer_case(name):
    layer, values = build(name)
    layer.double()
    fill(layer)
    x = torch.from_numpy(values).double()
    found = {}
    if any(True for _ in layer.buffers()):
        found["evaluated"] = followed(name, layer.eval()(x))
        layer.train()
    if not name.startswith(("embedding", "dot")):
        x.requires_grad_()
    y = followed(name, layer(x))
    loss = ((y - torch.from_numpy(signed(950, tuple(y.shape))).double()) ** 2).mean()
    loss.backward()
    found |= {"output": y, "loss": loss.reshape(1)}
    if x.grad is not None:
        found["input"] = x.grad
    for key, values in layer.named_parameters():
        found[key] = values.grad
    for key, values in layer.named_buffers():
        if not key.endswith("tracked"):
            found[key] = values
    return found


def loss_case(name):
    kind, *settings = name.split()
    s = {key: int(value) for key, value in (word.split("=") for word in settings)}
    outputs = s.get("classes", s.get("outputs"))
    x = torch.from_numpy(signed(900, (s["batch"], outputs)) * np.float32(3)).double()
    x.requires_grad_()
    if kind == "crossentropy":
        loss = nn.CrossEntropyLoss()(x, torch.from_numpy(whole(950, (s["batch"],), outputs)))
    elif kind == "mse":
        loss = nn.MSELoss()(x, torch.from_numpy(signed(950, tuple(x.shape))).double())
    else:
        loss = nn.BCEWithLogitsLoss()(x, torch.from_numpy(whole(950, tuple(x.shape), 2)).double())
    loss.backward()
    return {"loss": loss.reshape(1), "input": x.grad}


def main():
    tensors = {}
    for names, case in ((CASES, layer_case), (LOSSES, loss_case)):
        for name in names:
            for key, values in case(name).items():
                tensors[name + "/" + key] = values.detach().numpy()
    write_safetensors(os.path.join(os.path.dirname(__file__), "layers.safetensors"), tensors)


if __name__ == "__main__":
    main()
