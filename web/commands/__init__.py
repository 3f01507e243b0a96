"""The commands of `kibic`, one module each.

A command is a module with `add_parser(subparsers)`, which sets its `run` as the parser's default, and
`run(args) -> int`, which returns the exit code. What takes long to import is imported inside `run`, so that
`kibic score` does not wait for libraries only `kibic read` needs.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import TypeAlias

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

COMMANDS = ("score", "move", "read", "measure", "best", "teach", "editions", "serve", "verify", "watch")
"""Names of the modules beside this one, in the order `kibic --help` lists them."""


def add_commands(subparsers: Subparsers) -> None:
    """Lets every command describe its arguments."""
    for name in COMMANDS:
        import_module(f"{__name__}.{name}").add_parser(subparsers)
