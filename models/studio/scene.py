"""One photograph with its exact truth: plan, room, light and camera put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from skimage.color import deltaE_ciede2000, rgb2lab

from models.studio import camera as cameras
from models.studio import light as lights
from models.studio import room
from models.studio.camera import Camera, Canvas, Image, Matrix
from models.studio.painters import painter
from models.studio.plan import Cell, Plan, Points, Sprite

STYLES = ("any", "calm", "exam", "crops")
"""calm: pictures somebody took care over; exam: looks and tables that no other style ever uses."""
HEX_GAMES = ("mipasuje",)
LEAST_PIXELS = 17
"""Smaller tiles than this nobody could read, in however small a picture."""
SMALLEST_UNIT, LARGEST_UNIT = 28, 170
"""How large one tile pitch may be in a picture 1600 pixels long, in pixels."""


class SceneCell(NamedTuple):
    """A cell of the truth in the finished photograph; `tile` None: an empty cell."""

    at: Cell
    tile: str | None
    mark: str | None
    polygon: Points
    """(n, 2) pixels: the top face as it lies, height included."""
    visibility: float
    """0 hidden, out of the picture or washed out … 1 in plain sight."""


@dataclass(frozen=True)
class Scene:
    """A photograph and everything that is true of it."""

    game: str
    seed: int
    edition: str
    truth: dict[str, Any]
    cells: tuple[SceneCell, ...]
    lattice: Matrix
    """(3, 3) homography to pixels, at the height of the tiles' faces: from (column, row) on square lattices,
    from axial (q, r) on hexagonal ones. With a bending lens it is the best straight fit."""
    jpeg: bytes
    spares: tuple[Points, ...] = ()
    """Pixel outlines of tiles that lie about beside the board and belong to no cell."""
    neighbours: tuple[float, ...] = ()
    """How much of each other player's board is in the picture, 0 … 1."""
    apart: float = np.inf
    """CIEDE2000 between the two most alike of the board's inks in this light; below 8 people hesitate."""
    print_px: float = np.inf
    """Height in pixels of the smallest print that must be read, where it is smallest."""

    @cached_property
    def image(self) -> Image:
        """(h, w, 3) BGR: what anybody gets who opens the JPEG."""
        return np.asarray(cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR))


def render(
    game: str,
    seed: int,
    *,
    edition: str | None = None,
    style: str | None = None,
    size: tuple[int, int] = (1600, 1200),
    simple: bool = False,
    lay: Mapping[str, Any] | None = None,
    crowded: bool = False,
) -> Scene:
    """The photograph with this seed: the same bytes every time. `size` is (width, height).

    `lay`: a board file to lay out; without it the seed deals the tiles, too. `crowded`: another player's
    board stands beside it (games in which everybody has one).
    """
    if style not in (None, *STYLES):
        raise ValueError(f"style {style!r} is not one of {', '.join(STYLES)}")
    rng = np.random.default_rng([seed, *game.encode()])
    exam = style == "exam"
    stance = cameras.random_stance(rng, style == "calm")
    # Painters draw before the camera is placed: tiles of a middling table come out about this large.
    drawn = round(float(np.clip(max(size) / 1600 * 96, 16, 128)))
    plan: Plan = painter(game).plan(
        rng,
        edition=edition,
        pixels_per_unit=drawn,
        simple=simple,
        exam=exam,
        lay=lay,
        **({"crowded": True} if crowded else {}),  # open tables have no neighbours
    )
    return taken(rng, plan, seed, size, style, stance)


def taken(
    rng: np.random.Generator,
    plan: Plan,
    seed: int,
    size: tuple[int, int],
    style: str | None = None,
    stance: cameras.Stance | None = None,
    table_kind: str | None = None,
    things: int | None = None,
) -> Scene:
    """This plan photographed; table, clutter, light and camera are the generator's choice, or as given."""
    exam, calm = style == "exam", style == "calm"
    stance = stance or cameras.random_stance(rng, calm)
    lens_size = _working_size(rng, size, style)
    view = _aimed(rng, stance, plan, lens_size)
    per_unit = _pixels_per_unit(view, plan)
    light = lights.random_light(rng, calm)
    table = room.random_table(rng, per_unit, exam, table_kind)
    image = room.background(table, view)
    if rng.random() < 0.22:
        room.beyond(rng, image, view, plan.bounds)
    if things is None:
        things = (
            int(rng.choice((0, 1, 2, 4), p=(0.4, 0.3, 0.2, 0.1)))
            if style != "crops"
            else int(rng.random() < 0.15)
        )
    low, tall = room.scatter(rng, view, plan.bounds, things, max(16, round(min(per_unit, 90))))
    hidden = _drawn(image, view, plan, low, tall, light, per_unit)
    gain = lights.falloff(rng, lens_size, calm)
    glow = lights.glare(rng, view, [*plan.sprites, *tall], table.gloss, calm)
    lit = lights.brightened(image, gain, glow)
    tones = lights.tone_curve(light, lights.brightness(lit))
    image = np.asarray(cv2.LUT(lit, tones))
    image = cameras.lens(image, view)
    how = cameras.random_development(rng, per_unit, calm)
    image = cameras.developed(rng, image, how)
    scale = np.array(size) / np.array(lens_size)
    if lens_size != size:
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR))
    spare_height = max((cell.height for cell in plan.cells), default=0.0)
    _, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, how.quality])
    return Scene(
        game=plan.game,
        seed=seed,
        edition=plan.edition,
        truth=plan.truth,
        cells=tuple(_seen(plan, view, hidden, glow, scale)),
        lattice=_lattice(plan, view, scale),
        jpeg=jpeg.tobytes(),
        spares=tuple(_pixels(view, outline, spare_height, scale) for outline in plan.spares),
        apart=_apart(plan, tones),
        print_px=_print_px(plan, view) * float(scale.min()),
        neighbours=tuple(_inside(view.project(outline), lens_size) for outline in plan.neighbours),
    )


def _working_size(rng: np.random.Generator, size: tuple[int, int], style: str | None) -> tuple[int, int]:
    """Some photographs were smaller once and have been enlarged since."""
    if style in ("crops", "calm") or rng.random() < 0.5:
        return size
    factor = float(rng.uniform(0.6, 0.95))
    return (round(size[0] * factor), round(size[1] * factor))


def _aimed(rng: np.random.Generator, stance: cameras.Stance, plan: Plan, size: tuple[int, int]) -> Camera:
    """A camera that has the whole board in the picture, at a size somebody would photograph it."""
    x0, y0, x1, y1 = plan.bounds
    side = max(size)
    widest = side / (LARGEST_UNIT * side / 1600) * stance.fill
    narrow = max(x1 - x0, y1 - y0)
    pad = max(0.0, widest * float(rng.uniform(0.7, 1.3)) - narrow) / 2
    slip = rng.uniform(-0.7, 0.7, 2) * pad
    right, down = float(slip[0]), float(slip[1])
    frame = (x0 - pad + right, y0 - pad + down, x1 + pad + right, y1 + pad + down)
    top = max((cell.height for cell in plan.cells), default=0.0)
    for _ in range(12):
        view = cameras.placed(stance, frame, top, size)
        corners = view.project(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]), top)
        inside = (corners > 2).all() and (corners < np.array(size) - 3).all()
        if inside and _pixels_per_unit(view, plan) >= max(SMALLEST_UNIT * side / 1600, LEAST_PIXELS):
            break
        if inside and stance.fill >= 0.95:
            if pad == 0:
                break
            pad, frame = 0.0, plan.bounds
        tighter = stance.fill * (0.9 if not inside else 1.2)
        stance = cameras.Stance(
            stance.tilt, stance.azimuth, stance.roll, stance.focal, min(0.95, tighter),
            (stance.off[0] * 0.7, stance.off[1] * 0.7), stance.k1,
        )  # fmt: skip
    return view


def _pixels_per_unit(view: Camera, plan: Plan) -> float:
    """How large one plane unit is in the middle of the board."""
    x0, y0, x1, y1 = plan.bounds
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    square = view.flat(middle + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]))
    x, y = square[:, 0], square[:, 1]
    return float(np.sqrt(0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))))


def _drawn(
    image: Image,
    view: Camera,
    plan: Plan,
    low: list[Sprite],
    tall: list[Sprite],
    light: lights.Light,
    per_unit: float,
) -> npt.NDArray[np.uint8] | None:
    """Draws everything, from the table upwards; gives the mask of what tall things hide (None: nothing)."""
    canvas = Canvas(image, view)
    away = np.array(light.away)
    lit = -away / max(float(np.hypot(*away)), 1e-6)
    layers: dict[float, list[Sprite]] = {}
    for sprite in (*low, *plan.sprites):
        layers.setdefault(round(sprite.base, 3), []).append(sprite)
    for base in sorted(layers):
        layer = layers[base]
        lights.cast(image, view, layer, light, per_unit)
        # Faces of equal height never hide one another, so: all sides, then all tops.
        for sprite in layer:
            canvas.sides(sprite, lit)
        for sprite in layer:
            canvas.top(sprite)
    if not tall:
        return None
    hidden = np.zeros(image.shape[:2], np.uint8)
    lights.cast(image, view, tall, light, per_unit)
    for sprite in tall:
        canvas.sides(sprite, lit)
        canvas.top(sprite, hidden)
    return hidden


def _seen(
    plan: Plan,
    view: Camera,
    hidden: npt.NDArray[np.uint8] | None,
    glow: npt.NDArray[np.float32] | None,
    scale: Points,
) -> list[SceneCell]:
    found = []
    for cell in plan.cells:
        flat = view.flat(cell.polygon, cell.height)
        polygon = view.bent(flat)
        visible = _inside(polygon, view.size) * (1 - lights.washed(glow, flat))
        if hidden is not None:
            visible *= 1 - _covered(hidden, flat)
        found.append(SceneCell(cell.at, cell.tile, cell.mark, (polygon + 0.5) * scale - 0.5, float(visible)))
    return found


def _pixels(view: Camera, outline: Points, height: float, scale: Points) -> Points:
    return np.asarray((view.project(outline, height) + 0.5) * scale - 0.5)


def _apart(plan: Plan, tones: Image) -> float:
    """How far the light leaves the board's colours apart."""
    if len(plan.inks) < 2:
        return float("inf")
    seen = cv2.LUT(np.array([plan.inks], np.uint8), tones)
    lab = rgb2lab(seen[0, :, ::-1])
    return min(float(deltaE_ciede2000(one, other)) for index, one in enumerate(lab) for other in lab[:index])


def _print_px(plan: Plan, view: Camera) -> float:
    scales = [
        np.sqrt(cv2.contourArea(view.flat(cell.polygon, cell.height).astype(np.float32)))
        / np.sqrt(cv2.contourArea(cell.polygon.astype(np.float32)))
        for cell in plan.cells
        if cell.tile is not None
    ]
    return plan.print_size * float(min(scales, default=np.inf))


def _inside(polygon: Points, size: tuple[int, int]) -> float:
    hull = cv2.convexHull(polygon.astype(np.float32))
    frame = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    common, _ = cv2.intersectConvexConvex(hull, frame)
    return float(np.clip(common / max(cv2.contourArea(hull), 1e-6), 0, 1))


def _covered(hidden: npt.NDArray[np.uint8], polygon: Points) -> float:
    high, wide = hidden.shape
    x0, y0 = np.clip(polygon.min(0).astype(int), 0, (wide - 1, high - 1))
    x1, y1 = np.clip(polygon.max(0).astype(int) + 1, (x0 + 1, y0 + 1), (wide, high))
    return float(hidden[y0:y1, x0:x1].mean() / 255)


def _lattice(plan: Plan, view: Camera, scale: Points) -> Matrix:
    """Best homography from lattice coordinates to pixels of the finished picture."""
    if not plan.cells:
        return np.eye(3)
    origin, basis = plan.lattice
    height = max(cell.height for cell in plan.cells)
    ats = np.array([cell.at for cell in plan.cells], float)
    low, high = ats.min(0) - 0.5, ats.max(0) + 0.5
    grid = np.stack(
        np.meshgrid(np.linspace(low[0], high[0], 5), np.linspace(low[1], high[1], 5)), -1
    ).reshape(-1, 2)
    pixels = (view.project(origin + grid @ basis, height) + 0.5) * scale - 0.5
    ordered = grid if plan.game in HEX_GAMES else grid[:, ::-1]
    matrix, _ = cv2.findHomography(np.ascontiguousarray(ordered), pixels)
    return np.asarray(matrix, float)
