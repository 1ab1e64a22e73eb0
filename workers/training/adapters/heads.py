"""One-to-many heads on frozen vectors: PVSE's PIE-Net, PCME's normal distributions, DivE's slots.

The papers' heads read local features, those of image regions or of words. A frozen vector has none, so each head
first makes VIEWS of them from the vector by one learned linear layer. All that follows is the papers'. Heads begin near
the frozen vector: before training, their scores are nearly plain cosines.

Vectors come in as float32 (n, d) of length 1. Heads give (n, K, d) of length 1; log-variances are natural logarithms of
squared lengths. Vectors with another d raise RuntimeError.

Sources: Song and Soleymani, CVPR 2019 (PVSE); Chun et al., CVPR 2021 (PCME); Kim, Kim and Kwak, CVPR 2023 (DivE);
Lin et al., A Structured Self-Attentive Sentence Embedding, ICLR 2017; Locatello et al., Object-Centric Learning with
Slot Attention, NeurIPS 2020.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import torch
from torch import Tensor, nn
from torch.nn import functional

VIEWS = 8
ITERATIONS = 4  # of slot attention, as DivE
BEGINNING = 0.1  # the size of what slots add to a vector, before training
Kind = Literal["pvse", "pcme", "dive"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass
class Embedded:
    """What a head makes of n vectors: `vectors` (n, K, d) of length 1; `added` (n, K, d), what the head added; and
    `log_variance` (n, d), where the vectors are means."""

    vectors: Tensor
    added: Tensor
    log_variance: Tensor | None = None


class Views(nn.Module):
    """A vector of length 1 as a global feature with numbers near 1, and its local features (n, VIEWS, d)."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.linear = nn.Linear(d, VIEWS * d)

    def forward(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        n, d = vectors.shape
        whole = vectors * math.sqrt(d)
        return whole, self.linear(whole).view(n, VIEWS, d)


class SelfAttention(nn.Module):
    """A = softmax(w2 tanh(w1 X)) over the local features X (n, VIEWS, d), and A X (n, heads, d): the multi-head
    self-attention of Lin et al. 2017, which PIE-Net uses."""

    def __init__(self, n_heads: int, d: int) -> None:
        super().__init__()
        self.w1 = nn.Linear(d, d // 2 or 1, bias=False)
        self.w2 = nn.Linear(d // 2 or 1, n_heads, bias=False)

    def forward(self, local: Tensor) -> Tensor:
        weights = self.w2(torch.tanh(self.w1(local))).softmax(dim=1)
        gathered: Tensor = weights.transpose(1, 2) @ local
        return gathered


class PieNet(nn.Module):
    """PVSE's PIE-Net: v_k = LayerNorm(x + sigmoid(W a_k X)), k = 1..K, then made 1 long.

    x is the global feature, X the local ones, and a_k the k-th row of A, as in SelfAttention.
    """

    def __init__(self, d: int, k: int) -> None:
        super().__init__()
        self.views, self.attention = Views(d), SelfAttention(k, d)
        self.linear, self.norm = nn.Linear(d, d), nn.LayerNorm(d)

    def forward(self, vectors: Tensor) -> Embedded:
        whole, local = self.views(vectors)
        added = torch.sigmoid(self.linear(self.attention(local)))
        return Embedded(functional.normalize(self.norm(whole[:, None] + added), dim=-1), added)


class Normals(nn.Module):
    """PCME's p(z | x) = N(mu, diag(sigma^2)): mu as PIE-Net with K = 1, and log sigma^2 = W A' X + W' x + b.

    Before training the variances of one vector add up to e^-2. `k` is not used.
    """

    def __init__(self, d: int, k: int) -> None:
        super().__init__()
        self.mean, self.attention = PieNet(d, 1), SelfAttention(1, d)
        self.of_local, self.of_whole = nn.Linear(d, d), nn.Linear(d, d)
        nn.init.constant_(self.of_local.bias, -math.log(d) - 2)
        for layer in (self.of_local, self.of_whole):
            nn.init.xavier_uniform_(layer.weight, gain=BEGINNING)
        nn.init.zeros_(self.of_whole.bias)

    def forward(self, vectors: Tensor) -> Embedded:
        found = self.mean(vectors)
        whole, local = self.mean.views(vectors)
        spread = self.of_local(self.attention(local))[:, 0] + self.of_whole(whole)
        return Embedded(found.vectors, found.added, spread.clamp(-20, 5))


class Slots(nn.Module):
    """DivE's set prediction: K learned slots compete for the local features X in ITERATIONS rounds with shared weights.

    A round with A = softmax over slots of (q(S) k(X)^T / sqrt(d)), the rows of A then divided by their sums:
    S <- S + o(A v(X)), S <- S + MLP(LayerNorm(S)). The set is LayerNorm(x) + LayerNorm(s_k), made 1 long.
    """

    def __init__(self, d: int, k: int) -> None:
        super().__init__()
        self.views = Views(d)
        self.slots = nn.Parameter(torch.empty(k, d))
        nn.init.xavier_normal_(self.slots)
        self.of_input, self.of_slot, self.of_round = nn.LayerNorm(d), nn.LayerNorm(d), nn.LayerNorm(d)
        self.query, self.key, self.value, self.out = (nn.Linear(d, d, bias=False) for _ in range(4))
        self.forwards = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))
        self.of_whole, self.of_sum = nn.LayerNorm(d), nn.LayerNorm(d)
        nn.init.constant_(self.of_sum.weight, BEGINNING)

    def forward(self, vectors: Tensor) -> Embedded:
        whole, local = self.views(vectors)
        local = self.of_input(local)
        keys, values = self.key(local), self.value(local)
        slots = self.slots.expand(len(vectors), -1, -1)
        for _ in range(ITERATIONS):
            scores = self.query(self.of_slot(slots)) @ keys.transpose(1, 2) / math.sqrt(keys.shape[-1])
            shares = scores.softmax(dim=1)  # over slots: they compete
            slots = slots + self.out((shares / (shares.sum(2, keepdim=True) + 1e-8)) @ values)
            slots = slots + self.forwards(self.of_round(slots))
        added = self.of_sum(slots)
        return Embedded(functional.normalize(self.of_whole(whole)[:, None] + added, dim=-1), added)


HEADS: dict[Kind, type[PieNet] | type[Normals] | type[Slots]] = {"pvse": PieNet, "pcme": Normals, "dive": Slots}


class Adapter(nn.Module):
    """A head for images, one for texts, and the numbers of the matching probability, which PCME learns with them."""

    def __init__(self, kind: Kind, d: int, k: int) -> None:
        super().__init__()
        self.images, self.texts = HEADS[kind](d, k), HEADS[kind](d, k)
        if kind == "pcme":
            self.scale, self.shift = (nn.Parameter(torch.tensor(15.0)) for _ in range(2))
