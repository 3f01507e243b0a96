"""The networks, in PyTorch: one detector for all games, one tile net per family. Needs the `train` extra.

Every classifying head is a cosine classifier: it compares an embedding of unit length with one prototype per
kind. Built-in looks are simply the prototypes that training found; a taught edition brings its own.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.families import Family
from vision.heads import DETECTOR_CHANNELS
from vision.inks import COLOURS, TOKEN_WIDTH


def conv(inputs: int, outputs: int, stride: int = 1, kernel: int = 3, dilation: int = 1) -> nn.Sequential:
    """Convolution, batch norm, ReLU: after export the norm is folded into the convolution."""
    pad = dilation * (kernel // 2)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, pad, dilation=dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two convolutions around a shortcut."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = conv(width, width, dilation=dilation)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


class Detector(nn.Module):
    """(n, 3, h, w) RGB in 0…1, h and w multiples of 16 → (n, channels, h/4, w/4), see `vision.heads`."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 32, 48, 96)) -> None:
        super().__init__()
        w2, w4, w8, w16 = widths
        self.to2 = conv(3, w2, stride=2)
        self.to4 = conv(w2, w4, stride=2)
        self.to8 = nn.Sequential(conv(w4, w8, stride=2), Residual(w8))
        self.to16 = nn.Sequential(
            conv(w8, w16, stride=2), Residual(w16), Residual(w16, dilation=2), Residual(w16, dilation=4)
        )
        self.down8 = conv(w16, w8, kernel=1)
        self.mix8 = conv(w8, w8)
        self.down4 = conv(w8, w4, kernel=1)
        self.mix4 = conv(w4, w4)
        self.head = nn.Conv2d(w4, DETECTOR_CHANNELS.total, 1)
        # Rare positives: start every heat map near "nothing here".
        nn.init.constant_(self.head.bias[: DETECTOR_CHANNELS.heat], -4.0)

    def forward(self, picture: Tensor) -> Tensor:
        x4 = self.to4(self.to2(picture - 0.5))
        x8 = self.to8(x4)
        x = self.down8(self.to16(x8))
        x = self.mix8(x8 + functional.interpolate(x, scale_factor=2.0, mode="nearest"))
        x = self.mix4(x4 + functional.interpolate(self.down4(x), scale_factor=2.0, mode="nearest"))
        return self.head(x)


class CosineHead(nn.Module):
    """An embedding of unit length, and its scaled cosine to each kind's prototype."""

    def __init__(self, width: int, kinds: int, size: int, scale: float = 16.0) -> None:
        super().__init__()
        self.embed = nn.Linear(width, size)
        self.prototypes = nn.Parameter(torch.randn(kinds, size))
        self.scale = scale

    def embedding(self, features: Tensor) -> Tensor:
        return functional.normalize(self.embed(features), dim=1)

    def logits(self, embedding: Tensor) -> Tensor:
        return self.scale * embedding @ functional.normalize(self.prototypes, dim=1).T


class TileNet(nn.Module):
    """(n, 3, px, px) RGB crops in 0…1 → the aspects' embeddings side by side, (n, aspects · size)."""

    def __init__(self, family: Family) -> None:
        super().__init__()
        a, b, c, d = family.widths
        self.body = nn.Sequential(
            conv(3, a, stride=2),
            conv(a, b),
            conv(b, c, stride=2),
            Residual(c),
            conv(c, d, stride=2),
            Residual(d),
        )
        side = -(-family.crop_px // 8)
        self.squeeze = conv(d, d // 2, kernel=1)
        self.mix = nn.Sequential(nn.Flatten(), nn.Linear(d // 2 * side * side, d * 2), nn.ReLU(inplace=True))
        self.heads = nn.ModuleDict(
            {
                aspect.name.replace("-", "_"): CosineHead(d * 2, len(aspect.kinds), family.embedding_size)
                for aspect in family.aspects
            }
        )

    def forward(self, crops: Tensor) -> Tensor:
        features = self.mix(self.squeeze(self.body(crops - 0.5)))
        return torch.cat([head.embedding(features) for head in self.heads.values()], dim=1)  # type: ignore[operator]

    def logits(self, embeddings: Tensor) -> list[Tensor]:
        """Per aspect (n, kinds), from what `forward` gave."""
        parts = embeddings.chunk(len(self.heads), dim=1)
        return [head.logits(part) for head, part in zip(self.heads.values(), parts, strict=True)]  # type: ignore[operator]


class Together(nn.Module):
    """Attention among the tiles of one table, then a step of each by itself."""

    def __init__(self, width: int, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.then = nn.LayerNorm(width), nn.LayerNorm(width)
        self.ask, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.each = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        n, tiles, width = x.shape
        asked = self.ask(self.before(x)).reshape(n, tiles, 3, self.heads, width // self.heads)
        q, k, v = asked.permute(2, 0, 3, 1, 4)
        weight = torch.softmax(q @ k.transpose(2, 3) * (width // self.heads) ** -0.5, dim=3)
        x = x + self.out((weight @ v).transpose(1, 2).reshape(n, tiles, width))
        return x + self.each(self.then(x))


class InkNet(nn.Module):
    """(n, tiles, width) tokens of whole tables (`vision.inks`) → (n, tiles, colours) logits."""

    def __init__(self, width: int = 64, depth: int = 3) -> None:
        super().__init__()
        self.first = nn.Sequential(nn.Linear(TOKEN_WIDTH, width), nn.GELU(), nn.Linear(width, width))
        self.blocks = nn.Sequential(*(Together(width) for _ in range(depth)))
        self.last = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, len(COLOURS)))

    def forward(self, tokens: Tensor) -> Tensor:
        return self.last(self.blocks(self.first(tokens)))
