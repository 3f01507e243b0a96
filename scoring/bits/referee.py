"""What a referee would say about a Bits board: tiles that cannot have slid there, or that nobody owns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scoring.bits.calls import can_place, first_impossible, follow, heights_of
from scoring.bits.drop import Drop, UnfinishedError, divisions, partners, possible_drops, short_of_partners
from scoring.bits.options import SIZE, BitsOptions, Domino, TileSet, box, domino_name
from scoring.core import Board, Cell, Finding, Text, groups, neighbours4

TOO_MANY_COLOURS = Text("too-many-colours", "{seen} colours, the tiles have only {known}")
UNKNOWN_COLOUR = Text("colour-not-in-set", "no tile of the set shows {colour}")
ALONE = Text("half-tile", "a single cell, but every tile covers two")
FLOATING = Text("floating", "nothing holds the tile here: it would have slid further down")
ODD = Text("odd-cells", "{count} cells are filled, an odd number, but every tile covers two")
NO_PARTNERS = Text(
    "no-division", "no tiles can lie here: {count} cells have only {partners} to share a tile with"
)
TOO_MANY_TILES = Text("too-many-tiles", "{count} tiles, but a player has only {most} of the colours seen")
COLOUR_TOO_OFTEN = Text(
    "colour-too-often", "{count} {colour} cells, but all tiles of the colours seen show only {most}"
)
TILE_TOO_OFTEN = Text(
    "tile-too-often",
    "however the tiles lie, some are needed too often: at best {tile} {needed} × instead of {copies} ×",
)
NO_FIT = Text(
    "no-division-into-set", "however the tiles lie, some are needed more often than a player has them"
)
NO_START = Text("no-start-tile", "no start tile can lie on the bottom row")
UNFINISHED = Text("audit-unfinished", "too many possible divisions into tiles: not all were checked")
CALLED_TOO_OFTEN = Text("called-too-often", "{tile} was called {count} times, the set has it {copies} times")
MORE_THAN_CALLED = Text("more-than-called", "{count} tiles were placed, but only {called} called")
CALL_MISSING = Text("call-missing", "call {number}, {tile}, is missing, but there is still room")
CALL_NOT_FOLLOWED = Text(
    "call-not-followed",
    "the board cannot be played call by call: call {number}, {tile}, lies nowhere it can have slid to",
)
START_NOT_FOLLOWED = Text(
    "no-start-tile-first", "no start tile can lie on the bottom row before the first call"
)
ORDER = Text("order-impossible", "in this order the tile cannot have slid here")


def audit(board: Board[str], options: BitsOptions) -> tuple[Finding, ...]:
    """Everything that speaks against this one board."""
    return tuple(_findings(board, options))


def _findings(board: Board[str], options: BitsOptions) -> Iterator[Finding]:
    cells = board.cells
    rows, columns = size = board.size or SIZE
    tiles = box(frozenset(cells.values()), rows * columns, options)
    if not cells:
        return
    strange = list(_colours(board, tiles)) if tiles else []
    yield from strange
    # A log with gaps proves nothing: what it leaves out may have lain there before.
    if len(board.order) == len(cells) and (wrong := first_impossible(board.order, size)):
        yield Finding(ORDER(), wrong)
    drops = possible_drops(cells, rows)
    geometry = list(_geometry(board, drops))
    yield from geometry
    if tiles is None or geometry or any(finding.message.code == UNKNOWN_COLOUR.code for finding in strange):
        return
    if options.called is not None:
        yield from _calls(board, size, tiles, options.called)
        return
    shortage = list(_shortage(board, drops, tiles))
    yield from shortage or _nearest(board, drops, tiles)


def _colours(board: Board[str], tiles: TileSet) -> Iterator[Finding]:
    seen = sorted(set(board.cells.values()))
    if isinstance(tiles.colours, int):
        if len(seen) > tiles.colours:
            yield Finding(TOO_MANY_COLOURS(seen=len(seen), known=tiles.colours), tuple(sorted(board.cells)))
        return
    for colour in seen:
        if colour not in tiles.colours:
            yield Finding(UNKNOWN_COLOUR(colour=colour), _cells_of(board, colour))


def _cells_of(board: Board[str], colour: str) -> tuple[Cell, ...]:
    return tuple(sorted(cell for cell, own in board.cells.items() if own == colour))


def _geometry(board: Board[str], drops: Sequence[Drop]) -> Iterator[Finding]:
    """Cells that no dominoes can cover, whatever their colours."""
    cells = board.cells
    near = partners(cells, drops)
    stuck = sorted(cell for cell, others in near.items() if not others)
    floating = [cell for cell in stuck if any(other in cells for other in neighbours4(cell))]
    for cell in stuck:
        if cell not in floating:
            yield Finding(ALONE(), (cell,))
    for group in sorted(groups(floating), key=min):
        yield Finding(FLOATING(), tuple(sorted(group)))
    if len(cells) % 2:
        odd = sorted(cell for group in groups(cells) if len(group) % 2 for cell in group)
        yield Finding(ODD(count=len(cells)), tuple(odd))
    elif not stuck:
        for left_out, taken in short_of_partners(near):
            yield Finding(NO_PARTNERS(count=len(left_out), partners=len(taken)), tuple(sorted(left_out)))


def _shortage(board: Board[str], drops: Sequence[Drop], tiles: TileSet) -> Iterator[Finding]:
    """Counts that no division can mend."""
    most = sum(tiles.tiles.values()) + (tiles.start is not None)
    if len(board.cells) > 2 * most:
        yield Finding(TOO_MANY_TILES(count=len(board.cells) // 2, most=most), tuple(sorted(board.cells)))
    for colour, count in sorted(Counter(board.cells.values()).items()):
        own = sum(copies * tile.count(colour) for tile, copies in tiles.tiles.items())
        shown = own + max((tile.count(colour) for tile in tiles.start or ()), default=0)
        if count > shown > 0:
            found = COLOUR_TOO_OFTEN(count=count, colour=colour, most=shown)
            yield Finding(found, _cells_of(board, colour))
    if tiles.start is not None and not any(drop.on_floor and drop.kind in tiles.start for drop in drops):
        yield _no_start(board)


def _no_start(board: Board[str]) -> Finding:
    bottom = (board.size or SIZE)[0] - 1
    return Finding(NO_START(), tuple(sorted(cell for cell in board.cells if cell[0] == bottom)))


def _nearest(board: Board[str], drops: Sequence[Drop], tiles: TileSet) -> Iterator[Finding]:
    """What is wrong with the division that fits the player's tiles best; nothing, if one fits."""
    try:
        best = next(divisions(board.cells, drops, tiles))
    except UnfinishedError as unfinished:
        yield Finding(NO_FIT(), tuple(sorted(board.cells))) if unfinished.misfit else Finding(UNFINISHED())
        return
    for kind, count in sorted(best.own().items()):
        copies = tiles.tiles.get(kind, 0)
        if count > copies:
            start = kind == best.start
            found = TILE_TOO_OFTEN(tile=domino_name(kind), needed=count + start, copies=copies + start)
            lying = (drop.cells for drop in best.drops if drop.kind == kind)
            yield Finding(found, tuple(sorted(cell for pair in lying for cell in pair)))
    if tiles.start is not None and best.start is None:
        yield _no_start(board)


def _calls(
    board: Board[str], size: tuple[int, int], tiles: TileSet, called: Sequence[Domino]
) -> Iterator[Finding]:
    """Every call was placed in its turn, as long as anything could be placed.

    Room depends on the heights alone, never on the colours, and never grows: so a player who cannot place one
    call places none after it, and what was placed is the beginning of the calls.
    """
    for kind, count in Counter(called).items():
        copies = tiles.tiles.get(kind, 0)
        if count > copies:
            yield Finding(CALLED_TOO_OFTEN(tile=domino_name(kind), count=count, copies=copies))
    own = len(board.cells) // 2 - (tiles.start is not None)
    if own > len(called):
        yield Finding(MORE_THAN_CALLED(count=own, called=len(called)), tuple(sorted(board.cells)))
        return
    if own < len(called) and can_place(heights_of(board.cells, size), size[0]):
        yield Finding(CALL_MISSING(number=own + 1, tile=domino_name(called[own])))
    opening = [] if tiles.start is None else [frozenset(tiles.start)]
    played = opening + [frozenset([kind]) for kind in called[:own]]
    try:
        followed = follow(board.cells, size, played)
    except UnfinishedError:
        yield Finding(UNFINISHED())
        return
    if followed.tiles < len(played):
        number = followed.tiles - len(opening)
        yield Finding(
            START_NOT_FOLLOWED()
            if number < 0
            else CALL_NOT_FOLLOWED(number=number + 1, tile=domino_name(called[number])),
            followed.left,
        )
