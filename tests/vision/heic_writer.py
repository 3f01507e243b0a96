"""A HEIC file of any picture, written by hand: no encoder with a fitting licence can be installed.

The picture is one HEVC key frame whose blocks are all stored as plain samples (I_PCM), so there is nothing to
compress: parameter sets, one slice, and the few boxes around it that make a HEIF file.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

BLOCK = 16
# The arithmetic coder starts anew after every block of samples, so all it ever writes is, per block, "not
# split" and "plain samples": nine bits that depend only on how often "not split" was said before. These are
# the widths the standard gives to the unlikely answer while the coder's range is near its top.
UNLIKELY = [
    240,
    227,
    216,
    205,
    195,
    185,
    175,
    166,
    158,
    150,
    142,
    135,
    128,
    122,
    116,
    110,
    104,
    99,
    94,
    89,
    85,
]
UNLIKELY += [
    80,
    76,
    72,
    69,
    65,
    62,
    59,
    56,
    53,
    50,
    48,
    45,
    43,
    41,
    39,
    37,
    35,
    33,
    31,
    30,
    28,
    27,
    25,
    24,
    23,
]
UNLIKELY += [22, 21, 20, 19, 18, 17, 16, 15, 14, 14, 13, 12, 12, 11, 11, 10, 9]


class Bits:
    """Bits in the order of the standard's syntax tables."""

    def __init__(self) -> None:
        self.text = ""

    def u(self, length: int, value: int) -> Bits:
        self.text += format(value, f"0{length}b")
        return self

    def ue(self, *values: int) -> Bits:
        for value in values:
            code = format(value + 1, "b")
            self.text += "0" * (len(code) - 1) + code
        return self

    def flags(self, text: str) -> Bits:
        self.text += text
        return self

    def align(self) -> Bits:
        self.text += "0" * (-len(self.text) % 8)
        return self

    def end(self) -> bytes:
        self.text += "1"
        return self.align().bytes()

    def bytes(self) -> bytes:
        return int(self.text, 2).to_bytes(len(self.text) // 8, "big")


PROFILE = "00000001" + format(0x60000000, "032b") + "1001" + "0" * 44 + format(93, "08b")


def nal(kind: int, payload: bytes) -> bytes:
    escaped = bytearray()
    for byte in payload:
        if escaped[-2:] == b"\x00\x00" and byte <= 3:
            escaped.append(3)
        escaped.append(byte)
    return bytes([kind << 1, 1]) + bytes(escaped)


def video_parameters() -> bytes:
    bits = Bits().u(4, 0).flags("11").u(6, 0).u(3, 0).flags("1").u(16, 0xFFFF).flags(PROFILE + "1")
    return nal(32, bits.ue(0, 0, 0).u(6, 0).ue(0).flags("00").end())


def sequence_parameters(width: int, height: int) -> bytes:
    bits = (
        Bits().u(4, 0).u(3, 0).flags("1" + PROFILE).ue(0, 1, width, height).flags("0").ue(0, 0, 0).flags("1")
    )
    bits.ue(0, 0, 0)
    bits.ue(1, 0, 0, 2, 0, 0).flags("000")  # blocks of 16; no scaling lists, no partitions, no offsets
    bits.flags("1").u(4, 7).u(4, 7).ue(1, 0).flags("1")  # plain 8-bit samples, never filtered
    return nal(33, bits.ue(0).flags("00000").end())


def picture_parameters() -> bytes:
    bits = Bits().ue(0, 0).flags("00").u(3, 0).flags("00").ue(0, 0, 0).flags("000").ue(0, 0)
    return nal(34, bits.flags("0000000" + "101" + "00").ue(0).flags("00").end())


def slice_of(luma: npt.NDArray[np.uint8], chroma: list[npt.NDArray[np.uint8]]) -> bytes:
    """luma (h, w), chroma two of (h/2, w/2)."""
    data = Bits().flags("10").ue(0, 2, 0).end()
    blocks = [(y, x) for y in range(0, luma.shape[0], BLOCK) for x in range(0, luma.shape[1], BLOCK)]
    for number, (y, x) in enumerate(blocks):
        low = (510 if number == 0 else 508) - UNLIKELY[min(number, 62)] - 2
        data += Bits().u(9, low | 1).align().bytes()
        data += luma[y : y + BLOCK, x : x + BLOCK].tobytes()
        half = np.s_[y // 2 : (y + BLOCK) // 2, x // 2 : (x + BLOCK) // 2]
        data += b"".join(plane[half].tobytes() for plane in chroma)
    return nal(19, data + Bits().u(9, 508 | 1).align().bytes())


def box(kind: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return (8 + len(body)).to_bytes(4, "big") + kind + body


def full_box(kind: bytes, *parts: bytes, version: int = 0) -> bytes:
    return box(kind, bytes([version, 0, 0, 0]), *parts)


def number(value: int, length: int = 4) -> bytes:
    return value.to_bytes(length, "big")


def heic(image: npt.NDArray[np.uint8], quarter_turns: int = 0) -> bytes:
    """`image` (BGR, sides multiples of 16) as a HEIC file to be shown after so many anticlockwise turns."""
    height, width = image.shape[:2]
    luma, red, blue = cv2.split(cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb))
    half = (width // 2, height // 2)
    chroma = [cv2.resize(plane, half, interpolation=cv2.INTER_AREA) for plane in (blue, red)]
    units = [video_parameters(), sequence_parameters(width, height), picture_parameters()]
    arrays = b"".join(
        bytes([0x80 | kind, 0, 1]) + number(len(u), 2) + u
        for kind, u in zip((32, 33, 34), units, strict=True)
    )
    configuration = (
        bytes([1, 1]) + number(0x60000000) + number(0x90, 1) + bytes(5) + bytes([93, 0xF0, 0, 0xFC, 0xFD])
    )
    configuration += bytes([0xF8, 0xF8, 0, 0, 0x0F, 3]) + arrays
    properties = [
        box(b"hvcC", configuration),
        full_box(b"ispe", number(width), number(height)),
        box(b"colr", b"nclx", number(1, 2), number(13, 2), number(6, 2), b"\x80"),
    ]
    if quarter_turns:
        properties.append(box(b"irot", bytes([quarter_turns])))
    associations = b"".join(bytes([0x80 | index]) for index in range(1, len(properties) + 1))
    unit = slice_of(luma, chroma)
    sample = number(len(unit)) + unit
    file_type = box(b"ftyp", b"heic", number(0), b"mif1heic")

    def meta(offset: int) -> bytes:
        return full_box(
            b"meta",
            full_box(b"hdlr", bytes(4), b"pict", bytes(13)),
            full_box(b"pitm", number(1, 2)),
            full_box(
                b"iloc",
                bytes([0x44, 0]),
                number(1, 2),
                number(1, 2),
                bytes(2),
                number(1, 2),
                number(offset),
                number(len(sample)),
            ),
            full_box(
                b"iinf", number(1, 2), full_box(b"infe", number(1, 2), bytes(2), b"hvc1", b"\0", version=2)
            ),
            box(
                b"iprp",
                box(b"ipco", *properties),
                full_box(b"ipma", number(1), number(1, 2), bytes([len(properties)]), associations),
            ),
        )

    start = len(file_type) + len(meta(0)) + 8
    return file_type + meta(start) + box(b"mdat", sample)
