"""Records what each node of an exported program gives in PyTorch, for `treadle diff`.

record_nodes.py MODEL.pt2 IN.npz OUT.npz: the inputs are in0, in1, … of IN.npz, or `-` for the file's samples.
"""
import sys

import numpy
import torch


def to_numpy(name, value):
    """NumPy has no bfloat16: its bits are stored under a marked name."""
    value = value.detach().clone().cpu().resolve_conj().resolve_neg()
    if value.dtype == torch.bfloat16:
        return name + "__bfloat16", value.contiguous().view(torch.int16).numpy().view(numpy.uint16)
    return name, value.numpy()


class Recorder(torch.fx.Interpreter):
    arrays = {}

    def run_node(self, node):
        value = super().run_node(node)
        if node.op == "call_function" and isinstance(value, (torch.Tensor, bool, int, float)):
            tensor = value if isinstance(value, torch.Tensor) else torch.tensor(value, dtype={float: torch.float64}.get(type(value)))
            self.arrays.update([to_numpy(node.name, tensor)])
        return value

    def call_function(self, target, args, kwargs):
        if target is not torch.ops.higher_order.while_loop:
            return super().call_function(target, args, kwargs)
        condition, body, carried, constant = args  # outside of a compiler PyTorch would compile the loop
        while condition(*carried, *constant):
            carried = body(*carried, *constant)
        return tuple(carried)


program = torch.export.load(sys.argv[1])
if sys.argv[2] == "-":
    args, kwargs = program.example_inputs
    users = torch.utils._pytree.tree_leaves((args, kwargs))
else:
    given = numpy.load(sys.argv[2])
    users = [given[f"in{i}"] for i in range(sum(name[2:].isdigit() for name in given if name.startswith("in")))]
    users = [torch.from_numpy(array) for array in users]
for i, user in enumerate(users):
    if isinstance(user, torch.Tensor):
        Recorder.arrays.update([to_numpy(f"in{i}", user)])
    elif isinstance(user, (bool, int, float)):
        Recorder.arrays[f"in{i}"] = numpy.array(user)
stored = {**program.state_dict, **program.constants}
left = iter(users)
inputs = [next(left) if spec.target is None else stored[spec.target].clone() for spec in program.graph_signature.input_specs]
places = [node for node in program.graph.nodes if node.op == "placeholder"]
inputs = [
    value.item() if isinstance(value, torch.Tensor) and isinstance(place.meta.get("val"), (int, float, torch.SymInt)) else value
    for place, value in zip(places, inputs)
]
with torch.no_grad():
    Recorder(program.graph_module).run(*inputs)
numpy.savez(sys.argv[3], **Recorder.arrays)
