"""What is wrong with a photo, in plain words with one piece of advice; and when it cannot be read at all."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.decode import Photo
from vision.detect import Detections
from vision.geometry import Floats, Ints, through
from vision.lattice import Lattice
from vision.layout import Placed
from vision.reading import Cell, PhotoFinding, Unreadable
from vision.settings import ReaderSettings

SIDES = ("left", "right", "top", "bottom")


def cut_off(photo: Photo, points: Floats) -> str | None:
    """The side at which these points leave the photo furthest, or None."""
    high, wide = photo.image.shape[:2]
    beyond = [-points[:, 0].min(), points[:, 0].max() - wide, -points[:, 1].min(), points[:, 1].max() - high]
    worst = int(np.argmax(beyond))
    return SIDES[worst] if beyond[worst] > 0 else None


def refuse_cut_board(photo: Photo, placed: Placed) -> None:
    """A board with cells outside the photo cannot be read whole."""
    side = cut_off(photo, through(placed.lattice.homography, placed.cells))
    if side is not None:
        raise Unreadable("cut-off", f"the board is cut off at the {side}; step back and show all of it")


def half_outside(photo: Photo, lattice: Lattice, cells: Ints) -> npt.NDArray[np.bool_]:
    """(n,) cells next to a tile of which the photo shows a part but not the middle."""
    high, wide = photo.image.shape[:2]
    corners = lattice.grid.outline @ np.linalg.inv(lattice.grid.to_plane).T
    outline = through(lattice.homography, cells[:, None] + corners)
    middle = outline.mean(axis=1)
    size = np.array([wide, high])
    out = np.any((middle < 0) | (middle >= size), axis=1)
    part = np.any(np.all((outline >= 0) & (outline < size), axis=2), axis=1)
    tiles = lattice.at[~lattice.found.empty]
    beside = np.any(np.abs(cells[:, None] - tiles[None]).sum(axis=2) == 1, axis=1)
    found: npt.NDArray[np.bool_] = out & part & beside
    return found


def refuse_cut_table(
    photo: Photo, placed: Placed, likely: npt.NDArray[np.bool_], settings: ReaderSettings
) -> None:
    """A table that goes on outside the photo cannot be read whole."""
    inner = settings.cut_tile * placed.lattice.grid.outline @ np.linalg.inv(placed.lattice.grid.to_plane).T
    parts = through(placed.lattice.homography, placed.cells[likely][:, None] + inner)
    side = cut_off(photo, parts.reshape(-1, 2))
    if side is not None:
        raise Unreadable("cut-off", f"the table is cut off at the {side}; step back and show all tiles")


def refuse_other_game(lattice: Lattice, settings: ReaderSettings) -> None:
    """Tiles that look more like another game's are not read as this one's."""
    found = lattice.found.only(~lattice.found.empty)
    if len(found) and float(np.median(found.rivals - found.heat)) > settings.rival_lead:
        raise Unreadable("other-game", "these look like tiles of another game; pick that game")


def refuse_thin(placed: Placed, settings: ReaderSettings) -> None:
    """A board of which too little is seen is rather a coincidence."""
    own = placed.detected[placed.detected >= 0]
    warmth = float(placed.lattice.found.heat[own].sum()) / len(placed.cells)
    thin = placed.seen < settings.least_seen or warmth < settings.least_warmth
    if thin or placed.margin < settings.least_margin:
        raise Unreadable("no-board", "no whole board of this game was found; show all of it, from above")


def refuse_thin_table(heat: Floats, settings: ReaderSettings) -> None:
    """One or two lukewarm spots are rather a button or a card than a table; `heat` is that of its tiles."""
    least = settings.least_few_heat if len(heat) <= settings.few_tiles else settings.least_table_heat
    if float(heat.max()) < least:
        raise Unreadable("no-board", "no tiles of this game were found; show the whole table, from above")


def empty_board() -> Unreadable:
    return Unreadable("empty-board", "the board is empty; there is nothing to score")


def unknown_edition() -> PhotoFinding:
    """What is said of a copy that looks like no edition that is known."""
    return PhotoFinding("unknown-edition", "these tiles look like no known edition; teach Kibic your copy")


def several_tables() -> PhotoFinding:
    """What is said where another group of tiles could be meant as well."""
    return PhotoFinding("several-tables", "several groups of tiles are in the photo; show only the table")


def refuse_unclear(doubted: npt.NDArray[np.bool_], settings: ReaderSettings) -> None:
    """Where most cells would be questions, another photo is less work.

    Two or three things that are all doubtful may be no tiles at all; a single one is one question.
    """
    few = len(doubted) < settings.unclear_cells
    if len(doubted) > 1 and (doubted.all() if few else doubted.mean() > settings.unclear_share):
        raise Unreadable(
            "too-unclear", "most tiles cannot be made out; take the photo closer, sharper or in better light"
        )


def refuse_far(photo: Photo, lattice: Lattice, settings: ReaderSettings) -> None:
    """Tiles of a few pixels are nothing to read."""
    pixels = float(np.median(lattice.found.size)) * lattice.grid.pitch * photo.scale
    if pixels < settings.smallest_tile_px:
        raise Unreadable(
            "too-far",
            f"the tiles are only {pixels:.0f} pixels wide; come closer, {settings.good_tile_px} is good",
        )


def refuse_misfit(placed: Placed, settings: ReaderSettings) -> None:
    """Where many tiles lie beside their cells, the lattice is wrong: mostly the camera was too low for it."""
    astray = displaced(placed, settings.displaced)
    if (
        astray.sum() >= settings.misfits
        and astray.sum() > settings.misfit_share * (placed.detected >= 0).sum()
    ):
        raise Unreadable("too-oblique", "the photo is taken from too low; hold the phone above the board")


def refuse_oblique(lattice: Lattice, settings: ReaderSettings) -> None:
    """Seen almost along the table, tiles hide each other."""
    if flatness(lattice) < settings.too_oblique:
        raise Unreadable("too-oblique", "the photo is taken from too low; hold the phone above the board")


def flatness(lattice: Lattice) -> float:
    """1 seen from straight above, smaller the lower the camera: the squeeze of a tile in the middle."""
    middle = np.median(lattice.at, axis=0)
    values = np.linalg.svd(lattice.steps(middle[None])[0], compute_uv=False)
    return float(values[1] / values[0])


def photo_findings(
    photo: Photo,
    placed: Placed,
    cells: Sequence[Cell],
    crops: npt.NDArray[np.uint8],
    doubted: npt.NDArray[np.bool_],
    settings: ReaderSettings,
) -> tuple[PhotoFinding, ...]:
    """What made reading hard. `cells` names, `crops` shows and `doubted` marks the cells of `placed`."""
    lattice = placed.lattice
    found: list[PhotoFinding] = []
    pixels = float(np.median(lattice.found.size)) * lattice.grid.pitch * photo.scale
    asked = int(doubted.sum())
    glare = glaring(crops, settings) & doubted
    if glare.any():
        where = tuple(cells[index] for index in np.flatnonzero(glare).tolist())
        found.append(
            PhotoFinding("glare", "light is reflected over these cells; shade the lamp or tilt", where)
        )
    if asked and pixels < settings.good_tile_px:
        found.append(PhotoFinding("far", f"the tiles are only {pixels:.0f} pixels wide; come closer"))
    if asked > settings.blur_doubts and sharpness(crops) < settings.blurred:
        found.append(PhotoFinding("blurred", "the photo is blurred; hold still and let the phone focus"))
    if asked and flatness(lattice) < settings.oblique:
        found.append(PhotoFinding("oblique", "the photo is taken from low; hold the phone above the board"))
    astray = displaced(placed, settings.displaced)
    if astray.any():
        where = tuple(cells[index] for index in np.flatnonzero(astray).tolist())
        found.append(
            PhotoFinding("displaced", "these tiles lie beside their cells; push them into place", where)
        )
    another = second_board(placed, lattice.askew, settings) if placed.layout or placed.size else None
    return (*found, another) if another else tuple(found)


def glaring(
    crops: npt.NDArray[np.uint8], settings: ReaderSettings, share: float | None = None
) -> npt.NDArray[np.bool_]:
    """(n,) cells with a good part, more than `share`, washed out to white.

    Where most are, it is the print or the exposure rather than a mirrored lamp.
    """
    rim = crops.shape[1] * 3 // 20
    blue, green, red = np.moveaxis(crops[:, rim:-rim, rim:-rim] >= settings.washed_out, -1, 0)
    washed = (blue & green & red).mean(axis=(1, 2)) > (settings.glare_share if share is None else share)
    found: npt.NDArray[np.bool_] = washed & (washed.mean() < settings.glare_most)
    return found


def hidden_by_glare(photo: Photo, lattice: Lattice, settings: ReaderSettings) -> Ints:
    """(n, 2) cells beside the tiles of an open table where a mirrored lamp may hide more of them."""
    reach = settings.glare_reach
    low, top = lattice.at.min(axis=0) - reach, lattice.at.max(axis=0) + reach + 1
    x, y = np.meshgrid(np.arange(low[0], top[0]), np.arange(low[1], top[1]), indexing="ij")
    cells = np.stack([x, y], axis=-1)
    taken = np.zeros(cells.shape[:2], bool)
    taken[tuple((lattice.at - low).T)] = True
    washed = _washed(photo, lattice, cells, settings) & ~taken
    beside = _grown(taken) & ~taken
    if washed[beside].mean() >= settings.glare_most:
        return cells[:0, 0]
    hidden = np.zeros_like(taken)
    for _ in range(reach):
        hidden = _grown(taken | hidden) & washed
    if hidden.sum() > max(3, len(lattice.at) // 2):
        # Rather a sheet of paper.
        return cells[:0, 0]
    found: Ints = cells[hidden]
    return found


def _grown(cells: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """These cells of a square lattice and all that share an edge with one."""
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    return cv2.dilate(cells.astype(np.uint8), cross).astype(bool)


def _washed(photo: Photo, lattice: Lattice, cells: Ints, settings: ReaderSettings) -> npt.NDArray[np.bool_]:
    """(…,) which of the (…, 2) cells are washed out, by a few points of each."""
    ticks = np.linspace(-0.35, 0.35, 5)
    offsets = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
    high, wide = photo.image.shape[:2]
    x, y = np.moveaxis(through(lattice.homography, cells[..., None, :] + offsets), -1, 0)
    inside = (x >= 0) & (y >= 0) & (x <= wide - 1) & (y <= high - 1)
    columns, rows = (np.rint(np.where(inside, side, 0)).astype(int) for side in (x, y))
    white = inside & (photo.image[rows, columns] >= settings.washed_out).all(axis=-1)
    found: npt.NDArray[np.bool_] = white.mean(axis=-1) > settings.glare_share
    return found


def sharpness(crops: npt.NDArray[np.uint8]) -> float:
    """How much of the crops' contrast is in fine detail; small for a blurred photo."""
    shares = []
    for crop in crops:
        grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
        fine = grey - cv2.GaussianBlur(grey, (0, 0), 2)
        shares.append(float(fine.std()) / (float(grey.std()) + 4))
    return float(np.median(shares)) if shares else 1.0


def displaced(placed: Placed, pitches: float) -> npt.NDArray[np.bool_]:
    """(m,) cells whose tile was seen so far beside the middle."""
    lattice = placed.lattice
    astray = np.zeros(len(placed.cells), bool)
    own = np.flatnonzero(placed.detected >= 0)
    if len(own):
        centres = lattice.found.centre[placed.detected[own]]
        local = through(np.linalg.inv(lattice.homography).astype(float), centres) - placed.cells[own]
        away = np.linalg.norm(local @ lattice.grid.to_plane.T, axis=1)
        astray[own] = (away > pitches * lattice.grid.pitch) & ~lattice.found.empty[placed.detected[own]]
    return astray


def second_board(placed: Placed, rest: Detections, settings: ReaderSettings) -> PhotoFinding | None:
    """Many tiles besides this board mean that another board is in the photo."""
    if (~rest.empty).sum() >= settings.second_board_share * len(placed.cells):
        return PhotoFinding(
            "several-boards", "several boards are in the photo; the one in the middle was read"
        )
    return None
