"""Whatever file people send: it comes out upright, or it is refused in one line, quickly and cheaply."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import time
import zlib

import cv2
import numpy as np
import pytest
from heic_writer import heic
from PIL import Image

from vision.decode import decode
from vision.header import DecodeLimits, exif_orientation, read_header
from vision.reading import Unreadable

RED, GREEN, BLUE, GREY = (0, 0, 220), (0, 200, 0), (220, 0, 0), (130, 130, 130)
CORNERS = (RED, GREEN, BLUE, GREY)
"""BGR of the upright test card: top left, top right, bottom left, bottom right."""


def card(width: int = 128, height: int = 96) -> np.ndarray:
    image = np.empty((height, width, 3), np.uint8)
    image[: height // 2, : width // 2] = RED
    image[: height // 2, width // 2 :] = GREEN
    image[height // 2 :, : width // 2] = BLUE
    image[height // 2 :, width // 2 :] = GREY
    return image


def pil_card(mode: str = "RGB") -> Image.Image:
    return Image.fromarray(card()[:, :, ::-1]).convert(mode)


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def corners(image: np.ndarray) -> list[tuple[int, ...]]:
    height, width = image.shape[:2]
    return [
        tuple(int(part) for part in image[y, x])
        for y in (height // 8, height - 1 - height // 8)
        for x in (width // 8, width - 1 - width // 8)
    ]


def assert_upright(data: bytes, tolerance: int = 12) -> None:
    image = decode(data, longest=64).image
    assert image.dtype == np.uint8
    assert image.flags.c_contiguous
    assert image.shape[1] > image.shape[0]
    np.testing.assert_allclose(corners(image), CORNERS, atol=tolerance)


def refused(data: bytes, limits: DecodeLimits | None = None) -> str:
    with pytest.raises(Unreadable) as caught:
        decode(data, longest=1024, limits=limits or DecodeLimits())
    message = str(caught.value)
    assert "\n" not in message
    assert 10 < len(message) < 120
    return caught.value.code


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_ordinary_photos_are_read(kind: str) -> None:
    assert_upright(saved(pil_card(), kind))


def test_progressive_jpegs_are_read() -> None:
    assert_upright(saved(pil_card(), "JPEG", progressive=True, quality=92))


@pytest.mark.parametrize("turns", range(4))
def test_heic_is_read_and_turned_as_its_container_says(turns: int) -> None:
    stored = np.ascontiguousarray(np.rot90(card(), -turns))
    photo = decode(heic(stored, turns), longest=64)
    assert photo.full_size == (128, 96)
    np.testing.assert_allclose(corners(photo.image), CORNERS, atol=12)


def test_a_large_heic_outlives_its_file() -> None:
    """The decoder's own memory is given back once the file is closed: the picture must not live in it."""
    shown = cv2.resize(card(), (1024, 768), interpolation=cv2.INTER_NEAREST)
    image = decode(heic(shown), longest=1024).image
    owner = image if image.base is None else image.base
    assert isinstance(owner, np.ndarray)
    assert owner.flags.owndata
    np.testing.assert_allclose(corners(image), CORNERS, atol=12)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_exif_orientation_ends_upright(orientation: int, kind: str) -> None:
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    stored = pil_card().transpose(undo[orientation]) if orientation > 1 else pil_card()
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = saved(stored, kind, exif=exif)
    assert_upright(data)
    assert decode(data, longest=64).full_size == (128, 96)


@pytest.mark.parametrize(
    "noise", [b"", b"Exif\0\0", b"II*\0\xff\xff\xff\x7f", b"MM\0*\0\0\0\x08\xff\xff", b"??"]
)
def test_exif_that_makes_no_sense_turns_nothing(noise: bytes) -> None:
    assert exif_orientation(noise) == 1


def test_an_orientation_beyond_eight_turns_nothing() -> None:
    exif = Image.Exif()
    exif[0x0112] = 77
    assert_upright(saved(pil_card(), "JPEG", exif=exif))


def test_cmyk_jpegs_keep_their_colours() -> None:
    assert_upright(saved(pil_card("CMYK"), "JPEG", quality=95))


def test_a_large_cmyk_jpeg_is_decoded_small() -> None:
    large = pil_card("CMYK").resize((1280, 960))
    photo = decode(saved(large, "JPEG"), longest=320)
    assert photo.scale == 4
    assert photo.image.shape == (240, 320, 3)
    np.testing.assert_allclose(corners(photo.image), CORNERS, atol=12)


def test_sixteen_bits_per_sample_become_eight() -> None:
    deep = card().astype(np.uint16) * 257
    assert_upright(cv2.imencode(".png", deep)[1].tobytes(), tolerance=1)


def test_sixteen_bit_grey_is_read() -> None:
    deep = np.full((40, 60), 200 * 257, np.uint16)
    image = decode(cv2.imencode(".png", deep)[1].tobytes(), longest=60).image
    assert image.shape == (40, 60, 3)
    assert (image == 200).all()


def test_sixteen_bits_with_transparency_are_read() -> None:
    deep = np.full((40, 60, 4), 200 * 257, np.uint16)
    deep[..., 3] = 65535
    image = decode(cv2.imencode(".png", deep)[1].tobytes(), longest=60).image
    assert (image == 200).all()


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_what_is_transparent_lies_on_white(kind: str) -> None:
    cut_out = pil_card("RGBA")
    cut_out.paste((10, 20, 30, 0), (0, 0, 64, 48))
    options = {"lossless": True, "exact": True} if kind == "WEBP" else {}
    image = decode(saved(cut_out, kind, **options), longest=64).image
    np.testing.assert_allclose(corners(image), [(255, 255, 255), *CORNERS[1:]], atol=2)


def test_palettes_grey_and_two_tones_are_read() -> None:
    assert_upright(saved(pil_card("P"), "PNG"), tolerance=40)
    transparent = Image.new("P", (64, 64), 1)
    transparent.putpalette([255, 0, 0, 0, 255, 0])
    assert (decode(saved(transparent, "PNG", transparency=1), longest=64).image == 255).all()
    grey = decode(saved(Image.new("L", (64, 64), 77), "JPEG"), longest=64).image
    np.testing.assert_allclose(grey, np.full((64, 64, 3), 77), atol=2)
    white = decode(saved(Image.new("1", (64, 64), 1), "PNG"), longest=64).image
    assert (white == 255).all()


@pytest.mark.parametrize(
    ("longest", "scale"), [(1600, 1), (1501, 1), (800, 2), (751, 2), (400, 4), (200, 8), (50, 8), (5000, 1)]
)
@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_only_as_many_pixels_as_asked_for(longest: int, scale: int, kind: str) -> None:
    data = saved(pil_card().resize((1600, 1200)), kind)
    photo = decode(data, longest=longest)
    assert photo.scale == scale
    assert photo.image.shape == (1200 // scale, 1600 // scale, 3)
    assert photo.full_size == (1600, 1200)
    assert photo.full().shape == (1200, 1600, 3)
    np.testing.assert_allclose(corners(photo.image), CORNERS, atol=12)


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_scale_maps_pixels_to_the_full_photo(kind: str) -> None:
    image = Image.new("RGB", (1600, 1200), "white")
    image.paste((0, 0, 0), (800, 400, 816, 416))
    photo = decode(saved(image, kind, quality=95), longest=400)
    rows, columns = np.nonzero(photo.image[:, :, 0] < 128)
    x = (columns.mean() + 0.5) * photo.scale - 0.5
    y = (rows.mean() + 0.5) * photo.scale - 0.5
    assert (x, y) == pytest.approx((807.5, 407.5), abs=0.01)


@pytest.mark.parametrize("size", [(1, 1), (1, 999), (997, 3)])
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_tiny_and_odd_sizes_do_not_break_it(size: tuple[int, int], kind: str) -> None:
    photo = decode(saved(Image.new("RGB", size, "red"), kind), longest=100)
    assert photo.full_size == size
    assert min(photo.image.shape) >= 1
    assert photo.full().shape[:2] == size[::-1]


def test_the_name_of_a_file_means_nothing() -> None:
    # A PNG called .jpg arrives here as the very same bytes: only they decide.
    assert read_header(saved(pil_card(), "PNG")).format == "PNG"


def test_further_pictures_in_a_jpeg_are_not_an_animation() -> None:
    assert_upright(saved(pil_card(), "MPO", save_all=True, append_images=[Image.new("RGB", (64, 64))]))


def test_a_film_appended_to_a_photo_is_ignored() -> None:
    assert_upright(saved(pil_card(), "JPEG") + b"\0\0\0\x18ftypmp42" + bytes(10_000))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        (b"\0", "not-a-picture"),
        (b"Dear all, the photo is attached.", "not-a-picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not-a-picture"),
        (b"%PDF-1.7", "not-a-picture"),
        (b"\0\0\0\x18ftypmp42" + bytes(100), "not-a-picture"),
        (b"\0\0\0\x18ftypavif" + bytes(100), "not-a-picture"),
        (saved(pil_card(), "GIF"), "not-a-picture"),
        (saved(pil_card(), "BMP"), "not-a-picture"),
        (saved(pil_card(), "TIFF"), "not-a-picture"),
        (b"\xff\xd8\xff", "damaged-file"),
        (b"\xff\xd8\xff\xe0\0\x02\xff\xff", "damaged-file"),
        (b"\x89PNG\r\n\x1a\n", "damaged-file"),
        (b"RIFF\x10\0\0\0WEBP", "damaged-file"),
        (b"\0\0\0\x18ftypheic" + bytes(100), "damaged-file"),
    ],
)
def test_other_files_are_refused_by_what_they_are(data: bytes, code: str) -> None:
    assert refused(data) == code


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.95, 0.999])
@pytest.mark.parametrize("kind", ["JPEG", "progressive", "PNG", "WEBP", "HEIC"])
def test_truncated_files_are_refused(kind: str, share: float) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (96, 128, 3), dtype=np.uint8)
    if kind == "HEIC":
        data = heic(noise)
    elif kind == "progressive":
        data = saved(Image.fromarray(noise), "JPEG", progressive=True)
    else:
        data = saved(Image.fromarray(noise), kind)
    assert refused(data[: int(len(data) * share)]) == "damaged-file"


def test_a_png_with_broken_bytes_is_refused() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (96, 128, 3), dtype=np.uint8)
    data = bytearray(saved(Image.fromarray(noise), "PNG"))
    data[len(data) // 2] ^= 0xFF
    assert refused(bytes(data)) == "damaged-file"


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_animations_are_refused(kind: str) -> None:
    frames = [Image.new("RGB", (64, 64), colour) for colour in ("red", "blue")]
    assert refused(saved(frames[0], kind, save_all=True, append_images=frames[1:])) == "animated"


def test_too_many_bytes_are_refused_unseen() -> None:
    data = saved(pil_card(), "JPEG")
    assert refused(data, DecodeLimits(file_bytes=len(data) - 1)) == "file-too-big"


def test_pixels_are_counted_before_they_are_decoded() -> None:
    for kind in ("JPEG", "PNG", "WEBP"):
        limits = DecodeLimits(jpeg_pixels=9999, png_pixels=9999, webp_pixels=9999)
        assert refused(saved(pil_card(), kind), limits) == "too-many-pixels"
    assert refused(heic(card()), DecodeLimits(heic_pixels=9999)) == "too-many-pixels"


def bomb(side: int) -> bytes:
    """A PNG of side² black pixels, compressed a thousandfold."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    packer = zlib.compressobj(9)
    row = bytes(1 + side * 3)
    pixels = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.mark.parametrize("side", [8_000, 11_000])
def test_decompression_bombs_are_refused_from_their_header(side: int) -> None:
    data = bomb(side)
    assert len(data) < 1_000_000
    start = time.process_time()
    assert refused(data) == "too-many-pixels"
    assert time.process_time() - start < 0.2


def test_a_header_that_claims_the_largest_sizes_is_refused() -> None:
    head = struct.pack(">IIBBBBB", 2**31 - 1, 2**31 - 1, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + b"IHDR" + head + struct.pack(">I", zlib.crc32(b"IHDR" + head))
    assert refused(b"\x89PNG\r\n\x1a\n" + chunk + bomb(8)[33:]) == "too-many-pixels"
    jpeg = bytearray(saved(pil_card(), "JPEG"))
    frame = jpeg.index(b"\xff\xc0")
    jpeg[frame + 5 : frame + 9] = struct.pack(">HH", 65535, 65535)
    assert refused(bytes(jpeg)) == "too-many-pixels"


def test_a_jpeg_of_a_thousand_passes_is_refused() -> None:
    data = saved(pil_card(), "JPEG", progressive=True)
    last = data.rindex(b"\xff\xda")
    once_more = data[last:-2]
    assert refused(data[:-2] + once_more * 1000 + b"\xff\xd9") == "too-complex"


FIFTY_MEGAPIXELS = """
import io, resource, sys, time
from PIL import Image
from vision.decode import decode
from vision.reading import Unreadable

kind, size = sys.argv[1], (8192, 6144)
out = io.BytesIO()
Image.effect_mandelbrot(size, (-2, -1.5, 1, 1.5), 40).convert(sys.argv[2]).save(out, kind, quality=90)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
try:
    print(decode(out.getvalue(), longest=1024).image.shape)
except Unreadable as error:
    print(error.code)
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "mode", "outcome"),
    [("JPEG", "RGB", "(768, 1024, 3)"), ("JPEG", "CMYK", "(768, 1024, 3)"), ("PNG", "L", "too-many-pixels")],
)
def test_fifty_megapixels_cost_less_than_a_second_and_a_gigabyte(kind: str, mode: str, outcome: str) -> None:
    # A process of its own, for its peak memory.
    done = subprocess.run(
        [sys.executable, "-c", FIFTY_MEGAPIXELS, kind, mode], capture_output=True, text=True, check=True
    )
    result, cost = done.stdout.splitlines()
    seconds, megabytes = map(float, cost.split())
    assert result == outcome
    assert seconds < 1
    assert megabytes < 1000
