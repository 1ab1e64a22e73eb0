"""What the three adapters learn from: a batch of pairs (image i, text i), and which other pairs of it are right, too.

Two captions of one image may stand in one batch. Then each is right for both rows, and none is a negative.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional

from workers.training.adapters.heads import Adapter, Embedded, Kind

MARGIN = 0.2
ALPHA = 16.0  # of smooth-Chamfer
SAMPLES = 7
OF_KINDS = {"pvse": (0.01, 0.1), "dive": (0.01, 0.01)}  # weights of the domain's and of the diversity's loss
OF_PRIOR = 1e-5


def loss_of(
    kind: Kind, adapter: Adapter, images: Embedded, texts: Embedded, right: Tensor, noise: torch.Generator
) -> Tensor:
    """The loss of a batch of n pairs, where `right` (n, n) says which pairs are right. `noise` draws PCME's samples.

    PVSE: triplets of max cos + 0.1 diversity + 0.01 domain. DivE: triplets of smooth-Chamfer + 0.01 diversity + 0.01
    domain. PCME: its soft contrastive loss. Raises KeyError for another kind.
    """
    if kind == "pcme":
        return pcme_loss(adapter, images, texts, right, noise)
    of_domain, of_diversity = OF_KINDS[kind]
    products = torch.einsum("ikd,jld->ijkl", images.vectors, texts.vectors)
    if kind == "pvse":
        loss = hardest_triplets(products.amax(dim=(2, 3)), right)
        diversity = overlap(images.added) + overlap(texts.added)
    else:
        loss = hardest_triplets(smooth_chamfer(products), right)
        diversity = nearness(images.added) + nearness(texts.added)
    return loss + of_domain * domain_gap(images.vectors, texts.vectors) + of_diversity * diversity


def smooth_chamfer(products: Tensor) -> Tensor:
    """1/2 [mean_x 1/a log sum_y e^(aD) + mean_y 1/a log sum_x e^(aD)] of products (n, m, K, K)."""
    rows, columns = ((ALPHA * products).logsumexp(dim=dim).mean(dim=2) for dim in (3, 2))
    return (rows + columns) / (2 * ALPHA)


def hardest_triplets(scores: Tensor, right: Tensor) -> Tensor:
    """mean [margin - s_ii + the largest wrong score of its row]_+, and the same by columns: the triplet loss with the
    hardest negative of a batch, which PVSE and DivE take from VSE++ (Faghri et al. 2018)."""
    own, wrong = scores.diagonal(), scores.masked_fill(right, -math.inf)
    hinges = ((MARGIN - own + wrong.amax(dim=dim)).clamp(min=0) for dim in (1, 0))
    return torch.stack([hinge.mean() for hinge in hinges]).sum()


def overlap(added: Tensor) -> Tensor:
    """PVSE's diversity loss: the size of G - 1 over K^2, where G has the cosines of what a head adds."""
    k = added.shape[1]
    unit = functional.normalize(added, dim=-1)
    gram = unit @ unit.transpose(1, 2) - torch.eye(k)
    # A size has no gradient at 0, which K = 1 always is.
    return (gram.square().sum(dim=(1, 2)) + 1e-12).sqrt().mean() / k**2


def nearness(added: Tensor) -> Tensor:
    """DivE's diversity loss: the mean of e^(-2 |a - a'|^2) over pairs of what the slots add, each of length 1."""
    k = added.shape[1]
    if k == 1:
        return added.new_zeros(())
    unit = functional.normalize(added, dim=-1)
    squares = 2 - 2 * unit @ unit.transpose(1, 2)
    above = torch.triu(torch.ones(k, k, dtype=torch.bool), diagonal=1)
    return (-2 * squares[:, above]).exp().mean()


def domain_gap(images: Tensor, texts: Tensor) -> Tensor:
    """The squared maximum mean discrepancy of all vectors of images and of texts, with the kernel e^(-|x - y|^2 / 2):
    PVSE's domain discrepancy loss."""
    x, y = images.flatten(0, 1), texts.flatten(0, 1)

    def kernel(one: Tensor, other: Tensor) -> Tensor:
        return (one @ other.T - 1).exp().mean()  # -|x - y|^2 / 2 of vectors of length 1

    return kernel(x, x) - 2 * kernel(x, y) + kernel(y, y)


def pcme_loss(adapter: Adapter, images: Embedded, texts: Embedded, right: Tensor, noise: torch.Generator) -> Tensor:
    """PCME's soft contrastive loss, -log of the mean over samples of s(+-(b - a |z - z'|)), + for right pairs and - for
    wrong ones, with s(x) = e^x / (e^x + e^-x); and, weighed little, the divergence from the standard normal one.

    The sum over a batch is divided by its number of rows.
    """
    assert images.log_variance is not None and texts.log_variance is not None  # noqa: S101  # PCME has both
    one, other = samples_of(images, noise), samples_of(texts, noise)
    n, j, d = one.shape
    squares = (one * one).sum(-1).view(-1, 1) + (other * other).sum(-1).view(1, -1)
    squares = squares - 2 * one.reshape(-1, d) @ other.reshape(-1, d).T
    distances = (squares.clamp(min=0) + 1e-6).sqrt()
    logits = (adapter.shift - adapter.scale * distances).view(n, j, n, j).permute(0, 2, 1, 3).reshape(n, n, j * j)
    signs = torch.where(right, 1.0, -1.0)[..., None]
    logs = functional.logsigmoid(2 * signs * logits).logsumexp(dim=-1) - math.log(j * j)
    prior = divergence(images) + divergence(texts)
    return (-logs.sum() + OF_PRIOR * prior) / n


def samples_of(found: Embedded, noise: torch.Generator) -> Tensor:
    """SAMPLES vectors (n, SAMPLES, d) of each normal distribution."""
    assert found.log_variance is not None  # noqa: S101  # PCME has them
    n, d = found.log_variance.shape
    drawn = torch.randn((n, SAMPLES, d), generator=noise)
    return found.vectors + (found.log_variance / 2).exp()[:, None] * drawn


def divergence(found: Embedded) -> Tensor:
    """Kullback and Leibler's divergence from the standard normal distribution, added up."""
    assert found.log_variance is not None  # noqa: S101  # PCME has them
    spread = found.log_variance
    return -0.5 * (1 + spread - found.vectors[:, 0].square() - spread.exp()).sum()
