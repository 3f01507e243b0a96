"""The one way bytes become pixels: header and limits first, then as few pixels as the caller needs.

Everything a phone, a chat program or a mischievous guest may send ends in one of two ways: an upright
picture, or `Unreadable` with one line that says what to send instead. File names are never looked at.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pi_heif
from PIL import JpegImagePlugin

from vision.header import BROKEN_FILE, LIMITS, DecodeLimits, Header, damaged, read_header
from vision.sketches import sketch

Picture = npt.NDArray[np.uint8]
"""(h, w, 3) uint8, BGR."""

_JPEG_FLAGS = {
    8: cv2.IMREAD_REDUCED_COLOR_8,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    1: cv2.IMREAD_COLOR,
}
"""Scale, largest first, to the flag that decodes a JPEG at it."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """An upright picture, decoded no larger than needed, that knows how to fetch the rest."""

    image: Picture
    scale: int
    """Full-size pixels per pixel of `image`, 1, 2, 4 or 8: full = (x + 0.5) · scale − 0.5.

    Exact where the scale divides the photo's sides; otherwise off by less than `scale` full-size pixels.
    """
    full_size: tuple[int, int]
    """(width, height) of the upright photo."""
    header: Header
    _data: bytes = field(repr=False)

    def full(self) -> Picture:
        """The upright photo at full resolution; a full decode each time, unless nothing was left out."""
        return self.image if self.scale == 1 else _upright(self._data, self.header, 1)


def decode(data: bytes, *, longest: int, limits: DecodeLimits = LIMITS) -> Photo:
    """The photo in `data`, upright, its longest side at least `longest` pixels where the photo has them.

    Raises `Unreadable` for anything else: empty, too big, not a picture, animated, damaged.
    """
    header = read_header(data, limits)
    scale = next((scale for scale in _JPEG_FLAGS if max(header.size) >= scale * longest), 1)
    image = _upright(data, header, scale)
    sketch("decode", lambda: image)
    return Photo(image, scale, header.upright_size, header, data)


def _upright(data: bytes, header: Header, scale: int) -> Picture:
    """Decode at 1/scale, put what is transparent on white, turn upright."""
    try:
        if header.format == "HEIC":
            image = _shrink(_opaque(_heic(data)), scale)
        elif header.mode == "CMYK":
            image = _cmyk(data, scale)
        elif header.format == "JPEG":
            image = _imdecode(data, _JPEG_FLAGS[scale])
        elif header.mode in ("RGB", "L", "1"):
            image = _shrink(_imdecode(data, cv2.IMREAD_COLOR), scale)
        else:
            image = _shrink(_opaque(_imdecode(data, cv2.IMREAD_UNCHANGED)), scale)
    except (cv2.error, *BROKEN_FILE):
        raise damaged() from None
    return np.ascontiguousarray(turn_upright(image, header.orientation))


def _imdecode(data: bytes, flag: int) -> Picture:
    image: Picture | None = cv2.imdecode(np.frombuffer(data, np.uint8), flag | cv2.IMREAD_IGNORE_ORIENTATION)
    if image is None:
        raise damaged()
    return image


def _heic(data: bytes) -> Any:
    """A HEIC picture; copied, because what pi-heif hands out is gone with the opened file."""
    opened = pi_heif.open_heif(data, bgr_mode=True)
    return np.array(opened)


def _cmyk(data: bytes, scale: int) -> Picture:
    """A CMYK JPEG; Pillow knows which of the two ink conventions the file uses."""
    with JpegImagePlugin.JpegImageFile(io.BytesIO(data)) as image:
        width, height = image.size
        image.draft(image.mode, (-(-width // scale), -(-height // scale)))
        return np.asarray(image.convert("RGB"))[:, :, ::-1]


def _opaque(image: Any) -> Picture:
    """Any decoded kind (8 or 16 bits; grey, BGR or BGRA) as BGR bytes; what is transparent lies on white."""
    opaque: Picture
    if image.dtype == np.uint16:
        image = (image >> 8).astype(np.uint8)
    if image.ndim == 2:
        opaque = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    elif image.shape[2] == 3:
        opaque = image
    else:
        alpha = cv2.merge([image[:, :, 3]] * 3)
        colour = np.ascontiguousarray(image[:, :, :3])
        opaque = cv2.add(cv2.multiply(colour, alpha, scale=1 / 255), cv2.bitwise_not(alpha))
    return opaque


def _shrink(image: Picture, scale: int) -> Picture:
    """For formats that cannot be decoded small: one pixel stands for exactly scale² (the rest is cut off)."""
    if scale == 1:
        return image
    height, width = (max(1, side // scale) for side in image.shape[:2])
    whole = image[: height * scale, : width * scale]
    small: Picture = cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA)
    return small


def turn_upright(image: Picture, orientation: int) -> Picture:
    """Undo EXIF orientation 1–8."""
    upright: Picture = cv2.transpose(image) if orientation >= 5 else image
    # Once transposed, 5, 6, 7 and 8 lack what 1, 2, 3 and 4 lack.
    axis = {2: 1, 6: 1, 3: -1, 7: -1, 4: 0, 8: 0}.get(orientation)
    if axis is not None:
        upright = cv2.flip(upright, axis)
    return upright
