"""Every threshold of the reader, in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """Lengths are in lattice units (square: pitches; hexagonal: sides) unless they say px."""

    decode_px: int = 1900
    """Longest side the photo is decoded to, at least."""
    detect_px: int = 832
    """Longest side of what the detector sees of the whole photo."""
    closer_px: tuple[float, float] = (26.0, 50.0)
    """Tiles (square, hexagonal) smaller than this in the detector's view are worth a second, closer look."""
    closer_aim: tuple[float, float] = (34.0, 64.0)
    """How large they should be in the closer look."""
    closer_longest: int = 1152
    """Longest side of the closer look, for time's sake."""
    closer_margin: float = 2.5
    """Tiles' widths around the table that the closer look takes in."""
    least_heat: float = 0.3
    """A detection below this is none."""
    hint_heat: float = 0.08
    """Where a lattice cell is at least this warm, something may lie there."""
    neighbour_slack: float = 0.38
    """How far from where a cell expects its neighbour one may lie, in pitches."""
    neighbour_size: float = 0.4
    """Largest difference of two neighbours' sizes, as a logarithm."""
    group_tiles: int = 4
    """Groups of at least so many tiles are laid on the lattice as a whole."""
    group_reach: float = 0.85
    """Cells from where a group seems to lie within which shifts are tried."""
    group_unlike: float = 0.35
    """Largest difference of a group's steps from the lattice's, as a share."""
    group_slack: float = 0.13
    """Mean distance from the cells' middles that a common lattice may leave, in pitches."""
    group_clear: float = 1.25
    """How much worse every other shift must fit."""
    joining_slack: float = 0.26
    """How far from the middle of its cell a tile of another group may lie, in pitches."""
    loose_slack: float = 0.42
    """How far off its cell a tile may lie that is right beside one on the lattice; it is asked about."""
    loose_steps: int = 6
    ruler_cells: float = 5.0
    """Over gaps up to this the steps at both ends are the ruler; beyond, the whole lattice is."""
    joining_size: float = 0.3
    joining_turn: float = 0.25
    """Radians by which it may be turned against the lattice."""
    joining_rings: tuple[int, ...] = (1, 1, 2, 2, 3, 4, 6, 8, 12)
    """Cells between what is on the lattice and what may join, ring by ring."""
    print_weight: float = 1.0
    """What a nat of the ramp net's opinion is worth when a ramp is laid on its lattice, in cells."""
    float_cost: float = 0.6
    """What a tile that rests on nothing costs."""
    empty_weight: float = 0.7
    """A seen empty cell against a seen tile, as support for a board."""
    cell_cost: float = 0.9
    """What a cell of a board must at least be worth to be part of it; a plainly seen tile is worth 2."""
    extra_copy_cost: float = 8.0
    """What one copy of a tile more than the set has costs, in nats."""
    look_apart: float = 0.1
    """Cells that differ by more than this (1 − cosine of their features) do not look alike."""
    look_votes: int = 3
    """A group of alike cells counts as at most so many."""
    second_look_cost: float = 4.0
    """What it costs, in nats, that one kind has two looks in one photo."""
    look_pull: float = 3.0
    """At most so many nats against a kind that another group looks like."""
    own_colour: float = 0.3
    """How much a tile's colour by itself still counts beside what all inks of the photo say together."""
    colour_apart: float = 0.08
    """Bits cells whose colour features differ by more than this are of different colours."""
    colours_of_ramp: tuple[int, int] = (4, 5)
    """Colours a game with a ramp of up to 24 cells has, and one with a larger ramp."""
    same_name_cost: float = 20.0
    """Two groups of Bits cells get two names, whatever they resemble."""
    likeness_sharpness: float = 60.0
    """Nats per unit of cosine by which a Bits cell prefers its own group."""
    plain_cells: int = 6
    """So many Bits cells that all look alike are rather the bare ramp."""
    bare_distance: tuple[float, ...] = (0.0, 8.0, 12.0, 17.0)
    """CIE Lab distances of a Bits cell from the strip above the ramp,"""
    bare_odds: tuple[float, ...] = (-4.0, -3.5, 0.0, 2.0)
    """and what each says about a tile lying there, in nats."""
    cell_apart: float = 0.05
    """Bits cells that differ by less than this share their opinion on whether they are empty."""
    shared_share: float = 0.7
    """How much of it is shared."""
    unlike_margin: float = 0.045
    """A cell must look that much more like its own kind's other cells than like another kind's."""
    few_unlike: float = 0.25
    """Share of one direction's digits that may look like another number's: their lines' colours tell."""
    colour_margin: float = 0.06
    """The same for Bits colours."""
    empty_margin: float = 0.03
    """The same for Bits cells, empty ones being a kind of their own."""
    joker_cost: float = 3.0
    """Jokers are rare: this much evidence against one."""
    other_print_cost: float = 5.0
    """A tile with a sun or moon in a copy without them, or the other way round."""
    only_one_mark: int = 4
    """So many tiles that all carry one symbol are asked about: by chance one board in eight has them so."""
    other_edition_cost: float = 6.0
    """Purple in a set with white, or the other way round."""
    even_heat: float = 0.25
    """Where there is no empty cell to compare with: the heat at which the detector has no opinion."""
    heat_weight: float = 1.0
    """The detector's log-odds against the tile net's, on whether a tile lies there."""
    undetected_cost: float = 5.0
    """Log-odds against a tile where the detector found nothing."""
    doubt_below: float = 0.97
    """A tile less likely than this is asked about."""
    doubt_hex_below: float = 0.9
    """A hexagon has four things to be unsure of, and 27 tiles that each lie once to settle them."""
    doubt_open_below: float = 0.99
    """On open tables, whose colours are told together, few tiles are less sure, and most wrong ones are."""
    doubt_empty_above: float = 0.04
    """A cell read as empty is asked about if a tile there is likelier than this."""
    rival_lead: float = 0.1
    """A photo whose typical tile is that much warmer for another game shows the other game."""
    least_seen: float = 0.5
    """Share of a fixed board's cells that must be detected."""
    least_margin: float = 1.0
    """How much better its place must be than any other, in cells."""
    least_warmth: float = 0.3
    """Mean heat over a fixed board's cells."""
    cut_tile: float = 0.6
    """The inner part of a tile, as a share of its width, that must be inside the photo."""
    alone_at_most: float = 0.45
    """How likely a tile that touches no other may be part of the table, whatever it looks like."""
    few_tiles: int = 2
    least_few_heat: float = 0.7
    """An open table of few tiles needs at least one this warm,"""
    least_table_heat: float = 0.5
    """one of more tiles one this warm."""
    ramp_margin: float = 2.6
    """A ramp that could as well lie another way, within so many nats, is not read."""
    torn: float = 1.5
    """Nats from which on the net and the bare ramp's colour contradict each other about a cell."""
    uneasy_share: float = 0.2
    """A photo with more doubts than this share of its cells is read with more caution,"""
    uneasy_below: float = 0.995
    """asking about everything less likely than this."""
    unclear_cells: int = 4
    unclear_share: float = 0.6
    smallest_tile_px: float = 13.0
    """Tiles smaller than this in the photo are refused."""
    good_tile_px: int = 40
    """What people are advised to come closer to."""
    too_oblique: float = 0.54
    """A tile squeezed to less than this share of its width is refused."""
    oblique: float = 0.6
    washed_out: int = 247
    """All three colours at least this bright: nothing of the print is left."""
    glare_share: float = 0.2
    """Share of a cell that is washed out, from which on light is said to be reflected there."""
    glare_doubt: float = 0.7
    """From which on the cell is asked about, whatever it was read as; a white drawing leaves more."""
    glare_reach: int = 2
    """Cells from the seen tiles of an open table as far as a mirrored lamp is thought to hide more."""
    glare_most: float = 0.4
    """Where more of the cells than this are washed out, it is no mirrored lamp."""
    blur_doubts: int = 3
    blurred: float = 0.16
    displaced: float = 0.2
    """Pitches off its cell's middle from which on a tile is called displaced."""
    misfits: int = 3
    misfit_share: float = 0.16
    """Where so many tiles, and more than this share of them, are displaced, the lattice is wrong."""
    strange_ink: float = 27.0
    """Levels by which a photo's inks may differ from what their colours' names mean."""
    strange_doubts: float = 0.25
    """Share of unsure tiles that weighs as much,"""
    most_strange: float = 1.6
    """and what both together may reach before tiles are called of an unknown edition."""
    least_strange_tiles: int = 6
    coloured: float = 0.1
    """How much the shares of blue, green and red must differ between an ink and its ground to be a colour."""
    least_coloured: float = 0.2
    """Where fewer things are coloured, they are print of some kind and no copy of a game of colours."""
    plain_tiles: float = 0.75
    """Typical heat from which on they are tiles beyond doubt, of whatever edition."""
    least_fit: float = 0.7
    """How well a photo must look like an installed edition for it to be used without being named."""
    doubt_displaced: float = 0.3
    """Pitches off its cell's middle from which on a tile is asked about."""
    second_board_share: float = 0.4
    fall_cost: float = 4.0
    """What it costs, in nats, that tiles lie as dominoes cannot have fallen."""
    fall_most: float = 14.0
    """A change that would mend it is asked about if it costs at most this."""
    hand_gap: int = 2
    """Cells between tiles of one group at most."""
    hand_tiles: int = 6
    """A straight row of so many tiles that lies apart is asked about: it may be somebody's hand."""
    stray_heat: float = 0.5
    """A tile that lies askew is one if it is this warm,"""
    stray_reach: float = 1.35
    """and touches the table if it is no further from a tile of it than this, in pitches."""
    rival_share: float = 0.5
    """Where that many tiles, as a share of the table's, lie askew, another group may be meant."""


SETTINGS = ReaderSettings()
