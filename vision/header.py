"""What a picture file says about itself, and whether it may be decoded at all. No pixel is touched here."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass

import pi_heif
from PIL import Image, JpegImagePlugin, PngImagePlugin, WebPImagePlugin

from vision.reading import Unreadable


@dataclass(frozen=True, slots=True)
class DecodeLimits:
    """What is refused from the header alone, so that no file costs more than about a second or 1 GB.

    Pixels per format follow what decoding costs: only a JPEG can be decoded small.
    """

    file_bytes: int = 40_000_000
    jpeg_pixels: int = 60_000_000
    png_pixels: int = 30_000_000
    webp_pixels: int = 30_000_000
    heic_pixels: int = 50_000_000
    jpeg_scans: int = 40
    """A progressive JPEG has about ten; each visits every pixel, so thousands of empty ones are a trap."""


LIMITS = DecodeLimits()
_WELCOME = "send a JPEG, PNG, WebP or HEIC photo"
_SMALLER = "send a smaller photo"

FILE_CODES = frozenset(
    {
        "empty-file",
        "file-too-big",
        "not-a-picture",
        "too-many-pixels",
        "animated",
        "too-complex",
        "damaged-file",
    }
)
"""What `Unreadable.code` says where the file is at fault, not what it shows."""

BROKEN_FILE = (SyntaxError, ValueError, OSError, EOFError)
"""What Pillow and libheif raise on files they cannot follow."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says about itself before any pixel is decoded."""

    format: str
    """"JPEG", "PNG", "WebP" or "HEIC"."""
    size: tuple[int, int]
    """(width, height) as stored, before the EXIF orientation."""
    orientation: int = 1
    """EXIF orientation 1–8, still to be applied; 1 for HEIC, which turns itself while it is decoded."""
    mode: str = "RGB"
    """Pillow's name of the pixel kind."""
    animated: bool = False

    @property
    def upright_size(self) -> tuple[int, int]:
        """(width, height) once the orientation has been applied."""
        width, height = self.size
        return (height, width) if self.orientation >= 5 else (width, height)


def damaged() -> Unreadable:
    """The one thing to say about a file that breaks off or makes no sense."""
    return Unreadable("damaged-file", "the picture file is damaged or incomplete: send it again")


def read_header(data: bytes, limits: DecodeLimits = LIMITS) -> Header:
    """Format, size and orientation, checked against `limits`; `Unreadable` if it must not be decoded."""
    if not data:
        raise Unreadable("empty-file", f"the file is empty: {_WELCOME}")
    if len(data) > limits.file_bytes:
        limit = f"{limits.file_bytes / 1e6:.0f} MB"
        raise Unreadable("file-too-big", f"the file has {len(data) / 1e6:.0f} MB, over {limit}: {_SMALLER}")
    kind = _kind(data)
    if kind not in _OPENERS:
        what = f"the file is {kind}, not a photo" if kind else "the file is not a picture"
        raise Unreadable("not-a-picture", f"{what}: {_WELCOME}")
    try:
        header = _OPENERS[kind](data)
    except Image.DecompressionBombError:
        raise Unreadable("too-many-pixels", f"the picture has far too many pixels: {_SMALLER}") from None
    except BROKEN_FILE:
        raise damaged() from None
    _check_pixels(header, limits)
    if header.animated:
        raise Unreadable("animated", "the picture is animated: send a still photo")
    if header.format == "JPEG":
        _check_scans(data, limits)
    return header


def _check_pixels(header: Header, limits: DecodeLimits) -> None:
    width, height = header.size
    allowed = {
        "JPEG": limits.jpeg_pixels,
        "PNG": limits.png_pixels,
        "WebP": limits.webp_pixels,
        "HEIC": limits.heic_pixels,
    }[header.format]
    if width < 1 or height < 1:
        raise damaged()
    if width * height > allowed:
        limit = f"{allowed / 1e6:.0f} million for a {header.format}"
        raise Unreadable("too-many-pixels", f"{width} × {height} pixels are over {limit}: {_SMALLER}")


def _check_scans(data: bytes, limits: DecodeLimits) -> None:
    scans = _jpeg_scans(data)
    if scans == 0:
        raise damaged()
    if scans > limits.jpeg_scans:
        raise Unreadable("too-complex", f"the JPEG is stored in {scans} passes: save it again, then send it")


def _kind(data: bytes) -> str | None:
    """The format by its first bytes: one of `_OPENERS`, or in words what else it is, or None."""
    if data[4:8] == b"ftyp":
        return _ISO_BRANDS.get(data[8:12], "a video")
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    return next((name for start, name in _FIRST_BYTES.items() if data.startswith(start)), None)


_FIRST_BYTES = {
    b"\xff\xd8\xff": "JPEG",
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"GIF8": "a GIF",
    b"BM": "a BMP picture",
    b"II*\x00": "a TIFF or raw picture",
    b"MM\x00*": "a TIFF or raw picture",
    b"%PDF": "a PDF",
}
_ISO_BRANDS = {
    **dict.fromkeys((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"), "HEIC"),
    **dict.fromkeys((b"avif", b"avis"), "an AVIF picture"),
}


def _pillow_header(name: str, opener: Callable[[io.BytesIO], Image.Image]) -> Callable[[bytes], Header]:
    # The opener classes rather than Image.open: the latter warns about sizes that are refused here anyway.
    def read(data: bytes) -> Header:
        with opener(io.BytesIO(data)) as image:
            orientation = exif_orientation(image.info.get("exif", b""))
            # A JPEG file may carry further pictures (depth, a second lens); only the first one is the photo.
            animated = name != "JPEG" and bool(getattr(image, "is_animated", False))
            return Header(name, image.size, orientation, image.mode, animated)

    return read


def _heic_header(data: bytes) -> Header:
    image = pi_heif.open_heif(data)
    return Header("HEIC", image.size, mode=image.mode)


_OPENERS: dict[str | None, Callable[[bytes], Header]] = {
    "JPEG": _pillow_header("JPEG", JpegImagePlugin.JpegImageFile),
    "PNG": _pillow_header("PNG", PngImagePlugin.PngImageFile),
    "WebP": _pillow_header("WebP", WebPImagePlugin.WebPImageFile),
    "HEIC": _heic_header,
}


def exif_orientation(exif: bytes) -> int:
    """Tag 0x0112 of the first directory; 1 when there is none or the block makes no sense."""
    tiff = exif.removeprefix(b"Exif\x00\x00")
    little = tiff[:2] == b"II"

    def number(start: int, length: int) -> int:
        return int.from_bytes(tiff[start : start + length], "little" if little else "big")

    if not little and tiff[:2] != b"MM":
        return 1
    first = number(4, 4) + 2
    for entry in range(first, first + 12 * number(first - 2, 2), 12):
        if number(entry, 2) == 0x0112:
            orientation = number(entry + 8, 2)
            return orientation if 1 <= orientation <= 8 else 1
    return 1


def _jpeg_scans(data: bytes) -> int:
    """How many passes the first picture of a JPEG file is stored in; 0 if the file ends before it does.

    Inside a pass 0xFF is always stuffed, so its end and the next pass can be searched for as they stand.
    Whatever follows the end (a second picture, a short film) is of no interest.
    """
    at = 2
    while data[at : at + 2] != b"\xff\xda":
        if at + 4 > len(data) or data[at] != 0xFF:
            return 0
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1  # padding
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 2  # these stand alone
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    end = data.find(b"\xff\xd9", at)
    return data.count(b"\xff\xda", at, end) if end >= 0 else 0
