"""Makes the programs that the examples load: make_models.py OUT_DIR. Needs torch 2.13.0."""
import os
import re
import sys

import torch


@torch.library.custom_op("studio::soft_clip", mutates_args=())
def soft_clip(signal: torch.Tensor, drive: float) -> torch.Tensor:
    return torch.tanh(signal * drive) / drive


@soft_clip.register_fake
def _(signal, drive):
    return torch.empty_like(signal)


class Mix(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("gain", torch.tensor([0.5, 2.0, -1.0, 1.0]))

    def forward(self, dry, wet):
        return torch.relu(dry * self.gain + wet)


class Clip(torch.nn.Module):
    def forward(self, signal):
        return torch.ops.studio.soft_clip(signal * 2, 1.5)


for name, module, args in (("mix", Mix(), (torch.ones(4), torch.ones(4))), ("clip", Clip(), (torch.ones(4),))):
    exported = torch.export.export(module, args)
    for node in exported.graph.nodes:
        if node.meta.get("stack_trace"):
            node.meta["stack_trace"] = re.sub(r'File "[^"]*/([^/"]+)"', r'File "\1"', node.meta["stack_trace"])
    torch.export.save(exported, os.path.join(sys.argv[1], name + ".pt2"))
