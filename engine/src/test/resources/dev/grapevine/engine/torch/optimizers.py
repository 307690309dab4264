"""optimizers.safetensors: parameters after each of 6 steps, and learning-rate factors, by PyTorch in float64."""

import os

import numpy as np
import torch
from torch.optim import SGD, Adam, AdamW, lr_scheduler

from formula import signed, write_safetensors

SIZE, STEPS = 37, 6
OPTIMIZERS = {
    "sgd": lambda p: SGD(p, lr=0.1),
    "sgd-decay": lambda p: SGD(p, lr=0.1, weight_decay=0.05),
    "sgd-momentum": lambda p: SGD(p, lr=0.1, momentum=0.9, weight_decay=0.01),
    "sgd-nesterov": lambda p: SGD(p, lr=0.1, momentum=0.8, nesterov=True, weight_decay=0.01),
    "adam": lambda p: Adam(p, lr=0.1),
    "adam-decay": lambda p: Adam(p, lr=0.1, betas=(0.8, 0.99), eps=1e-6, weight_decay=0.1),
    "adamw": lambda p: AdamW(p, lr=0.1),
    "adamw-decay": lambda p: AdamW(p, lr=0.1, betas=(0.8, 0.99), eps=1e-6, weight_decay=0.3),
}
SCHEDULES = {
    "step": lambda o: lr_scheduler.StepLR(o, 3, 0.5),
    "exponential": lambda o: lr_scheduler.ExponentialLR(o, 0.9),
    "cosine": lambda o: lr_scheduler.CosineAnnealingLR(o, 10, eta_min=0.1),
    "warm-up": lambda o: lr_scheduler.LinearLR(o, 0.25, 1.0, 4),
}


def main():
    tensors = {}
    for name, make in OPTIMIZERS.items():
        p = torch.nn.Parameter(torch.from_numpy(signed(1, (SIZE,))).double())
        optimizer, trace = make([p]), []
        for step in range(STEPS):
            p.grad = torch.from_numpy(signed(10 + step, (SIZE,))).double()
            optimizer.step()
            trace.append(p.detach().numpy().copy())
        tensors[name] = np.stack(trace)
    for name, make in SCHEDULES.items():
        optimizer = SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
        schedule, trace = make(optimizer), []
        for _ in range(10):
            trace.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            schedule.step()
        tensors[name] = np.array(trace)
    for name, clip in {
        "clip-norm": lambda p: torch.nn.utils.clip_grad_norm_([p], 1.5),
        "clip-norm-loose": lambda p: torch.nn.utils.clip_grad_norm_([p], 100.0),
        "clip-value": lambda p: torch.nn.utils.clip_grad_value_([p], 0.3),
    }.items():
        p = torch.nn.Parameter(torch.zeros(SIZE, dtype=torch.float64))
        p.grad = torch.from_numpy(signed(10, (SIZE,))).double()
        clip(p)
        tensors[name] = p.grad.numpy()
    write_safetensors(os.path.join(os.path.dirname(__file__), "optimizers.safetensors"), tensors)


if __name__ == "__main__":
    main()
