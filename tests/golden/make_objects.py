"""Makes the golden programs with custom objects: make_objects.py OUT_DIR

Compiles the class studio::Queue for PyTorch with g++, exports three programs that use it and computes their results with it:
NAME.pt2 and NAME.npz with the input in0, the outputs out0, ... of a first call and out0_2, ... of a second one. Needs torch 2.13.0,
numpy and g++.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
import torch

SOURCE = """
#include <ATen/ATen.h>
#include <torch/custom_class.h>
#include <torch/library.h>

// A queue of tensors that scales what comes in.
struct Queue : torch::CustomClassHolder {
  explicit Queue(double gain) : gain(gain) {}
  void push(at::Tensor t) { items.push_back(t * gain); }
  at::Tensor pop() {
    auto first = items.front();
    items.erase(items.begin());
    return first;
  }
  at::Tensor mix(at::Tensor a, double k) { return a * gain * k; }
  std::tuple<at::Tensor, at::Tensor> split(at::Tensor a) { return {a * gain, a.sub(gain)}; }
  std::tuple<std::tuple<std::string, double>> flat() const { return {{"gain", gain}}; }
  double gain;
  std::vector<at::Tensor> items;
};

TORCH_LIBRARY(studio, m) {
  m.class_<Queue>("Queue")
      .def(torch::init<double>())
      .def("push", &Queue::push)
      .def("pop", &Queue::pop)
      .def("mix", &Queue::mix)
      .def("split", &Queue::split)
      .def("__obj_flatten__", &Queue::flat)
      .def_pickle([](const c10::intrusive_ptr<Queue>& q) { return q->gain; },
                  [](double gain) { return c10::make_intrusive<Queue>(gain); });
}
"""


def load_class():
    root = os.path.dirname(torch.__file__)
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "queue.cpp")
        library = os.path.join(folder, "libqueue.so")
        with open(source, "w") as file:
            file.write(SOURCE)
        subprocess.run(["g++", "-std=c++20", "-shared", "-fPIC", f"-I{root}/include", f"-I{root}/include/torch/csrc/api/include",
                        source, "-o", library, f"-L{root}/lib", "-ltorch", "-ltorch_cpu", "-lc10"], check=True)
        torch.ops.load_library(library)

    @torch._library.register_fake_class("studio::Queue")
    class FakeQueue:
        def __init__(self, gain):
            self.gain, self.items = gain, []

        @classmethod
        def __obj_unflatten__(cls, flat):
            return cls(**dict(flat))

        def push(self, t):
            self.items.append(t)

        def pop(self):
            return self.items.pop(0)

        def mix(self, a, k):
            return torch.empty_like(a)

        def split(self, a):
            return torch.empty_like(a), torch.empty_like(a)


class Queued(torch.nn.Module):
    """Each call finds what the call before left in the queue."""

    def __init__(self):
        super().__init__()
        self.queue = torch.classes.studio.Queue(0.5)
        self.w = torch.nn.Parameter(torch.tensor([1.0, 2.0, 3.0, 4.0]), requires_grad=False)

    def forward(self, x):
        y = x * self.w
        self.queue.push(y)
        a, b = self.queue.split(self.queue.mix(x, 3.0))
        self.queue.push(y + 1)
        self.queue.push(y + 2)
        return self.queue.pop() - self.queue.pop() * self.w, a + b


class Effects(Queued):
    def forward(self, x):
        y = x * self.w
        self.queue.push(y)
        self.queue.push(y + 1)
        return self.queue.pop() - self.queue.mix(self.queue.pop(), 3.0)


class Given(torch.nn.Module):
    def forward(self, x, queue):
        queue.push(x)
        queue.push(x + 1)
        return queue.pop() * 2


def save(folder, name, program, call, x):
    for node in program.graph.nodes:
        node.meta.pop("stack_trace", None)
    torch.export.save(program, os.path.join(folder, name + ".pt2"))
    arrays = {"in0": x.numpy()}
    for suffix in ("", "_2"):
        out = call(x)
        for i, tensor in enumerate(out if isinstance(out, tuple) else (out,)):
            arrays[f"out{i}{suffix}"] = tensor.detach().numpy()
    np.savez(os.path.join(folder, name + ".npz"), **arrays)


def main():
    folder = sys.argv[1]
    load_class()
    x = torch.tensor([1.0, -1.0, 2.0, 0.5])

    def fresh(module):
        module.queue = torch.classes.studio.Queue(0.5)
        return module

    module = fresh(Queued())
    save(folder, "queued", torch.export.export(module, (x,)), fresh(module), x)
    module = fresh(Effects())
    program = torch.export.export(module, (x,)).run_decompositions()
    save(folder, "effects", program, fresh(module), x)
    given = Given()
    program = torch.export.export(given, (x, torch.classes.studio.Queue(2.0)))
    queue = torch.classes.studio.Queue(2.0)
    save(folder, "given", program, lambda x: given(x, queue), x)


if __name__ == "__main__":
    main()
