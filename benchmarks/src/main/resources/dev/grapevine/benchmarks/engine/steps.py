"""Runs training or forward steps of the benchmark's models in PyTorch, one thread.

Reads lines "WORK MODEL BATCH SECONDS", answers steps per second of processor time.
"""

import os
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1)


def norm_relu_pool(inputs, outputs):
    return [nn.Conv2d(inputs, outputs, 5, padding=2), nn.GroupNorm(2, outputs), nn.ReLU(), nn.MaxPool2d(2)]


def gn_lenet():
    return nn.Sequential(
        *norm_relu_pool(3, 32), *norm_relu_pool(32, 32), *norm_relu_pool(32, 64),
        nn.Flatten(), nn.Linear(1024, 10))


def femnist_cnn():
    return nn.Sequential(
        nn.Conv2d(1, 32, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(3136, 512), nn.ReLU(), nn.Linear(512, 62))


class Shakespeare(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(92, 8)
        self.lstm = nn.LSTM(8, 256, 2, batch_first=True)
        self.fc1 = nn.Linear(80 * 256, 92)

    def forward(self, x):
        states, _ = self.lstm(self.embedding(x))
        return self.fc1(F.relu(states.flatten(1)))


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.GroupNorm(2, outputs), nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.GroupNorm(2, outputs))
        self.shortcut = nn.Sequential()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.GroupNorm(2, outputs))

    def forward(self, x):
        return F.relu(self.main(x) + self.shortcut(x))


def resnet18():
    layers = [nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.GroupNorm(2, 64), nn.ReLU()]
    inputs = 64
    for width, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        layers += [Block(inputs, width, stride), Block(width, width, 1)]
        inputs = width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10))


MODELS = {
    "gn-lenet": (gn_lenet, lambda b: torch.randn(b, 3, 32, 32), 10),
    "femnist-cnn": (femnist_cnn, lambda b: torch.randn(b, 1, 28, 28), 62),
    "shakespeare-lstm": (Shakespeare, lambda b: torch.randint(0, 80, (b, 80)), 92),
    "resnet18": (resnet18, lambda b: torch.randn(b, 3, 32, 32), 10),
}
built = {}


def prepare(name, batch):
    if (name, batch) not in built:
        make, inputs, classes = MODELS[name]
        built[name, batch] = make(), inputs(batch), torch.randint(0, classes, (batch,))
    return built[name, batch]


def train(model, x, y):
    model.train()
    model.zero_grad()
    F.cross_entropy(model(x), y).backward()


def forward(model, x, _):
    model.eval()
    with torch.no_grad():
        model(x)


def matrix_library():
    """Debian's PyTorch takes any BLAS that is installed, and the plain one is several times slower."""
    torch.ones(2, 2) @ torch.ones(2, 2)
    try:
        with open("/proc/self/maps") as maps:
            files = {os.path.basename(line.split()[-1]) for line in maps}
    except OSError:
        return ""
    known = sorted(f for f in files if f.startswith(("libopenblas", "libmkl_core", "libblis", "libblas")))
    return " with " + known[-1] if known else ""


print(torch.__version__ + matrix_library(), flush=True)
for line in sys.stdin:
    work, name, batch, seconds = line.split()
    step = {"TRAIN": train, "FORWARD": forward}[work]
    subject = prepare(name, int(batch))
    start = time.thread_time()
    steps = 0
    while True:
        step(*subject)
        steps += 1
        elapsed = time.thread_time() - start
        if elapsed >= float(seconds):
            break
    print(steps / elapsed, flush=True)
