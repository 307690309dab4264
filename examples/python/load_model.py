"""A model that Grapevine saved (run --save-models), in PyTorch; needs nothing but torch."""
import json
import struct

import torch


def load(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = bytearray(file.read())
    state = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            values = torch.frombuffer(data[begin:end], dtype=torch.float32)
            state[name] = values.reshape(entry["shape"]).clone()
    return state


class Mlp(torch.nn.Module):
    """The model "mlp" as it is by default."""

    def __init__(self, inputs=784, hidden=128, classes=10):
        super().__init__()
        self.fc1 = torch.nn.Linear(inputs, hidden)
        self.fc2 = torch.nn.Linear(hidden, classes)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x.flatten(1))))


if __name__ == "__main__":
    import sys

    model = Mlp()
    model.load_state_dict(load(sys.argv[1]))
    model.eval()
    with torch.no_grad():
        print(model(torch.zeros(1, 784)))
