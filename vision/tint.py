"""Known colours under unknown light: which of an edition's inks each cell shows in this photo.

Light, exposure and veiling glare move all colours of a photo together: per channel a gain and an offset,
after a bend of the tone curve. The change that explains all cells best is found for several guesses at once;
guesses that explain the photo about equally well but name the inks differently leave a doubt.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage

from vision.joint import settle

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TintSettings:
    """Levels are those of 8-bit pictures."""

    noise: float = 9.0
    """Levels by which a cell's ink is off."""
    shade: float = 0.12
    """Share of its brightness by which a cell may lie in shadow or light."""
    gains: tuple[float, ...] = (0.41, 0.51, 0.64, 0.8, 1.0, 1.25, 1.57, 1.96, 2.46)
    bends: tuple[float, ...] = (0.75, 1.0, 1.33)
    gain_prior: float = 0.5
    """Deviation of the logarithm of the exposure."""
    bend_prior: float = 0.25
    channel_prior: float = 0.22
    """Deviation of one channel's gain against the common one: the warmth of the light."""
    veil_prior: float = 22.0
    """Deviation of the offset, in levels."""
    dark_ground: float = 120.0
    """Mean level below which a ground shows reflections rather than shadows."""
    burnt: float = 249.0
    """Levels from which on a channel may have been any brighter."""
    shoulder: float = 200.0
    """Levels from which on cameras squeeze what is brighter, rather than cut it off."""
    faded: float = 60.0
    """Levels of reflection from which on a cell no longer shows what its ink looks like elsewhere."""
    ground_weight: float = 0.3
    rounds: int = 8
    farthest: float = 30.0
    """Nats from which on a colour is as good as any other wrong one."""
    group_apart: float = 22.0
    """Levels by which cells of one ink may differ in one photo."""
    group_votes: int = 3
    """A group of alike cells counts as at most so many."""
    second_look: float = 5.0
    """What it costs, in nats, that one ink has two looks in one photo."""
    most_pull: float = 4.0
    """Nats at most against an ink because another group looks more like it: settles only what is open."""
    considered: float = 14.0
    """Guesses further behind than this, in nats, are dropped."""


TINT = TintSettings()
QUICK_TINT = TintSettings(gains=(0.5, 0.7, 1.0, 1.4, 2.0), bends=(1.0,), rounds=5)
"""Where much is known beforehand, a few guesses will do."""
PASTEL_TINT = TintSettings(shoulder=245.0, group_apart=28.0, most_pull=30.0, faded=1000.0)
"""Whole cells of one colour on a ramp: large, evenly lit, and told apart best by their groups."""


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """An edition's inks as its teaching photo showed them."""

    inks: Floats
    """(kinds, 3) BGR levels."""
    ground: Floats
    """(3,) what they are painted on."""


@dataclass(frozen=True, slots=True, eq=False)
class Tinted:
    """What a photo's colours mean."""

    log_p: Floats
    """(n, kinds)."""
    misfit: Floats
    """(n,) how far each cell is from the ink it is taken for, in deviations."""
    inks: Floats
    """(kinds, 3) the palette as it looks in this photo."""


def tinted(
    ink: Floats, ground: Floats, palette: Palette, prior: Floats | None = None, settings: TintSettings = TINT
) -> Tinted:
    """(n, 3) inks and grounds of the cells; `prior` (n, kinds) nats known from elsewhere."""
    n, kinds = len(ink), len(palette.inks)
    known = np.zeros((n, kinds)) if prior is None else prior
    gain0, bend = (grid.ravel() for grid in np.meshgrid(settings.gains, settings.bends))
    guesses = len(gain0)
    table = _spread_out(np.concatenate([palette.inks, palette.ground[None]]), settings)
    bent = 255 * (np.maximum(table, 0.5) / 255)[None] ** bend[:, None, None]
    inks, base = bent[:, :-1], bent[:, -1]
    gain = np.repeat(gain0[:, None], 3, axis=1)
    below_ink = _spread_out(ground, settings)
    veil = np.clip(np.median(below_ink, axis=0) - gain0[:, None] * base, -60, 60)
    weight = settings.ground_weight
    loose, veiled = 1 / (settings.channel_prior * gain0) ** 2, 1 / settings.veil_prior**2
    unit = settings.noise**2
    # The more a channel is squeezed the less it says; burnt out, it only says how bright it is at least.
    exact = _told(ink, settings)
    solid = _told(ground, settings)
    here = local_light(below_ink, settings)
    plain = (_spread_out(ink, settings) - here.veil) / here.scale
    for step in range(settings.rounds):
        log_p, _ = _fit(ink, here, gain, veil, inks, settings)
        joint = log_p + known
        if step == settings.rounds - 1:
            break
        share = np.exp(_log_softmax(joint))
        count = np.einsum("gnk,nc->gkc", share, exact)
        total = np.einsum("gnk,nc->gkc", share, exact * plain)
        trust = np.repeat((weight * solid.sum(axis=0))[None, None], guesses, 0)
        w = np.concatenate([count, trust], axis=1) / unit
        x = bent
        below = np.repeat((weight * (solid * below_ink).sum(axis=0))[None, None], guesses, 0)
        y = np.concatenate([total, below], axis=1) / unit
        xx, sx, s = (w * x * x).sum(1) + loose[:, None], (w * x).sum(1), w.sum(1) + veiled
        xy, sy = (y * x).sum(1) + (loose * gain0)[:, None], y.sum(1)
        det = xx * s - sx**2
        gain, veil = (xy * s - sx * sy) / det, (xx * sy - sx * xy) / det
    off = (ground[None] - _squeezed(gain * base + veil, settings)[:, None]) ** 2
    grounds = -0.5 * weight * np.minimum(off.sum(axis=2) / unit, 40).mean(axis=1) * settings.group_votes
    # A washed out cell looks like no other, but that does not make it another ink.
    sound = ((ink >= settings.burnt).sum(axis=1) < 3) & (here.veil.max(axis=1) < settings.faded)
    group = np.full(n, -1)
    group[sound] = _groups(((ink - here.veil) / here.scale)[sound], settings)
    if not sound.any():
        group[:] = 0
    member = group[:, None] == np.arange(group.max() + 1)
    size = member.sum(axis=0)
    votes = np.minimum(size, settings.group_votes) / size
    together = np.einsum("gnk,nm->gmk", joint, member.astype(float)) * votes[:, None]
    evidence = together.max(axis=2).sum(axis=1) + grounds
    evidence -= (
        0.5 * (np.log(gain0) / settings.gain_prior) ** 2 + 0.5 * (np.log(bend) / settings.bend_prior) ** 2
    )
    evidence -= 0.5 * (((gain / gain0[:, None] - 1) / settings.channel_prior) ** 2).sum(axis=1)
    evidence -= 0.5 * ((veil / settings.veil_prior) ** 2).sum(axis=1)
    single = _log_softmax(joint)
    for guess in range(guesses):
        if evidence[guess] < evidence.max() - settings.considered - settings.second_look * len(size):
            evidence[guess] = -np.inf
            continue
        # Two groups that look different are two inks, unless nothing else will do.
        own = _log_softmax(together[guess])
        if len(np.unique(own.argmax(axis=1))) == len(own):
            evidence[guess] += own.max(axis=1).sum()
            continue
        pull = settle(own, 1, settings.second_look) - own
        taken = np.bincount(np.argmax(own + pull, axis=1), minlength=kinds)
        evidence[guess] += own[np.arange(len(own)), np.argmax(own + pull, axis=1)].sum()
        evidence[guess] -= settings.second_look * np.maximum(taken - 1, 0).sum()
        pulled = np.concatenate([np.maximum(pull, -settings.most_pull), np.zeros((1, kinds))])
        single[guess] = _log_softmax(joint[guess] + pulled[group])
    kept = np.flatnonzero(evidence > evidence.max() - settings.considered)
    belief = _log_softmax(evidence[kept][None])[0]
    found = _log_sum(np.moveaxis(single[kept] + belief[:, None, None], 0, 2), 2)
    best = int(np.argmax(evidence))
    _, away = _fit(ink, here, gain[best : best + 1], veil[best : best + 1], inks[best : best + 1], settings)
    looks = _squeezed(gain[best] * inks[best] + veil[best], settings)
    chosen = np.take_along_axis(away[0], found.argmax(axis=1)[:, None], axis=1)[:, 0]
    return Tinted(found, np.sqrt(chosen), looks)


def _groups(ink: Floats, settings: TintSettings) -> npt.NDArray[np.intp]:
    """(n,) cells whose inks look alike in this photo."""
    if len(ink) < 2:
        return np.zeros(len(ink), np.intp)
    return fcluster(linkage(ink, "average"), settings.group_apart, "distance").astype(np.intp) - 1


@dataclass(frozen=True, slots=True, eq=False)
class LocalLight:
    """What the ground of each cell says about the light just there."""

    scale: Floats
    """(n, 3) how much brighter than usual a pale ground is."""
    veil: Floats
    """(n, 3) how much a reflection lightens a dark one, in levels."""


def local_light(ground: Floats, settings: TintSettings) -> LocalLight:
    """Against the usual ground of the photo, given (n, 3) BGR."""
    usual = np.median(ground, axis=0)
    if float(usual.mean()) < settings.dark_ground:
        return LocalLight(np.ones_like(ground), np.clip(ground - usual, -40, 200))
    return LocalLight(np.clip(ground / np.maximum(usual, 1), 0.4, 1.6), np.zeros_like(ground))


def _fit(
    ink: Floats, here: LocalLight, gain: Floats, veil: Floats, inks: Floats, settings: TintSettings
) -> tuple[Floats, Floats]:
    """(guesses, n, kinds) nats and squared deviations."""
    common = (gain[:, None] * inks + veil[:, None])[:, None]
    middle = _squeezed(here.scale[:, None] * common + here.veil[:, None], settings)
    length = np.linalg.norm(middle, axis=3)
    gap = ink[None, :, None] - middle
    along = (gap * middle).sum(axis=3) / np.maximum(length, 1)
    across = np.maximum((gap**2).sum(axis=3) - along**2, 0)
    deep = settings.noise**2 + (settings.shade * length) ** 2
    away = across / settings.noise**2 + along**2 / deep
    log_p = -0.5 * away - 0.5 * np.log(deep / settings.noise**2)
    return np.maximum(log_p, -settings.farthest), away


def _squeezed(levels: Floats, settings: TintSettings) -> Floats:
    """What a camera makes of levels that may be brighter than it can show."""
    room = 255 - settings.shoulder
    over = np.maximum(levels - settings.shoulder, 0)
    return np.clip(np.minimum(levels, settings.shoulder) + room * np.tanh(over / room), 0, 255)


def _spread_out(levels: Floats, settings: TintSettings) -> Floats:
    """The other way round, as far as that can be told."""
    room = 255 - settings.shoulder
    over = np.clip((levels - settings.shoulder) / room, 0, (settings.burnt - settings.shoulder) / room)
    return np.minimum(levels, settings.shoulder) + room * np.arctanh(over)


def _told(levels: Floats, settings: TintSettings) -> Floats:
    """0 … 1, how much a squeezed channel still says about how bright it was."""
    over = np.clip((levels - settings.shoulder) / (255 - settings.shoulder), 0, 1)
    return np.where(levels < settings.burnt, (1 - over**2) ** 2, 0.0)


def _log_sum(values: Floats, axis: int) -> Floats:
    top = values.max(axis=axis, keepdims=True)
    found: Floats = np.squeeze(top + np.log(np.exp(values - top).sum(axis=axis, keepdims=True)), axis)
    return found


def _log_softmax(values: Floats) -> Floats:
    return values - _log_sum(values, -1)[..., None]
