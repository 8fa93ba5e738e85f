# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads and writes instruction orders of kernels in rows: orders/rows_*.toml.

Every instruction of a round has a cycle in an ideal round of 24 cycles, the same in every round,
and instructions are sorted by cycle. The cycles by name, where h is 0 and 1 for the halves of the
column step, 2 and 3 for those of the diagonal step:

  wordh, ah, ch          a += word, a += b, c += d; loadh: a separate load of the word
  d_earlyh .. d_sumh     d = (d ^ a) >>> n: d >>> n, a >> n, a << (w - n) and their sum;
                         or d_xorh and then d_sumh, the rotation
  b_earlyh .. b_sumh     b = (b ^ c) >>> n, in the same way
  a_rotateh .. d_rotateh before halves 0 and 2: the words of a, c and d rotate against b's
                         (core/kern/blake/rows.h)
  indexi .. storei       words of a later round: their indices, the permutation, the sum with the
                         constants, the store; 64-bit words in two vectors, i = 0 and 1
  nexti, reversei        beside the last round: loads of the next block, its words' bytes reversed
  salti                  beside the first round: h ^= salt
"""

import json
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path

ORDERS = Path(__file__).resolve().parent / "orders"

HEAD = """\
# SPDX-License-Identifier: MIT OR Apache-2.0
# Written by tools/kernels/search_rows.py on an AMD Zen 4. tools/kernels/row_orders.py explains the
# names.

"""


@dataclass
class Order:
    apart: list[bool]  # for the four rotations: is it split into shifts?
    overwrites: list[str]  # for each: the operand of the sum whose register the sum reuses
    loads: bool  # words are loaded into registers first
    word_to_b: bool  # the first word of a block is added to b, which is ready before a
    pace: float  # rounds of the state during which one round's words are made
    nops: list[float]  # cycles of nops, which move the boundaries of decode groups
    cycles: dict[str, float]
    shift: float = 0  # cycles by which a second stream is behind the first


def read_order(variant: str) -> Order:
    return Order(**tomllib.loads((ORDERS / f"rows_{variant}.toml").read_text()))


def write_order(variant: str, order: Order) -> None:
    fields = asdict(order)
    cycles = sorted(fields.pop("cycles").items(), key=lambda item: item[1])
    # TOML and JSON write lists and strings alike.
    text = HEAD + "".join(f"{name} = {json.dumps(value)}\n" for name, value in fields.items())
    text += "\n[cycles]\n" + "".join(f"{name} = {value}\n" for name, value in cycles)
    (ORDERS / f"rows_{variant}.toml").write_text(text)
