"""`kibic`: the command line, the second front door.

Exit codes: 0 all is well; 1 a referee would object (a finding, a move that is not legal); 2 something could
not be done, said in one line on standard error.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence

from scoring.core import Malformed
from web.commands import add_commands
from web.terminal import one_line

INTERRUPTED = 130
"""What shells expect of a program ended by Ctrl-C."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    _let_every_character_print()
    args = make_parser().parse_args(argv)
    try:
        code = int(args.run(args))
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has seen enough. Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except Malformed as error:
        print(f"kibic: {one_line(str(error))}", file=sys.stderr)
        return 2
    return code


def make_parser() -> argparse.ArgumentParser:
    """`kibic COMMAND …`."""
    parser = argparse.ArgumentParser(
        prog="kibic",
        description="The onlooker who knows the score: every point of a board, and why.",
        epilog="Exit codes: 0 fine, 1 a referee would object, 2 could not be done.",
    )
    add_commands(parser.add_subparsers(title="commands", metavar="COMMAND", required=True))
    return parser


def _let_every_character_print() -> None:
    """JSON is UTF-8 wherever it goes, and no terminal should make a Polish letter an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
