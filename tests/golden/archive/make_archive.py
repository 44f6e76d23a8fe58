# Makes the files of this folder. Needs torch and numpy: python make_archive.py
import io
import pathlib
import zipfile

import numpy as np
import torch

here = pathlib.Path(__file__).parent


class Unseekable(io.RawIOBase):
    """A stream that zipfile cannot go back in: it then writes data descriptors."""

    def __init__(self):
        self.bytes = bytearray()

    def writable(self):
        return True

    def write(self, chunk):
        self.bytes += chunk
        return len(chunk)


def tensors():
    base = torch.arange(12, dtype=torch.float32).reshape(3, 4)
    dtypes = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16,
              torch.uint32, torch.uint64, torch.float16, torch.bfloat16, torch.float64, torch.complex64,
              torch.complex128, torch.float8_e4m3fn, torch.float8_e5m2]
    return {
        "base": base,
        "transposed": base.t(),
        "window": base[1:, 2:],
        "parameter": torch.nn.Parameter(base),
        "expanded": base[:1].expand(5, 4),
        "empty": torch.zeros(0, 3),
        "scalar": torch.tensor(3.0),
        "dtypes": {str(d).removeprefix("torch."): torch.ones(2).to(d) for d in dtypes},
        "plain": (1, -2, 2**40, 1.5, True, None, "h\u00e9", torch.float16, torch.device("cuda", 1),
                  torch.strided, torch.Size([2, 3])),
    }


def main():
    torch.save(tensors(), here / "tensors.pt")
    torch.save({"x": torch.ones(2), "y": [torch.zeros(1)]}, here / "protocol4.pt", pickle_protocol=4)
    torch.save(torch.eye(2).to_sparse(), here / "sparse.pt")
    torch.save(torch.nn.Linear(1, 1), here / "module.pt")
    np.savez_compressed(
        here / "arrays.npz",
        rows=np.arange(6, dtype=np.float32).reshape(2, 3),
        columns=np.asfortranarray(np.arange(24, dtype=np.int64).reshape(2, 3, 4)),
        scalar=np.float64(2.5),
        flags=np.array([True, False]),
        complexes=np.array([1 + 2j], dtype=np.complex64),
        half=np.array([1, 2], dtype=np.float16),
        brain__bfloat16=np.array([0x3F80, 0x4000], dtype=np.uint16),
    )
    np.savez(here / "big_endian.npz", x=np.arange(3, dtype=">f4"))
    stream = Unseekable()
    with zipfile.ZipFile(stream, "w") as out:
        out.writestr("stored.txt", "stored in a stream")
        out.writestr("deflated.txt", "deflated " * 100, zipfile.ZIP_DEFLATED)
        with out.open("wide.txt", "w", force_zip64=True) as record:
            record.write(b"wide")
    (here / "stream.zip").write_bytes(stream.bytes)


main()
