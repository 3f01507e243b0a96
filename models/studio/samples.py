"""The dozen photographs in `samples/`: clear ones, three per game, that tell a story together.

- Mi pasuje!: one round of three players, each in another edition: the same nineteen tiles, called once.
- Qwirkle, Trio: one table before a turn, after it, and after the next.
- Bits: three full-grown ramps played to the same calls; three players' boards, or one player's three rounds.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from models.studio.scene import Scene, render
from models.studio.sets import write_photo
from scoring.registry import find_game

LANDSCAPE, PORTRAIT = (1600, 1200), (1200, 1600)


class Sample(NamedTuple):
    """A board in its game's notation, and how it is photographed."""

    name: str
    game: str
    board: str
    edition: str
    seed: int
    size: tuple[int, int] = LANDSCAPE


SAMPLES = (
    Sample(
        "mipasuje-1",
        "mipasuje",
        "standard:573s.563s.528m,973m.964s.924s.928s,574s.968m.163s.128s.978m,564s.524m.123m.578s,164s.124s.173s",
        "rebel",
        7,
    ),
    Sample(
        "mipasuje-2",
        "mipasuje",
        "standard:528m.573s.564s,924s.578s.563s.164s,123m.574s.968m.524m.173s,973m.964s.928s.978m,163s.124s.128s",
        "ravensburger-2005",
        7,
    ),
    Sample(
        "mipasuje-3",
        "mipasuje",
        "standard:524m.573s.574s,128s.124s.578s.164s,123m.528m.173s.964s.924s,563s.978m.564s.163s,973m.968m.928s",
        "random",
        4,
        PORTRAIT,
    ),
    Sample(
        "qwirkle-1",
        "qwirkle",
        "-4,-4:Ro;-3,-5:BtBo1GdGtGs;-2,-5:OtOoOxOd1OsBs;-1,-5:YtYo1PdPo;0,-1:PcGcRcYcOc;1,0:GdRd",
        "purple",
        4,
    ),
    Sample(
        "qwirkle-2",
        "qwirkle",
        "-5,-4:Po;-4,-4:Ro;-3,-5:BtBo1GdGtGs;-2,-5:OtOoOxOd1OsBs;-1,-5:YtYo1PdPo;0,-4:Go2PcGcRcYcOc;1,0:GdRd",
        "purple",
        3,
    ),
    Sample(
        "qwirkle-3",
        "qwirkle",
        "-5,-4:Po;-4,-4:Ro2GsRsYs;-3,-5:BtBo1GdGtGs;-2,-5:OtOoOxOd1OsBs;-1,-5:YtYo1PdPo;0,-4:Go2PcGcRcYcOc;"
        "1,0:GdRd",
        "bold-purple",
        23,
        PORTRAIT,
    ),
    Sample(
        "trio-1",
        "trio",
        "-3,-2:RhOt;-2,-2:OfGf;-1,-3:OhYhVfVd1Yt;0,-3:BfRtYfOdRfVh;1,-2:BuGu1Ym",
        "cream",
        6,
    ),
    Sample(
        "trio-2",
        "trio",
        "-3,-2:RhOt;-2,-2:OfGf;-1,-3:OhYhVfVdVmYt;0,-3:BfRtYfOdRfVh;1,-2:BuGu1Ym",
        "wooden",
        6,
        PORTRAIT,
    ),
    Sample(
        "trio-3",
        "trio",
        "-3,-2:RhOt;-2,-2:OfGf;-1,-4:BhOhYhVfVdVmYt;0,-3:BfRtYfOdRfVh;1,-2:BuGu1Ym",
        "framed",
        3,
    ),
    Sample(
        "bits-1", "bits", "6x4;yellow.green.blue.red;abbc/bdcc/bbca/bdda/cdca/bdba", "travel", 3, PORTRAIT
    ),
    Sample("bits-2", "bits", "6x4;yellow.green.blue.red;abcb/bbcb/dbca/ddca/bdaa/cccb", "travel", 6),
    Sample(
        "bits-3", "bits", "6x4;blue.yellow.red.green;.ab./cadd/dabd/cabc/abbc/dacb", "travel", 7, PORTRAIT
    ),
)


def photograph(sample: Sample, seed: int | None = None) -> Scene:
    """The sample's photograph, or the same table taken by another seed."""
    game = find_game(sample.game)
    board = game.board_json(game.from_notation(sample.board))
    seed = sample.seed if seed is None else seed
    return render(sample.game, seed, edition=sample.edition, style="calm", size=sample.size, lay=board)


def write_samples(out: Path) -> int:
    """All samples as OUT/NAME.jpg and OUT/NAME.truth.json; how many there are."""
    for sample in SAMPLES:
        write_photo(photograph(sample), out, sample.name)
    return len(SAMPLES)
