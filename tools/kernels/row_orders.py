# SPDX-License-Identifier: MIT OR Apache-2.0
"""Orders of the instructions of kernels in rows: orders/rows_*.toml.

Every instruction of a round has a place in an ideal round of 24 cycles, the same in every round,
and instructions stand in the order of their places. The places by name, h being 0 and 1 for the
halves of the column step, 2 and 3 for those of the diagonal step:

  wordh, ah, ch          a += word, a += b, c += d; loadh: the word's load by itself
  d_earlyh .. d_sumh     d = (d ^ a) >>> n: d >>> n, a >> n, a << (w - n) and their sum;
                         or d_xorh and then d_sumh, the rotation
  b_earlyh .. b_sumh     b = (b ^ c) >>> n, the same
  a_turnh .. d_turnh     before the halves 0 and 2, the rows turn against b (core/kern/blake/rows.h)
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
# Written by tools/kernels/search_rows.py on an AMD Zen 4. tools/kernels/row_orders.py says what the
# names mean.

"""


@dataclass
class Order:
    apart: list[bool]  # of the four rotations: are they taken apart?
    overwrites: list[str]  # of the four: which operand of the sum gives its register to it
    loads: bool  # words are loaded into registers first
    word_to_b: bool  # the first word of a block is added to b, which is known before a
    pace: float  # rounds of the state that pass while one round's words are made
    nops: list[float]  # places of nops: they move the groups that are decoded together
    places: dict[str, float]
    shift: float = 0  # of two streams: how many cycles the second one is behind


def read_order(variant: str) -> Order:
    return Order(**tomllib.loads((ORDERS / f"rows_{variant}.toml").read_text()))


def write_order(variant: str, order: Order) -> None:
    fields = asdict(order)
    places = sorted(fields.pop("places").items(), key=lambda item: item[1])
    # Lists and strings are in TOML as in JSON.
    text = HEAD + "".join(f"{name} = {json.dumps(value)}\n" for name, value in fields.items())
    text += "\n[places]\n" + "".join(f"{name} = {value}\n" for name, value in places)
    (ORDERS / f"rows_{variant}.toml").write_text(text)
